#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

#include "posenc/attention/kernels/rounded_product.hpp"
#include "posenc/attention/linear.hpp"

namespace posenc {

// The parts that linear, linear_backward and multi-head attention share.

/// An Error unless the layer has these extents. `weight` and `bias` name its arrays.
[[nodiscard]] Expected<void> check_layer(const LinearLayer& layer, std::size_t in, std::size_t out,
                                         std::string_view weight, std::string_view bias);

/// The layer of x, [batch, rows, in], to [batch, heads, rows, out / heads]: with one head [batch, rows, out]. `product`
/// has buffers for rows x in x out.
template <class T>
void project(RoundedProduct<T>& product, const LinearLayer& layer, std::size_t batch, std::size_t heads,
             const LinearExtents& extents, const float* x, float* y);

/// dW and db, where they are wanted. `product` has buffers for out x rows x in and 1 x rows x out.
template <class T>
void layer_gradients(RoundedProduct<T>& product, const LinearExtents& extents, const float* x, const float* dy,
                     std::span<float> weight, std::span<float> bias);

/// out[b, j, i, :] = x[b, i, j, :], where i counts to `first`, j to `second`, and the last axis has dim values.
inline void swap_axes(std::size_t first, std::size_t second, std::size_t dim, std::span<const float> x,
                      std::span<float> out) {
  const float* from = x.data();
  for (std::size_t start = 0; start < x.size(); start += first * second * dim)
    for (std::size_t i = 0; i < first; ++i)
      for (std::size_t j = 0; j < second; ++j, from += dim)
        std::memcpy(out.data() + start + (j * first + i) * dim, from, dim * sizeof(float));
}

}  // namespace posenc
