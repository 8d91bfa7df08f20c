#pragma once

#include <cstddef>

#include "posenc/base/double_double.hpp"

namespace posenc {

// Products of many DoubleDoubles, in vectors. Highs and lows are arrays of their own, on 64-byte boundaries, and sizes
// multiples of Frequencies::dim_block.

/// A view of many.
template <class Double>
struct DoubleDoubles {
  Double *high, *low;
};

/// out[i] = factor * from[i], with the bits of that product.
void multiply(std::size_t size, DoubleDoubles<const double> from, const DoubleDouble& factor,
              DoubleDoubles<double> out);

/// From radians to cycles, whose higher double is split into two halves.
void write_cycles(std::size_t size, DoubleDoubles<const double> radians, double* head, double* mid, double* tail);

/// And back, rounded to double. `radians` may be anywhere.
void write_radians(std::size_t size, const double* head, const double* mid, const double* tail, double* radians);

}  // namespace posenc
