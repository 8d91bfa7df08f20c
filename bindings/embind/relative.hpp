#pragma once

#include "calls.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc::embind {

/// Which queries meet which keys, and in which form all pairs are written.
struct Pairs {
  RelativePositions positions;
  bool compact;
};

/// `queries`, `keys`, `queryOffset` and `form`.
[[nodiscard]] Expected<Pairs> pairs(std::int64_t heads, std::int64_t queries, std::int64_t keys,
                                    std::optional<std::int64_t> query_offset, const std::string& form);

/// Writes what depends on the relative position alone: `fill` makes the compact form, [heads, distances, inner], which
/// is written out where the full one is wanted.
template <class T, class Fill>
[[nodiscard]] Expected<void> write_pairs(const Pairs& pairs, std::size_t inner, std::span<T> out, const Fill& fill) {
  if (pairs.compact) return fill(out);
  const RelativePositions& positions = pairs.positions;
  POSENC_TRY_LET(line, AlignedArray<T>::make(positions.heads() * positions.distances() * inner));
  POSENC_TRY(fill(line.span()));
  return expand_relative(positions, inner, line.span(), out);
}

/// A bias by the options that all have: `fill` writes it, by positions and `future`.
template <class Call, class Fill>
[[nodiscard]] Expected<void> write_bias(const Call& in, std::int64_t heads, const Fill& fill) {
  POSENC_TRY_LET(of, pairs(heads, in.queries, in.keys, in.query_offset, in.form));
  Future future = Future::keep;
  POSENC_TRY(set(future, in.future, future_from_name));
  return write_pairs(of, 1, in.out.template as<float>(),
                     [&](std::span<float> line) { return fill(of.positions, future, line); });
}

}  // namespace posenc::embind
