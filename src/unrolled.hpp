#pragma once

#include <cstddef>
#include <utility>

namespace posenc {

/// Calls use(0), use(1), ..., use(count - 1), written out: in a kernel's loop that spares additions of addresses, and
/// an engine's check for interruption each.
template <std::size_t count, class Use>
[[gnu::always_inline]] inline void unrolled(const Use& use) {
  [&]<std::size_t... k>(std::index_sequence<k...>) { (use(k), ...); }(std::make_index_sequence<count>());
}

}  // namespace posenc
