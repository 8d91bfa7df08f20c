#pragma once

#include "posenc/base/dtype.hpp"

namespace posenc {

/// Conversions; the float32 values are as many as those of 16 bits.
void widen(ConstSpan16 from, float* to);
void narrow(const float* from, Span16 to);

}  // namespace posenc
