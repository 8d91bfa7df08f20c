#pragma once

#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/range.hpp"
#include "posenc/relative/perceptron.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

struct FireOptions {
  double c = 0.1;          ///< learned; its magnitude counts, not its sign
  double threshold = 512;  ///< L, learned (times its multiplier); from here on the query's position counts
  double epsilon = 1e-6;   ///< added to the divisor
  Perceptron perceptron;   ///< 1 input, one output a head

  static constexpr std::tuple ranges{
      ranged("c", &FireOptions::c, within(1e100)),
      ranged("threshold", &FireOptions::threshold, above(0, 1e100)),
      ranged("epsilon", &FireOptions::epsilon, from(0)),
  };
};

/// FIRE (Li et al. 2024, "Functional Interpolation for Relative Positions Improves Long Context Transformers"):
/// perceptron(ln(|c d| + 1) / (ln(|c max(i, L)| + 1) + epsilon)) for relative position d and query position i.
///
/// It depends on i, so that the full form, [heads, queries, keys], is written. Logarithms are taken once a distance and
/// once a query; of a head, a polygon as a function of its one input x, each value is a point on one of its lines, in
/// double. Largest error: 0.5 ulp + 4e-15 * the sum of |bias2| and |weight2| (|weight1| x + |bias1|) of all hidden
/// units. Errors: c, threshold, epsilon; a divisor of 0, named "epsilon"; the perceptron's; a size of `out` that
/// differs; memory.
[[nodiscard]] Expected<void> fire_bias(const FireOptions& options, const RelativePositions& positions, Future future,
                                       std::span<float> out);

/// Writes the compact form, [heads, distances], valid while no query is beyond the threshold. Error besides: a query
/// that does, named "queryOffset".
[[nodiscard]] Expected<void> fire_bias_compact(const FireOptions& options, const RelativePositions& positions,
                                               Future future, std::span<float> out);

}  // namespace posenc
