#include "posenc/sequence_shape.hpp"

#include "check.hpp"

namespace posenc {
namespace {

/// The most values a shape may have: what one allocation of 4-byte values can hold.
constexpr std::size_t max_values = static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(float);

/// Multiplies, or says that the shape has become too large. Zero extents do not hide an overflow of the others.
Expected<void> multiply_into(std::size_t& product, std::int64_t extent) {
  if (extent < 0) return wrong("shape", static_cast<double>(extent), {"extents >= 0"});
  const auto factor = static_cast<std::uint64_t>(extent);
  if (factor != 0 && product > max_values / factor)
    return wrong("shape", static_cast<double>(extent), {"extents whose product is at most ", decimal(max_values)});
  product *= static_cast<std::size_t>(factor);
  return {};
}

Expected<void> check_not_too_large(std::span<const std::int64_t> shape) {
  std::size_t product = 1;
  for (const std::int64_t extent : shape)
    if (auto checked = multiply_into(product, extent == 0 ? 1 : extent); !checked) return checked;
  return {};
}

Expected<std::size_t> resolve_axis(std::optional<std::int64_t> axis, std::int64_t rank) {
  const std::int64_t given = axis.value_or(rank == 2 ? 0 : -3);
  const std::int64_t from_start = given < 0 ? given + rank : given;
  if (from_start < 0 || from_start > rank - 2)
    return wrong(
        "seqAxis", static_cast<double>(given),
        {"an axis of the shape other than the last: from ", decimal(-rank), " to ", decimal(rank - 2), ", but not -1"});
  return static_cast<std::size_t>(from_start);
}

std::size_t product(std::span<const std::int64_t> extents) {
  std::size_t all = 1;
  for (const std::int64_t extent : extents) all *= static_cast<std::size_t>(extent);
  return all;
}

}  // namespace

Expected<SequenceShape> SequenceShape::make(std::span<const std::int64_t> shape,
                                            std::optional<std::int64_t> sequence_axis) {
  if (shape.size() < 2)
    return wrong("shape", static_cast<double>(shape.size()), {"at least two axes, [..., seq, dim]"});
  if (auto checked = check_not_too_large(shape); !checked) return std::unexpected(checked.error());
  const auto axis = resolve_axis(sequence_axis, static_cast<std::int64_t>(shape.size()));
  if (!axis) return std::unexpected(axis.error());

  SequenceShape made;
  made.outer_ = product(shape.first(*axis));
  made.sequence_ = static_cast<std::size_t>(shape[*axis]);
  made.inner_ = product(shape.subspan(*axis + 1, shape.size() - *axis - 2));
  made.dim_ = static_cast<std::size_t>(shape.back());
  return made;
}

}  // namespace posenc
