#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "posenc/diagnosis/mistake.hpp"
#include "posenc/diagnosis/samples/head_samples.hpp"

namespace posenc::diagnosis {

/// Tokens that are zeros, or heads that are zeros or as they were, and the rest.
struct LeftOut {
  Mistake mistake = Mistake::zero_rows;
  std::vector<std::size_t> tokens, heads;  ///< of the rest
};

/// Whole tokens or heads that a rotation left out, though they were not zeros before, and the positions of heads that
/// are as they were are not 0. Nothing where there are none, or no others. (Tokens that are as they were have the
/// position 0: a pattern of positions.)
[[nodiscard]] std::optional<LeftOut> left_out(const SampledTensor& before, const SampledTensor& after,
                                              const RotationAxes& axes, const HeadSamples& searched,
                                              std::span<const double> positions);

}  // namespace posenc::diagnosis
