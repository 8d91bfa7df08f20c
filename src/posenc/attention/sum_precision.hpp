#pragma once

#include <cstdint>
#include <string_view>

#include "posenc/base/error.hpp"

namespace posenc {

/// How sums of products are computed. Either gives the same bits on every machine.
enum class SumPrecision : std::uint8_t {
  float32,  ///< in float32, each sum in the order of its index
  exact,    ///< in double in the same order, rounded once
};

/// "float32" | "exact"; an Error that lists them for anything else.
template <>
[[nodiscard]] Expected<SumPrecision> from_name(std::string_view name);

}  // namespace posenc
