#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

struct XposOptions {
  RotaryOptions rotary;
  /// The position whose scale is 1. Has no default, since keys of different centres do not fit together:
  /// floor(n / 2) for n positions in rotary-embedding-torch, ceil(n / 2) in torchscale.
  std::optional<double> centre = std::nullopt;
  double scale_base = 512;  ///< how many positions from the centre a pair is scaled by its zeta once

  static constexpr std::tuple ranges{
      ranged("centre", &XposOptions::centre, any_finite()),
      ranged("scaleBase", &XposOptions::scale_base, above(0)),
  };
};

enum class XposSide : std::uint8_t { query, key };

template <>
inline constexpr auto names_of<XposSide> = Names("side", {{"query", XposSide::query}, {"key", XposSide::key}});

/// Extrapolatable rotary embedding (Sun et al. 2022, "A Length-Extrapolatable Transformer"): pair i of r rotated
/// dimensions is rotated, and multiplied by s = zeta_i^((position - centre) / scale_base), zeta_i = (2i + 0.4 r) / (1.4
/// r), in queries and by 1 / s in keys. Scores then decay with distance, by a factor zeta_i^(distance / scale_base) a
/// pair.
class Xpos {
 public:
  /// Errors: those of Rotary::make; no centre or one that is not finite; scale_base.
  [[nodiscard]] static Expected<Xpos> make(const XposOptions& options);

  /// Rotates and scales `x` in place. Direction::inverse is the transpose: it rotates back and scales as forward does.
  /// To undo, call it with the other side.
  /// Errors: those of Rotary::apply; positions so far from the centre that a scale leaves e^-80 ... e^80: 32695 with
  /// scale_base 512. Largest error of a dimension of the pair (a, b): 3 * 2^-24 * m * s * (|a| + |b|), m being the
  /// attention factor.
  [[nodiscard]] Expected<void> apply(std::span<float> x, const SequenceShape& shape, const Positions& positions,
                                     XposSide side, Direction direction = Direction::forward) const;

  /// The scales s of queries, [positions, rotary_dim / 2]. Errors: as above; memory. Largest error: 0.501 ulp.
  [[nodiscard]] Expected<void> scales(const Positions& positions, std::span<float> out) const;

  /// An Error unless each position is so near to the centre that its scale is in e^-80 ... e^80.
  [[nodiscard]] Expected<void> check_reach(const Positions& positions) const;

  /// Multiplies both, Frequencies::padded_count() values each on 64-byte boundaries, by zeta_i^steps, for up to
  /// most_steps() of them. Largest error: 4 ulp.
  void multiply_by_scales(double steps, double* sines, double* cosines) const;
  /// How many steps leave the scales in e^-80 ... e^80.
  [[nodiscard]] double most_steps() const;

  [[nodiscard]] const Rotary& rotary() const { return rotary_; }
  [[nodiscard]] double centre() const { return centre_; }
  [[nodiscard]] double scale_base() const { return scale_base_; }

 private:
  Rotary rotary_;
  AlignedArray<double> ln_zeta_;  ///< of each pair, padded as frequencies are
  double centre_ = 0;
  double scale_base_ = 512;
};

}  // namespace posenc
