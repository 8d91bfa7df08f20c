#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"

namespace posenc::learning {

/// A text as tokens.
struct TextTokens {
  std::vector<std::string> words;
  AlignedArray<std::int32_t> tokens;
};

/// Errors: bytes that are no UTF-8, named "task.text"; memory. Tokens are as in Task::words.
[[nodiscard]] Expected<TextTokens> read_text(std::string_view text);

}  // namespace posenc::learning
