#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

#include "posenc/base/dtype.hpp"
#include "posenc/base/error.hpp"
#include "posenc/base/range.hpp"
#include "posenc/rotary/certificate/arithmetic.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// One value for each quantity of a certificate.
template <class T>
struct Certified {
  T angle{};   ///< of a position times a frequency, in radians
  T cosine{};  ///< of a cosine or sine, times the attention factor
  /// The error of a dimension of a rotated pair whose Euclidean norm is 1. Of a pair of dimensions up to x: that times
  /// sqrt(2) x.
  T dimension{};
  T score{};  ///< of scale * q k for q and k of the norms given, at any two positions
};

struct CertificateOptions {
  /// How many positions: 0 ... length - 1, whole numbers.
  std::int64_t length = 0;
  ArithmeticPreset arithmetic = ArithmeticPreset::exact;
  DType dtype = DType::float32;  ///< of activations
  double query_norm = 1;         ///< Euclidean norms of the unrotated heads
  double key_norm = 1;
  std::optional<double> scale = std::nullopt;  ///< of a score; 1 / sqrt(dim) by default
  /// From which position on a bound is greater than these numbers?
  Certified<std::optional<double>> exceeds{};

  static constexpr std::tuple ranges{
      ranged("length", &CertificateOptions::length, whole_from(1, std::int64_t{1} << 53)),
      ranged("queryNorm", &CertificateOptions::query_norm, from(0, 1e30)),
      ranged("keyNorm", &CertificateOptions::key_norm, from(0, 1e30)),
      ranged("scale", &CertificateOptions::scale, within(1e30))};
};

/// An upper bound of one error.
struct CertifiedBound {
  double bound = 0;                                 ///< over all pairs and all positions below the length
  std::size_t pair = 0;                             ///< the pair that may reach it
  std::optional<std::int64_t> from = std::nullopt;  ///< the first position at which the bound is greater than `exceeds`
};

using Certificate = Certified<CertifiedBound>;

/// Bounds of how far what an implementation computes may be from the real-number formulas with the exact frequencies of
/// the plan: no position, input or permitted result of a library function gives a larger error. They are proven, term
/// by term, not sampled: an average error is many times smaller.
///
/// - Frequencies in float32 are computed as the preset does, for every power within an ulp: the largest
///   distance from the exact one counts, times the position. To it come the largest rounding errors of position and
///   angle up to there.
/// - An error e of an angle moves a cosine, a sine and a pair by at most min(e, 2) of its norm; roundings add to it.
/// - A score has the roundings of both its sides, but both have the same frequencies: their errors count for the
///   distance of the two positions. All of both norms may be in the pair with the largest error. The sum over
///   dimensions and what follows it are not counted.
/// - The bound at a position holds for all before it, and grows with it: `from` is the first at which it is greater.
///
/// It assumes IEEE 754, round to nearest; dimensions, cosines and sums that are neither subnormal nor beyond
/// their type (subnormal frequencies and angles are counted); library functions within the ulps given, of an angle of
/// any size, and no cosine or sine beyond 1; numbers of the rule (YaRN's range of indices, ggml's divisors, the
/// attention factor) that are the plan's, rounded once. The bounds themselves are computed in double, rounded up at
/// each step.
///
/// The plan's length is this one's where it has none; its layout is not looked at.
/// Errors: those of Rotary::make; a length that is not positive or whose angles pass max_angle; norms; a base that
/// float32 cannot hold, but with `exact`; an attention factor that float16 cannot hold; memory.
[[nodiscard]] Expected<Certificate> certify(RotaryOptions plan, const CertificateOptions& options);

}  // namespace posenc
