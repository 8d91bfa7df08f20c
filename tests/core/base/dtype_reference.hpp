#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "posenc/base/dtype.hpp"
#include "testing/reference.hpp"

namespace reference {

template <class T>
inline constexpr int digits_of = std::is_same_v<T, posenc::Float16> ? 11 : 8;  ///< significant bits
template <class T>
inline constexpr int min_exponent_of = std::is_same_v<T, posenc::Float16> ? -14 : -126;

/// A format of 16 bits, by its definition: sign, exponent, fraction. Rounding searches the list of all its values.
class Format16 {
 public:
  template <class T>
  [[nodiscard]] static const Format16& of();

  Format16(int fraction_bits, int bias);

  /// The value of a pattern; where the exponent is all ones, the value that would come next to the finite ones.
  [[nodiscard]] Quad value(std::uint16_t pattern) const;

  /// The pattern of the value nearest to x, of two as near the one whose last bit is 0. A zero is positive.
  [[nodiscard]] std::uint16_t nearest(Quad x) const;

  [[nodiscard]] std::uint16_t infinity() const { return infinity_; }
  [[nodiscard]] bool is_nan(std::uint16_t pattern) const { return (pattern & 0x7fff) > infinity_; }

 private:
  std::uint16_t infinity_;
  std::vector<Quad> magnitudes_;  ///< of the patterns 0 ... infinity
};

template <>
const Format16& Format16::of<posenc::Float16>();
template <>
const Format16& Format16::of<posenc::BFloat16>();

}  // namespace reference
