#include "posenc/attention/linear.hpp"

#include <algorithm>

#include "posenc/attention/kernels/linear_steps.hpp"
#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/attention/kernels/rounded_product.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

Expected<void> check_linear(const LinearLayer& layer, const LinearExtents& extents, std::size_t x, std::size_t y,
                            std::string_view result) {
  POSENC_TRY(check_layer(layer, extents.in, extents.out, "weight", "bias"));
  POSENC_TRY(check_size("x", x, extents.rows, extents.in));
  return check_size(result, y, extents.rows, extents.out);
}

Expected<void> check_multiple(std::string_view argument, std::size_t size, std::size_t in) {
  if (size % in == 0) return {};
  return invalid_argument(argument, static_cast<double>(size), expected::multiple_of_values, {in});
}

template <class T>
Expected<void> multiply(const LinearLayer& layer, const LinearExtents& extents, std::span<const float> x,
                        std::span<float> y) {
  POSENC_TRY_LET(product, RoundedProduct<T>::make({{extents.rows, extents.in, extents.out}}));
  project(product, layer, 1, 1, extents, x.data(), y.data());
  return {};
}

template <class T>
Expected<void> multiply_backward(const LinearLayer& layer, const LinearExtents& extents, std::span<const float> x,
                                 std::span<const float> dy, const LinearGradients& gradients) {
  const auto& [rows, in, out] = extents;
  POSENC_TRY_LET(product, RoundedProduct<T>::make({{rows, out, in}, {out, rows, in}, {1, rows, out}}));
  if (!gradients.x.empty())
    product(rows, in, {out, row_major(dy.data(), out), row_major(layer.weight.data(), in)}, nullptr, gradients.x.data(),
            in);
  layer_gradients(product, extents, x.data(), dy.data(), gradients.weight, gradients.bias);
  return {};
}

}  // namespace

Expected<void> linear(const LinearLayer& layer, const LinearExtents& extents, SumPrecision precision,
                      std::span<const float> x, std::span<float> y) {
  POSENC_TRY(check_linear(layer, extents, x.size(), y.size(), "y"));
  return (precision == SumPrecision::exact ? multiply<double> : multiply<float>)(layer, extents, x, y);
}

Expected<void> linear(std::span<const float> x, std::span<const float> weight, std::size_t in, SumPrecision precision,
                      std::span<float> y) {
  if (in == 0) return invalid_argument("in", 0.0, expected::whole_at_least, {1});
  POSENC_TRY(check_multiple("x", x.size(), in));
  POSENC_TRY(check_multiple("weight", weight.size(), in));
  return linear({weight}, {x.size() / in, in, weight.size() / in}, precision, x, y);
}

Expected<void> packed_linear(std::span<const float> weight, const LinearExtents& extents, std::span<const float> x,
                             std::span<float> y) {
  POSENC_TRY(check_linear({weight}, extents, x.size(), y.size(), "y"));
  const auto& [rows, in, out] = extents;
  // Panels of so many values stay in a cache.
  constexpr std::size_t wide = 256, deep = 256;
  POSENC_TRY_LET(panels,
                 AlignedArray<float>::make_unfilled(panels_size<float>(std::min(deep, in), std::min(wide, out))));
  for (std::size_t j = 0; j < out; j += wide)
    for (std::size_t k = 0; k == 0 || k < in; k += deep) {
      const std::size_t columns = std::min(wide, out - j), depth = std::min(deep, in - k);
      pack_panels(depth, columns, transposed(row_major(weight.data(), in)).from(k, j), panels.data());
      multiply_panels(rows, depth, columns, row_major(x.data(), in).from(0, k), panels.data(), y.data() + j, out,
                      k > 0);
    }
  return {};
}

Expected<void> linear_backward(const LinearLayer& layer, const LinearExtents& extents, SumPrecision precision,
                               std::span<const float> x, std::span<const float> dy, const LinearGradients& gradients) {
  POSENC_TRY(check_linear(layer, extents, x.size(), dy.size(), "gradient"));
  const auto& [rows, in, out] = extents;
  POSENC_TRY(check_wanted({{"gradients.x", gradients.x.size(), {rows, in}},
                           {"gradients.weight", gradients.weight.size(), {out, in}},
                           {"gradients.bias", gradients.bias.size(), {out}}}));
  return (precision == SumPrecision::exact ? multiply_backward<double> : multiply_backward<float>)(layer, extents, x,
                                                                                                   dy, gradients);
}

}  // namespace posenc
