#pragma once

#include <cstdint>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// Which angles a Rotary has.
enum class RotaryPrecision : std::uint8_t {
  exact,    ///< the true ones: Rotary::make
  float32,  ///< make_float32_rotary's
};

template <>
inline constexpr auto names_of<RotaryPrecision> =
    Names("precision", {{"exact", RotaryPrecision::exact}, {"float32", RotaryPrecision::float32}});

/// A Rotary with the angles of Hugging Face transformers, for comparison with a port of it: frequencies in float32,
/// made step by step as modeling_rope_utils.py does, their product with the position (itself rounded to float32)
/// rounded to float32, and cosines and sines of that angle, which are exact but for one rounding. At large positions
/// these angles are far from the true ones: with base 10000 and 128 dimensions cosines are off by up to 1.4e-4 at
/// position 4095, by 2.5e-2 at 1048575.
///
/// Every power of the base is correctly rounded here. PyTorch's may differ from that by 1 ulp, and with it the angle.
///
/// Every scaling rule works. Those computed in transformers with double precision (the base of "dynamic", YaRN's range
/// of indices) are rounded to float32 once, here too. "ntk", which transformers does not have, changes the base as
/// "dynamic" does; "given" rounds the frequencies.
///
/// An attention factor multiplies cosines and sines before their one rounding; transformers rounds it, them and the
/// product.
///
/// Errors: those of Rotary::make; an exponent other than Exponent::paper.
/// Largest error of a cosine or sine, for its float32 angle: 0.501 ulp where |x| >= 0.5, 3.0e-8 anywhere.
[[nodiscard]] Expected<Rotary> make_float32_rotary(const RotaryOptions& options);

}  // namespace posenc
