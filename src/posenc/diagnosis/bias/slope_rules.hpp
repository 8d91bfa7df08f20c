#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "posenc/diagnosis/bias_diagnosis.hpp"
#include "posenc/relative/alibi.hpp"

namespace posenc::diagnosis {

/// Steeper slopes are 0 at once.
inline constexpr double most_steepness = 1000;

/// ALiBi's slopes for some number of heads, of which a bias has those from `first` on.
struct SlopeRule {
  std::string_view name;  ///< "paper" | "mpt" | "geometric": 2^(-steepness h / heads), h = 1, 2, ...
  std::int64_t heads = 1;
  std::int64_t first = 0;
  std::int64_t period = 0;  ///< slopes begin again after so many heads; 0: they do not
  bool operator==(const SlopeRule&) const = default;
};

/// The exponent of a head over the steepness.
[[nodiscard]] double share_of(const SlopeRule& rule, std::size_t head);

/// Which power of the rule's first number a head's slope is: so many roundings has one that is computed so.
[[nodiscard]] double power_of(const SlopeRule& rule, std::size_t head);

/// 2^-(steepness * share). Largest error: 3 ulp; exact where the exponent is whole.
[[nodiscard]] double slope_of(const SlopeRule& rule, double steepness, std::size_t head);

/// The rule that was expected, by default that of the paper for the bias's heads.
[[nodiscard]] SlopeRule expected_rule(const BiasExpectation& expected, std::size_t heads);

/// Rules that implementations mix up, the expected one first: for the bias's heads, for powers of two beside them, for
/// those of a device of several (of two to 16), alone or on every device, from exponent 0
/// on.
[[nodiscard]] std::vector<SlopeRule> slope_rules(const BiasExpectation& expected, std::size_t heads);

}  // namespace posenc::diagnosis
