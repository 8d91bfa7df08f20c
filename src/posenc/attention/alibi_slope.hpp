#pragma once

#include <cstddef>

namespace posenc {

/// 2^-exponent, which is exact where the exponent is whole. Largest error: 2^-52 of it.
[[nodiscard]] double alibi_slope(double exponent);

/// The exponent of head h of `heads`, h from 0, as a fraction of the steepness, of the paper's authors (Press, Smith
/// and Lewis 2022): from the next lower power of two, then every other one of twice as many.
[[nodiscard]] double alibi_share(std::size_t h, std::size_t heads);

/// The paper's slope of a head, with the steepness 8.
[[nodiscard]] inline double alibi_slope(std::size_t h, std::size_t heads) {
  return alibi_slope(8 * alibi_share(h, heads));
}

}  // namespace posenc
