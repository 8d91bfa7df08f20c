#pragma once

// Vectors as wide as the compiler may use. What sees them is built once more for every level of the processor, and must
// not meet what was built for another: a source that includes this, itself or by a header, stands in CMakeLists.txt's
// `vector_sources`.

#ifndef POSENC_VECTORS
#error "a source with vectors that is not one of vector_sources in CMakeLists.txt"
#endif

#include <cstddef>
#include <utility>
#include <xsimd/xsimd.hpp>

namespace posenc {

/// Calls use(0), use(1), ..., use(count - 1), written out: in a kernel's loop that spares additions of addresses, and
/// an engine's check for interruption each.
template <std::size_t count, class Use>
[[gnu::always_inline]] inline void unrolled(const Use& use) {
  [&]<std::size_t... k>(std::index_sequence<k...>) { (use(k), ...); }(std::make_index_sequence<count>());
}

}  // namespace posenc
