#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace posenc::learning {

// The operations of a layer on rows besides products of matrices, each with its gradient, in float32. A row is summed
// in RowSum's order: the same bits at every width of a vector. Arrays are row-major and do not overlap unless noted.

/// Root mean square norm (Zhang and Sennrich 2019): y = gain * x / sqrt(mean of x^2 + 1e-6). x, y: [rows, width];
/// inverses: [rows], the divisors' inverses, which the gradient reads.
void rms_norm(std::size_t rows, std::size_t width, const float* x, const float* gain, float* y, float* inverses);

/// d_x += the gradient of x; d_gain, [width], += that of the gain.
void rms_norm_gradient(std::size_t rows, std::size_t width, const float* x, const float* gain, const float* inverses,
                       const float* d_y, float* d_x, float* d_gain);

/// Each row of x, [rows, width], += bias.
void add_bias(std::size_t rows, std::size_t width, const float* bias, float* x);
/// d_bias += the sum of the rows, in order.
void bias_gradient(std::size_t rows, std::size_t width, const float* d_x, float* d_bias);

/// GELU in its form with tanh (Hendrycks and Gimpel 2016): y = x gate, gate = sigmoid(sqrt(8 / pi) (x + 0.044715 x^3)).
void gelu(std::span<const float> x, float* gate, float* y);
/// d_x from d_y; they may be the same.
void gelu_gradient(std::span<const float> x, const float* gate, const float* d_y, float* d_x);

/// out += x
void add_rows(std::span<const float> x, float* out);

/// values = 0. The explicit call keeps code small: compilers do not make it of a loop there.
inline void clear(std::span<float> values) { std::memset(values.data(), 0, values.size_bytes()); }

/// values *= factor
void scale_values(float factor, std::span<float> values);

/// out = the sum of arrays of its size, in their order. The result is the sum of its squares, in double: in blocks of
/// 4096, each as RowSum has it, these in order.
[[nodiscard]] double add_arrays(std::span<const float* const> arrays, std::span<float> out);

/// Losses of rows of logits, summed.
struct LossSums {
  double loss = 0;          ///< sum of -ln(probability of the target)
  std::size_t asked = 0;    ///< number of rows
  std::size_t correct = 0;  ///< rows whose target is the first with the largest logit

  void add(const LossSums& other) {
    loss += other.loss;
    asked += other.asked;
    correct += other.correct;
  }
};

/// The losses of rows, [targets.size(), width]; `logits` becomes the gradient of their sum. Errors: a logit that is NaN
/// or infinite: the sums have then a loss of NaN.
[[nodiscard]] LossSums cross_entropy(std::size_t width, std::span<const std::int32_t> targets, float* logits);

}  // namespace posenc::learning
