#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "posenc/base/error.hpp"

namespace posenc {

/// The type in which a cache holds its keys.
enum class KeyType : std::uint8_t {
  float32,
  float16,
  bfloat16,
  q8_0,  ///< ggml's blocks of 32 dimensions: a float16 scale d and 32 int8 q, 34 bytes; the values are d q
};

/// "float32" | "float16" | "bfloat16" | "q8_0"; an Error ("dtype") that lists them for anything else.
template <>
[[nodiscard]] Expected<KeyType> from_name(std::string_view name);
[[nodiscard]] std::string_view name_of(KeyType type);

/// How many dimensions have bits in common: 32 of q8_0, else 1.
[[nodiscard]] constexpr std::size_t dims_of_block(KeyType type) { return type == KeyType::q8_0 ? 32 : 1; }

/// The bytes of that many values, whole blocks.
[[nodiscard]] constexpr std::size_t bytes_of(KeyType type, std::size_t values) {
  if (type == KeyType::q8_0) return values / 32 * 34;
  return values * (type == KeyType::float32 ? 4 : 2);
}

}  // namespace posenc
