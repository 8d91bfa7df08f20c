#pragma once

#include "bytes.hpp"

/// One family of functions each, called with shapes, options and buffers drawn from the bytes: a result has the right
/// shape, or there is an Error and no output was touched.
namespace fuzz {

void fuzz_sinusoid(Bytes& bytes);
void fuzz_sinusoidal_grid(Bytes& bytes);
void fuzz_fourier(Bytes& bytes);
void fuzz_frequencies(Bytes& bytes);
void fuzz_rotary(Bytes& bytes);
void fuzz_relative_ids(Bytes& bytes);
void fuzz_relative_bias(Bytes& bytes);
void fuzz_learned_bias(Bytes& bytes);
void fuzz_swin(Bytes& bytes);
void fuzz_points(Bytes& bytes);
void fuzz_rows(Bytes& bytes);
void fuzz_attention(Bytes& bytes);
void fuzz_relative_attention(Bytes& bytes);

}  // namespace fuzz
