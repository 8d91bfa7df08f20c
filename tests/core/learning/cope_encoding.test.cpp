#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "learning/encoding_reference.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "testing/testing.hpp"

namespace learning = posenc::learning;
using learning::EncodingType;
using reference::Quad;
using reference::QueryPlace;

namespace {

/// p_ij, the sum of the gates of the keys from j to i or, where j comes after i, from i to j: at most the last row's.
Quad cope_position(const QueryPlace& place, std::span<const Quad> scores, std::size_t key) {
  Quad sum = 0;
  for (std::size_t k = std::min(key, place.query); k <= std::max(key, place.query); ++k)
    sum += 1 / (1 + reference::exponential(-scores[k]));
  const Quad last = place.problem.options.rows - 1;
  return sum < last ? sum : last;
}

/// Added to each score: q_i (share e[ceil p] + (1 - share) e[floor p]).
void cope_scores(const QueryPlace& place, std::span<Quad> scores) {
  const reference::Values before(scores.begin(), scores.end());
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const Quad position = cope_position(place, before, j);
    const auto floor = static_cast<std::size_t>(position);
    const Quad share = position - static_cast<Quad>(floor);
    for (std::size_t dimension = 0; dimension < place.dims(); ++dimension) {
      Quad embedding = (1 - share) * place.parameter("layers.0.cope", floor, dimension);
      if (share > 0) embedding += share * place.parameter("layers.0.cope", floor + 1, dimension);
      scores[j] += place.of(place.arguments.query, place.query, dimension) * embedding;
    }
  }
}

}  // namespace

TEST_CASE("learning: CoPE's positions, and gradients through its gates", "[learning][cope]") {
  // Most positions are at the last row, some, and none; with the most, more rows than a pass can reach.
  for (const std::int64_t rows : {2, 3, 6, 64}) {
    // Of two rows nearly all keys take the last. The gradients of a query's scores have the sum 0, and what remains of
    // the table's is down to a fiftieth of the magnitudes that are summed up.
    const double tolerance = rows == 2 ? 3e-6 : 1e-6;
    testing::check_encoding({.type = EncodingType::cope, .rows = rows}, {{}, {}, cope_scores, {}}, tolerance);
  }
}

TEST_CASE("learning: scores that CoPE has no position for stay NaN", "[learning][cope]") {
  // More rows than three keys can reach: NaN must not be taken for the last of them all.
  const auto encoding = testing::value_of(learning::make_encoding({.type = EncodingType::cope, .rows = 4096}));
  const learning::PassShape shape{1, 3, 1, 1, 2};
  learning::ParameterList list;
  encoding[0]->declare(shape, list);
  testing::value_of(encoding[0]->reserve({shape, 2}));
  const std::vector<float> parameters(list.size(), 1.0f), rows(6, 1.0f);
  const std::vector<std::int32_t> positions{0, 1, 2};
  const learning::Pass pass{shape, positions, true, true, 1, parameters.data()};
  const auto row = posenc::row_major(rows.data(), 2);
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinite = testing::float_infinity;
  std::vector<float> scores{1, 0, 0, nan, 1, 0, infinite, -infinite, nan};
  encoding[0]->add_scores(pass, {}, {row, row, row}, scores.data());
  CHECK(scores[0] == 3);
  CHECK(std::isnan(scores[3]));
  CHECK(scores[4] == 3);
  CHECK(scores[6] == infinite);
  CHECK(scores[7] == -infinite);
  CHECK(std::isnan(scores[8]));
}

TEST_CASE("learning: a table that CoPE cannot interpolate in is an Error", "[learning][cope]") {
  for (const std::int64_t wrong : {-1, 0, 1, 4097})
    testing::require_error(learning::make_encoding({.type = EncodingType::cope, .rows = wrong}), "encoding.rows",
                           std::to_string(wrong));
  for (const std::int64_t right : {2, 4096})
    CHECK(learning::make_encoding({.type = EncodingType::cope, .rows = right}).has_value());
}
