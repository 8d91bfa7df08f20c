#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace posenc {

/// Conventions that are applied wrongly with no error, as they show in numbers: what was done in place of what was
/// meant. Two that give the same numbers are one.
enum class Mistake : std::uint8_t {
  // Dimensions.
  layout,     ///< half in place of interleaved, or the reverse
  permuted,   ///< dimensions are read in one layout and written in another: weights that were permuted twice, or not at
              ///< all
  first_dim,  ///< the dimensions that rotate are at the other end of the head
  rotary_dim,   ///< another number of dimensions rotates
  not_rotated,  ///< nothing was done
  rotated,      ///< a layer that should not rotate does
  // Frequencies.
  exponent_doubled,         ///< i/d in place of 2i/d: the denominator doubled
  exponent_halved,          ///< 4i/d: the denominator halved, or an index that is doubled twice
  exponent_half_minus_one,  ///< i/(d/2 - 1)
  exponent_from_one,        ///< 2(i + 1)/d: pairs are counted from 1
  exponent_head_dim,        ///< dimensions of the head in the denominator in place of those that rotate
  exponent_rotary_dim,      ///< the reverse
  frequencies_float16,      ///< frequencies were stored in float16, as by a cast of a whole model
  frequencies_bfloat16,
  reciprocal,           ///< wavelengths (in radians) in place of frequencies
  base,                 ///< another base
  other_layers,         ///< the plan, or the base, of the model's other layers
  scaling_missing,      ///< the scaling rule was not applied
  scaling_twice,        ///< it was applied to positions and to frequencies
  scaling_other,        ///< another rule, or other numbers
  restarted,            ///< frequencies begin again in the section of each axis
  factor_missing,       ///< no attention factor
  factor_twice,         ///< its square
  factor_default,       ///< what the rule computes in place of the one given
  factor_other,         ///< another
  temperature_missing,  ///< queries are not multiplied by their temperature
  // Angles.
  sign,            ///< rotated back
  exchanged,       ///< sine and cosine have changed places
  first_position,  ///< positions start elsewhere
  position_scale,  ///< positions are multiplied
  angles_float32,  ///< angles in float32, as transformers has them
  angles_float16,
  angles_bfloat16,
  angles_product,   ///< angles as a running product, as ggml has them
  angles_exact,     ///< exact angles, where a coarser arithmetic was named
  cosines_float16,  ///< cosines and sines were rounded to float16, though results are finer
  cosines_bfloat16,
  sine_rows,  ///< cosines and sines are those of different rows
  // Positions of several axes.
  axes_order,        ///< the axes have changed places
  axis_layout,       ///< half within the dimensions of each axis in place of half of all, or the reverse
  axis_dims,         ///< other numbers of dimensions an axis
  max_frequency,     ///< another largest frequency, of those of pixels
  longer_side,       ///< all axes are divided by the longer side, and not each by its own
  registers_behind,  ///< tokens without a cell are at the other end of the sequence
  cell_order,        ///< the cells of a grid in another order, as column by column
  axis_missing,      ///< all pairs have one axis' positions
  sections,          ///< other numbers of pairs an axis
  section_order,     ///< chunked in place of interleaved, ...
  time_rule,         ///< another rule of the times of frames
  next_rule,         ///< another rule of where ids go on after a picture
  // Positions of the tokens.
  sequence_axis,        ///< positions along another axis, as heads by their index
  positions_joined,     ///< not begun again for each document
  positions_restarted,  ///< begun again where they should go on
  padding_counted,      ///< padding has positions of its own
  padding_skipped,      ///< padding has none, where it should
  counted_on,           ///< counted on from the first one, whatever the others are
  token_indices,        ///< indices of tokens in place of times
  positions_modulo,     ///< modulo a number
  positions_clamped,    ///< never beyond a number
  offset_from,          ///< something is added from a token on
  positions_reversed,
  positions_constant,  ///< one position of all
  positions_other,     ///< others, of no known pattern
  rotated_again,       ///< a key is rotated again at each later step
  // Numbers that are no one rotation.
  zero_rows,           ///< some tokens are zeros
  zero_heads,          ///< some heads are zeros
  tokens_not_rotated,  ///< some tokens are as they were, as at position 0
  heads_not_rotated,   ///< some heads are as they were
  cache_form,          ///< a cache of the form of another layout's code
  exponent_by_dim,     ///< each dimension has a frequency of its own, and not each pair
  // Sinusoidal tables.
  arrangement,  ///< sines and cosines are elsewhere
  amplitude,    ///< the table is multiplied
  padding_row,  ///< a row of zeros, or none
  zero_column,  ///< the last of an odd number of columns is zeros, not a sine
  // Biases.
  slopes,          ///< of another number of heads, or of another rule
  distance,        ///< another function of the distance
  causal,          ///< one-sided in place of two-sided, or the reverse
  buckets,         ///< other buckets
  slopes_float16,  ///< slopes were rounded to float16, though results are finer
  slopes_bfloat16,
  terms_rounded,  ///< slope * key and slope * query, or distances, are rounded before they are put together
};

/// "layout", "first-dim", ...: the enumerator with hyphens.
[[nodiscard]] std::string_view name_of(Mistake mistake);

/// The names of all mistakes, in their order.
[[nodiscard]] std::span<const std::string_view> mistake_names();

}  // namespace posenc
