#include "frequencies.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/frequencies/packed_positions.hpp"

namespace posenc::embind {
namespace {

Expected<void> packed_positions(const calls::PackedPositions& in) {
  const auto given = in.boundaries.as<const double>();
  POSENC_TRY_LET(boundaries, AlignedArray<std::int64_t>::make_unfilled(given.size()));
  for (std::size_t i = 0; i < given.size(); ++i) boundaries[i] = static_cast<std::int64_t>(given[i]);
  return posenc::packed_positions(boundaries.span(), in.out.as<std::int32_t>());
}

Expected<void> mask_positions(const calls::MaskPositions& in) {
  return posenc::mask_positions(in.mask.data.as<const std::int32_t>(), in.mask.extent(1),
                                in.padding.value_or(default_padding_position), in.out.as<std::int32_t>());
}

}  // namespace

EMSCRIPTEN_BINDINGS(frequencies_full) {
  expose<&packed_positions>();
  expose<&mask_positions>();
}

}  // namespace posenc::embind
