/// The results of one layer of a short pass do not depend on other layers, nor on the size of the buffers.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/layers/attention.hpp"
#include "testing/testing.hpp"

namespace learning = posenc::learning;
using learning::EncodingType;
using testing::fractions;
using testing::value_of;

namespace {

using LayerFloats = std::vector<float>;

/// A model of so many layers, of which one is computed, and the largest pass that buffers are allocated for.
struct LayerModel {
  learning::EncodingOptions options;
  std::size_t layers = 1, layer = 0;
  std::size_t sequences = 1, length = 0;
  std::int32_t position = 0;
  bool goes_on = false;  ///< the next layer is computed too, forward and back, before this one's gradient
};

struct LayerPass {
  std::size_t length = 0;
  std::int32_t first_position = 0;
  bool is_causal = true;
};

constexpr std::size_t layer_heads = 2, layer_width = 8;

/// Output and gradients of the layer for a pass of one sequence. Those of a layer's parameters are under their names
/// without the layer's number, and a parameter's values depend on that name alone.
std::map<std::string, LayerFloats> run_layer(const LayerModel& model, const LayerPass& of_pass) {
  const auto encoding = value_of(learning::make_encoding(model.options));
  learning::ParameterList list;
  learning::PassShape shape{0, 0, model.layers, layer_heads, layer_width};
  encoding->declare(shape, list);
  shape.sequences = model.sequences;
  shape.length = model.length;
  value_of(encoding->reserve({shape, model.position}));
  shape.sequences = 1;
  shape.length = of_pass.length;

  const std::string own = "layers." + std::to_string(model.layer) + ".";
  std::map<std::string, const learning::Parameter*> own_parameters;
  LayerFloats parameters(list.size(), 100.0f), gradients(list.size());
  for (const auto& parameter : list.parameters()) {
    const bool is_own = parameter.name.starts_with(own);
    if (!is_own && parameter.name.starts_with("layers.")) continue;
    const std::string name = is_own ? parameter.name.substr(own.size()) : parameter.name;
    own_parameters[name] = &parameter;
    const auto seed = std::accumulate(name.begin(), name.end(), 0u, [](unsigned sum, char letter) {
      return 31 * sum + static_cast<unsigned char>(letter);
    });
    const auto values = fractions(parameter.size(), seed);
    std::copy(values.begin(), values.end(), parameters.begin() + static_cast<std::ptrdiff_t>(parameter.first));
  }

  std::vector<std::int32_t> positions(shape.length);
  std::iota(positions.begin(), positions.end(), of_pass.first_position);
  const learning::Pass pass{shape, positions, true, of_pass.is_causal, 0.5f, parameters.data()};
  const std::size_t size = shape.length * layer_width;
  LayerFloats query = fractions(size, 1), key = fractions(size, 2), value = fractions(size, 3);
  const LayerFloats d_output = fractions(size, 4);
  const LayerFloats read = fractions(size, 5);
  LayerFloats output(size), d_query(size), d_key(size), d_value(size), d_read(size);
  LayerFloats weights(layer_heads * shape.length * shape.length), scores(2 * shape.length * shape.length);
  const auto rows_of = [](LayerFloats& values) { return posenc::row_major(values.data(), layer_width); };
  const learning::LayerRows rows{rows_of(query), rows_of(key), rows_of(value)};
  const learning::LayerRows d_rows{rows_of(d_query), rows_of(d_key), rows_of(d_value)};
  const std::size_t dims = shape.dims();
  auto product =
      value_of(learning::Product::make({{dims, shape.length}, {shape.length, dims}, {shape.length, shape.length}}));
  encoding->begin_pass(pass);
  const LayerFloats other_read = fractions(size, 6);
  LayerFloats other_query = fractions(size, 7), other_key = fractions(size, 8), other_value = fractions(size, 9);
  LayerFloats other_output(size), other_weights(weights.size()), other_gradients(gradients.size());
  const learning::LayerRows other{rows_of(other_query), rows_of(other_key), rows_of(other_value)};
  const auto go_forward = [&](std::size_t layer, const LayerFloats& of, const learning::LayerRows& layer_rows,
                              LayerFloats& to_weights, LayerFloats& to) {
    encoding->read_rows(pass, layer, of.data());
    encoding->rotate(pass, layer_rows.query, layer_rows.key);
    value_of(learning::attend(pass, *encoding, layer, layer_rows, product, to_weights.data(), to.data()));
  };
  const auto go_back = [&](std::size_t layer, const LayerFloats& of, const learning::LayerRows& layer_rows,
                           const LayerFloats& of_weights, LayerFloats& to) {
    value_of(learning::attend_gradient(pass, *encoding, layer, layer_rows, of_weights.data(), d_output.data(), product,
                                       scores.data(), d_rows, to.data()));
    encoding->rotate_gradient(pass, d_rows.query, d_rows.key);
    std::ranges::fill(d_read, 0.0f);
    encoding->read_gradient(pass, layer, of.data(), d_read.data(), to.data());
  };
  go_forward(model.layer, read, rows, weights, output);
  if (model.goes_on) {
    go_forward(model.layer + 1, other_read, other, other_weights, other_output);
    go_back(model.layer + 1, other_read, other, other_weights, other_gradients);
  }
  go_back(model.layer, read, rows, weights, gradients);
  encoding->finish_gradient(pass, gradients.data());

  std::map<std::string, LayerFloats> results{
      {"output", output}, {"queries", d_query}, {"keys", d_key}, {"values", d_value}, {"rows", d_read}};
  for (const auto& [name, parameter] : own_parameters) {
    const auto first = gradients.begin() + static_cast<std::ptrdiff_t>(parameter->first);
    results[name] = {first, first + static_cast<std::ptrdiff_t>(parameter->size())};
  }
  return results;
}

const std::vector<learning::EncodingOptions> layer_encodings{
    {.type = EncodingType::shaw, .max_distance = 5},
    {.type = EncodingType::fox},
};

}  // namespace

TEST_CASE("learning: a layer's scores depend on no other layer, nor on the size of buffers", "[learning]") {
  for (const auto& options : layer_encodings)
    for (const std::size_t length : {1u, 2u, 9u})
      for (const bool is_causal : {true, false}) {
        const auto last = static_cast<std::int32_t>(length) - 1;
        const LayerModel alone{options, 1, 0, 1, length, last}, among{options, 3, 1, 2, length + 7, last + 40};
        const auto of_alone = run_layer(alone, {length, 0, is_causal});
        // Neither do they depend on the position of the first token.
        for (const std::int32_t first_position : {0, 33}) {
          const auto of_among = run_layer(among, {length, first_position, is_causal});
          REQUIRE(of_alone.size() == of_among.size());
          for (const auto& [name, values] : of_alone) {
            INFO(learning::name_of(options.type)
                 << ", " << name << ", " << length << " tokens from " << first_position);
            CHECK(testing::same_bits(values, of_among.at(name)));
          }
        }
      }
}

TEST_CASE("learning: a layer's gradient reads what was kept of it", "[learning]") {
  for (const auto& options : layer_encodings)
    for (const bool is_causal : {true, false}) {
      LayerModel model{options, 3, 1, 2, 9, 8};
      const auto of_alone = run_layer(model, {9, 0, is_causal});
      model.goes_on = true;
      for (const auto& [name, values] : run_layer(model, {9, 0, is_causal})) {
        INFO(learning::name_of(options.type) << ", " << name);
        CHECK(testing::same_bits(values, of_alone.at(name)));
      }
    }
}

TEST_CASE("learning: what comes after a query changes nothing in a causal pass", "[learning]") {
  for (const auto& options : layer_encodings) {
    const LayerFloats whole = run_layer({options, 1, 0, 1, 9, 8}, {9, 0, true}).at("output");
    for (std::size_t length = 1; length < 9; ++length) {
      const LayerFloats part = run_layer({options, 1, 0, 1, 9, 8}, {length, 0, true}).at("output");
      INFO(learning::name_of(options.type) << ", " << length << " tokens");
      CHECK(testing::same_bits(part, std::span(whole).first(part.size())));
    }
  }
}
