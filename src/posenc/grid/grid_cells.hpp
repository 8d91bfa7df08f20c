#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"

namespace posenc {

/// The number of cells of a grid, or an Error where rows of `width` values of `bytes` bytes, one a cell, could not be
/// held. A zero extent does not hide others that are wrong.
[[nodiscard]] Expected<std::size_t> count_grid_cells(std::span<const std::int64_t> shape, std::int64_t width,
                                                     std::size_t bytes);

}  // namespace posenc
