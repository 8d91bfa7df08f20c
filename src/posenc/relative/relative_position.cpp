#include "posenc/relative/relative_position.hpp"

#include <algorithm>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/kernels/diagonal_rows.hpp"

namespace posenc {
namespace {

template <class T>
Expected<void> expand(const RelativePositions& positions, std::size_t inner, std::span<const T> compact,
                      std::span<T> out) {
  const std::size_t distances = positions.distances();
  const std::size_t keys = positions.keys();
  POSENC_TRY(check_extents("compact", compact.size(), {positions.heads(), distances, inner}));
  POSENC_TRY(check_extents("out", out.size(), {positions.heads(), positions.queries(), keys, inner}));
  if (out.empty()) return {};
  const std::size_t queries = positions.queries();
  for (std::size_t h = 0; h < positions.heads(); ++h)
    write_diagonal_rows(compact.data() + (h * distances + positions.compact_row(0)) * inner, queries, keys * inner,
                        inner, out.data() + h * queries * keys * inner);
  return {};
}

}  // namespace

Expected<RelativePositions> RelativePositions::make(const BiasShape& shape) {
  POSENC_TRY(check_ranges(shape));
  RelativePositions made;
  made.heads_ = static_cast<std::size_t>(shape.heads);
  made.queries_ = static_cast<std::size_t>(shape.queries);
  made.keys_ = static_cast<std::size_t>(shape.keys);
  made.query_offset_ = shape.query_offset;
  return made;
}

std::size_t RelativePositions::keys_up_to(std::size_t query) const {
  const std::int64_t count = query_position(query) + 1;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, static_cast<std::int64_t>(keys_)));
}

Expected<void> relative_offsets(const RelativePositions& positions, std::span<std::int32_t> out) {
  POSENC_TRY(check_size("out", out.size(), positions.distances()));
  const auto first = static_cast<std::int32_t>(out.empty() ? 0 : positions.distance(0));
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = first + static_cast<std::int32_t>(c);
  return {};
}

Expected<void> relative_expand(const RelativePositions& positions, std::size_t inner, std::span<const float> compact,
                               std::span<float> out) {
  return expand(positions, inner, compact, out);
}

Expected<void> relative_expand(const RelativePositions& positions, std::size_t inner,
                               std::span<const std::int32_t> compact, std::span<std::int32_t> out) {
  return expand(positions, inner, compact, out);
}

Expected<void> relative_sinusoidal(const Sinusoidal& sinusoidal, RelativeSign sign, const RelativePositions& positions,
                                   std::span<float> out) {
  POSENC_TRY_LET(differences, AlignedArray<double>::make(positions.distances()));
  for (std::size_t c = 0; c < differences.size(); ++c) {
    const std::int64_t distance = positions.distance(c);
    differences[c] = static_cast<double>(sign == RelativeSign::key_minus_query ? distance : -distance);
  }
  return sinusoidal.table(Positions::list(differences.span()), out);
}

}  // namespace posenc
