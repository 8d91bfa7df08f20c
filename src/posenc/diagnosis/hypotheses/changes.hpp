#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/mistake.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc::diagnosis {

/// The expected rotation of the pairs that are looked at.
struct RotationContext {
  std::optional<RotaryOptions> expected = std::nullopt;  ///< what should have been done
  bool expected_inverse = false;
  std::optional<AngleArithmetic> expected_arithmetic = std::nullopt;  ///< as Expectation has it
  double expected_first = 0, expected_scale = 1;                      ///< angles are those of scale * p + first
  std::vector<RotaryOptions> others;                                  ///< plans of the model's other layers
  std::int64_t head_dim = 0;  ///< dimensions of the head, of which some may not rotate; 0: as many as rotate
  double rounding = 0x1p-24;  ///< of the results: what is no coarser than they are does not show in them
};

/// The parts of a hypothesis that a change is of, as bits: two of the same part do not come together.
enum Part : std::uint16_t {
  exponent_part = 1,
  base_part = 2,
  scaling_part = 4,
  reciprocal_part = 8,
  storage_part = 16,
  factor_part = 32,
  sign_part = 64,
  exchange_part = 128,
  first_part = 256,
  scale_part = 512,
  arithmetic_part = 1024,
  cosine_part = 2048,
  row_part = 4096,
  plan_parts = exponent_part | base_part | scaling_part | reciprocal_part | storage_part,
  all_parts = 8191,
};

/// The attention factor that is applied.
enum class FactorUse : std::uint8_t {
  own,       ///< the plan's
  missing,   ///< none
  twice,     ///< its square
  standard,  ///< what the rule computes where nothing is given: YaRN's g(1), LongRoPE's
};

/// One known mistake: what it puts in place of parts of what was expected.
struct Change {
  Mistake mistake = Mistake::base;
  unsigned parts = 0;
  bool is_family = false;  ///< what a user could have meant: tried alone, not in pairs
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
  DType frequencies = DType::float32, cosines = DType::float32;
  int sine_rows = 0;
};

/// THE list: every known mistake that is possible in an expected plan, the commoner of two that may be equal first,
/// then its family. The diagnosis tries them, fixtures make wrong ports of them. `plan` is that plan, plain.
[[nodiscard]] std::vector<Change> changes_of(const RotaryOptions& plan, const RotationContext& context);

/// The plans of published models' kind that have this base and these dimensions, the unscaled one first.
[[nodiscard]] std::vector<RotaryOptions> usual_plans(const RotaryOptions& unscaled);

/// The mistake that each arithmetic is where another was meant.
inline constexpr std::array<std::pair<AngleArithmetic, Mistake>, 5> arithmetic_mistakes{
    {{AngleArithmetic::exact, Mistake::angles_exact},
     {AngleArithmetic::float32, Mistake::angles_float32},
     {AngleArithmetic::bfloat16, Mistake::angles_bfloat16},
     {AngleArithmetic::float16, Mistake::angles_float16},
     {AngleArithmetic::product, Mistake::angles_product}}};

[[nodiscard]] constexpr bool is_of_factor(Mistake mistake) {
  return mistake >= Mistake::factor_missing && mistake <= Mistake::factor_other;
}

/// The rule's factor f, or 1.
[[nodiscard]] double factor_of(const Scaling& scaling);

/// The rule without an attention factor of its own: with the one it computes.
[[nodiscard]] Scaling with_standard_factor(const Scaling& scaling);

}  // namespace posenc::diagnosis
