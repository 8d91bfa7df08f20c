#include "posenc/frequencies/angles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "posenc/base/double_double.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

using Batch = xsimd::batch<double>;
static_assert(Frequencies::dim_block % Batch::size == 0);

/// The nearest whole number, ties to even, for |x| < 2^51. Adding 1.5 * 2^52 leaves no bits for a fraction; every
/// instruction set has addition, not every one has rounding.
Batch nearest(Batch x) {
  const Batch shifter(6755399441055744.0);
  return (x + shifter) - shifter;
}

/// x less its nearest whole number: exact.
Batch fraction(Batch x) { return x - nearest(x); }

/// position * frequency, less whole cycles: in about [-0.5, 0.5]. The first three products are of 26-bit halves and so
/// exact, and so is taking whole cycles off them; what follows is below 2^-26 of the position and may round.
Batch cycles(DoubleDouble position, Batch head, Batch mid, Batch tail) {
  const Batch high(position.high);
  const Batch low(position.low);
  const Batch whole(position.high + position.low);
  const Batch rest = low * mid + whole * tail;
  return fraction((fraction(high * head) + fraction(high * mid)) + (fraction(low * head) + rest));
}

template <std::size_t n>
Batch polynomial(Batch x, const std::array<double, n>& coefficients) {
  Batch value(coefficients[n - 1]);
  for (std::size_t k = n - 1; k > 0; --k) value = value * x + Batch(coefficients[k - 1]);
  return value;
}

/// Taylor coefficients (2 pi)^k / k! of sin(2 pi t) / t and cos(2 pi t) in t^2: for |t| <= 1/8 they leave 5e-17.
constexpr std::array<double, 8> sine_coefficients{6.2831853071795862,  -41.341702240399762, 81.605249276075057,
                                                  -76.705859753061389, 42.058693944897655,  -15.09464257682299,
                                                  3.819952584848282,   -0.71812230177850056};
constexpr std::array<double, 9> cosine_coefficients{1,
                                                    -19.739208802178716,
                                                    64.939394022668296,
                                                    -85.456817206693728,
                                                    60.244641371876661,
                                                    -26.426256783374399,
                                                    7.9035363713184692,
                                                    -1.714390711088672,
                                                    0.28200596845579123};

struct SineCosine {
  Batch sine, cosine;

  /// Returns those of the sum of two angles.
  [[nodiscard]] SineCosine operator+(const SineCosine& other) const {
    return {sine * other.cosine + cosine * other.sine, cosine * other.cosine - sine * other.sine};
  }

  void store(double* sines, double* cosines) const {
    sine.store_aligned(sines);
    cosine.store_aligned(cosines);
  }
};

/// Returns those of t cycles, -0.5 <= t <= 0.5 but for the last bits.
SineCosine sine_and_cosine(Batch t) {
  const Batch quarter = nearest(t * Batch(4));  // -2 ... 2
  const Batch rest = t - quarter * Batch(0.25);
  const Batch square = rest * rest;
  const Batch sine = rest * polynomial(square, sine_coefficients);
  const Batch cosine = polynomial(square, cosine_coefficients);

  // sin and cos `quarter` quarters of a cycle further: they change places at odd ones, signs follow the quadrant. By
  // bits, and not by choices: engines make branches of those without SIMD. 1.5 * 2^52 + quarter ends with its bits.
  using Bits = xsimd::batch<std::uint64_t>;
  const auto bits_of = [](Batch x) { return xsimd::bitwise_cast<std::uint64_t>(x); };
  const Bits quadrant = bits_of(quarter + Batch(6755399441055744.0));
  const Bits swapped = (bits_of(sine) ^ bits_of(cosine)) & (Bits(0) - (quadrant & Bits(1)));
  const auto signed_by = [](Bits x, Bits upper) { return xsimd::bitwise_cast<double>(x ^ ((upper & Bits(2)) << 62)); };
  return {signed_by(bits_of(sine) ^ swapped, quadrant), signed_by(bits_of(cosine) ^ swapped, quadrant + Bits(1))};
}

/// Gives those of `position` times each of the frequencies from index i on, from the frequencies' own bits.
class Direct {
 public:
  Direct(const Frequencies& frequencies, double position)
      : halves_(split(position)),
        head_(frequencies.head().data()),
        mid_(frequencies.mid().data()),
        tail_(frequencies.tail().data()) {}

  [[nodiscard]] Batch cycles_at(std::size_t i) const {
    return cycles(halves_, Batch::load_aligned(head_ + i), Batch::load_aligned(mid_ + i),
                  Batch::load_aligned(tail_ + i));
  }
  [[nodiscard]] SineCosine at(std::size_t i) const { return sine_and_cosine(cycles_at(i)); }

 private:
  DoubleDouble halves_;
  const double *head_, *mid_, *tail_;
};

/// Returns those of a whole number of units, by doubling: the steps of AngleRows' tables.
SineCosine multiple(const SineCosine& unit, double count) {
  const auto n = static_cast<unsigned>(std::fabs(count));
  if (n == 0) return {Batch(0), Batch(1)};
  SineCosine sum = unit;
  for (unsigned bit = std::bit_floor(n) >> 1; bit != 0; bit >>= 1) {
    sum = sum + sum;
    if ((n & bit) != 0) sum = sum + unit;
  }
  return count < 0 ? SineCosine{Batch(-1) * sum.sine, sum.cosine} : sum;
}

// Not inlined: AngleRows calls them in several places, each of which would be a copy in the download.

/// Writes those of a position as it is, in one part.
[[gnu::noinline]] void direct_sines_and_cosines(const Frequencies& frequencies, double position, double* sines,
                                                double* cosines) {
  if (position == 0) {  // what the rest would make of it
    std::fill_n(sines, frequencies.padded_count(), 0.0);
    std::fill_n(cosines, frequencies.padded_count(), 1.0);
    return;
  }
  const Direct direct(frequencies, position);
  for (std::size_t i = 0; i < frequencies.padded_count(); i += Batch::size) direct.at(i).store(sines + i, cosines + i);
}

/// Sines and cosines of a + sign * b, sign 1 or -1, from those of a and b. The outputs may be those of a.
[[gnu::noinline]] void add_angles(const double* sines_a, const double* cosines_a, double sign, const double* sines_b,
                                  const double* cosines_b, std::size_t padded_count, double* sines, double* cosines) {
  const Batch signs(sign);
  constexpr std::size_t together = 2;  // of the widest vectors, 8 doubles
  static_assert(Frequencies::dim_block % (together * Batch::size) == 0);
  for (std::size_t i = 0; i < padded_count; i += together * Batch::size)
    unrolled<together>([&](std::size_t k) {
      const std::size_t at = i + k * Batch::size;
      const SineCosine a{Batch::load_aligned(sines_a + at), Batch::load_aligned(cosines_a + at)};
      const SineCosine b{signs * Batch::load_aligned(sines_b + at), Batch::load_aligned(cosines_b + at)};
      (a + b).store(sines + at, cosines + at);
    });
}

}  // namespace

void sines_and_cosines(const Frequencies& frequencies, double position, double* sines, double* cosines) {
  const PositionParts parts = parts_of(position);
  const struct {
    Direct unit;
    double count;
  } terms[]{{{frequencies, parts.coarse}, 1},
            {{frequencies, PositionParts::step}, parts.middle_steps()},
            {{frequencies, 1}, parts.fine}};
  for (std::size_t i = 0; i < frequencies.padded_count(); i += Batch::size) {
    SineCosine sum{Batch(0), Batch(1)};
    for (std::size_t k = 0; k < (parts.whole ? 3 : 1); ++k) {
      const SineCosine term = multiple(terms[k].unit.at(i), terms[k].count);
      sum = k == 0 ? term : sum + term;
    }
    sum.store(sines + i, cosines + i);
  }
}

void add_cycles(const Frequencies& frequencies, double position, double* cycles) {
  const Direct direct(frequencies, position);
  for (std::size_t i = 0; i < frequencies.padded_count(); i += Batch::size)
    (Batch::load_aligned(cycles + i) + direct.cycles_at(i)).store_aligned(cycles + i);
}

void sines_and_cosines(const double* cycles, std::size_t padded_count, double* sines, double* cosines) {
  for (std::size_t i = 0; i < padded_count; i += Batch::size)
    sine_and_cosine(fraction(Batch::load_aligned(cycles + i))).store(sines + i, cosines + i);
}

Expected<AngleRows> AngleRows::make(const Frequencies& frequencies) {
  POSENC_TRY_LET(sum, AlignedArray<double>::make_unfilled(2 * frequencies.padded_count()));
  AngleRows made;
  made.frequencies_ = &frequencies;
  made.sum_ = std::move(sum);
  return made;
}

Expected<void> AngleRows::make_tables() {
  if (has_tables()) return {};
  POSENC_TRY_LET(memory, AlignedArray<double>::make_unfilled(2 * row_count * padded_count()));
  memory_ = std::move(memory);
  return {};
}

/// Row n of a table: n units, as the sum of two lower rows.
AngleRows::Row AngleRows::table_row(std::size_t first, std::size_t n, double unit) {
  const std::size_t at = first + n;
  if (std::exchange(filled_[at], true)) return row(at);
  if (n < 2) {
    direct_sines_and_cosines(*frequencies_, static_cast<double>(n) * unit, sines(at), cosines(at));
    return row(at);
  }
  const Row lower = table_row(first, n % 2 == 0 ? n / 2 : n - 1, unit);
  add(lower, 1, n % 2 == 0 ? lower : table_row(first, 1, unit), sines(at));
  return row(at);
}

/// Writes the sum of a and `steps` times the unit of b, which is the row of |steps|: sines, and cosines behind them.
void AngleRows::add(const Row& a, double steps, const Row& b, double* sines_to) {
  add_angles(a.sines, a.cosines, std::signbit(steps) ? -1 : 1, b.sines, b.cosines, padded_count(), sines_to,
             sines_to + padded_count());
}

AngleRows::Row AngleRows::coarse(double position) {
  const auto slot = static_cast<std::size_t>(static_cast<std::int64_t>(position / PositionParts::stride)) % coarse_rows;
  const std::size_t at = coarse_first + slot;
  if (!std::exchange(filled_[at], true) || coarse_[slot] != position)
    direct_sines_and_cosines(*frequencies_, position, sines(at), cosines(at));
  coarse_[slot] = position;
  return row(at);
}

AngleRows::Row AngleRows::centre(const PositionParts& parts) {
  if (filled_[centre_row] && centre_coarse_ == parts.coarse && centre_middle_ == parts.middle) return row(centre_row);
  const double steps = parts.middle_steps();
  add(coarse(parts.coarse), steps,
      table_row(middle_first, static_cast<std::size_t>(std::fabs(steps)), PositionParts::step), sines(centre_row));
  centre_coarse_ = parts.coarse;
  centre_middle_ = parts.middle;
  filled_[centre_row] = true;
  return row(centre_row);
}

AngleRows::Row AngleRows::at(double position) {
  const Row sum{sum_.data(), sum_.data() + padded_count()};
  const PositionParts parts = parts_of(position);
  // Tables pay for their set-up from the second whole position on. Without memory for them, positions take longer.
  const bool again = parts.whole && std::exchange(asked_before_, true);
  if (again && make_tables())
    add(centre(parts), parts.fine, fine(static_cast<std::size_t>(std::fabs(parts.fine))), sum_.data());
  else
    sines_and_cosines(*frequencies_, position, sum_.data(), sum_.data() + padded_count());
  return sum;
}

}  // namespace posenc
