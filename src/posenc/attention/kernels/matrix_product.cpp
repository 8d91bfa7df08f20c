#include "posenc/attention/kernels/matrix_product.hpp"

#include <algorithm>

#include "posenc/attention/kernels/panel_loops.hpp"
#include "posenc/base/simd.hpp"

namespace posenc {

namespace {

using panels::width;

}  // namespace

template <class T>
std::size_t panel_width() {
  return width<T>;
}

template <class T>
std::size_t panels_size(std::size_t depth, std::size_t columns) {
  return (columns + width<T> - 1) / width<T> * width<T> * depth;
}

template <class T, class B>
void pack_panels(std::size_t depth, std::size_t columns, const Strided<const B>& b, T* panels) {
  pack_panels_by<Loops::compact>(depth, columns, b, panels);
}

template <class T, class A>
void multiply_panels(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const A>& a,
                     const T* in_panels, T* c, std::size_t c_stride, bool accumulate) {
  multiply_panels_by<Loops::compact>(rows, depth, columns, a, in_panels, depth, c, c_stride, accumulate);
}

template std::size_t panel_width<float>();
template std::size_t panel_width<double>();
template std::size_t panels_size<float>(std::size_t, std::size_t);
template std::size_t panels_size<double>(std::size_t, std::size_t);
template void pack_panels(std::size_t, std::size_t, const Strided<const float>&, float*);
template void pack_panels(std::size_t, std::size_t, const Strided<const float>&, double*);
template void pack_panels(std::size_t, std::size_t, const Strided<const double>&, double*);
template void multiply_panels(std::size_t, std::size_t, std::size_t, const Strided<const float>&, const float*, float*,
                              std::size_t, bool);
template void multiply_panels(std::size_t, std::size_t, std::size_t, const Strided<const float>&, const double*,
                              double*, std::size_t, bool);
template void multiply_panels(std::size_t, std::size_t, std::size_t, const Strided<const double>&, const double*,
                              double*, std::size_t, bool);

}  // namespace posenc
