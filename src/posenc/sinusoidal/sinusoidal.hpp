#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/base/dtype.hpp"
#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/frequencies/positions.hpp"

namespace posenc {

/// Where sine and cosine of frequency i go in a row of dim d. Exponent::half has floor(d / 2) frequencies: the last
/// dimension of an odd row is then 0, whatever the order. The other exponents have ceil(d / 2): an odd row lacks the
/// last cosine.
enum class Order : std::uint8_t {
  interleaved,    ///< sine in dimension 2i, cosine in dimension 2i + 1 ("Attention Is All You Need")
  split,          ///< all sines, then all cosines
  cosines_first,  ///< all cosines, then all sines
};

template <>
inline constexpr auto names_of<Order> = Names(
    "order", {{"interleaved", Order::interleaved}, {"split", Order::split}, {"cosines-first", Order::cosines_first}});

/// Which dimensions of a row hold the sines and cosines; any that are left over hold 0.
struct Dims {
  std::size_t sines, cosines;  ///< how many
  std::size_t first_sine, first_cosine, stride;

  Dims(Order order, std::size_t dim, std::size_t frequencies)
      : sines(frequencies),
        cosines(std::min(frequencies, dim - frequencies)),
        first_sine(order == Order::cosines_first ? cosines : 0),
        first_cosine(order == Order::interleaved ? 1 : (order == Order::split ? sines : 0)),
        stride(order == Order::interleaved ? 2 : 1) {}

  [[nodiscard]] std::size_t sine(std::size_t i) const { return first_sine + i * stride; }
  [[nodiscard]] std::size_t cosine(std::size_t i) const { return first_cosine + i * stride; }
};

/// How a table is computed.
enum class Precision : std::uint8_t {
  exact,  ///< in double, rounded once
  fast,   ///< in float32 from exact parts
};

template <>
inline constexpr auto names_of<Precision> =
    Names("precision", {{"exact", Precision::exact}, {"fast", Precision::fast}});

struct SinusoidalOptions {
  FrequencyOptions frequencies;
  Order order = Order::interleaved;
  double amplitude = 1;  ///< what sines and cosines are multiplied by

  static constexpr std::tuple ranges{ranged("amplitude", &SinusoidalOptions::amplitude, within(0x1p127))};
};

/// The options of an implementation, by its name. Angles and sums are the core's own: exact, where most of them compute
/// in float32.
enum class SinusoidalPreset : std::uint8_t {
  paper,          ///< "Attention Is All You Need" (2017): interleaved, base^(-2i/d)
  tensor2tensor,  ///< get_timing_signal_1d: [sin | cos], base^(-i/(h - 1)), h = floor(d / 2); an odd d ends with 0
  whisper,        ///< OpenAI Whisper's audio encoder: the same, d even and >= 4
  diffusers,  ///< get_timestep_embedding of Hugging Face diffusers, its defaults: as tensor2tensor, d >= 4. Its flags
              ///< are options here: flip_sin_to_cos is Order::cosines_first, downscale_freq_shift (default 1) the
              ///< shift, max_period the base, scale the scale
  ggml,       ///< ggml_timestep_embedding: [cos | sin], base^(-i/h); an odd d ends with 0
  mlx,        ///< mlx.nn.SinusoidalPositionalEncoding: [sin | cos] from the highest frequency, 1, to the lowest,
              ///< 1/base, times sqrt(2 / d); d even and >= 4. Its min_freq is 1 / base, its cos_first
              ///< Order::cosines_first, its scale the amplitude, its full_turns a scale of 2 pi
};

template <>
inline constexpr auto names_of<SinusoidalPreset> = Names("preset", {{"paper", SinusoidalPreset::paper},
                                                                    {"tensor2tensor", SinusoidalPreset::tensor2tensor},
                                                                    {"whisper", SinusoidalPreset::whisper},
                                                                    {"diffusers", SinusoidalPreset::diffusers},
                                                                    {"ggml", SinusoidalPreset::ggml},
                                                                    {"mlx", SinusoidalPreset::mlx}});

/// A preset, and what is to differ from it.
struct SinusoidalChoice {
  std::int64_t dim = 0;
  SinusoidalPreset preset = SinusoidalPreset::paper;
  std::optional<double> base = std::nullopt;
  std::optional<Exponent> exponent = std::nullopt;  ///< the preset's shift is not kept beside another exponent
  std::optional<double> shift = std::nullopt;
  std::optional<double> scale = std::nullopt;
  std::optional<Order> order = std::nullopt;
  std::optional<double> amplitude = std::nullopt;
};

/// Sets the rows of a table [positions.count(), row], in bytes, whose position is `padding` to 0, as fairseq's
/// SinusoidalPositionalEmbedding (SinusoidalPreset::tensor2tensor; tokens count from padding + 1, see padded_positions)
/// and the copies of it in Hugging Face transformers have the row of their padding_idx.
void clear_padding(const Positions& positions, double padding, std::span<std::byte> table);

/// The plain options that a choice stands for.
/// Errors: an odd dim for "whisper" or "mlx". What the options may be is checked where they are used.
[[nodiscard]] Expected<SinusoidalOptions> resolve(const SinusoidalChoice& choice);

/// Sinusoidal encodings of one dim, base, exponent, order and amplitude.
class Sinusoidal {
 public:
  /// Errors: those of Frequencies::make; an amplitude not finite or too large.
  [[nodiscard]] static Expected<Sinusoidal> make(const SinusoidalOptions& options);

  /// Writes a table [positions, dim], row-major, into `out` (size: positions.count() * dim).
  /// A row depends on its position alone, bit for bit, and has the same bits on every machine.
  /// Errors: those of Positions::check; a size of `out` that differs.
  /// Largest error against the real-number formula, for amplitude 1: 0.501 ulp where |x| >= 0.5, 3.0e-8 anywhere. For
  /// another, 3.0e-8 times the next power of two.
  /// Precision::fast: 1.5e-7 anywhere, where a position is whole, at most 2^44, the amplitude 1 and no dimension of a
  /// row always 0; as exact where not. Its rows too depend on their position alone, with the same bits everywhere.
  [[nodiscard]] Expected<void> table(const Positions& positions, std::span<float> out,
                                     Precision precision = Precision::exact) const;

  /// Writes the table in 16 bits, each the value of its type that is nearest to the real-number formula, next to zeros
  /// of sines too, as far as the frequencies' 100 bits tell. Errors: those above; an amplitude beyond the type's
  /// largest value.
  [[nodiscard]] Expected<void> table(const Positions& positions, Span16 out) const;

  /// The matrix M [dim, dim], row-major, that takes the encoding of any position p to that of p + by: M row(p) =
  /// row(p + by). It rotates each pair of sine and cosine by the angle by * frequency; where the last dimension is
  /// always 0 so is its row of M. Errors: an odd dim whose last sine has no cosine (nothing linear can move it); |by| *
  /// frequency above max_angle; a size of `out` other than dim * dim; memory. Largest error of an entry: 3.0e-8.
  [[nodiscard]] Expected<void> shift_matrix(double by, std::span<float> out) const;

  /// Shifts in place, for `table` [any number of rows, dim]: every row moves on by `by` positions. Errors: those of
  /// shift_matrix; a size that is no multiple of dim. `table` is then unchanged. Largest error of a dimension of the
  /// pair (a, b), beyond what the row held: 0.5 ulp + 3e-14 * (|a| + |b|).
  [[nodiscard]] Expected<void> shift(double by, std::span<float> table) const;

  /// Shifts into another table. Errors: those above; a size of `out` that differs.
  [[nodiscard]] Expected<void> shift(double by, std::span<const float> table, std::span<float> out) const;

  [[nodiscard]] std::size_t dim() const { return dim_; }
  [[nodiscard]] Order order() const { return order_; }
  [[nodiscard]] const Frequencies& frequencies() const { return frequencies_; }

 private:
  [[nodiscard]] bool is_plain() const;
  [[nodiscard]] Expected<AlignedArray<double>> shift_angles(double by) const;

  Frequencies frequencies_;
  std::size_t dim_ = 0;
  Order order_ = Order::interleaved;
  double amplitude_ = 1;
};

}  // namespace posenc
