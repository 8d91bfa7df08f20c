#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/mistake.hpp"

/// Implementations with known mistakes, by formulas of their own: 113 bits for exact angles, the steps of the
/// arithmetic for others, and nothing of the core but its options.
namespace mutants {

/// The numbers that were computed.
struct Recipe {
  posenc::RotaryOptions plan;
  bool reciprocal = false;
  int factor_power = 1;          ///< 0: missing, 2: twice
  bool standard_factor = false;  ///< YaRN's g(1), LongRoPE's
  double other_factor = 0;       ///< in place of all that, where it is not 0
  double first_position = 0, position_scale = 1;
  bool negative = false, exchanged = false;
  posenc::diagnosis::AngleArithmetic arithmetic = posenc::diagnosis::AngleArithmetic::exact;
};

struct Model {
  std::string name;
  posenc::RotaryOptions plan;
  std::int64_t head_dim = 0;
  std::vector<posenc::RotaryOptions> others;
  double length = 131072;
};

/// Forty plans of published models (tests/api/hub/models.json, tests/core/hub/).
[[nodiscard]] const std::vector<Model>& models();
[[nodiscard]] posenc::Expectation expectation_of(const Model& model);
/// Eight positions within the model's length.
[[nodiscard]] std::vector<double> positions_of(const Model& model);

struct Mutant {
  std::vector<posenc::Mistake> mistakes;
  Recipe recipe;
};
/// Every mistake that the model leaves room for, alone, and in pairs that change different things.
[[nodiscard]] std::vector<Mutant> mutants_of(const Model& model, bool pairs);

/// Computes a recipe, [positions, pairs] each. Keeps the frequencies of plans it has seen. Empty where an arithmetic
/// overflows.
struct Clean {
  std::vector<double> cosines, sines;
};
[[nodiscard]] Clean rotations_of(const Recipe& recipe, std::span<const double> positions);

/// Vectors [positions, head], of random numbers, and as a rotation in float32 or in bfloat16 leaves them.
enum class Noise : std::uint8_t { float32, bfloat16 };
struct Vectors {
  std::vector<double> before, after;
};
[[nodiscard]] Vectors rotated(const Clean& clean, std::size_t tokens, std::size_t head_dim, Noise noise,
                              std::uint32_t seed);

}  // namespace mutants
