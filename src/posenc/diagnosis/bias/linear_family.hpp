#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "posenc/diagnosis/bias/bias_mistakes.hpp"

namespace posenc::diagnosis {

/// Finds ALiBi's slopes, and other slopes a head, that explain a profile's values. With `products_apart`, slope * key
/// and slope * query were rounded before they were subtracted, and near distances are known less well.
[[nodiscard]] std::vector<Candidate> linear_candidates(const BiasTask& task, std::span<const std::int64_t> centres,
                                                       bool products_apart = false);

}  // namespace posenc::diagnosis
