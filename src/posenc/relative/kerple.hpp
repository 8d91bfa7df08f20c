#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

/// The kernel of a KERPLE bias, for relative position d.
enum class KerpleKernel : std::uint8_t {
  logarithmic,  ///< -r1 ln(1 + r2 |d|)
  power,        ///< -r1 |d|^r2
};

/// "logarithmic" | "power"; an Error that lists them for anything else.
template <>
[[nodiscard]] Expected<KerpleKernel> from_name(std::string_view name);

struct KerpleOptions {
  KerpleKernel kernel = KerpleKernel::logarithmic;
  std::span<const float> r1;  ///< one a head, finite and > 0
  std::span<const float> r2;  ///< one a head, finite and > 0; with KerpleKernel::power at most 2
};

/// Kernelised relative positional embedding (Chi et al. 2022, "KERPLE"). The authors' code raises r1 and r2 to at least
/// 0.01 while it trains; here they are used as they are.
/// Writes the bias in compact form, [heads, distances]. Largest error: 0.501 ulp.
/// Errors: r1 or r2 of another size than heads, or out of range; a size of `out` that differs; memory.
[[nodiscard]] Expected<void> kerple_bias(const KerpleOptions& options, const RelativePositions& positions,
                                         Future future, std::span<float> out);

}  // namespace posenc
