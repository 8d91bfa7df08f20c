#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

#include "posenc/base/check.hpp"
#include "posenc/base/error.hpp"
#include "posenc/base/scalar_maths.hpp"

namespace posenc {

// The steps of one query's attention, in double and in order: every kind of attention is built from them.

inline constexpr double masked_score = -std::numeric_limits<double>::infinity();

/// Sum of products in order, in double: each product of two floats is exact there.
inline double dot(const float* a, const float* b, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

/// Replaces scores by weights. The largest score becomes e^0: no finite score overflows. Where every score is
/// masked_score the weights are all 0, and so are weighted sums.
inline void softmax(std::span<double> scores) {
  if (scores.empty()) return;
  const double largest = *std::ranges::max_element(scores);
  if (largest == masked_score) {
    std::ranges::fill(scores, 0.0);
    return;
  }
  double sum = 0;
  for (double& score : scores) sum += score = exponential(score - largest);
  for (double& score : scores) score /= sum;
}

/// Sum of weights[k] * values[first + k * stride]. Where there are no weights there may be no values at all.
inline double weighted_sum(std::span<const double> weights, const float* values, std::size_t first,
                           std::size_t stride) {
  double sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * static_cast<double>(values[first + k * stride]);
  return sum;
}

/// sums[i] += factor * values[i]
inline void add_multiple(double factor, const float* values, std::span<double> sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += factor * static_cast<double>(values[i]);
}

/// From the gradient of a softmax's weights to that of its scores, in place.
inline void softmax_gradient(const float* weights, std::span<double> gradient) {
  const double mean = weighted_sum(gradient, weights, 0, 1);
  for (std::size_t k = 0; k < gradient.size(); ++k)
    gradient[k] = static_cast<double>(weights[k]) * (gradient[k] - mean);
}

/// An Error unless every score, or what is added to scores, is finite or -infinity.
[[nodiscard]] inline Expected<void> check_scores(std::string_view argument, std::span<const float> scores) {
  for (const float score : scores)
    if (!(score <= std::numeric_limits<float>::max()))
      return invalid_argument(argument, static_cast<double>(score), {"finite numbers, or -Infinity for a masked pair"});
  return {};
}

}  // namespace posenc
