#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "posenc/attention/attention.hpp"
#include "testing/reference.hpp"

/// Attention and its gradients by the formulas, in 113-bit arithmetic.
namespace reference {

using Values = std::vector<Quad>;

[[nodiscard]] Values widened(std::span<const float> values);

/// A sum, and the sum of its terms' magnitudes.
struct Sum {
  Quad value = 0;
  Quad size = 0;
  void add(Quad term) { add(term, magnitude(term)); }
  void add(Quad term, Quad term_size) {
    value += term;
    size += term_size;
  }
};

/// The largest |actual - exact| as a share of tolerance * size.
[[nodiscard]] double worst_share(std::span<const float> actual, const std::vector<Sum>& exact, double tolerance);

/// The largest |actual - exact|, as a share of the largest |exact|.
[[nodiscard]] double worst_of_largest(std::span<const float> actual, const Values& exact);

/// d loss / d at[i] by central differences: good to 1e-15 for losses of ordinary size and curvature.
[[nodiscard]] Values differences(const std::function<Quad(const Values&)>& loss, Values at);

struct AttentionProblem {
  posenc::BatchedAttentionShape shape;
  Quad scale = 1;
  posenc::PairShape bias_shape;
  bool bias_scaled = false;
  std::function<bool(std::size_t b, std::size_t h, std::size_t i, std::size_t j)> visible;
  Values factors;  ///< of dropout, one a weight; empty: none
};

struct AttentionArguments {
  Values query, key, value, bias;  ///< without a bias it is empty
};

struct Attended {
  Values weights;
  std::vector<Sum> output;
};

[[nodiscard]] Attended attend(const AttentionProblem& problem, const AttentionArguments& in);

struct AttendedGradients {
  std::vector<Sum> query, key, value, bias;
};

[[nodiscard]] AttendedGradients attend_backward(const AttentionProblem& problem, const AttentionArguments& in,
                                                const Values& d_output);

/// y = x W^T + b; without a bias it is empty.
[[nodiscard]] std::vector<Sum> linear(const Values& x, const Values& weight, const Values& bias, std::size_t in);

[[nodiscard]] Values values_of(const std::vector<Sum>& sums);

/// [batch, rows, heads * dim] to [batch, heads, rows, dim], one element at a time.
template <class T>
[[nodiscard]] std::vector<T> split(const std::vector<T>& x, std::size_t batch, std::size_t heads, std::size_t rows,
                                   std::size_t dim) {
  std::vector<T> out;
  for (std::size_t b = 0; b < batch; ++b)
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t n = 0; n < rows; ++n)
        for (std::size_t d = 0; d < dim; ++d) out.push_back(x[((b * rows + n) * heads + h) * dim + d]);
  return out;
}

/// The inverse.
template <class T>
[[nodiscard]] std::vector<T> merge(const std::vector<T>& x, std::size_t batch, std::size_t heads, std::size_t rows,
                                   std::size_t dim) {
  std::vector<T> out;
  for (std::size_t b = 0; b < batch; ++b)
    for (std::size_t n = 0; n < rows; ++n)
      for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t d = 0; d < dim; ++d) out.push_back(x[((b * heads + h) * rows + n) * dim + d]);
  return out;
}

}  // namespace reference
