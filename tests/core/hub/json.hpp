#pragma once

#include <string_view>

#include "posenc/hub/config_value.hpp"

namespace testing {

/// Parses a JSON text that is known to be valid (no escapes in its strings), for the tests' configs.
[[nodiscard]] posenc::ConfigValue from_json(std::string_view text);

}  // namespace testing
