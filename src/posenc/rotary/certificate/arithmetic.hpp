#pragma once

#include <cstdint>

#include "posenc/base/names.hpp"

namespace posenc {

/// The implementation whose steps from a position to a rotated pair are certified, each of which rounds once.
///
/// - `exact`: Rotary. Exact angles, float32 cosines and sines, and rotation in float32.
/// - `transformers`: Hugging Face transformers 4 and 5. Frequencies are base^(2i/d) in float32, its reciprocal, and the
///   rule in float32 (float32_rotary.hpp). float32 positions, angles, cosines and sines; these are rounded to the
///   dtype, in which the rotation is computed. Powers, cosines and sines within 1 ulp.
/// - `ggml`: float32 throughout. The angle of a pair is the one before it times base^(-2/d); then the rule: linear
///   scaling and YaRN's mixture as ggml has them, others as divisors. The power, cosines and sines within 1 ulp.
///
/// Inputs and outputs are rounded to the dtype of activations.
enum class ArithmeticPreset : std::uint8_t { exact, transformers, ggml };

template <>
inline constexpr auto names_of<ArithmeticPreset> =
    Names("arithmetic", {{"exact", ArithmeticPreset::exact},
                         {"transformers", ArithmeticPreset::transformers},
                         {"ggml", ArithmeticPreset::ggml}});

}  // namespace posenc
