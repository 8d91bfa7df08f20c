/// The transformer and its gradient, against the formulas in 113 bits.

#include "posenc/learning/transformer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <string>

#include "attention/attention_reference.hpp"
#include "testing/testing.hpp"

namespace learning = posenc::learning;
using learning::ModelOptions;
using reference::Quad;
using reference::Values;
using testing::require_error;
using testing::value_of;

namespace {

/// Rows of any number of columns.
struct Rows {
  std::size_t columns = 0;
  Values values;

  Rows(std::size_t count, std::size_t width) : columns(width), values(count * width) {}
  [[nodiscard]] std::size_t count() const { return values.size() / columns; }
  Quad& at(std::size_t i, std::size_t j) { return values[i * columns + j]; }
  [[nodiscard]] const Quad& at(std::size_t i, std::size_t j) const { return values[i * columns + j]; }
};

/// A model of which the parameters are found by name.
struct ReferenceModel {
  ModelOptions options;
  const learning::ParameterList& list;
  const Values& parameters;

  /// The first value of a parameter, whose rows follow each other.
  [[nodiscard]] const Quad* parameter(const std::string& name) const { return &parameters[list.find(name)->first]; }
  [[nodiscard]] std::size_t outputs(const std::string& name) const { return list.find(name)->rows; }

  /// x W^T
  [[nodiscard]] Rows project(const Rows& x, const std::string& name) const {
    Rows y(x.count(), outputs(name));
    const Quad* const weights = parameter(name);
    for (std::size_t row = 0; row < x.count(); ++row)
      for (std::size_t j = 0; j < y.columns; ++j)
        for (std::size_t k = 0; k < x.columns; ++k) y.at(row, j) += x.at(row, k) * weights[j * x.columns + k];
    return y;
  }

  [[nodiscard]] Rows norm(Rows x, const std::string& name) const {
    const Quad* const gains = parameter(name);
    for (std::size_t row = 0; row < x.count(); ++row) {
      Quad squares = 0;
      for (std::size_t k = 0; k < x.columns; ++k) squares += x.at(row, k) * x.at(row, k);
      const Quad root = reference::square_root(squares / Quad(static_cast<double>(x.columns)) + Quad(1e-6f));
      for (std::size_t k = 0; k < x.columns; ++k) x.at(row, k) *= gains[k] / root;
    }
    return x;
  }

  /// Attention of one sequence.
  [[nodiscard]] Rows attend(const Rows& heads) const {
    const auto width = static_cast<std::size_t>(options.width), count = static_cast<std::size_t>(options.heads);
    const std::size_t dims = width / count;
    Rows out(heads.count(), width);
    for (std::size_t head = 0; head < count; ++head)
      for (std::size_t i = 0; i < heads.count(); ++i) {
        const std::size_t visible = options.causal ? i + 1 : heads.count();
        Values weights(visible);
        Quad sum = 0;
        for (std::size_t j = 0; j < visible; ++j) {
          Quad score = 0;
          for (std::size_t k = head * dims; k < (head + 1) * dims; ++k)
            score += heads.at(i, k) * heads.at(j, width + k);
          sum += weights[j] = reference::exponential(score / reference::square_root(Quad(static_cast<double>(dims))));
        }
        for (std::size_t j = 0; j < visible; ++j)
          for (std::size_t k = head * dims; k < (head + 1) * dims; ++k)
            out.at(i, k) += weights[j] / sum * heads.at(j, 2 * width + k);
      }
    return out;
  }

  /// The sum of the losses of one sequence.
  [[nodiscard]] Quad loss(std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets) const {
    const auto width = static_cast<std::size_t>(options.width);
    Rows x(tokens.size(), width);
    for (std::size_t i = 0; i < tokens.size(); ++i)
      for (std::size_t k = 0; k < width; ++k)
        x.at(i, k) = parameter("embedding")[static_cast<std::size_t>(tokens[i]) * width + k];
    const auto add = [&](const Rows& rows) {
      for (std::size_t i = 0; i < x.values.size(); ++i) x.values[i] += rows.values[i];
    };
    for (std::int64_t layer = 0; layer < options.layers; ++layer) {
      const std::string start = "layers." + std::to_string(layer) + ".";
      add(project(attend(project(norm(x, start + "attention_norm"), start + "query_key_value")),
                  start + "attention_output"));
      Rows up = project(norm(x, start + "mlp_norm"), start + "up");
      const Quad *const up_bias = parameter(start + "up_bias"), *const down_bias = parameter(start + "down_bias");
      for (std::size_t i = 0; i < up.values.size(); ++i) {
        const Quad value = up.values[i] + up_bias[i % up.columns];
        // tanh z = 2 / (1 + e^-2z) - 1
        const Quad z = reference::square_root(2 / reference::pi()) * (value + Quad(0.044715) * value * value * value);
        up.values[i] = value / 2 * (1 + 2 / (1 + reference::exponential(-2 * z)) - 1);
      }
      Rows down = project(up, start + "down");
      for (std::size_t i = 0; i < down.values.size(); ++i) down.values[i] += down_bias[i % width];
      add(down);
    }
    const Rows logits = project(norm(x, "last_norm"), options.ties_output ? "embedding" : "output");
    Quad sum = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (targets[i] == learning::not_asked) continue;
      Quad total = 0;
      for (std::size_t j = 0; j < logits.columns; ++j) total += reference::exponential(logits.at(i, j));
      sum += reference::logarithm(total) - logits.at(i, static_cast<std::size_t>(targets[i]));
    }
    return sum;
  }
};

}  // namespace

TEST_CASE("learning: the transformer's loss and gradient are those of its formulas", "[learning][accuracy]") {
  testing::Generator generator(1806);
  for (const bool ties : {false, true})
    for (const bool causal : {true, false}) {
      const ModelOptions options{2, 4, 2, 5, causal, ties, 0};
      auto model = value_of(learning::Transformer::make(5, options, {}));
      constexpr std::size_t sequences = 2, length = 4;
      value_of(model.reserve(sequences, length, length - 1, true));
      const std::vector<std::int32_t> tokens{0, 3, 3, 1, 4, 2, 0, 3}, targets{-1, 2, 4, 0, 1, -1, -1, 3};
      std::vector<std::int32_t> positions{0, 1, 2, 3};
      const auto values = testing::fractions(model.parameters().size(), generator.next());
      std::vector<float> gradients(values.size(), testing::untouched);
      const learning::TokenBatch batch{sequences, length, tokens, positions};
      const auto sums = value_of(model.run(batch, targets, values, gradients));
      CHECK(sums.asked == 5);
      const auto loss = [&](const Values& parameters) {
        const ReferenceModel reference{options, model.parameters(), parameters};
        Quad sum = 0;
        for (std::size_t first = 0; first < tokens.size(); first += length)
          sum += reference.loss(std::span(tokens).subspan(first, length), std::span(targets).subspan(first, length));
        return sum;
      };
      const Values wide = reference::widened(values);
      CHECK(static_cast<double>(reference::magnitude(Quad(sums.loss) / loss(wide) - 1)) < 1e-6);
      // Roundings of two layers and back again.
      CHECK(reference::worst_of_largest(gradients, reference::differences(loss, wide)) < 4e-6);
      // It is the same loss without gradients, with smaller buffers.
      auto tested = value_of(model.with_encoding({}));
      value_of(tested.reserve(sequences, length, length - 1, false));
      CHECK(value_of(tested.run(batch, targets, values)).loss == sums.loss);
    }
}

TEST_CASE("learning: a model's options", "[learning]") {
  const auto refused = [](const ModelOptions& options, std::string_view argument, std::string_view value) {
    require_error(learning::Transformer::make(5, options, {}), argument, value);
  };
  refused({.layers = 0}, "model.layers", "0");
  refused({.width = 33}, "model.width", "33");
  refused({.width = 514}, "model.width", "514");
  refused({.heads = 65}, "model.heads", "65");
  refused({.hidden = 4097}, "model.hidden", "4097");
  refused({.dropout = 0.95}, "model.dropout", "0.95");
  refused({.dropout = -0.1}, "model.dropout", "-0.1");
}
