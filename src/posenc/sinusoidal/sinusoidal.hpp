#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/base/dtype.hpp"
#include "posenc/base/error.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/frequencies/positions.hpp"

namespace posenc {

/// Where sine and cosine of frequency i go in a row of dim d. Exponent::half has floor(d / 2) frequencies: the last
/// lane of an odd row is then 0, whatever the order. The other exponents have ceil(d / 2): an odd row lacks the last
/// cosine.
enum class Order : std::uint8_t {
  interleaved,    ///< sine in lane 2i, cosine in lane 2i + 1 ("Attention Is All You Need")
  split,          ///< all sines, then all cosines
  cosines_first,  ///< all cosines, then all sines
};

/// "interleaved" | "split" | "cosines-first"; an Error that lists them for anything else.
[[nodiscard]] Expected<Order> order_from_name(std::string_view name);

/// How a table is computed.
enum class Precision : std::uint8_t {
  exact,  ///< in double, rounded once
  fast,   ///< in float32 from exact parts
};

/// "exact" | "fast"; an Error that lists them for anything else.
[[nodiscard]] Expected<Precision> precision_from_name(std::string_view name);

struct SinusoidOptions {
  FrequencyOptions frequencies;
  Order order = Order::interleaved;
  double amplitude = 1;  ///< what sines and cosines are multiplied by, at most 2^127
};

/// Sinusoidal encodings of one dim, base, exponent, order and amplitude. sinusoid_preset.hpp knows the options of other
/// implementations by name.
class Sinusoid {
 public:
  /// Errors: those of Frequencies::make; an amplitude not finite or too large.
  [[nodiscard]] static Expected<Sinusoid> make(const SinusoidOptions& options);

  /// Writes a table [positions, dim], row-major, into `out` (size: positions.count() * dim).
  /// A row depends on its position alone, bit for bit, and has the same bits on every machine.
  /// Errors: those of Positions::check; a size of `out` that differs.
  /// Largest error against the real-number formula, for amplitude 1: 0.501 ulp where |x| >= 0.5, 3.0e-8 anywhere. For
  /// another, 3.0e-8 times the next power of two.
  /// Precision::fast: 1.5e-7 anywhere, where a position is whole, at most 2^44, the amplitude 1 and no lane of a row
  /// always 0; as exact where not. Its rows too depend on their position alone, with the same bits everywhere.
  [[nodiscard]] Expected<void> table(const Positions& positions, std::span<float> out,
                                     Precision precision = Precision::exact) const;

  /// The same in 16 bits: the double that becomes float32 above is rounded to the type of `out`, once. Largest error
  /// for amplitude 1: half a last bit + 1e-14. Errors: those above; an amplitude beyond the type's largest value.
  [[nodiscard]] Expected<void> table(const Positions& positions, HalfSpan out) const;

  /// The matrix M [dim, dim], row-major, that takes the encoding of any position p to that of p + by: M row(p) =
  /// row(p + by). It rotates each pair of sine and cosine by the angle by * frequency; where the last lane is always 0
  /// so is its row of M.
  /// Errors: an odd dim whose last sine has no cosine (nothing linear can move it); |by| * frequency above max_angle; a
  /// size of `out` other than dim * dim; memory.
  /// Largest error of an entry: 3.0e-8.
  [[nodiscard]] Expected<void> shift_matrix(double by, std::span<float> out) const;

  /// The same in place, for `table` [any number of rows, dim]: every row moves on by `by` positions.
  /// Errors: those of shift_matrix; a size that is no multiple of dim. `table` is then unchanged.
  /// Largest error of a lane of the pair (a, b), beyond what the row held: 0.5 ulp + 3e-14 * (|a| + |b|).
  [[nodiscard]] Expected<void> shift(double by, std::span<float> table) const;

  [[nodiscard]] std::size_t dim() const { return dim_; }

 private:
  [[nodiscard]] bool is_plain() const;
  [[nodiscard]] Expected<AlignedArray<double>> turn(double by) const;

  Frequencies frequencies_;
  std::size_t dim_ = 0;
  Order order_ = Order::interleaved;
  double amplitude_ = 1;
};

}  // namespace posenc
