#include "posenc/relative/kernels/diagonal_rows.hpp"

#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// Larger copies take the machine's fast path to memory, rows of a few kilobytes do not: they are assembled in the
/// cache first. Smaller outputs stay in the caches, where a second copy costs more than it saves.
constexpr std::size_t tile_bytes = std::size_t{128} << 10;
constexpr std::size_t least_tiled_bytes = std::size_t{24} << 20;
constexpr std::size_t long_row_bytes = std::size_t{8} << 10;

}  // namespace

Expected<DiagonalRows> DiagonalRows::make(std::size_t row, std::size_t inner, std::size_t size) {
  const std::size_t bytes = row * width;
  const bool tiled = bytes != 0 && bytes < long_row_bytes && size >= least_tiled_bytes / width;
  POSENC_TRY_LET(tile, AlignedArray<std::byte>::make(tiled ? tile_bytes / bytes * bytes : 0));
  return DiagonalRows(bytes, inner * width, std::move(tile));
}

}  // namespace posenc
