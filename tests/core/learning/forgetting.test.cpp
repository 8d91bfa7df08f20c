/// The Forgetting Transformer (Lin et al. 2025, arXiv 2503.02130).

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "learning/encoding_reference.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "testing/testing.hpp"

namespace learning = posenc::learning;
using learning::EncodingType;
using reference::Quad;
using reference::Values;
using testing::value_of;

namespace {

/// ln sigmoid(x)
Quad logarithm_of_gate(Quad x) { return -reference::logarithm(1 + reference::exponential(-x)); }

/// D_ij = sum of ln f_l, l = j + 1 ... i, and the same the other way round.
class Forgetting {
 public:
  void operator()(const reference::QueryContext& context, std::span<Quad> scores) {
    // Queries come in order: all of a head have its gates.
    if (context.query == 0) set_gates(context, scores.size());
    for (std::size_t j = 0; j < scores.size(); ++j)
      for (std::size_t l = std::min(context.query, j) + 1; l <= std::max(context.query, j); ++l) scores[j] += gates_[l];
  }

 private:
  void set_gates(const reference::QueryContext& context, std::size_t length) {
    const std::size_t width = context.problem.shape.width;
    gates_.clear();
    for (std::size_t l = 0; l < length; ++l) {
      Quad sum = context.parameter("layers.1.forget.bias", context.head, 0);
      for (std::size_t dimension = 0; dimension < width; ++dimension)
        sum += context.parameter("layers.1.forget.weight", context.head, dimension) *
               context.arguments.rows[(context.sequence * length + l) * width + dimension];
      gates_.push_back(logarithm_of_gate(sum));
    }
  }

  Values gates_;
};

// A gate's logarithm has an error of some 2^-22 of itself: less than what the products of attention bring, which has
// the same tolerance without an encoding.
constexpr double forgetting_tolerance = 1e-6;

/// One head of a sequence, of two layers of a model of width 3, whose weights and biases are those given.
struct TwoLayers {
  std::size_t length;
  learning::ParameterList list;
  std::unique_ptr<learning::Encoding> encoding;
  std::vector<float> parameters;
  std::vector<std::int32_t> positions;
  learning::Pass pass;

  explicit TwoLayers(std::size_t tokens) : length(tokens) {
    encoding = value_of(learning::make_encoding({.type = EncodingType::fox}));
    encoding->declare({.layers = 2, .heads = 1, .width = 3}, list);
    parameters.resize(list.size());
    for (std::size_t i = 0; i < length; ++i) positions.push_back(static_cast<std::int32_t>(i));
    pass = {.shape = {1, length, 2, 1, 3}, .positions = positions, .parameters = parameters.data()};
    value_of(encoding->reserve({pass.shape, positions.back()}));
  }

  [[nodiscard]] std::size_t at(std::size_t layer, std::string_view what) const {
    const auto* found = list.find("layers." + std::to_string(layer) + ".forget." + std::string(what));
    REQUIRE(found != nullptr);
    return found->first;
  }
  [[nodiscard]] std::vector<float> bias_of(std::size_t layer, const std::vector<float>& rows) const {
    std::vector<float> scores(length * length);
    encoding->read_rows(pass, layer, rows.data());
    encoding->add_scores(pass, {layer, 0, 0}, {}, scores.data());
    return scores;
  }
};

}  // namespace

TEST_CASE("learning: forget gates", "[learning]") {
  testing::check_encoding({.type = EncodingType::fox}, {.scores = Forgetting()}, forgetting_tolerance);
  // Gates from e^-9 to 1.
  testing::check_encoding({.type = EncodingType::fox}, {.scores = Forgetting()}, forgetting_tolerance, -3, 3);
}

TEST_CASE("learning: forget gates of two layers have the same bits everywhere", "[learning][hashes]") {
  const std::size_t length = 37;
  TwoLayers layers(length);
  layers.parameters = testing::fractions(layers.list.size(), 3);
  layers.pass.parameters = layers.parameters.data();
  auto d_scores = testing::fractions(length * length, 4);
  for (std::size_t i = 0; i < length; ++i) std::fill_n(d_scores.data() + i * length + i + 1, length - i - 1, 0.0f);
  const std::vector<float> rows[]{testing::fractions(3 * length, 5), testing::fractions(3 * length, 6)};
  std::vector<std::vector<float>> results{layers.bias_of(0, rows[0]), layers.bias_of(1, rows[1])};
  for (std::size_t layer = 2; layer-- > 0;) {
    auto d = d_scores;
    std::vector<float> d_rows(3 * length), gradients(layers.list.size());
    layers.encoding->scores_gradient(layers.pass, {layer, 0, 0}, {}, d.data(), {}, gradients.data());
    layers.encoding->read_gradient(layers.pass, layer, rows[layer].data(), d_rows.data(), gradients.data());
    CHECK(d == d_scores);
    results.insert(results.end(), {d_rows, gradients});
  }
  // fractions: of the parameters 3, of what the gradient is given 4, of the layers' rows 5 and 6.
  testing::check_hash("learning: fox", "dd4a9d28545b6195",
                      {results[0], results[1], results[2], results[3], results[4], results[5]});
}

TEST_CASE("learning: forget gates that are all but shut or open", "[learning]") {
  TwoLayers layers(4);
  const std::vector<float> rows(12);
  layers.parameters[layers.at(0, "bias")] = -200;  // ln f is -200; f itself is no float32
  layers.parameters[layers.at(1, "bias")] = 200;   // ln f is -e^-200
  const auto shut = layers.bias_of(0, rows), open = layers.bias_of(1, rows);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      CHECK(shut[4 * i + j] == -200 * static_cast<float>(i - j));
      CHECK(open[4 * i + j] == 0);
    }
  for (const std::size_t layer : {std::size_t{1}, std::size_t{0}}) {
    std::vector<float> d_scores(16), d_rows(12), gradients(layers.list.size());
    d_scores[12] = 1;  // of the last query and the first key: three gates
    layers.encoding->scores_gradient(layers.pass, {layer, 0, 0}, {}, d_scores.data(), {}, gradients.data());
    layers.encoding->read_gradient(layers.pass, layer, rows.data(), d_rows.data(), gradients.data());
    CHECK(gradients[layers.at(layer, "bias")] == (layer == 0 ? 3 : 0));
  }
}
