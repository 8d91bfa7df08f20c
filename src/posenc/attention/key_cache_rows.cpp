#include "posenc/attention/key_cache_rows.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "posenc/attention/kernels/stored_rows.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

std::size_t bytes_of(DType dtype) { return dtype == DType::float32 ? sizeof(float) : sizeof(Float16); }

Expected<void> check_room(const KeyCacheMemory& cache, const NewKeys& given) {
  const std::size_t batch = given.sequences.size();
  POSENC_TRY(check_extents("lengths", given.lengths.size(), {batch}));
  for (std::size_t b = 0; b < batch; ++b) {
    POSENC_TRY(check_whole("sequences", given.sequences[b], 0, static_cast<std::int64_t>(cache.sequences) - 1));
    if (std::ranges::count(given.sequences.first(b), given.sequences[b]) > 0)
      return invalid_argument("sequences", static_cast<double>(given.sequences[b]), {"each sequence once"});
    const auto length = static_cast<std::size_t>(given.lengths[b]);
    if (length > cache.capacity || given.tokens > cache.capacity - length)
      return invalid_argument("capacity", static_cast<double>(cache.capacity),
                              {"room for ", decimal(length + given.tokens), " tokens in sequence ",
                               decimal(given.sequences[b]), ", which has ", decimal(length)});
  }
  return check_arrays({{"key", given.keys.size(), {batch, cache.heads, given.tokens, cache.dim}},
                       {"value", given.values.size(), {batch, cache.heads, given.tokens, cache.value_dim}}});
}

/// Writes rows to their places. `scratch` is a row in float32: for values of one type of 16 bits that become another.
void write_rows(const KeyCacheMemory& cache, const NewKeys& given, const ConstStored& from, std::size_t width,
                float* scratch, void* to) {
  const std::size_t bytes = width * bytes_of(cache.dtype);
  const StoredRows rows{from.data(), width, width, from.dtype()};
  const bool heads_first = given.axes == CacheAxes::heads_first;
  for (std::size_t b = 0; b < given.sequences.size(); ++b)
    for (std::size_t h = 0; h < cache.heads; ++h)
      for (std::size_t t = 0; t < given.tokens; ++t) {
        const std::size_t row =
            heads_first ? (b * cache.heads + h) * given.tokens + t : (b * given.tokens + t) * cache.heads + h;
        const std::size_t place = (static_cast<std::size_t>(given.sequences[b]) * cache.heads + h) * cache.capacity +
                                  static_cast<std::size_t>(given.lengths[b]) + t;
        void* const out = static_cast<std::byte*>(to) + place * bytes;
        if (from.dtype() == cache.dtype) {
          std::memcpy(out, rows.from(row).data, bytes);
          continue;
        }
        float* const wide = cache.dtype == DType::float32 ? static_cast<float*>(out) : scratch;
        read_rows(rows, row, 1, wide);
        // Sizes are the same: there is no error.
        if (wide == scratch)
          static_cast<void>(convert(std::span<const float>(scratch, width),
                                    Span16(cache.dtype, {static_cast<std::uint16_t*>(out), width})));
      }
}

}  // namespace

Expected<void> append_keys(const KeyCacheMemory& cache, const NewKeys& given, RotaryStep* step,
                           const Positions& positions) {
  POSENC_TRY(check_room(cache, given));
  POSENC_TRY_LET(scratch, AlignedArray<float>::make_unfilled(std::max(cache.dim, cache.value_dim)));
  if (step == nullptr) {
    write_rows(cache, given, given.keys, cache.dim, scratch.data(), cache.keys);
  } else {
    POSENC_TRY_LET(rotated, AlignedArray<float>::make_unfilled(given.keys.size()));
    if (cache.dim > 0)
      read_rows<float>({given.keys.data(), cache.dim, cache.dim, given.keys.dtype()}, 0, given.keys.size() / cache.dim,
                       rotated.data());
    const bool heads_first = given.axes == CacheAxes::heads_first;
    std::array extents{static_cast<std::int64_t>(given.sequences.size()), static_cast<std::int64_t>(cache.heads),
                       static_cast<std::int64_t>(given.tokens), static_cast<std::int64_t>(cache.dim)};
    if (!heads_first) std::swap(extents[1], extents[2]);
    POSENC_TRY_LET(shape, SequenceShape::make(extents, {.sequence = heads_first ? 2 : 1, .batch = 0}));
    POSENC_TRY(step->apply(rotated.span(), shape, positions));
    write_rows(cache, given, rotated.span(), cache.dim, scratch.data(), cache.keys);
  }
  write_rows(cache, given, given.values, cache.value_dim, scratch.data(), cache.values);
  return {};
}

}  // namespace posenc
