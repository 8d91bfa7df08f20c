#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/base/names.hpp"

namespace posenc {

/// The type in which a cache holds its keys.
enum class KeyType : std::uint8_t {
  float32,
  float16,
  bfloat16,
  q8_0,  ///< ggml's blocks of 32 dimensions: a float16 scale d and 32 int8 q, 34 bytes; the values are d q
};

template <>
inline constexpr auto names_of<KeyType> = Names("dtype", {{"float32", KeyType::float32},
                                                          {"float16", KeyType::float16},
                                                          {"bfloat16", KeyType::bfloat16},
                                                          {"q8_0", KeyType::q8_0}});

/// How many dimensions have bits in common: 32 of q8_0, else 1.
[[nodiscard]] constexpr std::size_t dims_of_block(KeyType type) { return type == KeyType::q8_0 ? 32 : 1; }

/// The bytes of that many values, whole blocks.
[[nodiscard]] constexpr std::size_t bytes_of(KeyType type, std::size_t values) {
  if (type == KeyType::q8_0) return values / 32 * 34;
  return values * (type == KeyType::float32 ? 4 : 2);
}

}  // namespace posenc
