#include <algorithm>

#include "calls.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/dtype.hpp"

namespace posenc::embind {

Expected<void> run(const calls::Convert& in) {
  POSENC_TRY_LET(from, from_name<DType>(in.x.dtype));
  POSENC_TRY_LET(to, from_name<DType>(in.dtype));
  const auto values = in.x.as<const float>();
  const ConstSpan16 bits(from, in.x.as<const std::uint16_t>());
  if (to == DType::float32) {
    if (from != DType::float32) return convert(bits, in.out);
    std::ranges::copy(values.first(in.out.size), in.out.as<float>().begin());
    return {};
  }
  const Span16 out(to, in.out.as<std::uint16_t>());
  if (from == DType::float32) return convert(values, out);
  POSENC_TRY_LET(wide, AlignedArray<float>::make_unfilled(bits.size()));
  POSENC_TRY(convert(bits, wide.span()));
  return convert(wide.span(), out);
}

/// Whether there is such a dtype: the buffer itself is JavaScript's.
Expected<void> run(const calls::BufferOptions& in) {
  auto dtype = DType::float32;
  return set(dtype, in.dtype);
}

}  // namespace posenc::embind
