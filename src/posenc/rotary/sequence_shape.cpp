#include "posenc/rotary/sequence_shape.hpp"

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// The most values a shape may have: what one allocation of 4-byte values can hold.
constexpr std::size_t max_values = static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(float);

/// Multiplies, or says that the shape has become too large. Zero extents do not hide an overflow of the others.
Expected<void> multiply_into(std::size_t& product, std::int64_t extent) {
  if (extent < 0) return invalid_argument("shape", static_cast<double>(extent), expected::extents_at_least, {0});
  const auto factor = static_cast<std::uint64_t>(extent);
  if (factor != 0 && product > max_values / factor)
    return invalid_argument("shape", static_cast<double>(extent), expected::extents_product, {max_values});
  product *= static_cast<std::size_t>(factor);
  return {};
}

Expected<void> check_not_too_large(std::span<const std::int64_t> shape) {
  std::size_t product = 1;
  for (const std::int64_t extent : shape) POSENC_TRY(multiply_into(product, extent == 0 ? 1 : extent));
  return {};
}

/// Axes as indices from the start; `none` where there is no such axis.
constexpr std::int64_t none = -1;
struct Resolved {
  std::int64_t sequence = none, dim = none, batch = none;
};

/// The index of an axis of `rank` axes that is not `taken` for `taker` yet.
Expected<std::int64_t> resolve(std::string_view argument, std::int64_t axis, std::int64_t rank, const Resolved& taken) {
  const std::int64_t index = axis < 0 ? axis + rank : axis;
  if (index < 0 || index >= rank)
    return invalid_argument(argument, static_cast<double>(axis), expected::axis_from_to,
                            {"the shape", -rank, rank - 1});
  if (index == taken.dim || index == taken.sequence)
    return invalid_argument(argument, static_cast<double>(axis),
                            index == taken.dim ? expected::not_dim_axis : expected::not_sequence_axis);
  return index;
}

Expected<Resolved> resolve(const SequenceAxes& axes, std::int64_t rank) {
  Resolved resolved;
  POSENC_TRY_LET(dim, resolve("dimAxis", axes.dim.value_or(-1), rank, resolved));
  resolved.dim = dim;
  if (!axes.sequence && rank > 2) return invalid_argument("seqAxis", "none", expected::sequence_axis);
  POSENC_TRY_LET(sequence, resolve("seqAxis", axes.sequence.value_or(1 - dim), rank, resolved));
  resolved.sequence = sequence;
  if (!axes.batch) return resolved;
  POSENC_TRY_LET(batch, resolve("batchAxis", *axes.batch, rank, resolved));
  resolved.batch = batch;
  return resolved;
}

}  // namespace

Expected<SequenceShape> SequenceShape::make(std::span<const std::int64_t> shape, const SequenceAxes& axes) {
  if (shape.size() < 2) return invalid_argument("shape", static_cast<double>(shape.size()), expected::two_axes);
  POSENC_TRY(check_not_too_large(shape));
  POSENC_TRY_LET(resolved, resolve(axes, static_cast<std::int64_t>(shape.size())));

  SequenceShape made;
  std::size_t stride = 1;
  std::size_t group = made.rest_.size();
  bool joined = false;  // the axis after this one is in the group
  for (std::int64_t i = std::ssize(shape) - 1; i >= 0; --i) {
    const auto extent = static_cast<std::size_t>(shape[static_cast<std::size_t>(i)]);
    Axis* const known = i == resolved.sequence ? &made.sequence_
                        : i == resolved.dim    ? &made.dim_
                        : i == resolved.batch  ? &made.batch_
                                               : nullptr;
    if (known != nullptr)
      *known = {extent, stride};
    else if (joined)
      made.rest_[group].extent *= extent;
    else if (extent != 1)
      made.rest_[--group] = {extent, stride};
    if (i != resolved.sequence && i != resolved.dim) (i < resolved.sequence ? made.outer_ : made.inner_) *= extent;
    // Between an axis of one index and its neighbours nothing lies.
    if (extent != 1 || known != nullptr) joined = known == nullptr;
    stride *= extent;
  }
  made.size_ = stride;
  made.has_batch_ = axes.batch.has_value();
  return made;
}

Expected<SequenceShape> SequenceShape::dims(std::int64_t first, std::size_t count) const {
  const auto extent = static_cast<std::int64_t>(dim());
  const auto last = extent - static_cast<std::int64_t>(count);
  if (first < 0 || first > last)
    return invalid_argument("firstDim", static_cast<double>(first), expected::first_dim, {count, extent});
  SequenceShape made = *this;
  made.dim_.extent = count;
  made.first_ = static_cast<std::size_t>(first) * dim_.stride;
  return made;
}

Expected<void> SequenceShape::check_lists(std::size_t lists) const {
  if (lists == 1 || has_batch_) return {};
  return invalid_argument("batchAxis", "none", expected::batch_axis);
}

Expected<bool> SequenceShape::check_positions(const Positions& positions) const {
  const auto lists = positions.batch();
  POSENC_TRY(check_lists(lists.value_or(1)));
  if (lists && *lists != 1 && *lists != batch())
    return invalid_argument("positions", decimal(*lists) + " lists", expected::lists, {batch()});
  const std::size_t wanted = sequence() * lists.value_or(1);
  if (positions.count() == wanted) return lists.value_or(1) != 1;
  const bool is_batch = !lists && has_batch_ && positions.count() == wanted * batch();
  return invalid_argument(
      "positions", static_cast<double>(positions.count()), expected::values, {wanted},
      is_batch ? ", or lists with their shape, [batch, seq]" : ", one for each token along seqAxis");
}

}  // namespace posenc
