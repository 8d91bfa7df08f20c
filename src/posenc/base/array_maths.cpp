#include "posenc/base/array_maths.hpp"

#include <algorithm>
#include <cstddef>

#include "posenc/base/vector_maths.hpp"

namespace posenc {
namespace {

/// The values after the last whole vector go through one that is filled up with ones.
template <class T, class Function>
void transform(std::span<T> x, const Function& function) {
  using Batch = xsimd::batch<T>;
  for (std::size_t i = 0; i < x.size(); i += Batch::size) {
    const std::size_t count = std::min(Batch::size, x.size() - i);
    T* const at = x.data() + i;
    T rest[Batch::size];
    T* to = at;
    if (count < Batch::size) {
      std::ranges::fill(rest, T{1});
      std::copy_n(at, count, rest);
      to = rest;
    }
    function(Batch::load_unaligned(to)).store_unaligned(to);
    if (to == rest) std::copy_n(rest, count, at);
  }
}

}  // namespace

template <class T>
void exponentials(std::span<T> x) {
  transform(x, [](const xsimd::batch<T>& lanes) { return exponential<T>(lanes); });
}

template <class T>
void logarithms(std::span<T> x) {
  transform(x, [](const xsimd::batch<T>& lanes) { return logarithm<T>(lanes); });
}

template <class T>
void logarithms_1p(std::span<T> x) {
  transform(x, [](const xsimd::batch<T>& lanes) { return logarithm_1p<T>(lanes); });
}

template <class T>
void sigmoids(std::span<T> x) {
  transform(x, [](const xsimd::batch<T>& lanes) { return sigmoid<T>(lanes); });
}

template <class T>
void hyperbolic_tangents(std::span<T> x) {
  transform(x, [](const xsimd::batch<T>& lanes) { return hyperbolic_tangent<T>(lanes); });
}

template void exponentials(std::span<float>);
template void exponentials(std::span<double>);
template void logarithms(std::span<float>);
template void logarithms(std::span<double>);
template void logarithms_1p(std::span<float>);
template void logarithms_1p(std::span<double>);
template void sigmoids(std::span<float>);
template void sigmoids(std::span<double>);
template void hyperbolic_tangents(std::span<float>);
template void hyperbolic_tangents(std::span<double>);

}  // namespace posenc
