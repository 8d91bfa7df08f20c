#pragma once

// Hypotheses are weighed in bits: the cost of a hypothesis is that of stating it and the negative log-likelihood of the
// values given it.

#include <cmath>

namespace posenc::diagnosis {

/// A residual of so many units is what the stated arithmetic could cause. A unit is a bound of one rounding of the
/// output, a rotated dimension has at most four (cosine, product, sum, storage), and inputs may have been rounded too.
inline constexpr double explained_units = 8;

/// A residual of more than one rounding is explained, but may have another cause, such as a base that is nearly the
/// expected one: that is looked for.
inline constexpr double one_rounding = 1;

/// A value of 16 bits that is stored as it was computed, as those of tables, caches and biases, has so many roundings
/// at most beside those of float32: of the cosine, of a product with a factor, of a cast. With more it is no certain
/// one.
inline constexpr double stored_roundings = 3;

/// Where others explain the values so many bits better, what they cost to state does not make the first certain.
inline constexpr double outdone_bits = 10;

/// One in a million: from so many bits on the first explanation is called certain, if it explains all values.
inline constexpr double certain_bits = 20;

/// Explanations that differ by fewer bits are not distinguished.
inline constexpr double ambiguous_bits = 3;

/// Ways to see the samples (pairings, forms, arrangements) that fit worse than the best by more are not looked at, to
/// save time: no hypothesis makes up for so many bits.
inline constexpr double hopeless_bits = 64;

/// The parts of a hypothesis cost so many bits: one of some tens of known mistakes; a number that is usual (10000,
/// 500000, a power of two, one of the expected plan); any number, to about single precision.
inline constexpr double mistake_bits = 6, usual_number_bits = 8, any_number_bits = 24;

/// A choice that published code makes in one of two ways costs so much where nothing is expected.
inline constexpr double choice_bits = 1;

/// The cost of a residual in bits, where `unit` is what roundings cause and `floor`, at least that, what they cause
/// together with the arithmetic that is supposed (float32 angles of large positions). Heavy tails: a few values that
/// are wrong do not decide alone.
[[nodiscard]] inline double data_bits(double residual, double unit, double floor) {
  const double ratio = residual / floor;
  return std::log2(1 + ratio * ratio) + std::log2(floor / unit);
}

}  // namespace posenc::diagnosis
