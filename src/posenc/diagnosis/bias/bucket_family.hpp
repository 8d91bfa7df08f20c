#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "posenc/diagnosis/bias/bias_mistakes.hpp"

namespace posenc::diagnosis {

/// Learned values a bucket (T5) or a distance up to a largest (clipped), by where a profile's values change; and what
/// any function of the distance costs ("toeplitz"). `next`: distances at which those that explain all values differ.
struct LearnedBiases {
  std::vector<Candidate> candidates;
  std::vector<double> next;
};
/// Errors: memory.
[[nodiscard]] Expected<LearnedBiases> learned_candidates(const BiasTask& task, std::span<const std::int64_t> centres);

}  // namespace posenc::diagnosis
