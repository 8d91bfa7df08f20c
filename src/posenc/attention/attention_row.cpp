#include "posenc/attention/attention_row.hpp"

#include "posenc/base/check.hpp"

namespace posenc {

Expected<void> check_scores(std::string_view argument, std::span<const float> scores) {
  for (const float score : scores)
    if (!(score <= std::numeric_limits<float>::max()))
      return wrong(argument, static_cast<double>(score), {"finite numbers, or -Infinity for a masked pair"});
  return {};
}

}  // namespace posenc
