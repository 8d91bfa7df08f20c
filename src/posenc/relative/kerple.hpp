#pragma once

#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

/// The kernel of a KERPLE bias, for relative position d.
enum class KerpleKernel : std::uint8_t {
  logarithmic,  ///< -r1 ln(1 + r2 |d|)
  power,        ///< -r1 |d|^r2
  weight,       ///< exp(-r1 |d|^r2): no bias, but what scores are multiplied by, before a bias is added
};

template <>
inline constexpr auto names_of<KerpleKernel> = Names(
    "kernel",
    {{"logarithmic", KerpleKernel::logarithmic}, {"power", KerpleKernel::power}, {"weight", KerpleKernel::weight}});

struct KerpleOptions {
  KerpleKernel kernel = KerpleKernel::logarithmic;
  std::span<const float> r1;  ///< one a head, finite and > 0
  std::span<const float> r2;  ///< one a head, finite and > 0; with power and weight at most 2
};

/// Kernelised relative positional embedding (Chi et al. 2022, "KERPLE"). The authors' code raises r1 and r2 to at least
/// 0.01 while it trains; here they are used as they are. Their ParallelKerplePower has weights too (wei_a, wei_p: score
/// * weight + bias, chijames/KERPLE, megatron/mpu/layers.py); without one of the two, a or p is 1. Writes the bias in
/// compact form, [heads, distances]. Largest error: 0.501 ulp; of a weight below 2^-126, 2^-150. Errors: Future::mask
/// for weights, which scores are multiplied by before they are masked; r1 or r2 of another size than heads, or out of
/// range; a size of `out` that differs; memory.
[[nodiscard]] Expected<void> kerple_bias(const KerpleOptions& options, const RelativePositions& positions,
                                         Future future, std::span<float> out);

}  // namespace posenc
