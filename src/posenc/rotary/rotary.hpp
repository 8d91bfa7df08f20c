#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "posenc/base/dtype.hpp"
#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/frequencies/positions.hpp"
#include "posenc/rotary/sequence_shape.hpp"

namespace posenc {

/// Which dimensions of a head are rotated together, for r rotated dimensions. The pair (a, b) becomes
/// (a cos - b sin, a sin + b cos).
enum class Layout : std::uint8_t {
  unnamed,        ///< refused
  half,           ///< dimension i with dimension i + r/2 (GPT-NeoX; Llama in Hugging Face transformers)
  interleaved,    ///< dimension 2i with dimension 2i + 1 (RoFormer, GPT-J)
  deinterleaved,  ///< dimensions 2i, 2i + 1 are read, dimensions i, i + r/2 are written (DeepSeek's rope_interleave)
};

template <>
inline constexpr auto names_of<Layout> = Names(
    "layout", {{"half", Layout::half}, {"interleaved", Layout::interleaved}, {"deinterleaved", Layout::deinterleaved}});

/// Rotation back by the same angles undoes a rotation: it is its transpose. With Layout::deinterleaved it reads
/// Layout::half and writes Layout::interleaved.
enum class Direction : std::uint8_t { forward, inverse };

struct RotaryOptions {
  /// Dimensions of a head.
  std::int64_t dim = 0;
  /// Has to be named: a wrong one gives wrong scores and no error.
  Layout layout = Layout::unnamed;
  /// Theta.
  double base = 10000;
  /// How many dimensions rotate, the first ones: even, 2 ... dim; all of them by default.
  std::optional<std::int64_t> rotary_dim = std::nullopt;
  /// Over exponent_dim.
  Exponent exponent = Exponent::paper;
  /// The exponent's denominator; rotary_dim by default. It changes frequencies, not which dimensions rotate.
  std::optional<std::int64_t> exponent_dim = std::nullopt;
  /// A rule that makes a model read further than it was trained, and its attention factor.
  Scaling scaling = scaling::Default{};
  /// How many positions the model reads: for rules that depend on it.
  std::optional<std::int64_t> length = std::nullopt;

  static constexpr std::tuple ranges{
      ranged("dim", &RotaryOptions::dim, whole_from(2, max_dim)),
      ranged("base", &RotaryOptions::base, above(0)),
  };
};

/// All that decides the frequencies.
[[nodiscard]] FrequencyPlan plan_of(const RotaryOptions& options);

/// Makes the angles of a Rotary in place of the exact ones. float32_rotary.hpp has one.
class AngleSource {
 public:
  virtual ~AngleSource() = default;

  /// Sines and cosines at a position, without the attention factor: Frequencies::padded_count() values each, on 64-byte
  /// boundaries.
  virtual void write(double position, double* sines, double* cosines) const = 0;

  /// The frequencies it multiplies positions by, rotary_dim / 2.
  [[nodiscard]] virtual std::span<const float> frequencies() const = 0;
};

/// Rotary position embedding (Su et al. 2021, "RoFormer") for heads of one dim.
class Rotary {
 public:
  /// Errors: no layout; dim outside 2 ... max_dim; rotary_dim odd or outside 2 ... dim; those of
  /// Frequencies::make_scaled.
  [[nodiscard]] static Expected<Rotary> make(const RotaryOptions& options);

  /// Makes one whose angles are not position * frequency, exactly, but what `source` makes of a position.
  [[nodiscard]] Rotary with_angles(std::unique_ptr<const AngleSource> source) &&;

  /// Cosines and sines of the angles, each [positions, rotary_dim / 2], row-major. Both outputs have that size.
  /// rotary_cache.hpp writes them as other implementations have them, and in 16 bits.
  /// Errors: those of Positions::check; a size that differs.
  /// An attention factor multiplies doubles, whose product is rounded. Largest error, for a factor of at most 1000:
  /// 0.501 ulp where |x| >= 0.5, 3.0e-8 where |x| <= 1.
  [[nodiscard]] Expected<void> cache(const Positions& positions, std::span<float> cosines,
                                     std::span<float> sines) const;

  /// Rotates `x` (size: shape.size()) in place; dimensions from rotary_dim on stay as they are.
  /// Position i belongs to index i of the sequence axis. Where the shape names a batch axis each of its rows may have a
  /// list of its own (Positions::lists), [batch, seq].
  /// Errors: shape.dim() other than dim; sizes that differ; those of Positions::check; memory. `x` is then unchanged.
  /// With an attention factor m the pair is multiplied by m in both directions: inverse is then the transpose (what a
  /// gradient needs), and undoes the rotation but for a factor of m^2.
  /// Largest error of a dimension of the pair (a, b): 3 * 2^-24 * m * (|a| + |b|).
  /// Gives the same bits on every machine, and for any order of the axes.
  [[nodiscard]] Expected<void> apply(std::span<float> x, const SequenceShape& shape, const Positions& positions,
                                     Direction direction = Direction::forward) const;

  /// Applies it to values of 16 bits: rotated in float32 by the same float32 cosines and sines, then rounded to their
  /// type, once. What is too large for it becomes infinite; a NaN stays one, with whatever sign and bits. Largest
  /// error: that of float32 + half a last bit.
  [[nodiscard]] Expected<void> apply(Span16 x, const SequenceShape& shape, const Positions& positions,
                                     Direction direction = Direction::forward) const;

  /// The Error that `apply` would return for these arguments; if none, whether each row of the batch has its own
  /// positions.
  [[nodiscard]] Expected<bool> check_rotation(std::size_t size, const SequenceShape& shape,
                                              const Positions& positions) const;

  [[nodiscard]] std::size_t dim() const { return dim_; }
  [[nodiscard]] std::size_t rotary_dim() const { return 2 * frequencies_.count(); }
  [[nodiscard]] Layout layout() const { return layout_; }
  [[nodiscard]] double attention_factor() const { return frequencies_.attention_factor(); }
  [[nodiscard]] const Frequencies& frequencies() const { return frequencies_; }
  /// Returns what makes its angles where they are not the exact ones, or null.
  [[nodiscard]] const AngleSource* angle_source() const { return source_.get(); }

 private:
  Frequencies frequencies_;
  std::unique_ptr<const AngleSource> source_;
  std::size_t dim_ = 0;
  Layout layout_ = Layout::half;
};

/// The matrix R [dim, dim], row-major, by which a head is multiplied at `position`: R x is what `apply` makes of x.
/// Block-diagonal where pairs are interleaved; 1 on the diagonal for dimensions that pass through. For inspection, and
/// for small dims: it is dim^2 values where rotation needs dim. Errors: those of Positions::check; a size other than
/// dim * dim; memory. Largest error: that of Rotary::cache.
[[nodiscard]] Expected<void> rotary_matrix(const Rotary& rotary, double position, Direction direction,
                                           std::span<float> out);

}  // namespace posenc
