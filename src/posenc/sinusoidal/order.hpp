#pragma once

#include <cstdint>

namespace posenc {

/// Where sine and cosine of frequency i go in a row of dim d. Exponent::half has floor(d / 2) frequencies: the last
/// lane of an odd row is then 0, whatever the order. The other exponents have ceil(d / 2): an odd row lacks the last
/// cosine.
enum class Order : std::uint8_t {
  interleaved,    ///< sine in lane 2i, cosine in lane 2i + 1 ("Attention Is All You Need")
  split,          ///< all sines, then all cosines
  cosines_first,  ///< all cosines, then all sines
};

/// How a table is computed.
enum class Precision : std::uint8_t {
  exact,  ///< in double, rounded once
  fast,   ///< in float32 from exact parts
};

}  // namespace posenc
