#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "learning/encoding_reference.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "testing/testing.hpp"

using posenc::learning::EncodingType;
using reference::Quad;
using reference::QueryPlace;

namespace {

/// The paper's delta(i, j), equation 3.
std::size_t deberta_row(const QueryPlace& place, std::size_t i, std::size_t j) {
  const std::int64_t k = place.problem.options.max_distance, difference = place.position(i) - place.position(j);
  if (difference <= -k) return 0;
  if (difference >= k) return static_cast<std::size_t>(2 * k - 1);
  return static_cast<std::size_t>(difference + k);
}

/// A dimension of the head's part of a row of P W^T.
Quad deberta_projected(const QueryPlace& place, std::string_view matrix, std::size_t row, std::size_t dimension) {
  Quad sum = 0;
  for (std::size_t c = 0; c < place.problem.shape.width; ++c)
    sum += place.parameter("deberta.positions", row, c) *
           place.parameter(matrix, place.head * place.dims() + dimension, c);
  return sum;
}

/// Equation 4: (Q_i K_j + Q_i K^r_delta(i, j) + K_j Q^r_delta(j, i)) / sqrt(3 dimensions).
void deberta_scores(const QueryPlace& place, std::span<Quad> scores) {
  const std::size_t i = place.query;
  const Quad scale = 1 / reference::square_root(static_cast<Quad>(3 * place.dims()));
  for (std::size_t j = 0; j < scores.size(); ++j) {
    scores[j] = 0;
    for (std::size_t dimension = 0; dimension < place.dims(); ++dimension) {
      const Quad query = place.of(place.arguments.query, i, dimension),
                 key = place.of(place.arguments.key, j, dimension);
      scores[j] +=
          scale *
          (query * key + query * deberta_projected(place, "layers.0.deberta.key", deberta_row(place, i, j), dimension) +
           key * deberta_projected(place, "layers.0.deberta.query", deberta_row(place, j, i), dimension));
    }
  }
}

}  // namespace

TEST_CASE("learning: DeBERTa's disentangled scores, and their gradients", "[learning][deberta]") {
  // Where all distances are clipped, some, and none.
  for (const std::int64_t max_distance : {1, 3, 40})
    testing::check_encoding({.type = EncodingType::deberta, .max_distance = max_distance}, {{}, {}, deberta_scores, {}},
                            1e-6);
}

TEST_CASE("learning: a distance that DeBERTa's cannot be clipped at is an Error", "[learning][deberta]") {
  for (const std::int64_t wrong : {-1, 0, 4097})
    testing::require_error(posenc::learning::make_encoding({.type = EncodingType::deberta, .max_distance = wrong}),
                           "encoding.maxDistance", std::to_string(wrong));
  for (const std::int64_t right : {1, 4096})
    CHECK(posenc::learning::make_encoding({.type = EncodingType::deberta, .max_distance = right}).has_value());
}
