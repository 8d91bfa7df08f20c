#include "posenc/learning/product.hpp"

#include <algorithm>
#include <utility>

#include "posenc/attention/kernels/panel_loops.hpp"

namespace posenc::learning {

Expected<Product> Product::make(std::initializer_list<Extents> extents) {
  std::size_t size = 0;
  for (const auto& [depth, columns] : extents) size = std::max(size, panels_size<float>(depth, columns));
  auto panels = AlignedArray<float>::make_unfilled(size);
  if (!panels) return error_of(panels);
  Product made;
  made.panels_ = *std::move(panels);
  return made;
}

void Product::multiply(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const float>& a,
                       const Strided<const float>& b, float* c, std::size_t stride, bool adds) {
  pack_panels_by<Loops::quick>(depth, columns, b, panels_.data());
  multiply_panels_by<Loops::quick>(rows, depth, columns, a, std::as_const(panels_).data(), c, stride, adds);
}

}  // namespace posenc::learning
