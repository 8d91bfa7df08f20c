#pragma once

#include <cstdint>

#include "posenc/base/names.hpp"

namespace posenc {

/// How sums of products are computed. Either gives the same bits on every machine.
enum class SumPrecision : std::uint8_t {
  float32,  ///< in float32, each sum in the order of its index
  exact,    ///< in double in the same order, rounded once
};

template <>
inline constexpr auto names_of<SumPrecision> =
    Names("precision", {{"float32", SumPrecision::float32}, {"exact", SumPrecision::exact}});

}  // namespace posenc
