#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/relative/relative_position.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc {

/// Which difference is encoded.
enum class RelativeSign : std::uint8_t {
  key_minus_query,  ///< j - i
  query_minus_key,  ///< i - j (Transformer-XL): sines change their sign
};

/// "key-minus-query" | "query-minus-key"; an Error that lists them for anything else.
template <>
[[nodiscard]] Expected<RelativeSign> from_name(std::string_view name);

/// The sinusoidal encoding of every relative position, in compact form [distances, dim], from the smallest key - query
/// to the largest whatever the sign. relative_expand with inner = dim makes [queries, keys, dim] of it.
/// Errors and largest error: those of Sinusoidal::table; memory.
[[nodiscard]] Expected<void> relative_sinusoidal(const Sinusoidal& sinusoidal, RelativeSign sign,
                                                 const RelativePositions& positions, std::span<float> out);

}  // namespace posenc
