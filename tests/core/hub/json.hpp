#pragma once

#include <string>
#include <string_view>

#include "posenc/hub/config_value.hpp"

namespace testing {

/// Parses a JSON text that is known to be valid (no escapes but of quotes), for the tests' configs.
[[nodiscard]] posenc::ConfigValue from_json(std::string_view text);

/// Parses a file below tests.
[[nodiscard]] posenc::ConfigValue from_file(const std::string& path);

}  // namespace testing
