#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "posenc/diagnosis/hypotheses/mistaken_hypotheses.hpp"

namespace posenc::diagnosis {

/// The parts of a hypothesis that a mistake changes, as bits: two that change the same one do not come together.
enum Aspect : std::uint16_t {
  exponent_aspect = 1,
  base_aspect = 2,
  scaling_aspect = 4,
  reciprocal_aspect = 8,
  factor_aspect = 16,
  sign_aspect = 32,
  exchange_aspect = 64,
  first_aspect = 128,
  scale_aspect = 256,
  arithmetic_aspect = 512,
  plan_aspects = exponent_aspect | base_aspect | scaling_aspect | reciprocal_aspect,
  all_aspects = 1023,
};

/// The attention factor that is applied.
enum class FactorUse : std::uint8_t {
  own,       ///< the plan's
  missing,   ///< none
  twice,     ///< its square
  standard,  ///< what the rule computes where nothing is given: YaRN's g(1), LongRoPE's
};

/// One known mistake: what it puts in place of the expected plan's parts.
struct Change {
  Mistake mistake = Mistake::base;
  unsigned aspects = 0;
  std::optional<RotaryOptions> plan = std::nullopt;
  std::optional<std::int64_t> denominator = std::nullopt;
  std::optional<double> base = std::nullopt;
  std::optional<Scaling> scaling = std::nullopt;
  std::optional<std::int64_t> length = std::nullopt;
  bool reciprocal = false;
  FactorUse factor = FactorUse::own;
  bool reversed = false, exchanged = false;
  double first_position = 0, position_scale = 1;  ///< added to the expected one; what that is multiplied by
  std::optional<AngleArithmetic> arithmetic = std::nullopt;
};

/// Every known mistake that is possible in an expected plan, the commoner of two that may be equal first. `plan` is
/// that plan, plain.
[[nodiscard]] std::vector<Change> changes_of(const RotaryOptions& plan, const RotationContext& context);

/// The mistake that each arithmetic is where another was meant.
inline constexpr std::array<std::pair<AngleArithmetic, Mistake>, 5> arithmetic_mistakes{
    {{AngleArithmetic::exact, Mistake::angles_exact},
     {AngleArithmetic::float32, Mistake::angles_float32},
     {AngleArithmetic::bfloat16, Mistake::angles_bfloat16},
     {AngleArithmetic::float16, Mistake::angles_float16},
     {AngleArithmetic::product, Mistake::angles_product}}};

/// The arithmetic that is no mistake.
[[nodiscard]] inline AngleArithmetic meant_arithmetic(const RotationContext& context) {
  return context.expected_arithmetic.value_or(AngleArithmetic::exact);
}

/// The rule's factor f, or 1.
[[nodiscard]] double factor_of(const Scaling& scaling);

/// The rule without an attention factor of its own: with the one it computes.
[[nodiscard]] Scaling with_standard_factor(const Scaling& scaling);

}  // namespace posenc::diagnosis
