#pragma once

#include <span>

#include "posenc/base/error.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// Moves rotated keys (or queries), as `apply` left them, on by `by` positions in place: what was rotated at position p
/// is then rotated at p + by. An attention factor is in them already and stays once.
/// `by`: [seq], or [batch, seq] where the shape names a batch axis; negative and fractional ones too.
/// Errors: those of Rotary::apply. Largest error of a dimension of the pair (a, b), beyond what they held: 3 * 2^-24 *
/// (|a| + |b|).
[[nodiscard]] Expected<void> shift_rotated(const Rotary& rotary, std::span<float> x, const SequenceShape& shape,
                                           const Positions& by);

/// Takes keys (or queries) that `from` has rotated at `positions` to what `to` would have made of them, in place: for a
/// cache that outlives the frequencies it was made with, as with dynamic NTK and LongRoPE. One rotation by the
/// difference of both angles, which is exact, times the ratio of the attention factors.
/// Errors: a `to` of another dim, rotary_dim or layout; an attention factor of 0; those of Rotary::apply.
/// Largest error of a dimension of the pair (a, b), beyond what they held: 3 * 2^-24 * m * (|a| + |b|), m being that
/// ratio.
[[nodiscard]] Expected<void> rotate_again(const Rotary& from, const Rotary& to, std::span<float> x,
                                          const SequenceShape& shape, const Positions& positions);

}  // namespace posenc
