#pragma once

#include <cstddef>
#include <span>

#include "posenc/attention/sum_precision.hpp"
#include "posenc/base/error.hpp"

namespace posenc {

/// The softmax of each row: out = e^(x - m) / sum of e^(x - m), m the row's maximum, so that no finite x overflows.
/// -infinity is a masked score: its weight is 0, and so is a whole row of them (and not NaN).
///
/// x and out: [rows, width], row-major; they may be the same memory. Sums go through sixteen partial sums; the same
/// bits on every machine. Errors: sizes that do not fit; NaN or +infinity in x; memory. Largest error of a weight:
///
///   exact:   1.2e-7 of it for scores up to 700 apart; in double, each result rounded once;
///   float32: 2^-24 (2 d + width / 16 + 12) of it, where the row's scores are d <= 86 apart; 2^-124 for smaller ones.
[[nodiscard]] Expected<void> softmax(std::size_t width, SumPrecision precision, std::span<const float> x,
                                     std::span<float> out);

/// The gradient of x: dx = w (dw - sum of w dw), row by row, from the weights w that softmax gave and their gradient.
/// All [rows, width]; dx may be either input. A masked score has a weight of 0 and gets 0. NaN is the one quiet NaN
/// without a sign. Errors: sizes that differ. Largest error, with S the sum of |w dw|:
///
///   exact:   0.501 ulp of the result + 2^-52 * width * |w| S;
///   float32: 2^-24 |w| (3 |dw| + (width / 16 + 9) S), as long as no product is below 2^-126.
[[nodiscard]] Expected<void> softmax_backward(std::size_t width, SumPrecision precision, std::span<const float> weights,
                                              std::span<const float> d_weights, std::span<float> dx);

}  // namespace posenc
