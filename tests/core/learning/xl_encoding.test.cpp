#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learning/encoding_reference.hpp"

using posenc::learning::EncodingType;
using reference::Quad;
using reference::QueryPlace;

namespace {

/// R_(i - j), the sinusoid of Vaswani et al. 2017.
reference::Values xl_sinusoid(const QueryPlace& place, std::size_t key) {
  const std::size_t width = place.problem.shape.width;
  const auto frequencies = reference::frequencies({.dim = static_cast<std::int64_t>(width)});
  reference::Values dims;
  for (std::size_t dimension = 0; dimension < width; ++dimension) {
    const auto [sine, cosine] =
        reference::phase((place.position(place.query) - place.position(key)) * frequencies[dimension / 2]);
    dims.push_back(dimension % 2 == 0 ? sine : cosine);
  }
  return dims;
}

/// A^rel = q_i k_j + q_i W_R R_(i - j) + u k_j + v W_R R_(i - j), over sqrt(dimensions).
void xl_scores(const QueryPlace& place, std::span<Quad> scores) {
  const Quad scale = 1 / reference::square_root(static_cast<Quad>(place.dims()));
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const reference::Values sinusoid = xl_sinusoid(place, j);
    for (std::size_t dimension = 0; dimension < place.dims(); ++dimension) {
      Quad relative = 0;
      for (std::size_t c = 0; c < sinusoid.size(); ++c)
        relative += place.parameter("layers.0.xl.relative", place.head * place.dims() + dimension, c) * sinusoid[c];
      const Quad query = place.of(place.arguments.query, place.query, dimension);
      const Quad key = place.of(place.arguments.key, j, dimension);
      const Quad u = place.parameter("layers.0.xl.content_bias", place.head, dimension);
      const Quad v = place.parameter("layers.0.xl.position_bias", place.head, dimension);
      scores[j] += scale * (query * relative + u * key + v * relative);
    }
  }
}

}  // namespace

TEST_CASE("learning: Transformer-XL's scores, and their gradients", "[learning][xl]") {
  testing::check_encoding({.type = EncodingType::transformer_xl}, {{}, {}, xl_scores, {}}, 1e-6);
}
