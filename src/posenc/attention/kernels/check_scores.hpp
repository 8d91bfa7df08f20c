#pragma once

#include <limits>
#include <span>
#include <string_view>

#include "posenc/base/check.hpp"
#include "posenc/base/error.hpp"

namespace posenc {

/// An Error unless every score, or what is added to scores, is finite or -infinity.
[[nodiscard]] inline Expected<void> check_scores(std::string_view argument, std::span<const float> scores) {
  for (const float score : scores)
    if (!(score <= std::numeric_limits<float>::max()))
      return invalid_argument(argument, static_cast<double>(score), {"finite numbers, or -Infinity for a masked pair"});
  return {};
}

}  // namespace posenc
