#pragma once

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"

namespace posenc {

/// Finds which frequencies a list has, one a pair: as they are, or as reciprocals or wavelengths.
[[nodiscard]] Expected<Diagnosis> diagnose_frequencies(const SampledTensor& samples, const Expectation& expected);

}  // namespace posenc
