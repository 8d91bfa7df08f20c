#pragma once

#include "posenc/base/dtype.hpp"

namespace posenc {

/// Conversions; the float32 values are as many as those of 16 bits.
void widen(ConstHalfSpan from, float* to);
void narrow(const float* from, HalfSpan to);

}  // namespace posenc
