#include "dtype.hpp"

#include <algorithm>

#include "calls.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/convert.hpp"

namespace posenc::embind {
namespace {

Expected<void> convert(const calls::Convert& in) {
  POSENC_TRY_LET(from, from_name<DType>(in.x.dtype));
  POSENC_TRY_LET(to, from_name<DType>(in.dtype));
  const auto values = in.x.data.as<const float>();
  const ConstSpan16 bits(from, in.x.data.as<const std::uint16_t>());
  if (to == DType::float32) {
    if (from != DType::float32) return posenc::convert(bits, in.out.as<float>());
    std::ranges::copy(values.first(in.out.size), in.out.as<float>().begin());
    return {};
  }
  const Span16 out(to, in.out.as<std::uint16_t>());
  if (from == DType::float32) return posenc::convert(values, out);
  POSENC_TRY_LET(wide, AlignedArray<float>::make_unfilled(bits.size()));
  POSENC_TRY(posenc::convert(bits, wide.span()));
  return posenc::convert(wide.span(), out);
}

/// Whether there is such a dtype: the buffer itself is JavaScript's.
Expected<void> buffer_options(const calls::BufferOptions& in) {
  auto dtype = DType::float32;
  return set(dtype, in.dtype, from_name<DType>);
}

}  // namespace

EMSCRIPTEN_BINDINGS(dtype) {
  expose<&convert>();
  expose<&buffer_options>();
}

}  // namespace posenc::embind
