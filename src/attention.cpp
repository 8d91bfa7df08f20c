#include "posenc/attention.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "exponential.hpp"
#include "posenc/aligned_array.hpp"

namespace posenc {
namespace {

/// Sum of products in order, in double: each product of two floats is exact there.
double dot(const float* a, const float* b, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

/// In place. The largest score becomes e^0: no finite score overflows.
void softmax(std::span<double> scores) {
  const double largest = *std::ranges::max_element(scores);
  double sum = 0;
  for (double& score : scores) sum += score = exponential(score - largest);
  for (double& score : scores) score /= sum;
}

Expected<void> check_multiple(std::string_view argument, std::size_t size, std::size_t in) {
  if (size % in == 0) return {};
  return wrong(argument, static_cast<double>(size), {"a multiple of ", decimal(in), " values"});
}

}  // namespace

Expected<void> linear(std::span<const float> x, std::span<const float> weight, std::size_t in, std::span<float> y) {
  if (in == 0) return wrong("in", 0.0, {"a whole number >= 1"});
  if (auto checked = check_multiple("x", x.size(), in); !checked) return checked;
  if (auto checked = check_multiple("weight", weight.size(), in); !checked) return checked;
  const std::size_t rows = x.size() / in;
  const std::size_t out = weight.size() / in;
  if (auto checked = check_size("y", y.size(), rows, out); !checked) return checked;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t o = 0; o < out; ++o)
      y[r * out + o] = static_cast<float>(dot(x.data() + r * in, weight.data() + o * in, in));
  return {};
}

Expected<void> attention(const AttentionShape& shape, double scale, std::span<const float> query,
                         std::span<const float> key, std::span<const float> value, std::span<float> weights,
                         std::span<float> output) {
  if (!std::isfinite(scale)) return wrong("scale", scale, {"a finite number"});
  for (auto&& checked : {check_size("query", query.size(), shape.queries, shape.dim),
                         check_size("key", key.size(), shape.keys, shape.dim),
                         check_size("value", value.size(), shape.keys, shape.value_dim),
                         check_size("weights", weights.size(), shape.queries, shape.keys),
                         check_size("output", output.size(), shape.queries, shape.value_dim)})
    if (!checked) return checked;
  auto row = AlignedArray<double>::make(shape.keys);
  if (!row) return std::unexpected(row.error());

  for (std::size_t q = 0; q < shape.queries; ++q) {
    for (std::size_t k = 0; k < shape.keys; ++k)
      (*row)[k] = scale * dot(query.data() + q * shape.dim, key.data() + k * shape.dim, shape.dim);
    if (shape.keys != 0) softmax(row->span());
    for (std::size_t k = 0; k < shape.keys; ++k) weights[q * shape.keys + k] = static_cast<float>((*row)[k]);
    for (std::size_t v = 0; v < shape.value_dim; ++v) {
      double sum = 0;
      for (std::size_t k = 0; k < shape.keys; ++k)
        sum += (*row)[k] * static_cast<double>(value[k * shape.value_dim + v]);
      output[q * shape.value_dim + v] = static_cast<float>(sum);
    }
  }
  return {};
}

}  // namespace posenc
