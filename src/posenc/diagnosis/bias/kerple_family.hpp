#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "posenc/diagnosis/bias/bias_mistakes.hpp"

namespace posenc::diagnosis {

/// Fits the parameters of both KERPLE kernels a head, and returns the kernels that explain a profile's values.
[[nodiscard]] std::vector<Candidate> kerple_candidates(const BiasTask& task, std::span<const std::int64_t> centres);

}  // namespace posenc::diagnosis
