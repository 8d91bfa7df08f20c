#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "diagnosis/mutants/made_rotation.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "testing/testing.hpp"

namespace testing {

inline const std::vector<double> some_positions{0, 1, 2, 7, 64, 511, 4095, 20000};

/// Vectors [tokens, heads, dimensions] before and after a rotation.
struct Vectors {
  std::vector<double> before, after;
  std::vector<std::int64_t> shape;
  std::vector<double> positions;  ///< [axes, tokens]
  std::size_t axes = 1;

  [[nodiscard]] posenc::Diagnosis diagnosis(const posenc::Expectation& expected) const {
    return value_of(posenc::diagnose_rotation(
        {.before = {before, shape}, .after = {after, shape}, .positions = positions, .axes = axes}, expected));
  }
};

inline Vectors make_vectors(const MadeRotation& made, std::size_t head_count, const std::vector<double>& positions,
                            Stored stored) {
  Vectors vectors{.before = random_vectors(positions.size() * head_count * made.dims, 17, stored),
                  .after = {},
                  .shape = {static_cast<std::int64_t>(positions.size()), static_cast<std::int64_t>(head_count),
                            static_cast<std::int64_t>(made.dims)},
                  .positions = positions};
  vectors.after = rotate(made, vectors.before, head_count, positions, stored);
  return vectors;
}

inline posenc::Expectation head_plan(std::int64_t dim, posenc::Layout layout,
                                     std::optional<std::int64_t> rotary_dim = {}, std::int64_t first_dim = 0) {
  posenc::Expectation made;
  made.plan = posenc::RotaryOptions{.dim = dim, .layout = layout, .rotary_dim = rotary_dim};
  made.first_dim = first_dim;
  return made;
}

inline MadeRotation rotation(const posenc::Expectation& expected, const std::vector<posenc::Mistake>& mistakes = {}) {
  const auto made = make_rotation(expected, mistakes);
  REQUIRE(made.has_value());
  return *made;
}

}  // namespace testing
