#pragma once

#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/base/range.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

/// Which frequencies base^(-2i/dim) the cosines have.
enum class SandwichIndices : std::uint8_t {
  paper,       ///< i = 1 ... dim / 2, as the paper's formula counts
  sinusoidal,  ///< i = 0 ... dim / 2 - 1, as the sinusoidal encoding counts, whose dot products these sums are
};

template <>
inline constexpr auto names_of<SandwichIndices> =
    Names("indices", {{"paper", SandwichIndices::paper}, {"sinusoidal", SandwichIndices::sinusoidal}});

struct SandwichOptions {
  std::int64_t dim = 128;  ///< even; no dim of the model, but of the encodings multiplied
  double base = 10000;
  SandwichIndices indices = SandwichIndices::paper;

  static constexpr std::tuple ranges{
      ranged("dim", &SandwichOptions::dim, whole_from(2, max_dim)),
      ranged("base", &SandwichOptions::base, above(0)),
  };
};

/// Sandwich (Chi et al. 2023, "Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis"):
/// (sum over i of cos(d base^(-2i/dim)) - dim / 2) / (8 h / heads) for head h = 1 ... heads and relative position d.
///
/// Writes the bias in compact form, [heads, distances]. Largest error: 0.5 ulp + dim * heads / h * 2e-15.
/// Errors: dim odd or out of range; those of Frequencies::make; a largest |d| whose angle passes max_angle, named
/// "queryOffset"; a size of `out` that differs; memory.
[[nodiscard]] Expected<void> sandwich_bias(const SandwichOptions& options, const RelativePositions& positions,
                                           Future future, std::span<float> out);

}  // namespace posenc
