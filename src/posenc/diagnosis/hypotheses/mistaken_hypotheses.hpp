#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/mistake.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc::diagnosis {

class HypothesisLists;

/// The expectation of rotations.
struct RotationContext {
  std::optional<RotaryOptions> expected = std::nullopt;  ///< what should have been done
  bool expected_inverse = false;
  std::optional<AngleArithmetic> expected_arithmetic = std::nullopt;  ///< as Expectation has it
  double expected_first = 0, expected_scale = 1;                      ///< angles are those of scale * p + first
  std::vector<RotaryOptions> others;                                  ///< plans of the model's other layers
  std::int64_t head_dim = 0;         ///< dimensions of the head, of which some may not rotate; 0: as many as rotate
  HypothesisLists* lists = nullptr;  ///< what other searches of one expectation have listed, if that is kept
};

/// A hypothesis that an expected plan and known mistakes make; two that give the same numbers are one.
struct MistakenHypothesis {
  RotationHypothesis hypothesis;
  std::vector<Mistake> mistakes;
};

/// Lists all that one known mistake makes of an expected plan, and, with `pairs`, all that two make; the plan itself is
/// the first, without a mistake. Only mistakes that change something: no attention factor is missing where it is 1.
[[nodiscard]] std::vector<MistakenHypothesis> mistaken_hypotheses(const RotationContext& context, bool pairs);

}  // namespace posenc::diagnosis
