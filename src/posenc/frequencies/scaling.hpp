#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/base/range.hpp"

namespace posenc {

/// How rotary frequencies are changed so that a model reads further than it was trained: one plain struct a rule, with
/// its `name`.
///
/// In the formulas inv is a frequency before scaling, base^(-2i/d) for i = 0 ... rotary_dim / 2 - 1; d is the
/// exponent's denominator, b the base, L0 the `original_length`, f the `factor`, n the length that FrequencyPlan gives.
namespace scaling {

inline constexpr OptionRange factor_range = from(1e-6, 1e6);
inline constexpr OptionRange length_range = from(2, 0x1p53);
inline constexpr OptionRange magnitude_range = from(0, 1e6);

/// The frequencies as they are. Attention factor 1.
struct Default {
  static constexpr std::string_view name = "default";

  static constexpr std::tuple<> ranges{};
};

/// Position interpolation: inv / f. Attention factor 1. Chen et al. 2023, arXiv 2306.15595.
struct Linear {
  static constexpr std::string_view name = "linear";

  double factor = 0;

  static constexpr std::tuple ranges{ranged("scaling.factor", &Linear::factor, factor_range)};
};

/// NTK-aware: the base becomes b f^(d/(d-2)), which leaves the first frequency and divides the last by f. Attention
/// factor 1. d must be greater than 2.
struct Ntk {
  static constexpr std::string_view name = "ntk";

  double factor = 0;

  static constexpr std::tuple ranges{ranged("scaling.factor", &Ntk::factor, factor_range)};
};

/// NTK that grows with the length: the base becomes b (f m/L0 - (f-1))^(d/(d-2)), m = max(n, L0). Attention factor 1.
/// d must be greater than 2. A pure function of n, which the plan must give: rotated keys that are kept while n grows
/// have to be rotated again. Hugging Face transformers, "dynamic", whose L0 is `max_position_embeddings`.
struct Dynamic {
  static constexpr std::string_view name = "dynamic";

  double factor = 0;
  double original_length = 0;

  static constexpr std::tuple ranges{
      ranged("scaling.factor", &Dynamic::factor, factor_range),
      ranged("scaling.originalLength", &Dynamic::original_length, length_range),
  };
};

/// YaRN: frequencies that make more than `beta_fast` cycles in L0 positions stay, those that make less than `beta_slow`
/// are divided by f, and between them a ramp over the index leads from one to the other. Peng et al. 2023,
/// arXiv 2309.00071.
///
/// The ramp runs from low = max(c(beta_fast), 0) to high = min(c(beta_slow), d - 1), c(r) = d ln(L0/(2 pi r))/(2 ln b),
/// rounded outwards (floor, ceil) before those bounds if `truncate`; where low = high, 0.001 is added to high.
/// The attention factor is the first of these that is given: `attention_factor`; g(mscale) / g(mscale_all_dim), when
/// both are given and neither is 0; g(1). g(m) = 0.1 m ln f + 1, and 1 where f <= 1.
/// b must be greater than 1, beta_fast at least beta_slow. All of it as in Hugging Face transformers, "yarn".
struct Yarn {
  static constexpr std::string_view name = "yarn";

  double factor = 0;
  double original_length = 0;
  double beta_fast = 32;
  double beta_slow = 1;
  bool truncate = true;
  std::optional<double> attention_factor = std::nullopt;
  std::optional<double> mscale = std::nullopt;
  std::optional<double> mscale_all_dim = std::nullopt;

  static constexpr std::tuple ranges{
      ranged("scaling.factor", &Yarn::factor, factor_range),
      ranged("scaling.originalLength", &Yarn::original_length, length_range),
      ranged("scaling.betaFast", &Yarn::beta_fast, factor_range),
      ranged("scaling.betaSlow", &Yarn::beta_slow, factor_range),
      ranged("scaling.attentionFactor", &Yarn::attention_factor, magnitude_range),
      ranged("scaling.mscale", &Yarn::mscale, magnitude_range),
      ranged("scaling.mscaleAllDim", &Yarn::mscale_all_dim, magnitude_range),
  };
};

/// LongRoPE: inv / long_factor[i] when n > L0 (strictly), else inv / short_factor[i]; rotary_dim / 2 values each.
/// Attention factor: `attention_factor` if given, else 1 for f <= 1, else sqrt(1 + ln f / ln L0). The plan must give n.
/// Ding et al. 2024, arXiv 2402.13753; Phi-3.
struct Longrope {
  static constexpr std::string_view name = "longrope";

  double factor = 0;
  double original_length = 0;
  std::vector<double> short_factor;
  std::vector<double> long_factor;
  std::optional<double> attention_factor = std::nullopt;

  static constexpr std::tuple ranges{
      ranged("scaling.factor", &Longrope::factor, factor_range),
      ranged("scaling.originalLength", &Longrope::original_length, length_range),
      ranged("scaling.attentionFactor", &Longrope::attention_factor, magnitude_range),
  };
};

/// Llama 3.1 (Hugging Face transformers, "llama3"): with t = L0 inv / (2 pi) cycles in L0 positions, inv where t >=
/// high_frequency_factor, else inv / f where t <= low_frequency_factor, else inv ((1-s)/f + s), s = (t - low) / (high -
/// low). low may equal high: then there is no third branch. Attention factor 1.
struct Llama3 {
  static constexpr std::string_view name = "llama3";

  double factor = 0;
  double low_frequency_factor = 1;
  double high_frequency_factor = 4;
  double original_length = 0;

  static constexpr std::tuple ranges{
      ranged("scaling.factor", &Llama3::factor, factor_range),
      ranged("scaling.lowFrequencyFactor", &Llama3::low_frequency_factor, factor_range),
      ranged("scaling.highFrequencyFactor", &Llama3::high_frequency_factor, factor_range),
      ranged("scaling.originalLength", &Llama3::original_length, length_range),
  };
};

/// p-RoPE: the first floor(fraction rotary_dim / 2) frequencies are inv / f, the others 0: their pairs are not rotated,
/// wherever the layout puts them (in layout "half" these dimensions are not contiguous). Attention factor 1.
/// Barbero et al. 2024, arXiv 2410.06205; Hugging Face transformers, "proportional".
struct Proportional {
  static constexpr std::string_view name = "proportional";

  double fraction = 1;
  double factor = 1;

  static constexpr std::tuple ranges{
      ranged("scaling.fraction", &Proportional::fraction, from(0, 1)),
      ranged("scaling.factor", &Proportional::factor, factor_range),
  };
};

/// The caller's own frequencies, in radians a position, rotary_dim / 2 of them, each finite and at most max_angle in
/// magnitude; base and exponent are not used. The attention factor is the caller's too.
struct Given {
  static constexpr std::string_view name = "given";

  std::vector<double> frequencies;
  double attention_factor = 1;

  static constexpr std::tuple ranges{ranged("scaling.attentionFactor", &Given::attention_factor, magnitude_range)};
};

}  // namespace scaling

using Scaling = std::variant<scaling::Default, scaling::Linear, scaling::Ntk, scaling::Dynamic, scaling::Yarn,
                             scaling::Longrope, scaling::Llama3, scaling::Proportional, scaling::Given>;

/// "default" | "linear" | "ntk" | "dynamic" | "yarn" | "longrope" | "llama3" | "proportional" | "given": a rule of that
/// type with its default options; an Error that lists them for anything else.
[[nodiscard]] Expected<Scaling> scaling_from_name(std::string_view type);
[[nodiscard]] std::string_view name_of(const Scaling& scaling);

}  // namespace posenc
