#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "posenc/rotary/rotary.hpp"

namespace posenc::diagnosis {

/// An estimated number is replaced by a shorter one within so many of its errors: more would be seen in the rotations,
/// and cost more bits than the digits save.
inline constexpr double snapped_errors = 4;

/// Estimated frequencies with their errors: infinite where nothing is known of one.
struct FrequencySample {
  std::vector<double> radians, errors;
};

/// How far an estimated frequency is from one that is computed, in errors: of which that of the double itself is one.
[[nodiscard]] double errors_off(const FrequencySample& sample, std::size_t i, double radians);

/// Numbers that are likely before anything is measured.
struct FrequencyHints {
  std::int64_t head_dim = 0;         ///< 0: as many as rotate
  std::vector<RotaryOptions> plans;  ///< plain ones whose numbers are likely
};

/// A plan that makes the frequencies.
struct FrequencyFit {
  RotaryOptions plan;
  double cost = 0;    ///< of stating it, in bits
  double misfit = 0;  ///< the largest residual, in errors
};

/// Plans that make these frequencies within explained_units errors, the cheapest to state first:
/// - a geometric progression is a base and a denominator, where a usual base and the rotated dimensions are the
/// shortest;
///   times a number it is linear scaling, with a base that is a usual one and a factor it is NTK;
/// - zeros from an index on are p-RoPE;
/// - frequencies that stay, are blended and are divided make YaRN where the blend is linear in the index, Llama 3's
///   rule where it is linear in the frequency; factor, original length and truncation follow from the blend;
/// - and, where nothing else does, they are "given".
/// Numbers are replaced by usual ones, or by short ones, that lie within their uncertainty.
[[nodiscard]] std::vector<FrequencyFit> fit_frequencies(const FrequencySample& sample, const FrequencyHints& hints);

/// The frequencies of a plan, in radians; none where the plan has an error.
[[nodiscard]] std::vector<double> radians_of(const RotaryOptions& plan);

/// The shortest decimal number within `reach` of x.
[[nodiscard]] double shortest_near(double x, double reach);

/// The bits of stating a number: by its digits, at most any_number_bits.
[[nodiscard]] double bits_of_number(double x);

}  // namespace posenc::diagnosis
