#include "posenc/grid/grid_cells.hpp"

#include <algorithm>

#include "posenc/base/check.hpp"

namespace posenc {

Expected<std::size_t> count_grid_cells(std::span<const std::int64_t> shape, std::int64_t width, std::size_t bytes) {
  const std::int64_t most = PTRDIFF_MAX / static_cast<std::int64_t>(bytes) / width;
  std::int64_t cells = 1;
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0 || extent > most / cells)
      return wrong("shape", static_cast<double>(extent),
                   {"extents >= 0 whose product is at most ", decimal(most), " for this dim"});
    if (extent == 0) empty = true;
    cells *= std::max<std::int64_t>(extent, 1);
  }
  return empty ? 0 : static_cast<std::size_t>(cells);
}

}  // namespace posenc
