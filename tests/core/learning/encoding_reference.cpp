#include "learning/encoding_reference.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <tuple>
#include <utility>

#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/layers/attention.hpp"
#include "testing/testing.hpp"

namespace learning = posenc::learning;

namespace reference {

Quad QueryContext::parameter(std::string_view name, std::size_t row, std::size_t column) const {
  const learning::Parameter* found = problem.list.find(name);
  if (found == nullptr) FAIL("no parameter " << name);
  return arguments.parameters[found->first + row * found->columns + column];
}

EncodingOutputs attend(const EncodingProblem& problem, const EncodingFormula& formula, EncodingArguments in) {
  const auto& [sequences, length, layers, heads, width] = problem.shape;
  const std::size_t dims = problem.shape.dims();
  if (formula.input)
    for (std::size_t row = 0; row < sequences * length; ++row)
      for (std::size_t dimension = 0; dimension < width; ++dimension) {
        Quad& x = in.x[row * width + dimension];
        if (dimension >= formula.replaced_from) x = 0;
        x += formula.input(problem, in.parameters, problem.position(row / length, row % length), dimension);
      }
  if (formula.rotate)
    for (std::size_t row = 0; row < sequences * length; ++row)
      for (std::size_t head = 0; head < heads; ++head)
        for (Values* rows : {&in.query, &in.key})
          formula.rotate(problem, rows == &in.query, problem.position(row / length, row % length),
                         std::span(*rows).subspan(row * width + head * dims, dims));
  Values output(sequences * length * width);
  const Quad scale = 1 / square_root(Quad(static_cast<double>(dims)));
  for (std::size_t sequence = 0; sequence < sequences; ++sequence)
    for (std::size_t head = 0; head < heads; ++head)
      for (std::size_t i = 0; i < length; ++i) {
        const QueryContext context{problem, in, sequence, head, i};
        Values scores(length);
        for (std::size_t j = 0; j < length; ++j)
          for (std::size_t dimension = 0; dimension < dims; ++dimension)
            scores[j] += scale * context.of(in.query, i, dimension) * context.of(in.key, j, dimension);
        if (formula.scores) formula.scores(context, scores);
        const std::size_t visible = problem.is_causal ? i + 1 : length;
        Values weights(length);
        Quad sum = 0;
        for (std::size_t j = 0; j < visible; ++j) sum += weights[j] = exponential(scores[j]);
        for (std::size_t j = 0; j < visible; ++j) weights[j] /= sum;
        for (std::size_t dimension = 0; dimension < dims; ++dimension) {
          Quad& out = output[(sequence * length + i) * width + head * dims + dimension];
          for (std::size_t j = 0; j < visible; ++j) out += weights[j] * context.of(in.value, j, dimension);
          if (formula.values) out += formula.values(context, weights, dimension);
        }
      }
  return {in.x, output};
}

}  // namespace reference

namespace testing {
namespace {

using Floats = std::vector<float>;
using reference::EncodingArguments;
using reference::EncodingFormula;
using reference::EncodingProblem;
using reference::Quad;
using reference::Values;

/// Compares what the library computes, and its gradients, for random arrays and random gradients of the outputs.
struct Computed {
  Floats x, rows, query, key, value, parameters;  ///< the arguments
  Floats d_x, d_output;                           ///< given
  Floats with_input = {}, output = {};            ///< the results
  Floats d_input = {}, d_rows = {}, d_query = {}, d_key = {}, d_value = {}, d_parameters = {};
};

Computed compute(const EncodingProblem& problem, learning::Encoding& encoding, float least, float most) {
  Generator generator(1918);
  const auto& shape = problem.shape;
  const std::size_t size = shape.rows() * shape.width, square = shape.length * shape.length;
  const auto some = [&](std::size_t count) { return fractions(count, generator.next()); };
  Computed made{some(size), some(size), some(size), some(size), some(size), some(problem.list.size()),
                some(size), some(size)};
  for (float& value : made.parameters) value = least + (value + 1) / 2 * (most - least);
  Floats weights(shape.sequences * shape.heads * square), scores(2 * square);
  bool shares = true;
  for (std::size_t row = 0; row < shape.rows(); ++row)
    shares &= problem.positions[row] == problem.positions[row % shape.length];
  const learning::Pass pass{shape,
                            problem.positions,
                            shares,
                            problem.is_causal,
                            static_cast<float>(1 / std::sqrt(static_cast<double>(shape.dims()))),
                            made.parameters.data()};
  made.with_input = made.x;
  made.output.resize(size);
  made.d_rows.resize(size);
  made.d_query.resize(size);
  made.d_key.resize(size);
  made.d_value.resize(size);
  made.d_parameters.resize(problem.list.size());
  Floats query = made.query, key = made.key, value = made.value;
  const auto strided = [&](Floats& values) { return posenc::row_major(values.data(), shape.width); };
  const learning::LayerRows rows{strided(query), strided(key), strided(value)};
  const learning::LayerRows d_rows{strided(made.d_query), strided(made.d_key), strided(made.d_value)};
  auto product = value_of(learning::Product::make(
      {{shape.dims(), shape.length}, {shape.length, shape.dims()}, {shape.length, shape.length}}));
  float* const gradients = made.d_parameters.data();
  const auto go_forward = [&](std::size_t layer, const Floats& read, const learning::LayerRows& of, Floats& to_weights,
                              Floats& output) {
    encoding.read_rows(pass, layer, read.data());
    encoding.rotate(pass, of.query, of.key);
    value_of(learning::attend(pass, encoding, layer, of, product, to_weights.data(), output.data()));
  };
  const auto go_back = [&](std::size_t layer, const Floats& read, const learning::LayerRows& of,
                           const Floats& of_weights, const Floats& d_output) {
    value_of(learning::attend_gradient(pass, encoding, layer, of, of_weights.data(), d_output.data(), product,
                                       scores.data(), d_rows, gradients));
    encoding.rotate_gradient(pass, d_rows.query, d_rows.key);
    std::ranges::fill(made.d_rows, 0.0f);
    encoding.read_gradient(pass, layer, read.data(), made.d_rows.data(), gradients);
  };
  encoding.begin_pass(pass);
  encoding.encode_input(pass, made.with_input.data());
  go_forward(1, made.rows, rows, weights, made.output);
  // The next layer reads others, and nothing comes back from it.
  const Floats next_read = some(size);
  Floats next_query = some(size), next_key = some(size), next_value = some(size);
  Floats next_weights(weights.size()), next_output(size);
  const learning::LayerRows next{strided(next_query), strided(next_key), strided(next_value)};
  go_forward(2, next_read, next, next_weights, next_output);
  go_back(2, next_read, next, next_weights, Floats(size));
  go_back(1, made.rows, rows, weights, made.d_output);
  made.d_input = made.d_x;
  encoding.input_gradient(pass, made.d_input.data(), gradients);
  encoding.finish_gradient(pass, gradients);
  return made;
}

void check_close(std::string_view what, std::span<const float> actual, const Values& exact, double tolerance) {
  INFO(what);
  CHECK(reference::worst_of_largest(actual, exact) <= tolerance);
}

void check_problem(const EncodingProblem& problem, learning::Encoding& encoding, const EncodingFormula& formula,
                   double tolerance, float least, float most, bool differentiates) {
  const Computed made = compute(problem, encoding, least, most);
  // A pass leaves nothing behind.
  const Computed again = compute(problem, encoding, least, most);
  CHECK(same_bits(again.output, made.output));
  CHECK(same_bits(again.d_query, made.d_query));
  CHECK(same_bits(again.d_rows, made.d_rows));
  CHECK(same_bits(again.d_parameters, made.d_parameters));
  const auto wide = [](const Floats& values) { return reference::widened(values); };
  const EncodingArguments arguments{wide(made.x),   wide(made.rows),  wide(made.query),
                                    wide(made.key), wide(made.value), wide(made.parameters)};
  const auto outputs = reference::attend(problem, formula, arguments);
  check_close("x", made.with_input, outputs.x, tolerance);
  check_close("output", made.output, outputs.output, tolerance);
  if (!differentiates) return;
  const Values d_x = wide(made.d_x), d_output = wide(made.d_output);
  const auto differences = [&](Values EncodingArguments::* member) {
    return reference::differences(
        [&](const Values& values) {
          EncodingArguments changed = arguments;
          changed.*member = values;
          const auto of = reference::attend(problem, formula, std::move(changed));
          Quad loss = 0;
          for (std::size_t i = 0; i < d_x.size(); ++i) loss += d_x[i] * of.x[i] + d_output[i] * of.output[i];
          return loss;
        },
        arguments.*member);
  };
  check_close("gradient of x", made.d_input, differences(&EncodingArguments::x), tolerance);
  check_close("gradient of queries", made.d_query, differences(&EncodingArguments::query), tolerance);
  check_close("gradient of keys", made.d_key, differences(&EncodingArguments::key), tolerance);
  check_close("gradient of values", made.d_value, differences(&EncodingArguments::value), tolerance);
  // Those of rows and parameters are all 0 where an encoding has none.
  for (const auto& [what, actual, member] :
       {std::tuple{"gradient of rows", &made.d_rows, &EncodingArguments::rows},
        std::tuple{"gradient of parameters", &made.d_parameters, &EncodingArguments::parameters}})
    if (const Values exact = differences(member); !exact.empty() && exact != Values(exact.size()))
      check_close(what, *actual, exact, tolerance);
    else
      CHECK(std::ranges::all_of(*actual, [](float value) { return value == 0; }));
}

}  // namespace

void check_encoding(const learning::EncodingOptions& options, const EncodingFormula& formula, double tolerance,
                    float least, float most) {
  Generator generator(1918);
  for (const std::size_t length : {5u, 1u})
    for (const bool is_causal : {true, false})
      for (const bool shares : {true, false}) {
        EncodingProblem problem{{2, length, 3, 2, 8}, {}, is_causal, options, {}};
        // Contiguous from 0, as in most passes, or each sequence with gaps of its own.
        for (std::size_t sequence = 0; sequence < 2; ++sequence)
          for (std::size_t token = 0, position = 0; token < length; ++token) {
            problem.positions.push_back(static_cast<std::int32_t>(position));
            position += shares ? 1 : 1 + generator.below(3);
          }
        const auto encoding = value_of(learning::make_encoding(options));
        learning::PassShape model = problem.shape, larger = problem.shape;
        model.sequences = model.length = 0;
        encoding->declare(model, problem.list);
        larger.sequences += 1;
        larger.length += 3;
        value_of(encoding->reserve({larger, problem.positions.back() + 8}));
        INFO((is_causal ? "causal" : "not causal")
             << (shares ? ", positions shared" : ", positions of each sequence") << ", " << length << " tokens");
        // Differences of all arguments take a hundred times as long as the rest.
        check_problem(problem, *encoding, formula, tolerance, least, most, is_causal == shares && length > 1);
      }
}

}  // namespace testing
