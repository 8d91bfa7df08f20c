#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"

namespace posenc {

/// Vectors before and after a rotation, [.., tokens, .., dimensions] in any order of axes; `positions`: a number a
/// token, or [axes, tokens] where positions have several axes.
struct RotationSamples {
  SampledTensor before, after;
  std::span<const double> positions;
  std::size_t axes = 1;
  std::optional<std::int64_t> sequence_axis = std::nullopt, dim_axis = std::nullopt;
  /// The error of values before, relative to the largest of their vector: where they were computed back from a rounded
  /// output.
  double before_error = 0;
};
/// Finds the rotation of vectors: each computation of the list is simulated, and every value is compared. Where the
/// shape does not tell which axis is the sequence's, and none is named, nothing is certain. A rotation along another
/// axis is found where the axes are known. Errors: those of stored_types_of, named "before" and "after"; shapes that
/// differ; positions that are not finite, or fewer or more than an axis has; a named axis that is not there; those of
/// Rotary::make, "expected." before the name; an expected dim that no axis has; memory.
[[nodiscard]] Expected<Diagnosis> diagnose_rotation(const RotationSamples& samples, const Expectation& expected);

/// The axes of the sequence and of the dimensions, Diagnosis::axes, without looking for what was done. Errors: the
/// same.
[[nodiscard]] Expected<std::vector<std::int64_t>> rotation_axes(const RotationSamples& samples,
                                                                const Expectation& expected);

}  // namespace posenc
