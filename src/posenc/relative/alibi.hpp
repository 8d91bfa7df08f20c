#pragma once

#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/base/range.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

/// Slopes where the number of heads H is no power of two. (Where it is one, head h = 1 ... H has 2^(-steepness h / H).)
enum class AlibiSlopes : std::uint8_t {
  paper,  ///< those of the next lower power of two, c; then every other one of 2c heads (the authors' code, BLOOM,
          ///< ggml)
  mpt,    ///< of the next higher power's, the second, fourth ..., then the first, third ...; cut off at H (MPT)
};

/// Lists what a slope may be multiplied by, for relative position d = key - query.
enum class AlibiDistance : std::uint8_t {
  symmetric,  ///< -|d|
  linear,     ///< d: keys after the query gain. Up to a constant of each row, BLOOM's slope * key position.
};

template <>
inline constexpr auto names_of<AlibiSlopes> =
    Names("slopes", {{"paper", AlibiSlopes::paper}, {"mpt", AlibiSlopes::mpt}});
template <>
inline constexpr auto names_of<AlibiDistance> =
    Names("distance", {{"symmetric", AlibiDistance::symmetric}, {"linear", AlibiDistance::linear}});

struct AlibiOptions {
  AlibiSlopes slopes = AlibiSlopes::paper;
  AlibiDistance distance = AlibiDistance::symmetric;
  double steepness = 8;  ///< MPT's alibi_bias_max

  static constexpr std::tuple ranges{ranged("steepness", &AlibiOptions::steepness, above(0, 1000))};
};

/// Attention with linear biases (Press, Smith and Lewis 2022, "Train Short, Test Long").
/// Writes the slopes of out.size() heads. Largest error: 0.501 ulp.
/// Errors: a number of heads outside 1 ... max_heads; steepness.
[[nodiscard]] Expected<void> alibi_slopes(const AlibiOptions& options, std::span<float> out);

/// Writes slope * distance in compact form, [heads, distances]. Largest error: 0.501 ulp: slopes are not rounded to
/// float32 before they are multiplied. Errors: steepness; a size of `out` that differs; memory.
[[nodiscard]] Expected<void> alibi_bias(const AlibiOptions& options, const RelativePositions& positions, Future future,
                                        std::span<float> out);

}  // namespace posenc
