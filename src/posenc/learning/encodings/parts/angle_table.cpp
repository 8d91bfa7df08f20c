#include "posenc/learning/encodings/parts/angle_table.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/array_size.hpp"
#include "posenc/rotary/kernels/rotate.hpp"

namespace posenc::learning {

Expected<std::size_t> rotated_dims(const PassShape& shape, double share) {
  const std::size_t dims = shape.dims();
  if (dims < 2)
    return invalid_argument(
        "model.width", static_cast<double>(shape.width),
        {"at least ", decimal(2 * shape.heads), ": two dimensions a head, of which rotations are made"});
  const auto pairs = static_cast<std::size_t>(std::floor(share * static_cast<double>(dims) / 2 + 0.5));
  return 2 * std::clamp<std::size_t>(pairs, 1, dims / 2);
}

Expected<AngleTable> AngleTable::make(const Rotary& rotary, const Positions& positions) {
  AngleTable made;
  const std::size_t dim = rotary.dim(), count = positions.count();
  made.pairs_ = dim / 2;
  POSENC_TRY(allocate({{made.rows_, array_size({2, count, dim})}}));
  const std::int64_t extents[]{static_cast<std::int64_t>(count), static_cast<std::int64_t>(dim)};
  POSENC_TRY_LET(shape, SequenceShape::make(extents));
  // The pair (1, 0), rotated, is its cosine and sine.
  for (std::size_t row = 0; row < 2 * count; ++row) std::fill_n(made.rows_.data() + row * dim, made.pairs_, 1.0f);
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const std::size_t first = direction == Direction::forward ? 0 : shape.size();
    POSENC_TRY(rotary.apply(made.rows_.span().subspan(first, shape.size()), shape, positions, direction));
  }
  return made;
}

void AngleTable::rotate(const Pass& pass, Direction direction, const Strided<float>& rows) const {
  const PassShape& shape = pass.shape;
  for (std::size_t sequence = 0; sequence < shape.sequences; ++sequence)
    rotate(pass.positions_of(sequence), direction, shape.heads, shape.dims(), rows.from(sequence * shape.length, 0));
}

void AngleTable::rotate(std::span<const std::int32_t> positions, Direction direction, std::size_t heads,
                        std::size_t dims, const Strided<float>& rows) const {
  if (positions.empty()) return;
  const std::size_t dim = 2 * pairs_;
  const float* const table = rows_.data() + (direction == Direction::forward ? 0 : rows_.size() / 2);
  const HeadRotation rotation{Layout::half, direction, pairs_, nullptr};
  // Positions rise: they follow each other if the last is as far from the first as there are tokens between.
  const auto span = static_cast<std::size_t>(positions.back() - positions.front()) + 1;
  const std::size_t together = span == positions.size() ? span : 1;
  for (std::size_t token = 0; token < positions.size(); token += together) {
    const float* const cosines = table + static_cast<std::size_t>(positions[token]) * dim;
    rotate_heads(rotation, {rows.at(token, 0), heads, dims}, {.sines = cosines + pairs_, .cosines = cosines}, 0,
                 {together, rows.row_stride, dim});
  }
}

}  // namespace posenc::learning
