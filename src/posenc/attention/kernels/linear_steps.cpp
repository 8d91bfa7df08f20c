#include "posenc/attention/kernels/linear_steps.hpp"

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {

Expected<void> check_layer(const LinearLayer& layer, std::size_t in, std::size_t out, std::string_view weight,
                           std::string_view bias) {
  POSENC_TRY(check_size(weight, layer.weight.size(), out, in));
  if (layer.bias.empty()) return {};
  return check_size(bias, layer.bias.size(), out);
}

template <class T>
void project(RoundedProduct<T>& product, const LinearLayer& layer, std::size_t batch, std::size_t heads,
             const LinearExtents& extents, const float* x, float* y) {
  const auto& [rows, in, out] = extents;
  const std::size_t dim = heads == 0 ? 0 : out / heads;
  const auto weight = transposed(row_major(layer.weight.data(), in));
  for (std::size_t at = 0; at < (dim == 0 ? 0 : batch * heads); ++at) {
    const std::size_t first = at % heads * dim;
    product(rows, dim, {in, row_major(x + at / heads * rows * in, in), weight.from(0, first)},
            layer.bias.empty() ? nullptr : layer.bias.data() + first, y + at * rows * dim, dim);
  }
}

template <class T>
void layer_gradients(RoundedProduct<T>& product, const LinearExtents& extents, const float* x, const float* dy,
                     std::span<float> weight, std::span<float> bias) {
  const auto& [rows, in, out] = extents;
  const float one = 1;
  if (!weight.empty())
    product(out, in, {rows, transposed(row_major(dy, out)), row_major(x, in)}, nullptr, weight.data(), in);
  if (!bias.empty()) product(1, out, {rows, {&one, 0, 0}, row_major(dy, out)}, nullptr, bias.data(), out);
}

template void project(RoundedProduct<float>&, const LinearLayer&, std::size_t, std::size_t, const LinearExtents&,
                      const float*, float*);
template void project(RoundedProduct<double>&, const LinearLayer&, std::size_t, std::size_t, const LinearExtents&,
                      const float*, float*);
template void layer_gradients(RoundedProduct<float>&, const LinearExtents&, const float*, const float*,
                              std::span<float>, std::span<float>);
template void layer_gradients(RoundedProduct<double>&, const LinearExtents&, const float*, const float*,
                              std::span<float>, std::span<float>);

}  // namespace posenc
