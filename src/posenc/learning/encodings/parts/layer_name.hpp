#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "posenc/base/check.hpp"

namespace posenc::learning {

/// The name of a layer's own parameter, such as "layers.3.shaw.keys".
inline std::string layer_name(std::size_t layer, std::string_view name) {
  return "layers." + decimal(layer) + "." + std::string(name);
}

}  // namespace posenc::learning
