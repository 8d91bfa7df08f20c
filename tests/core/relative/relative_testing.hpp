#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "posenc/relative/relative_position.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

/// Tests of relative encodings share this.
namespace testing {

/// Up to 3 heads, 9 queries, 12 keys; offsets of either sign.
inline posenc::BiasShape random_shape(Generator& generator) {
  return {static_cast<std::int64_t>(1 + generator.below(3)), static_cast<std::int64_t>(generator.below(10)),
          static_cast<std::int64_t>(generator.below(13)), static_cast<std::int64_t>(generator.below(40)) - 15};
}

/// A bias is hashed at this, in compact form with the future kept: 6 heads, 40 queries, 50 keys, query offset 10.
inline posenc::RelativePositions hashed_positions() {
  return value_of(posenc::RelativePositions::make({.heads = 6, .queries = 40, .keys = 50, .query_offset = 10}));
}

/// The largest error of a bias in compact form, in float32 ulp, against exact(head, distance). Where the future is
/// masked every entry must be -infinity.
template <class Exact>
double worst_ulp(const posenc::RelativePositions& positions, posenc::Future future, std::span<const float> bias,
                 const Exact& exact) {
  double worst = 0;
  for (std::size_t at = 0; at < bias.size(); ++at) {
    const std::int64_t distance = positions.distance(at % positions.distances());
    if (future == posenc::Future::mask && distance > 0)
      REQUIRE(same_bits(bias[at], -std::numeric_limits<float>::infinity()));
    else
      worst = std::fmax(worst, reference::ulp_error(bias[at], exact(at / positions.distances(), distance)));
  }
  return worst;
}

}  // namespace testing
