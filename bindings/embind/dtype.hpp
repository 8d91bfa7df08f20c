#pragma once

#include "crossing.hpp"
#include "posenc/base/dtype.hpp"

namespace posenc::embind {

/// Calls `write` with the values of a result in the dtype that was named, float32 by default.
template <class Write>
[[nodiscard]] Expected<void> write_as(const std::string& dtype, const Array& out, const Write& write) {
  auto storage = DType::float32;
  POSENC_TRY(set(storage, dtype, from_name<DType>));
  if (storage == DType::float32) return write(out.as<float>());
  return write(Span16(storage, out.as<std::uint16_t>()));
}

}  // namespace posenc::embind
