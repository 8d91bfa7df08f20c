#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "posenc/diagnosis/estimates/frequency_fit.hpp"

namespace posenc::diagnosis {

/// A number that models have, and the bits of stating it.
struct LikelyNumber {
  double value = 0, bits = 0;
};
struct LikelyDenominator {
  std::int64_t value = 0;
  double bits = 0;
};

/// The ratio of each frequency to that of a geometric progression: 1, then a blend, then 1 / factor.
struct BlendSample {
  double base = 0, denominator = 0;
  std::vector<double> unscaled, kept, errors;  ///< a pair each
  bool starts_whole = false;                   ///< the first pair is as it was, and none is larger
};
[[nodiscard]] BlendSample blend_of(const FrequencySample& sample, double base, double denominator);

struct BlendFit {
  Scaling scaling;
  double cost = 0;  ///< of its numbers
};

/// Finds YaRN's and Llama 3's rules that make these ratios. Lengths are tried first; where none fits, the blend's own
/// line gives one. Other betas and frequency factors than the usual are those of the plans.
[[nodiscard]] std::vector<BlendFit> fit_blend(const BlendSample& blend, std::span<const LikelyNumber> lengths,
                                              std::span<const LikelyNumber> factors,
                                              std::span<const RotaryOptions> plans);

}  // namespace posenc::diagnosis
