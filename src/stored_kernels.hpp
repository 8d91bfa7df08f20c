#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/storage.hpp"

namespace posenc {

/// Conversions; the float32 values are as many as those of 16 bits.
void widen(ConstHalfSpan from, float* to);
void narrow(const float* from, HalfSpan to);

// Rotation of pairs of 16-bit values in place, in float32, each result rounded once. They take cosines and sines times
// stored_scale(storage), 64-byte aligned, and values that `stay_small`.

/// Values that one step of rotate_halves takes: what `pairs` must be a multiple of, and for neighbours twice that.
[[nodiscard]] std::size_t stored_block();

[[nodiscard]] float stored_scale(Storage storage);

/// Whether the kernels may have these values.
[[nodiscard]] bool stay_small(Storage storage, std::span<const std::uint16_t> values);

/// Pair i is first[i], second[i]. Cosines and sines stand as the words' halves do: in every stored_block() of them the
/// even ones, then the odd ones.
void rotate_halves(Storage storage, std::uint16_t* first, std::uint16_t* second, const float* cosines,
                   const float* sines, std::size_t pairs);

/// Pair i is pairs[2i], pairs[2i + 1].
void rotate_neighbours(Storage storage, std::uint16_t* values, const float* cosines, const float* sines,
                       std::size_t pairs);

}  // namespace posenc
