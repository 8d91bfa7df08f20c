#pragma once

#include <cstdint>
#include <optional>

#include "posenc/frequencies/scaling.hpp"

namespace posenc {

/// How the exponent of a frequency grows with its index i, for an encoding of dim d.
enum class Exponent : std::uint8_t {
  paper,           ///< base^(-2i/d), "Attention Is All You Need" (2017), section 3.5
  double_stepped,  ///< base^(-4i/d): a loop over i = 0, 2, 4, ... that doubles i once more
  half,  ///< base^(-i/(h - shift)), h = floor(d / 2): i/h of ggml, i/(h - 1) of tensor2tensor, diffusers' both
};

struct FrequencyOptions {
  std::int64_t dim = 0;  ///< lanes of the encoding, 1 ... max_dim
  double base = 10000;   ///< theta, finite and > 0
  Exponent exponent = Exponent::paper;
  double shift = 0;  ///< of Exponent::half alone: 1 makes the last frequency 1 / base. At most 2^53, not floor(dim / 2)
  double scale = 1;  ///< what every frequency is multiplied by, finite
};

/// All that decides the frequencies of a rotation.
struct FrequencyPlan {
  FrequencyOptions frequencies;  ///< its dim counts the lanes that rotate
  /// The denominator d of the exponent, 1 ... max_dim, where it is not that dim.
  std::optional<std::int64_t> exponent_dim = std::nullopt;
  Scaling scaling = scaling::Default{};
  /// How many positions the model reads, from 0 to 2^53. Dynamic NTK and LongRoPE must have it; no other rule reads it.
  std::optional<std::int64_t> length = std::nullopt;
};

/// The most lanes one encoding may have.
inline constexpr std::int64_t max_dim = std::int64_t{1} << 24;

/// The largest angle |position * frequency|, in radians, for which phases are exact: 2^53.
inline constexpr double max_angle = 9007199254740992.0;

}  // namespace posenc
