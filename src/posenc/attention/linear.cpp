#include "posenc/attention/linear.hpp"

#include <algorithm>

#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/attention/kernels/linear_steps.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

Expected<void> check_linear(const LinearLayer& layer, const LinearExtents& extents, std::size_t x, std::size_t y,
                            std::string_view result) {
  if (auto checked = check_layer(layer, extents.in, extents.out, "weight", "bias"); !checked) return checked;
  if (auto checked = check_size("x", x, extents.rows, extents.in); !checked) return checked;
  return check_size(result, y, extents.rows, extents.out);
}

Expected<void> check_multiple(std::string_view argument, std::size_t size, std::size_t in) {
  if (size % in == 0) return {};
  return wrong(argument, static_cast<double>(size), {"a multiple of ", decimal(in), " values"});
}

}  // namespace

Expected<void> linear(const LinearLayer& layer, const LinearExtents& extents, std::span<const float> x,
                      std::span<float> y) {
  if (auto checked = check_linear(layer, extents, x.size(), y.size(), "y"); !checked) return checked;
  project(layer, 1, 1, extents, x.data(), y.data());
  return {};
}

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

Expected<void> linear_backward(const LinearLayer& layer, const LinearExtents& extents, std::span<const float> x,
                               std::span<const float> dy, const LinearGradients& gradients) {
  if (auto checked = check_linear(layer, extents, x.size(), dy.size(), "gradient"); !checked) return checked;
  const auto& [rows, in, out] = extents;
  if (auto checked = check_wanted({{"gradients.x", gradients.x.size(), {rows, in}},
                                   {"gradients.weight", gradients.weight.size(), {out, in}},
                                   {"gradients.bias", gradients.bias.size(), {out}}});
      !checked)
    return checked;
  auto sums = AlignedArray<double>::make(in);
  if (!sums) return std::unexpected(sums.error());
  for (std::size_t r = 0; r < (gradients.x.empty() ? 0 : rows); ++r) {
    std::ranges::fill(sums->span(), 0.0);
    add_input_gradient(layer, out, dy.data() + r * out, sums->span());
    round_to(sums->span(), gradients.x.data() + r * in);
  }
  layer_gradients(extents, x.data(), dy.data(), sums->span(), gradients.weight, gradients.bias);
  return {};
}

}  // namespace posenc
