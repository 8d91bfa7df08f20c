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
  reference::Values lanes;
  for (std::size_t lane = 0; lane < width; ++lane) {
    const auto [sine, cosine] =
        reference::phase((place.position(place.query) - place.position(key)) * frequencies[lane / 2]);
    lanes.push_back(lane % 2 == 0 ? sine : cosine);
  }
  return lanes;
}

/// A^rel = q_i k_j + q_i W_R R_(i - j) + u k_j + v W_R R_(i - j), over sqrt(lanes).
void xl_scores(const QueryPlace& place, std::span<Quad> scores) {
  const Quad scale = 1 / reference::square_root(static_cast<Quad>(place.lanes()));
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const reference::Values sinusoid = xl_sinusoid(place, j);
    for (std::size_t lane = 0; lane < place.lanes(); ++lane) {
      Quad relative = 0;
      for (std::size_t c = 0; c < sinusoid.size(); ++c)
        relative += place.parameter("layers.0.xl.relative", place.head * place.lanes() + lane, c) * sinusoid[c];
      const Quad query = place.of(place.arguments.query, place.query, lane);
      const Quad key = place.of(place.arguments.key, j, lane);
      const Quad u = place.parameter("layers.0.xl.content_bias", place.head, lane);
      const Quad v = place.parameter("layers.0.xl.position_bias", place.head, lane);
      scores[j] += scale * (query * relative + u * key + v * relative);
    }
  }
}

}  // namespace

TEST_CASE("learning: Transformer-XL's scores, and their gradients", "[learning][xl]") {
  testing::check_encoding({.type = EncodingType::transformer_xl}, {{}, {}, xl_scores, {}}, 1e-6);
}
