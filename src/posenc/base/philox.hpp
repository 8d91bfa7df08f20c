#pragma once

#include <array>
#include <cstdint>

namespace posenc {

/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011, "Parallel Random Numbers: As Easy as 1, 2, 3"): 128 random bits
/// that depend on nothing but the counter and the key, so that any part of a random table can be made on its own.
[[nodiscard]] inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                                         std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t even = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t odd = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(odd >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(odd),
               static_cast<std::uint32_t>(even >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(even)};
    key[0] += 0x9E3779B9;  // the golden ratio's fraction
    key[1] += 0xBB67AE85;  // that of the square root of 3
  }
  return counter;
}

}  // namespace posenc
