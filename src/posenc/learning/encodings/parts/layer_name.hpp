#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "posenc/base/check.hpp"

namespace posenc::learning {

/// "layers.3.shaw.keys": what a parameter that every layer has its own of is called.
inline std::string layer_name(std::size_t layer, std::string_view name) {
  return "layers." + decimal(layer) + "." + std::string(name);
}

}  // namespace posenc::learning
