#include "posenc/attention/kernels/linear_steps.hpp"

#include <algorithm>

#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/base/check.hpp"

namespace posenc {

Expected<void> check_layer(const LinearLayer& layer, std::size_t in, std::size_t out, std::string_view weight,
                           std::string_view bias) {
  if (auto checked = check_size(weight, layer.weight.size(), out, in); !checked) return checked;
  if (layer.bias.empty()) return {};
  return check_size(bias, layer.bias.size(), out);
}

void project(const LinearLayer& layer, std::size_t batch, std::size_t heads, const LinearExtents& extents,
             const float* x, float* y) {
  const auto& [rows, in, out] = extents;
  const std::size_t dim = heads == 0 ? 0 : out / heads;
  for (std::size_t at = 0; at < (out == 0 ? 0 : batch * rows); ++at)
    for (std::size_t o = 0; o < out; ++o) {
      const double sum = dot(x + at * in, layer.weight.data() + o * in, in);
      const std::size_t head = at / rows * heads + o / dim;
      y[(head * rows + at % rows) * dim + o % dim] =
          static_cast<float>(layer.bias.empty() ? sum : sum + static_cast<double>(layer.bias[o]));
    }
}

void add_input_gradient(const LinearLayer& layer, std::size_t out, const float* dy, std::span<double> sums) {
  for (std::size_t o = 0; o < out; ++o)
    add_multiple(static_cast<double>(dy[o]), layer.weight.data() + o * sums.size(), sums);
}

void layer_gradients(const LinearExtents& extents, const float* x, const float* dy, std::span<double> sums,
                     std::span<float> weight, std::span<float> bias) {
  const auto& [rows, in, out] = extents;
  for (std::size_t o = 0; o < (weight.empty() ? 0 : out); ++o) {
    std::ranges::fill(sums, 0.0);
    for (std::size_t r = 0; r < rows; ++r) add_multiple(static_cast<double>(dy[r * out + o]), x + r * in, sums);
    round_to(sums, weight.data() + o * in);
  }
  for (std::size_t o = 0; o < bias.size(); ++o) {
    double sum = 0;
    for (std::size_t r = 0; r < rows; ++r) sum += static_cast<double>(dy[r * out + o]);
    bias[o] = static_cast<float>(sum);
  }
}

}  // namespace posenc
