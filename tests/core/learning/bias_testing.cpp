#include "learning/bias_testing.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "posenc/learning/encodings/make_encoding.hpp"
#include "testing/testing.hpp"

namespace testing {
namespace {

using posenc::learning::HeadIndex;
using posenc::learning::Pass;
using posenc::learning::PassShape;
using reference::Quad;
using reference::Values;

template <class Use>
void for_heads(const PassShape& shape, std::size_t layer, const Use& use) {
  for (std::size_t sequence = 0; sequence < shape.sequences; ++sequence)
    for (std::size_t head = 0; head < shape.heads; ++head) use(HeadIndex{layer, sequence, head});
}

/// Writes 0 where a matrix of scores is masked.
void clear_masked(const Pass& pass, float* scores) {
  for (std::size_t query = 0; query < pass.shape.length; ++query)
    std::fill(scores + query * pass.shape.length + pass.keys_of(query), scores + (query + 1) * pass.shape.length, 0.0f);
}

Values exact_bias(const reference::EncodingProblem& problem, const reference::EncodingFormula& formula,
                  const Values& parameters) {
  const reference::EncodingArguments arguments{{}, {}, {}, {}, {}, parameters};
  Values bias;
  for_heads(problem.shape, 0, [&](const HeadIndex& index) {
    for (std::size_t query = 0; query < problem.shape.length; ++query) {
      Values scores(problem.shape.length);
      formula.scores({problem, arguments, index.sequence, index.head, query}, scores);
      if (problem.is_causal) std::fill(scores.begin() + static_cast<std::ptrdiff_t>(query) + 1, scores.end(), Quad{0});
      bias.insert(bias.end(), scores.begin(), scores.end());
    }
  });
  return bias;
}

}  // namespace

BiasOutputs check_bias(const BiasCase& of, const reference::EncodingFormula& formula, double tolerance,
                       double gradient_tolerance) {
  const PassShape& shape = of.shape;
  const std::size_t square = shape.length * shape.length, layer_size = shape.sequences * shape.heads * square;
  const bool shares = of.positions.size() == shape.length;
  reference::EncodingProblem problem{shape, of.positions, of.is_causal, of.options, {}};
  for (std::size_t copy = 1; shares && copy < shape.sequences; ++copy)
    problem.positions.insert(problem.positions.end(), of.positions.begin(), of.positions.end());
  const auto encoding = value_of(posenc::learning::make_encoding(of.options));
  encoding->declare({0, 0, shape.layers, shape.heads, shape.width}, problem.list);
  PassShape larger = shape;
  larger.sequences += 1;
  larger.length += 3;
  value_of(encoding->reserve({larger, *std::ranges::max_element(problem.positions)}));

  auto parameters = fractions(problem.list.size(), 2711);
  for (float& value : parameters) value = of.range.least + (value + 1) / 2 * (of.range.most - of.range.least);
  for (const auto& [name, value] : of.given) parameters[problem.list.find(name)->first] = value;
  const Pass pass{shape, problem.positions, shares, of.is_causal, 1, parameters.data()};
  // An earlier use of the encoding leaves nothing behind: a pass of one token, and one with other parameters.
  const auto other = fractions(problem.list.size(), 2712);
  Pass before = pass;
  before.parameters = other.data();
  encoding->begin_pass(before);
  before.shape.length = before.shape.sequences = 1;
  encoding->begin_pass(before);
  encoding->begin_pass(pass);

  BiasOutputs out{std::vector<float>(layer_size), std::vector<float>(problem.list.size())};
  for (std::size_t layer = 0; layer < shape.layers; ++layer) {
    std::vector<float> bias(layer_size);
    for_heads(shape, layer, [&](const HeadIndex& index) {
      float* const scores = bias.data() + index.in_layer(shape) * square;
      encoding->add_scores(pass, index, {}, scores);
      clear_masked(pass, scores);
    });
    CHECK((layer == 0 || same_bits(bias, out.bias)));
    out.bias = bias;
  }
  CHECK(reference::worst_of_largest(out.bias, exact_bias(problem, formula, reference::widened(parameters))) <=
        tolerance);

  Values d_bias(layer_size);
  for (std::size_t layer = shape.layers; layer-- > 0;)
    for_heads(shape, layer, [&](const HeadIndex& index) {
      const std::size_t first = index.in_layer(shape) * square;
      // Other numbers in each head of each layer.
      const std::size_t seed = 1 + layer * shape.sequences * shape.heads + index.in_layer(shape);
      auto d_scores = fractions(square, static_cast<std::uint32_t>(seed));
      clear_masked(pass, d_scores.data());
      for (std::size_t i = 0; i < square; ++i) d_bias[first + i] += static_cast<Quad>(d_scores[i]);
      const auto given = d_scores;
      encoding->scores_gradient(pass, index, {}, d_scores.data(), {}, out.d_parameters.data());
      CHECK(same_bits(d_scores, given));
    });
  encoding->finish_gradient(pass, out.d_parameters.data());
  const Values exact = reference::differences(
      [&](const Values& values) {
        const Values bias = exact_bias(problem, formula, values);
        Quad loss = 0;
        for (std::size_t i = 0; i < bias.size(); ++i) loss += d_bias[i] * bias[i];
        return loss;
      },
      reference::widened(parameters));
  CHECK(reference::worst_of_largest(out.d_parameters, exact) <= gradient_tolerance);
  return out;
}

}  // namespace testing
