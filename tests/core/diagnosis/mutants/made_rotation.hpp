#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "posenc/diagnosis/diagnosis.hpp"

/// Rotations as other implementations make them, right and wrong, by formulas of the tests' own.
namespace testing {

enum class Stored : std::uint8_t { float64, float32, float16, bfloat16 };

[[nodiscard]] double rounded(double value, Stored stored);

/// A model's layer.
struct KnownPlan {
  std::string name;
  posenc::Expectation expected;
};

/// Twelve of them: every rule, both layouts, and heads some of whose dimensions rotate.
[[nodiscard]] std::vector<KnownPlan> known_plans();

/// An implementation's work: angles, and the dimensions it rotates by them.
struct MadeRotation {
  std::vector<long double> frequencies;  ///< radians a position, one a pair
  long double factor = 1, first_position = 0, position_scale = 1;
  bool back = false, exchanged = false, float32_angles = false;
  bool reads_halves = true, writes_halves = true;
  std::size_t dims = 0, first = 0, count = 0;
};

/// Does what the plan means, with these mistakes; nothing where one of them is not possible, or changes nothing.
[[nodiscard]] std::optional<MadeRotation> make_rotation(const posenc::Expectation& expected,
                                                        std::span<const posenc::Mistake> mistakes);

/// Cosine and sine of a pair at a position.
struct PairRotation {
  long double cosine, sine;
};
[[nodiscard]] PairRotation rotation_of(const MadeRotation& made, std::size_t pair, double position);

/// Vectors [tokens, heads, dimensions] rotated: in float32 as a framework would, then rounded to `stored`; in long
/// double where that is float64.
[[nodiscard]] std::vector<double> rotate(const MadeRotation& made, std::span<const double> vectors, std::size_t heads,
                                         std::span<const double> positions, Stored stored);

/// The mistakes' names, in any order the same: "layout + sign", or "none".
[[nodiscard]] std::string names_of(std::span<const posenc::Mistake> mistakes);

/// Numbers as of a normal distribution, rounded.
[[nodiscard]] std::vector<double> random_vectors(std::size_t count, std::uint32_t seed, Stored stored);

/// A tensor with its axes in another order: axis i of the result is axis order[i] of `shape`.
struct Permuted {
  std::vector<double> values;
  std::vector<std::int64_t> shape;
};
[[nodiscard]] Permuted permuted(std::span<const double> values, std::span<const std::int64_t> shape,
                                std::span<const std::size_t> order);

}  // namespace testing
