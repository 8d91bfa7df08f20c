#include "posenc/learning/product.hpp"

#include <algorithm>
#include <utility>

#include "posenc/attention/kernels/panel_loops.hpp"
#include "posenc/base/try.hpp"

namespace posenc::learning {

Expected<Product> Product::make(std::initializer_list<Extents> extents) {
  std::size_t size = 0;
  for (const auto& [depth, columns] : extents) size = std::max(size, panels_size<float>(depth, columns));
  Product made;
  POSENC_TRY(allocate({{made.panels_, size}}, Fill::none));
  return made;
}

void Product::compute(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const float>& a,
                      const Strided<const float>& b, float* c, std::size_t stride, bool adds, SkippedTriangle skipped) {
  pack_panels_by<Loops::quick>(depth, columns, b, panels_.data());
  const std::size_t block = skipped == SkippedTriangle::none ? rows : panels::tile_rows;
  for (std::size_t row = 0; row < rows; row += block) {
    const std::size_t count = std::min(block, rows - row), end = row + count;
    const std::size_t first = skipped == SkippedTriangle::lower ? row : 0;
    const std::size_t last = skipped == SkippedTriangle::upper ? end : depth;
    multiply_panels_by<Loops::quick>(count, last - first, skipped == SkippedTriangle::result ? end : columns,
                                     a.from(row, first), std::as_const(panels_).data() + first * panel_width<float>(),
                                     depth, c + row * stride, stride, adds);
  }
}

}  // namespace posenc::learning
