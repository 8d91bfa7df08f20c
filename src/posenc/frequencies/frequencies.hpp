#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/base/range.hpp"
#include "posenc/frequencies/scaling.hpp"

namespace posenc {

struct DoubleDouble;
namespace scaling {

struct Context;
}

/// The most dimensions one encoding may have.
inline constexpr std::int64_t max_dim = std::int64_t{1} << 24;

/// The largest angle |position * frequency|, in radians, for which phases are exact: 2^53.
inline constexpr double max_angle = 0x1p53;

/// The largest whole position, which is as many positions as a length may have.
inline constexpr std::int64_t max_position = std::int64_t{1} << 53;

/// How the exponent of a frequency grows with its index i, for an encoding of dim d.
enum class Exponent : std::uint8_t {
  paper,           ///< base^(-2i/d), "Attention Is All You Need" (2017), section 3.5
  double_stepped,  ///< base^(-4i/d): a loop over i = 0, 2, 4, ... that doubles i once more
  half,  ///< base^(-i/(h - shift)), h = floor(d / 2): i/h of ggml, i/(h - 1) of tensor2tensor, diffusers' both
};

template <>
inline constexpr auto names_of<Exponent> = Names(
    "exponent", {{"paper", Exponent::paper}, {"double-stepped", Exponent::double_stepped}, {"half", Exponent::half}});

struct FrequencyOptions {
  std::int64_t dim = 0;  ///< dimensions of the encoding; at least 2 for Exponent::half
  double base = 10000;   ///< theta
  Exponent exponent = Exponent::paper;
  double shift = 0;  ///< of Exponent::half alone: 1 makes the last frequency 1 / base. At most 2^53, not floor(dim / 2)
  double scale = 1;  ///< what every frequency is multiplied by

  static constexpr std::tuple ranges{
      ranged("dim", &FrequencyOptions::dim, whole_from(1, max_dim)),
      ranged("base", &FrequencyOptions::base, above(0)),
  };
};

/// All that decides the frequencies of a rotation.
struct FrequencyPlan {
  FrequencyOptions frequencies;  ///< its dim counts the dimensions that rotate
  /// The denominator d of the exponent, where it is not that dim.
  std::optional<std::int64_t> exponent_dim = std::nullopt;
  Scaling scaling = scaling::Default{};
  /// How many positions the model reads. Dynamic NTK and LongRoPE must have it; no other rule reads it.
  std::optional<std::int64_t> length = std::nullopt;

  static constexpr std::tuple ranges{
      ranged("exponentDim", &FrequencyPlan::exponent_dim, whole_from(1, max_dim)),
      ranged("length", &FrequencyPlan::length, whole_from(0, max_position)),
  };
};

/// The frequencies of an encoding, in cycles (1 cycle = 2 pi radians) per position, to about 100 bits.
///
/// One double (53 bits) is not enough: at position 2^31 its rounding alone moves the phase by 2.4e-7 radians. Each
/// frequency is therefore the sum of three doubles, head + mid + tail; head and mid have at most 26 significant bits,
/// so that their products with one half of a split position are exact (see angles.hpp).
///
/// The three arrays are padded with zeros to a multiple of `dim_block` so that kernels need no remainder loop.
class Frequencies {
 public:
  /// ceil(dim / 2) frequencies (Exponent::half: floor(dim / 2)), the first of them `scale` radians per position.
  /// Errors: dim outside 1 ... max_dim, or 1 for Exponent::half; base not finite or not > 0; a base, shift or scale
  /// whose largest frequency passes max_angle; a shift beyond 2^53 or equal to floor(dim / 2), or one that is not
  /// 0 beside another exponent; a scale that is not finite; memory.
  /// Largest error: 2^-90 relative to the real-number formula (2^-1060 absolute where that is larger).
  [[nodiscard]] static Expected<Frequencies> make(const FrequencyOptions& options);

  /// The frequencies given, in any order, negative and 0 ones too, in this unit per position.
  /// Errors ("frequencies"): one not finite or whose magnitude passes max_angle; memory.
  /// Largest error: none in cycles; 2^-100 relative in radians.
  [[nodiscard]] static Expected<Frequencies> from_cycles(std::span<const double> cycles);
  [[nodiscard]] static Expected<Frequencies> from_radians(std::span<const double> radians);

  /// The frequencies of `make`, scaled. Every rule is computed to about 100 bits from start to end: it adds no error.
  /// Errors: those of `make`; an exponent_dim out of range; a scale other than 1 beside a rule; what scaling.hpp says
  /// of each rule ("scaling." precedes the names of its options); a length that is missing or negative; memory.
  /// Largest error: 2^-88 relative to the real-number formula (2^-1060 absolute where that is larger).
  [[nodiscard]] static Expected<Frequencies> make_scaled(const FrequencyPlan& plan);

  /// Returns those of these indices, each below count(), in this order; the attention factor with them. Errors: memory.
  [[nodiscard]] Expected<Frequencies> selected(std::span<const std::uint32_t> indices) const;

  static constexpr std::size_t dim_block = 16;  ///< doubles in two of the widest vectors of today's machines

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t padded_count() const { return parts_.size() / 3; }
  [[nodiscard]] std::span<const double> head() const { return part(0); }
  [[nodiscard]] std::span<const double> mid() const { return part(1); }
  [[nodiscard]] std::span<const double> tail() const { return part(2); }

  /// The largest magnitude among them, in radians per position.
  [[nodiscard]] double largest() const { return largest_; }

  /// The factor of cosines and sines: it is such that scores are multiplied by its square. 1 but for YaRN and LongRoPE,
  /// or where it was given. Rounded to double (error <= 1 ulp).
  [[nodiscard]] double attention_factor() const { return attention_factor_; }

  /// Frequency i in radians per position, rounded to double (error <= 1 ulp). i < count().
  [[nodiscard]] double radians(std::size_t i) const;
  /// The first of them, out.size() <= count(), likewise.
  void write_radians(std::span<double> out) const;

 private:
  [[nodiscard]] static Expected<Frequencies> zeros(std::size_t count);
  /// Frequency i becomes rule(i, terms[i]) radians for every i.
  struct Prepared;
  [[nodiscard]] static Expected<Frequencies> scaled(const Prepared& prepared, std::size_t count, double base);
  void set(std::size_t i, const DoubleDouble& radians);
  void set_cycles(std::size_t i, const DoubleDouble& cycles);

  [[nodiscard]] std::span<const double> part(std::size_t which) const {
    return parts_.span().subspan(which * padded_count(), padded_count());
  }
  void set_parts(std::size_t i, double head, double mid, double tail);

  AlignedArray<double> parts_;  ///< heads, then mids, then tails
  std::size_t count_ = 0;
  double largest_ = 0;
  double attention_factor_ = 1;
};

/// Returns what the plan's rule is applied to, for code that computes frequencies in its own way (scaling/context.hpp,
/// which is not public). Errors: those of make_scaled about anything but the rule.
[[nodiscard]] Expected<scaling::Context> context_of(const FrequencyPlan& plan);

/// The attention factor that make_scaled would give these frequencies, and its errors about the plan's options.
[[nodiscard]] Expected<double> attention_factor(const FrequencyPlan& plan);

}  // namespace posenc
