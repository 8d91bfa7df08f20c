// Plain scalar loops in double, one sum at a time and one rounding at the end: exact sums as they were before vectors
// computed them. They do not change, nor does their exponential.

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace {

double dot(const float* a, const float* b, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

/// e^x for x <= 0.
double exponential(double x) {
  if (!(x > -745)) return 0;
  const double exponent = std::floor(x * 1.4426950408889634 + 0.5);
  const double rest = (x - exponent * 0.693147180369123816490) - exponent * 1.90821492927058770002e-10;
  double series = 1;
  for (int k = 14; k >= 1; --k) series = series * rest / k + 1;
  return std::ldexp(series, static_cast<int>(exponent));
}

void softmax_row(double* row, std::size_t size) {
  const double largest = *std::max_element(row, row + size);
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += row[i] = exponential(row[i] - largest);
  for (std::size_t i = 0; i < size; ++i) row[i] /= sum;
}

}  // namespace

extern "C" {

[[clang::export_name("linearDoubles")]] void linear_doubles(const float* x, const float* weight, float* y,
                                                            std::size_t rows, std::size_t in, std::size_t out) {
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t o = 0; o < out; ++o) y[r * out + o] = static_cast<float>(dot(x + r * in, weight + o * in, in));
}

/// `row` is memory for a row of doubles.
[[clang::export_name("softmaxDoubles")]] void softmax_doubles(const float* x, float* y, double* row, std::size_t rows,
                                                              std::size_t width) {
  for (std::size_t at = 0; at < rows * width; at += width) {
    std::copy_n(x + at, width, row);
    softmax_row(row, width);
    for (std::size_t i = 0; i < width; ++i) y[at + i] = static_cast<float>(row[i]);
  }
}

/// Query, key, value and y are [heads, n, dim].
[[clang::export_name("attentionDoubles")]] void attention_doubles(const float* query, const float* key,
                                                                  const float* value, float* y, double* row,
                                                                  std::size_t heads, std::size_t n, std::size_t dim) {
  const double scale = 1 / std::sqrt(static_cast<double>(dim));
  for (std::size_t at = 0; at < heads * n; ++at) {
    const std::size_t first = at / n * n;
    for (std::size_t k = 0; k < n; ++k) row[k] = scale * dot(query + at * dim, key + (first + k) * dim, dim);
    softmax_row(row, n);
    for (std::size_t v = 0; v < dim; ++v) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += row[k] * static_cast<double>(value[(first + k) * dim + v]);
      y[at * dim + v] = static_cast<float>(sum);
    }
  }
}
}
