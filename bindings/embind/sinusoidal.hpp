#pragma once

#include "frequencies.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc::embind {

/// What a preset and what differs from it stand for, where numbers are those of the choice. Out of line: a copy for
/// each struct is large.
[[nodiscard]] Expected<SinusoidalOptions> resolved(SinusoidalChoice choice, const std::string& preset,
                                                   const std::string& exponent, const std::string& order);

template <class Call>
[[nodiscard]] Expected<SinusoidalOptions> sinusoid_options(const Call& in) {
  return resolved({.dim = in.dim, .base = in.base, .shift = in.shift, .scale = in.scale, .amplitude = in.amplitude},
                  in.preset, in.exponent, in.order);
}

[[nodiscard]] Expected<Sinusoidal> made(const Expected<SinusoidalOptions>& options);

template <class Call>
[[nodiscard]] Expected<Sinusoidal> sinusoid_of(const Call& in) {
  return made(sinusoid_options(in));
}

}  // namespace posenc::embind
