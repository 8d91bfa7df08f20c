#pragma once

// Vectors as wide as the compiler may use. Code that uses them is compiled once for every level of the processor and
// must not be linked with another level's: a source that includes this, directly or not, is listed in `vector_sources`
// in CMakeLists.txt.

#ifndef POSENC_VECTORS
#error "a source with vectors that is not one of vector_sources in CMakeLists.txt"
#endif

#include <cstddef>
#include <utility>
#include <xsimd/xsimd.hpp>

namespace posenc {

/// Calls use(0), use(1), ..., use(count - 1), unrolled: in a kernel's loop that saves address arithmetic, and an
/// engine's check for interruption in each iteration.
template <std::size_t count, class Use>
[[gnu::always_inline]] inline void unrolled(const Use& use) {
  [&]<std::size_t... k>(std::index_sequence<k...>) { (use(k), ...); }(std::make_index_sequence<count>());
}

}  // namespace posenc
