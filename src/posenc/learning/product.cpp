#include "posenc/learning/product.hpp"

#include <algorithm>
#include <utility>

#include "posenc/attention/kernels/panel_loops.hpp"

namespace posenc::learning {
namespace {

/// As many as are multiplied together.
constexpr std::size_t spared_rows = panels::tile_rows;

}  // namespace

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
                       const Strided<const float>& b, float* c, std::size_t stride, bool adds, Spared spared) {
  pack_panels_by<Loops::quick>(depth, columns, b, panels_.data());
  const std::size_t block = spared == Spared::nothing ? rows : spared_rows;
  for (std::size_t row = 0; row < rows; row += block) {
    const std::size_t count = std::min(block, rows - row), end = row + count;
    const std::size_t first = spared == Spared::lower ? row : 0;
    const std::size_t last = spared == Spared::upper ? end : depth;
    multiply_panels_by<Loops::quick>(count, last - first, spared == Spared::result ? end : columns, a.from(row, first),
                                     std::as_const(panels_).data() + first * panel_width<float>(), depth,
                                     c + row * stride, stride, adds);
  }
}

}  // namespace posenc::learning
