#pragma once

// Every code of the core's errors, with the sentence that says in English what was expected. A translation is keyed by
// the code's name and has the same parameters; js/types/error.ts lists the names. Only sentences that a program uses
// become part of it.

#include "posenc/base/error.hpp"

namespace posenc::expected {

#define POSENC_EXPECTED(name, sentence) \
  inline constexpr ErrorCode name { ErrorCode::Listed(), #name "|" sentence }

// Numbers.
POSENC_EXPECTED(number, "a number");
POSENC_EXPECTED(finite, "a finite number");
POSENC_EXPECTED(above, "a number > {bound}");
POSENC_EXPECTED(at_least, "a number >= {bound}");
POSENC_EXPECTED(from_to, "a number from {least} to {most}");
POSENC_EXPECTED(at_least_below, "a number >= {least} and < {most}");
POSENC_EXPECTED(above_to, "a number > {bound}, at most {most}");
POSENC_EXPECTED(at_most, "at most {most}");
POSENC_EXPECTED(more_than, "more than {bound}");
POSENC_EXPECTED(finite_above, "a finite number > {bound}");
POSENC_EXPECTED(finite_at_least, "a finite number >= {bound}");
POSENC_EXPECTED(finite_at_most, "a finite number of at most {most}");
POSENC_EXPECTED(whole, "a whole number");
POSENC_EXPECTED(whole_at_least, "a whole number >= {least}");
POSENC_EXPECTED(whole_from_to, "a whole number from {least} to {most}");
POSENC_EXPECTED(whole_below, "a whole number below {bound}");
POSENC_EXPECTED(even, "an even number");
POSENC_EXPECTED(even_to_dim, "an even number from 2 to dim ({dim})");
POSENC_EXPECTED(even_at_least, "an even number from {least} on");
POSENC_EXPECTED(multiple, "a multiple of {of}");
POSENC_EXPECTED(multiple_of_dim, "a multiple of dim ({dim})");
POSENC_EXPECTED(at_least_option, "a number that is at least {option}");
POSENC_EXPECTED(not_nan, "a number, or an infinity");
POSENC_EXPECTED(exact_angle, "a finite number whose largest angle, |{factor}| * frequency, is at most 2^53 radians");
POSENC_EXPECTED(exact_frequency, "a {what} whose largest frequency is at most 2^53");
POSENC_EXPECTED(exact_scale, "a finite number with which the largest frequency is at most 2^53");
POSENC_EXPECTED(dtype_range, "what the dtype can hold: at most 65504 for float16");
POSENC_EXPECTED(shift, "a number of at most 2^53 other than half of dim ({half}), which would divide by zero");
POSENC_EXPECTED(float32_base, "a number that float32 holds, scaled as the rule scales it");
POSENC_EXPECTED(near_centre, "positions at most {most} from the centre");
POSENC_EXPECTED(shifted_position, "numbers that with the shift added are finite and >= 0");
POSENC_EXPECTED(compact_queries, "queries up to the threshold; beyond it only the full form serves");

// Choices.
POSENC_EXPECTED(one_of, "one of {names}");
POSENC_EXPECTED(exactly, "{value}");
POSENC_EXPECTED(nothing, "nothing");
POSENC_EXPECTED(flag, "true or false");
POSENC_EXPECTED(string, "a string");
POSENC_EXPECTED(object, "an object");
POSENC_EXPECTED(list_of_numbers, "a list of numbers");
POSENC_EXPECTED(list_of_strings, "a list of strings");
POSENC_EXPECTED(ntk_of_model, "a rule that its type defines: models mean different ones by this name");
POSENC_EXPECTED(sequence_model, "a model whose use of positions is known, and whose tokens form a sequence");
POSENC_EXPECTED(layer_letters, "a word of L (sliding) and G (full attention)");
POSENC_EXPECTED(counted_types, "lists of layer types, each with a number: [[[\"global\", \"local\"], 12]]");
POSENC_EXPECTED(length_for_rule, "the number of positions, on which {rule} depends");
POSENC_EXPECTED(even_or_rotary_dim, "an even number, or an even rotaryDim beside it");
POSENC_EXPECTED(centre, "the position in the middle: it has no default");

// Sizes and shapes.
POSENC_EXPECTED(values, "{count} values");
POSENC_EXPECTED(rows_of, "rows of {columns} values");
POSENC_EXPECTED(heads_of, "heads of {dim} * {inner} values");
POSENC_EXPECTED(any_value, "at least one value");
POSENC_EXPECTED(multiple_of_values, "a multiple of {of} values");
POSENC_EXPECTED(axes, "{count} axes");
POSENC_EXPECTED(axes_from_to, "from {least} to {most} axes");
POSENC_EXPECTED(axis_from_to, "an axis of {tensor}: from {least} to {most}");
POSENC_EXPECTED(not_dim_axis, "an axis of the shape other than that of dim");
POSENC_EXPECTED(not_sequence_axis, "an axis of the shape other than the sequence's");
POSENC_EXPECTED(
    sequence_axis,
    "the axis of the sequence: 0 in [seq, heads, dim], 1 in [heads, seq, dim], -2 in [batch, heads, seq, dim]");
POSENC_EXPECTED(batch_axis, "the axis whose indices have lists of their own: 0 in [batch, heads, seq, dim]");
POSENC_EXPECTED(two_axes, "at least two axes, [..., seq, dim]");
POSENC_EXPECTED(axes_or_dims, "the number of axes, or dimensions: this preset has none");
POSENC_EXPECTED(extents, "{count} extents");
POSENC_EXPECTED(merged_extents, "multiples of mergeSize ({merge}) as its last two extents");
POSENC_EXPECTED(extents_at_least, "extents >= {least}");
POSENC_EXPECTED(extents_product, "extents whose product is at most {most}");
POSENC_EXPECTED(last_extent, "{dim} (dim) as its last extent");
POSENC_EXPECTED(heads, "{heads} heads, the last axis without a name");
POSENC_EXPECTED(first_dim, "a dimension from 0 on that has {count} from it on in a head of {extent}");
POSENC_EXPECTED(lists, "{batch} lists: one for each index of the batch axis, or one for all");
POSENC_EXPECTED(points, "{tokens} points, as the sequence has tokens to rotate, or as many for each of a batch");
POSENC_EXPECTED(boundaries, "0, and the end of each sequence");
POSENC_EXPECTED(even_dims, "even numbers from 2 on, together at most dim ({dim})");
POSENC_EXPECTED(dims_alike, "as many for every axis: the axes share their frequencies");
POSENC_EXPECTED(pairs_sum, "pairs that add up to {sum}");
POSENC_EXPECTED(sections, "three numbers: pairs of time, height, width; chunked, two to eight");
POSENC_EXPECTED(sections_sum, "whole numbers >= 0 that add up to {sum}, half of rotaryDim");
POSENC_EXPECTED(sections_at_most, "whole numbers >= 0 that add up to at most {sum}, half of rotaryDim");
POSENC_EXPECTED(sections_alike, "as many pairs of width as of height");

// Positions of images and videos.
POSENC_EXPECTED(chunk, "a chunk of at least one position");
POSENC_EXPECTED(merged_grid, "an h and a w in patches, not pixels, that mergeSize divides");
POSENC_EXPECTED(whole_times, "seconds that make every time a whole number");
POSENC_EXPECTED(segments_total, "segments whose tokens and positions are at most 2^31 - 1");

// Rotations that must agree, and tables of angles.
POSENC_EXPECTED(same_rotary, "a rotary of the same {property}, {value}");
POSENC_EXPECTED(rotary_with_factor, "a rotary whose attention factor is not 0");
POSENC_EXPECTED(kept_frequencies, "one with {kept} frequencies above 2 pi / originalLength, as the matrices have");
POSENC_EXPECTED(twice, "every number twice, as the form has it");
POSENC_EXPECTED(cache_row, "a whole number from 0 to less than the cache's rows ({rows})");
POSENC_EXPECTED(cosines_dtype, "the dtype of the cosines");

// Configs of models.
POSENC_EXPECTED(rotated_dims, "an even number of rotated dimensions from 2 to {dim}");
POSENC_EXPECTED(whole_or_hidden_size, "a whole number, or hidden_size in its place");
POSENC_EXPECTED(divisor_of_hidden_size, "a divisor of the hidden size");
POSENC_EXPECTED(heads_beside, "a number of heads beside it (num_attention_heads)");
POSENC_EXPECTED(layer_types, "a type for each of {layers} layers");
POSENC_EXPECTED(layer_numbers, "a number for each of {layers} layers");
POSENC_EXPECTED(more_than_half_buckets, "more than half the number of buckets");
POSENC_EXPECTED(rope_type, "a rope type, since there is a factor");
POSENC_EXPECTED(same_mscale, "the value of short_mscale: a plan has one attention factor for all lengths");
POSENC_EXPECTED(known_encoding, "a model whose encoding is one of this library's: {reason}");

// Memory.
POSENC_EXPECTED(memory, "as many values as fit into memory");
POSENC_EXPECTED(own_memory, "memory of its own");

// A condition of one place alone, in English.
POSENC_EXPECTED(other, "{condition}");

#undef POSENC_EXPECTED

}  // namespace posenc::expected
