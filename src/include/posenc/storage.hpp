#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/error.hpp"

namespace posenc {

/// The type in which tables, caches and rotated values are kept. What is computed is float32 or better; it is rounded
/// to its storage type once.
enum class Storage : std::uint8_t { float32, float16, bfloat16 };

/// "float32" | "float16" | "bfloat16"; an Error that lists them for anything else.
[[nodiscard]] Expected<Storage> storage_from_name(std::string_view name);

/// The bits of an IEEE 754 binary16: 11 significant bits, up to 65504, subnormals from 2^-24 on.
struct Float16 {
  static constexpr int digits = 11;
  static constexpr int min_exponent = -14;  ///< of the smallest normal value
  static constexpr double max = 65504;

  std::uint16_t bits = 0;
  bool operator==(const Float16&) const = default;
};

/// The upper half of the bits of a float32: 8 significant bits, up to (2 - 2^-7) * 2^127.
struct BFloat16 {
  static constexpr int digits = 8;
  static constexpr int min_exponent = -126;
  static constexpr double max = 0x1.fep127;

  std::uint16_t bits = 0;
  bool operator==(const BFloat16&) const = default;
};

/// A type of 16 bits.
template <class T>
concept HalfStorage = std::same_as<T, Float16> || std::same_as<T, BFloat16>;

/// Conversions to the other type, value by value; sizes that differ are the only Error.
///
/// To float32: exact, subnormals, infinities, signs of 0 and the bits of a NaN included. From float32: the nearest
/// value, ties to the even one; what rounds beyond the largest becomes infinite; a NaN becomes a quiet one with the
/// sign and the upper bits it had. Integer and IEEE operations only: the same bits on every machine.
[[nodiscard]] Expected<void> convert(std::span<const Float16> from, std::span<float> to);
[[nodiscard]] Expected<void> convert(std::span<const BFloat16> from, std::span<float> to);
[[nodiscard]] Expected<void> convert(std::span<const float> from, std::span<Float16> to);
[[nodiscard]] Expected<void> convert(std::span<const float> from, std::span<BFloat16> to);

}  // namespace posenc
