#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc {

/// The options of an implementation, by its name. Angles and sums are the core's own: exact, where most of them compute
/// in float32.
enum class SinusoidPreset : std::uint8_t {
  paper,          ///< "Attention Is All You Need" (2017): interleaved, base^(-2i/d)
  tensor2tensor,  ///< get_timing_signal_1d: [sin | cos], base^(-i/(h - 1)), h = floor(d / 2); an odd d ends with 0
  whisper,        ///< OpenAI Whisper's audio encoder: the same, d even and >= 4
  diffusers,  ///< get_timestep_embedding of Hugging Face diffusers, its defaults: as tensor2tensor, d >= 4. Its flags
              ///< are options here: flip_sin_to_cos is Order::cosines_first, downscale_freq_shift (default 1) the
              ///< shift, max_period the base, scale the scale
  ggml,       ///< ggml_timestep_embedding: [cos | sin], base^(-i/h); an odd d ends with 0
  mlx,        ///< mlx.nn.SinusoidalPositionalEncoding: [sin | cos] from the highest frequency, 1, to the lowest,
              ///< 1/base, times sqrt(2 / d); d even and >= 4. Its min_freq is 1 / base, its cos_first
              ///< Order::cosines_first, its scale the amplitude, its full_turns a scale of 2 pi
};

/// "paper" | "tensor2tensor" | "whisper" | "diffusers" | "ggml" | "mlx"; an Error that lists them for anything else.
[[nodiscard]] Expected<SinusoidPreset> sinusoid_preset_from_name(std::string_view name);

/// A preset, and what is to differ from it.
struct SinusoidChoice {
  std::int64_t dim = 0;
  SinusoidPreset preset = SinusoidPreset::paper;
  std::optional<double> base = std::nullopt;
  std::optional<Exponent> exponent = std::nullopt;  ///< the preset's shift is not kept beside another exponent
  std::optional<double> shift = std::nullopt;
  std::optional<double> scale = std::nullopt;
  std::optional<Order> order = std::nullopt;
  std::optional<double> amplitude = std::nullopt;
};

/// The plain options that a choice stands for.
/// Errors: an odd dim for "whisper" or "mlx". What the options may be is checked where they are used.
[[nodiscard]] Expected<SinusoidOptions> resolve(const SinusoidChoice& choice);

}  // namespace posenc
