#pragma once

#include <cstddef>

namespace posenc {

/// The values d q of blocks of KeyType::q8_0, exactly: `values` of them, a multiple of 32.
void read_q8_0(const std::byte* blocks, std::size_t values, float* out);

/// Blocks as ggml's reference makes them (quantize_row_q8_0_ref), all in float32: d = largest |x| / 127; q = x (1 / d),
/// rounded to the nearest whole number, ties away from zero; d is then rounded to float16. A block of zeros has d = 0.
/// A value that is not finite becomes q = 0. Largest error of a value, in a block whose largest is of magnitude a and
/// whose d is neither subnormal nor beyond float16: 0.5622 a / 127.
void write_q8_0(const float* in, std::size_t values, std::byte* blocks);

}  // namespace posenc
