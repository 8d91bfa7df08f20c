#pragma once

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"

namespace posenc {

/// Frequencies, reciprocals or wavelengths, one a pair.
[[nodiscard]] Expected<Diagnosis> diagnose_frequencies(const SampledTensor& samples, const Expectation& expected);

}  // namespace posenc
