#pragma once

#include <span>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"

namespace posenc {

/// A sinusoidal table [tokens, dim], or a batch of them, [.., tokens, dim], of which every one is looked at. The
/// expectation's plan has its dim, base, exponent and exponent_dim.
struct SinusoidSamples {
  SampledTensor table;
  std::span<const double> positions;  ///< 0, 1, 2, ... where it is empty
};
/// Finds what a table contains; of a batch, what the worst one does. It is looked for in 48 rows at most, the first
/// ones and others evenly spread; the first explanation is then checked on all. Errors: those of stored_type_of,
/// "table"; a shape that is no table; those of diagnose_rotation about positions and the expectation; an amplitude that
/// is not > 0.
[[nodiscard]] Expected<Diagnosis> diagnose_sinusoid(const SinusoidSamples& samples, const Expectation& expected);

}  // namespace posenc
