#pragma once

#include <array>
#include <cstdint>

namespace posenc {

/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011, "Parallel Random Numbers: As Easy as 1, 2, 3"): 128 random bits
/// that depend on nothing but the counter and the key, so that any part of a random table can be made on its own.
[[nodiscard]] std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                                  std::array<std::uint32_t, 2> key);

}  // namespace posenc
