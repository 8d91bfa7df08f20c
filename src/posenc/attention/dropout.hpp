#pragma once

#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"

namespace posenc {

/// Dropout (Srivastava et al. 2014), inverted: an element is 0 with probability p and otherwise divided by 1 - p, so
/// that its mean stays. With p = 1 all are 0. In evaluation everything stays as it is.
///
/// Element i is dropped where word i % 4 of Philox4x32-10 is below floor(2^32 p), counter i / 4, key `seed`, the low
/// words first: a function of seed and i alone, the same on every machine.
struct Dropout {
  double p = 0;             ///< 0 ... 1
  std::uint64_t seed = 0;   ///< at most 2^53 - 1
  std::uint64_t first = 0;  ///< i of the first element, at most 2^53 - 1: for a slice of a longer array
  bool training = true;     ///< false: evaluation
};

/// out may be x. The gradient of x is the same dropout of the gradient of out. Errors: p outside 0 ... 1; seed or first
/// (named "offset") above 2^53 - 1; sizes that differ. Largest error: 0.501 ulp.
[[nodiscard]] Expected<void> dropout(const Dropout& options, std::span<const float> x, std::span<float> out);

}  // namespace posenc
