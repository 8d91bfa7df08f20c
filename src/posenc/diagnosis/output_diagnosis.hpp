#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"

namespace posenc {

/// The outputs of two implementations for one input, [.., tokens, .., dimensions] in any order of axes, the same for
/// all tensors. Without `before` it is `a` rotated back by what was expected, and nothing is certain; without an
/// expectation too, `a` is taken for the input of `b`.
struct OutputSamples {
  SampledTensor a, b;
  std::optional<SampledTensor> before = std::nullopt;
  std::span<const double> positions = {};  ///< as RotationSamples::positions
  std::size_t axes = 1;
  std::optional<std::int64_t> sequence_axis = std::nullopt, dim_axis = std::nullopt;
};

/// The output of two that departs from what was expected; without an expectation or the input it is not known.
enum class WrongOutput : std::uint8_t { neither, a, b, both, unknown };
[[nodiscard]] std::string_view name_of(WrongOutput wrong);  ///< "neither" | "a" | "b" | "both" | "unknown"

struct OutputDiagnosis {
  WrongOutput wrong = WrongOutput::unknown;
  Diagnosis a;  ///< empty without `before`: then a is what it is compared with
  /// Against what was expected; without an expectation, mistakes are what differs from a.
  Diagnosis b;
};

/// Errors: those of diagnose_rotation, tensors being named "a", "b" and "before"; an expectation of several axes
/// without `before`.
[[nodiscard]] Expected<OutputDiagnosis> diagnose_outputs(const OutputSamples& samples, const Expectation& expected);

}  // namespace posenc
