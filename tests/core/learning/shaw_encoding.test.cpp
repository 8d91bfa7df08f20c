#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "learning/encoding_reference.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "testing/testing.hpp"

using posenc::learning::EncodingType;
using reference::Quad;
using reference::QueryContext;

namespace {

/// clip(j - i, k) + k: the row of the tables w.
std::size_t shaw_row(const QueryContext& context, std::size_t key) {
  const auto clip = static_cast<std::int32_t>(context.problem.options.max_distance);
  return static_cast<std::size_t>(std::clamp(context.position(key) - context.position(context.query), -clip, clip) +
                                  clip);
}

/// e_ij = x_i W^Q (x_j W^K + a_ij) / sqrt(dimensions).
void shaw_scores(const QueryContext& context, std::span<Quad> scores) {
  const Quad scale = 1 / reference::square_root(static_cast<Quad>(context.dims()));
  for (std::size_t j = 0; j < scores.size(); ++j)
    for (std::size_t dimension = 0; dimension < context.dims(); ++dimension)
      scores[j] += scale * context.of(context.arguments.query, context.query, dimension) *
                   context.parameter("layers.1.shaw.keys", shaw_row(context, j), dimension);
}

/// z_i = sum of alpha_ij (x_j W^V + b_ij).
Quad shaw_values(const QueryContext& context, std::span<const Quad> weights, std::size_t dimension) {
  Quad sum = 0;
  for (std::size_t j = 0; j < weights.size(); ++j)
    sum += weights[j] * context.parameter("layers.1.shaw.values", shaw_row(context, j), dimension);
  return sum;
}

}  // namespace

TEST_CASE("learning: Shaw's tables for keys and values, and their gradients", "[learning][shaw]") {
  // Where all distances are clipped, some, and none.
  for (const std::int64_t max_distance : {1, 2, 40})
    testing::check_encoding({.type = EncodingType::shaw, .max_distance = max_distance},
                            {{}, {}, shaw_scores, shaw_values}, 1e-6);
}

TEST_CASE("learning: a distance that Shaw's tables cannot be clipped at is an Error", "[learning][shaw]") {
  for (const std::int64_t wrong : {-1, 0, 4097})
    testing::require_error(posenc::learning::make_encoding({.type = EncodingType::shaw, .max_distance = wrong}),
                           "encoding.maxDistance", std::to_string(wrong));
  for (const std::int64_t right : {1, 4096})
    CHECK(posenc::learning::make_encoding({.type = EncodingType::shaw, .max_distance = right}).has_value());
}
