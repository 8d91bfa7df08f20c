#include "posenc/attention/multi_head.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

#include "attention/attention_testing.hpp"
#include "posenc/attention/linear.hpp"
#include "testing/testing.hpp"

using reference::Quad;
using reference::Values;
using testing::AttentionCase;
using testing::fractions;
using testing::require_error;
using testing::same_bits;
using testing::value_of;

namespace {

using Floats = std::vector<float>;

/// Which inputs are given: the others are taken for them.
enum class Sources : std::uint8_t { self, memory, apart };

struct Layer {
  Floats weight, bias;
  std::size_t in, out;
  Layer(std::size_t its_in, std::size_t its_out, testing::Generator& generator)
      : weight(fractions(its_out * its_in, generator.next())),
        bias(fractions(generator.below(3) == 0 ? 0 : its_out, generator.next())),
        in(its_in),
        out(its_out) {}
  [[nodiscard]] posenc::LinearLayer view() const { return {weight, bias}; }
};

/// A multi-head attention with random inputs and layers; its scores' options are those of an AttentionCase.
struct MultiHeadCase {
  MultiHeadCase(Sources given, testing::Generator& generator)
      : which(given), scores(shape_for(given, generator), generator) {
    testing::randomize(scores, generator);
    const auto& at = scores.shape;
    const auto width = [&] { return 1 + generator.below(5); };
    const std::size_t query_width = width();
    const std::size_t key_width = given == Sources::self ? query_width : width();
    const std::size_t value_width = given == Sources::apart ? width() : key_width;
    query = fractions(at.batch * at.queries * query_width, generator.next());
    key = fractions(at.batch * at.keys * key_width, generator.next());
    value = fractions(at.batch * at.keys * value_width, generator.next());
    layers = {{query_width, at.heads * at.dim, generator},
              {key_width, at.kv_heads * at.dim, generator},
              {value_width, at.kv_heads * at.value_dim, generator},
              {at.heads * at.value_dim, width(), generator}};
    shape = {at, query_width, key_width, value_width, layers[3].out};
    context.assign(scores.output.size(), testing::untouched);
    output.assign(at.batch * at.queries * shape.out_width, testing::untouched);
  }

  static posenc::BatchedAttentionShape shape_for(Sources given, testing::Generator& generator) {
    auto shape = testing::random_batched_shape(generator);
    if (given == Sources::self) shape.keys = shape.queries;
    return shape;
  }

  [[nodiscard]] posenc::MultiHeadLayers views() const {
    return {layers[0].view(), layers[1].view(), layers[2].view(), layers[3].view()};
  }
  [[nodiscard]] posenc::MultiHeadInputs inputs() const {
    posenc::MultiHeadInputs inputs{query};
    if (which != Sources::self) inputs.key = key;
    if (which == Sources::apart) inputs.value = value;
    return inputs;
  }
  [[nodiscard]] posenc::Expected<void> attempt() {
    return posenc::multi_head_attention(shape, views(), scores.options, inputs(),
                                        {scores.query, scores.key, scores.value, context}, scores.weights, output);
  }

  struct Gradients {
    Floats query, key, value;
    std::vector<Layer> layers;
    Floats bias;
  };
  [[nodiscard]] posenc::Expected<void> attempt_backward(const Floats& d_output, Gradients& out) const {
    const auto layer = [&](std::size_t i) { return posenc::LayerGradients{out.layers[i].weight, out.layers[i].bias}; };
    return posenc::multi_head_backward(
        shape, views(), scores.options, inputs(), {scores.query, scores.key, scores.value, context}, d_output,
        {out.query, out.key, out.value, layer(0), layer(1), layer(2), layer(3), out.bias});
  }
  [[nodiscard]] Gradients unwritten_gradients() const {
    Gradients out{Floats(query.size(), testing::untouched),
                  Floats(which == Sources::self ? 0 : key.size(), testing::untouched),
                  Floats(which == Sources::apart ? value.size() : 0, testing::untouched), layers,
                  Floats(scores.options.bias.size(), testing::untouched)};
    for (Layer& layer : out.layers) {
      layer.weight.assign(layer.weight.size(), testing::untouched);
      layer.bias.assign(layer.out, testing::untouched);
    }
    return out;
  }

  Sources which;
  AttentionCase scores;
  std::vector<Layer> layers;
  posenc::MultiHeadShape shape;
  Floats query, key, value, context, output;
};

/// The formula: everything that can be differentiated is an argument.
struct Arguments {
  explicit Arguments(const MultiHeadCase& c)
      : query(reference::widened(c.query)),
        key(reference::widened(c.key)),
        value(reference::widened(c.value)),
        added(reference::widened(c.scores.options.bias)) {
    for (std::size_t i = 0; i < 4; ++i) {
      weight[i] = reference::widened(c.layers[i].weight);
      bias[i] = reference::widened(c.layers[i].bias);
    }
  }
  Values query, key, value, weight[4], bias[4], added;
};

Values output_by_formula(const MultiHeadCase& c, const Arguments& in) {
  const auto& at = c.shape.attention;
  const Values& key = c.which == Sources::self ? in.query : in.key;
  const Values& value = c.which == Sources::apart ? in.value : key;
  const auto projected = [&](std::size_t layer, const Values& x, std::size_t heads, std::size_t rows, std::size_t dim) {
    return reference::split(
        reference::values_of(reference::linear(x, in.weight[layer], in.bias[layer], c.layers[layer].in)), at.batch,
        heads, rows, dim);
  };
  const auto attended =
      reference::attend(c.scores.problem(), {projected(0, in.query, at.heads, at.queries, at.dim),
                                             projected(1, key, at.kv_heads, at.keys, at.dim),
                                             projected(2, value, at.kv_heads, at.keys, at.value_dim), in.added});
  const auto context =
      reference::merge(reference::values_of(attended.output), at.batch, at.heads, at.queries, at.value_dim);
  return reference::values_of(reference::linear(context, in.weight[3], in.bias[3], c.layers[3].in));
}

constexpr Sources all_inputs[]{Sources::self, Sources::memory, Sources::apart};

}  // namespace

TEST_CASE("multi-head: the output is that of the formula", "[multi_head][accuracy]") {
  testing::Generator generator(750);
  double worst = 0;
  for (int round = 0; round < 90; ++round) {
    MultiHeadCase c(all_inputs[round % 3], generator);
    value_of(c.attempt());
    worst = std::fmax(worst, reference::worst_of_largest(c.output, output_by_formula(c, Arguments(c))));
  }
  std::printf("largest error: multi-head: %.3g of the largest output\n", worst);
  CHECK(worst <= 1e-6);
}

TEST_CASE("multi-head: the bits of its steps", "[multi_head]") {
  testing::Generator generator(751);
  for (int round = 0; round < 30; ++round) {
    MultiHeadCase c(all_inputs[round % 3], generator);
    value_of(c.attempt());
    const auto& at = c.shape.attention;
    const Floats& key = c.which == Sources::self ? c.query : c.key;
    const Floats& value = c.which == Sources::apart ? c.value : key;
    const auto projected = [&](std::size_t layer, const Floats& x, std::size_t heads, std::size_t rows,
                               std::size_t dim) {
      Floats flat(at.batch * heads * rows * dim), split(flat.size());
      value_of(posenc::linear(c.layers[layer].view(), {at.batch * rows, c.layers[layer].in, c.layers[layer].out},
                              c.scores.options.precision, x, flat));
      value_of(posenc::split_heads({at.batch, heads, rows, dim}, flat, split));
      return split;
    };
    AttentionCase steps = c.scores;
    steps.options = c.scores.options;
    steps.query = projected(0, c.query, at.heads, at.queries, at.dim);
    steps.key = projected(1, key, at.kv_heads, at.keys, at.dim);
    steps.value = projected(2, value, at.kv_heads, at.keys, at.value_dim);
    REQUIRE(same_bits(steps.query, c.scores.query));
    REQUIRE(same_bits(steps.key, c.scores.key));
    REQUIRE(same_bits(steps.value, c.scores.value));
    steps.forward();
    REQUIRE(same_bits(steps.weights, c.scores.weights));
    Floats context(steps.output.size()), output(c.output.size());
    value_of(posenc::merge_heads({at.batch, at.heads, at.queries, at.value_dim}, steps.output, context));
    REQUIRE(same_bits(context, c.context));
    value_of(posenc::linear(c.layers[3].view(), {at.batch * at.queries, c.layers[3].in, c.layers[3].out},
                            c.scores.options.precision, context, output));
    REQUIRE(same_bits(output, c.output));
  }
}

TEST_CASE("multi-head: every gradient is that of finite differences", "[multi_head][accuracy]") {
  testing::Generator generator(752);
  double worst = 0;
  for (int round = 0; round < 18; ++round) {
    MultiHeadCase c(all_inputs[round % 3], generator);
    value_of(c.attempt());
    const auto d_output = fractions(c.output.size(), generator.next());
    auto gradients = c.unwritten_gradients();
    value_of(c.attempt_backward(d_output, gradients));
    Arguments in(c);
    double largest = 0, error = 0;
    const auto compare = [&](Values& part, const Floats& found) {
      if (found.empty() || part.empty()) return;
      const auto exact = reference::differences(
          [&](const Values& at) {
            const Values before = std::exchange(part, at);
            const Values output = output_by_formula(c, in);
            part = before;
            Quad sum = 0;
            for (std::size_t i = 0; i < output.size(); ++i) sum += output[i] * d_output[i];
            return sum;
          },
          part);
      for (std::size_t i = 0; i < exact.size(); ++i) {
        error = std::fmax(error, static_cast<double>(reference::magnitude(found[i] - exact[i])));
        largest = std::fmax(largest, static_cast<double>(reference::magnitude(exact[i])));
      }
    };
    compare(in.query, gradients.query);
    compare(in.key, gradients.key);
    compare(in.value, gradients.value);
    compare(in.added, gradients.bias);
    for (std::size_t i = 0; i < 4; ++i) {
      compare(in.weight[i], gradients.layers[i].weight);
      compare(in.bias[i], gradients.layers[i].bias);
    }
    if (largest > 0) worst = std::fmax(worst, error / largest);
  }
  std::printf("largest error: multi-head gradients: %.3g of a call's largest gradient\n", worst);
  CHECK(worst <= 1e-6);
}

TEST_CASE("multi-head: self-attention's gradient is the sum of the three inputs'", "[multi_head]") {
  testing::Generator generator(753);
  MultiHeadCase self(Sources::self, generator);
  while (self.query.size() < 4) self = MultiHeadCase(Sources::self, generator);
  value_of(self.attempt());
  MultiHeadCase apart = self;
  apart.which = Sources::apart;
  apart.key = apart.value = apart.query;
  apart.scores.options = self.scores.options;
  value_of(apart.attempt());
  CHECK(same_bits(apart.output, self.output));
  const auto d_output = fractions(self.output.size(), 754);
  auto one = self.unwritten_gradients();
  auto three = apart.unwritten_gradients();
  value_of(self.attempt_backward(d_output, one));
  value_of(apart.attempt_backward(d_output, three));
  CHECK(same_bits(one.layers[1].weight, three.layers[1].weight));
  for (std::size_t i = 0; i < one.query.size(); ++i)
    CHECK(std::abs(one.query[i] - (double{three.query[i]} + three.key[i] + three.value[i])) <=
          1.2e-7 * (1 + std::abs(three.query[i]) + std::abs(three.key[i]) + std::abs(three.value[i])));
}

TEST_CASE("multi-head: one head with identity layers is plain attention", "[multi_head]") {
  testing::Generator generator(755);
  AttentionCase plain({.batch = 2, .heads = 1, .kv_heads = 1, .queries = 4, .keys = 4, .dim = 3, .value_dim = 3},
                      generator);
  plain.key = plain.value = plain.query;
  plain.forward();
  const Floats identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
  const posenc::LinearLayer layer{identity, {}};
  Floats q(24), k(24), v(24), weights(32), context(24), output(24);
  value_of(posenc::multi_head_attention({plain.shape, 3, 3, 3, 3}, {layer, layer, layer, layer}, plain.options,
                                        {plain.query}, {q, k, v, context}, weights, output));
  CHECK(same_bits(weights, plain.weights));
  CHECK(same_bits(output, plain.output));
}

TEST_CASE("multi-head: what does not fit is an Error and nothing is written", "[multi_head]") {
  testing::Generator generator(756);
  MultiHeadCase good(Sources::apart, generator);
  const auto usable = [](const MultiHeadCase& c) {
    const auto& at = c.shape.attention;
    return at.queries > 2 && at.keys > 2 && at.queries != at.keys && c.shape.key_width != c.shape.query_width &&
           c.shape.value_width != c.shape.key_width && !c.layers[1].bias.empty() && c.scores.options.bias.empty();
  };
  while (!usable(good)) good = MultiHeadCase(Sources::apart, generator);
  good.scores.options = {};
  const auto refused = [&](auto change, std::string_view argument) {
    MultiHeadCase wrong = good;
    wrong.scores.query.assign(wrong.scores.query.size(), testing::untouched);
    change(wrong);
    require_error(wrong.attempt(), argument, "");
    CHECK(testing::is_untouched(wrong.output));
    CHECK(testing::is_untouched(wrong.context));
    CHECK(testing::is_untouched(wrong.scores.weights));
    CHECK(testing::is_untouched(wrong.scores.query));
  };
  refused([](auto& w) { w.query.pop_back(); }, "query");
  refused([](auto& w) { w.key.push_back(1); }, "key");
  refused([](auto& w) { w.value.pop_back(); }, "value");
  refused([](auto& w) { w.layers[0].weight.pop_back(); }, "layers.query.weight");
  refused([](auto& w) { w.layers[1].bias.pop_back(); }, "layers.key.bias");
  refused([](auto& w) { w.layers[2].weight.push_back(1); }, "layers.value.weight");
  refused([](auto& w) { w.layers[3].weight.pop_back(); }, "layers.out.weight");
  refused([](auto& w) { w.scores.query.pop_back(); }, "saved.query");
  refused([](auto& w) { w.scores.key.pop_back(); }, "saved.key");
  refused([](auto& w) { w.scores.value.pop_back(); }, "saved.value");
  refused([](auto& w) { w.scores.weights.pop_back(); }, "weights");
  refused([](auto& w) { w.context.pop_back(); }, "saved.context");
  refused([](auto& w) { w.output.pop_back(); }, "output");
  refused([](auto& w) { w.scores.options.scale = std::nan(""); }, "scale");
  refused([](auto& w) { w.scores.options.dropout.p = -1; }, "p");
  refused([](auto& w) { w.which = Sources::self; }, "keys");
  refused([](auto& w) { w.which = Sources::memory; }, "valueWidth");

  value_of(good.attempt());
  const auto d_output = fractions(good.output.size(), 757);
  const auto refused_backward = [&](auto change, std::string_view argument) {
    auto gradients = good.unwritten_gradients();
    change(gradients);
    require_error(good.attempt_backward(d_output, gradients), argument, "");
    CHECK(testing::is_untouched(gradients.layers[3].weight));
    CHECK(testing::is_untouched(gradients.query));
  };
  refused_backward([](auto& gradients) { gradients.query.pop_back(); }, "gradients.query");
  refused_backward([](auto& gradients) { gradients.key.push_back(testing::untouched); }, "gradients.key");
  refused_backward([](auto& gradients) { gradients.value.pop_back(); }, "gradients.value");
  refused_backward([](auto& gradients) { gradients.layers[0].weight.push_back(testing::untouched); },
                   "gradients.layers.query.weight");
  refused_backward([](auto& gradients) { gradients.layers[1].bias.push_back(testing::untouched); },
                   "gradients.layers.key.bias");
  refused_backward([](auto& gradients) { gradients.bias.assign(2, testing::untouched); }, "gradients.bias");
  auto gradients = good.unwritten_gradients();
  require_error(good.attempt_backward(Floats(d_output.size() + 1), gradients), "output", "");
}
