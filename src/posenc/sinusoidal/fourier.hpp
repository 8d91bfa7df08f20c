#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/base/range.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc {

/// The unit of weight * coordinate.
enum class AngleUnit : std::uint8_t {
  cycles,       ///< sin(2 pi w x)
  half_cycles,  ///< sin(pi w x)
  radians,      ///< sin(w x)
};

template <>
inline constexpr auto names_of<AngleUnit> = Names(
    "unit", {{"cycles", AngleUnit::cycles}, {"half-cycles", AngleUnit::half_cycles}, {"radians", AngleUnit::radians}});

struct FourierOptions {
  std::int64_t inputs = 1;  ///< coordinates of a point
  AngleUnit unit = AngleUnit::cycles;
  Order order = Order::split;
  bool logarithmic = false;  ///< ln x is encoded in place of x: every coordinate must be > 0

  static constexpr std::int64_t max_inputs = 1024;
  static constexpr std::tuple ranges{ranged("inputs", &FourierOptions::inputs, whole_from(1, max_inputs))};
};

/// Lists what a row of NeRF's encoding may hold.
enum class NerfPreset : std::uint8_t {
  paper,  ///< equation 4: coordinate by coordinate sin(pi x), cos(pi x), sin(2 pi x), cos(2 pi x), ...
  code,   ///< bmild/nerf: the coordinates themselves, then level by level the sines of all 2^k x, then their cosines;
          ///< without pi
};

template <>
inline constexpr auto names_of<NerfPreset> =
    Names("preset", {{"paper", NerfPreset::paper}, {"code", NerfPreset::code}});

/// The options of an implementation by its name, for `inputs` coordinates:
/// - "diffusers": GaussianFourierProjection of Hugging Face diffusers: [sin | cos] of 2 pi w ln x. Its
///   flip_sin_to_cos is Order::cosines_first, its log option `logarithmic`; its weights are drawn from N(0, scale).
/// - "rff": the package random-fourier-features-pytorch: [cos | sin] of 2 pi B x.
/// An Error that lists them for anything else.
[[nodiscard]] Expected<FourierOptions> fourier_preset(std::string_view name, std::int64_t inputs);

/// Sine and cosine of weighted sums of coordinates: random Fourier features (Tancik et al. 2020), diffusers'
/// GaussianFourierProjection, NeRF's positional encoding (Mildenhall et al. 2020). The weights are the caller's.
class FourierFeatures {
 public:
  /// `weights`: [features, inputs], row-major.
  /// Errors: inputs outside 1 ... 1024; a size of weights that is no multiple of inputs; a weight that is not finite or
  /// above 2^53 radians ("weights"); memory.
  [[nodiscard]] static Expected<FourierFeatures> make(const FourierOptions& options, std::span<const double> weights);

  /// NeRF's encoding: each coordinate alone, by 2^k, k = 0 ... levels - 1. The unit is the preset's if none is given.
  /// Errors: inputs outside 1 ... 1024; levels outside 1 ... 52; memory.
  [[nodiscard]] static Expected<FourierFeatures> nerf(std::int64_t inputs, std::int64_t levels,
                                                      NerfPreset preset = NerfPreset::paper,
                                                      std::optional<AngleUnit> unit = std::nullopt);

  /// Writes [points, dimensions()] into `out` from `points` [points, inputs], row-major.
  /// Errors: sizes that do not fit; a coordinate not finite, not > 0 where logarithms are taken, or whose largest
  /// angle, |x| * weight, passes max_angle; memory. `out` is then unchanged.
  /// Largest error: 0.501 ulp where |x| >= 0.5, 3.0e-8 anywhere, for up to 8 inputs; 1e-15 more for each further one.
  [[nodiscard]] Expected<void> features(std::span<const double> points, std::span<float> out) const;

  [[nodiscard]] std::size_t inputs() const { return by_input_.size(); }
  /// 2 * features; NerfPreset::code has the inputs too.
  [[nodiscard]] std::size_t dims() const { return unchanged_ + 2 * by_input_.front().count(); }

 private:
  [[nodiscard]] Expected<void> check(std::span<const double> points) const;

  std::vector<Frequencies> by_input_;  ///< the weights of each coordinate
  FourierOptions options_;
  std::size_t block_ = 0;      ///< features that make one run of dimensions in options_.order; 0: all of them
  std::size_t unchanged_ = 0;  ///< dimensions before them that hold the coordinates, rounded to float32
};

}  // namespace posenc
