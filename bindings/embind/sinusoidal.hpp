#pragma once

#include "frequencies.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc::embind {

/// What a preset and what differs from it stand for.
template <class Call>
[[nodiscard]] Expected<SinusoidalOptions> sinusoid_options(const Call& in) {
  SinusoidalChoice choice{
      .dim = in.dim, .base = in.base, .shift = in.shift, .scale = in.scale, .amplitude = in.amplitude};
  POSENC_TRY(set(choice.preset, in.preset, sinusoidal_preset_from_name));
  POSENC_TRY(set(choice.exponent, in.exponent, exponent_from_name));
  POSENC_TRY(set(choice.order, in.order, order_from_name));
  return resolve(choice);
}

template <class Call>
[[nodiscard]] Expected<Sinusoidal> sinusoid_of(const Call& in) {
  POSENC_TRY_LET(options, sinusoid_options(in));
  return Sinusoidal::make(options);
}

}  // namespace posenc::embind
