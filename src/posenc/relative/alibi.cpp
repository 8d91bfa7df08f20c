#include "posenc/relative/alibi.hpp"

#include <bit>
#include <cmath>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/relative/kernels/diagonal_rows.hpp"

namespace posenc {
namespace {

constexpr Name slopes_names[]{
    {"paper", AlibiSlopes::paper},
    {"mpt", AlibiSlopes::mpt},
};
constexpr Name distance_names[]{
    {"symmetric", AlibiDistance::symmetric},
    {"linear", AlibiDistance::linear},
};

/// The fraction of the steepness that is the exponent of head h of `heads`, h from 0: a multiple of a power of two.
double share(AlibiSlopes slopes, std::size_t h, std::size_t heads) {
  if (slopes == AlibiSlopes::paper) {
    const std::size_t lower = std::bit_floor(heads);
    const bool extra = h >= lower;
    return static_cast<double>(extra ? 2 * (h - lower) + 1 : h + 1) / static_cast<double>(extra ? 2 * lower : lower);
  }
  const std::size_t higher = std::bit_ceil(heads);
  if (higher == heads) return static_cast<double>(h + 1) / static_cast<double>(heads);
  const std::size_t index = h < higher / 2 ? 2 * h + 2 : 2 * (h - higher / 2) + 1;
  return static_cast<double>(index) / static_cast<double>(higher);
}

/// 2^-exponent, exact where the exponent is whole.
double slope(const AlibiOptions& options, std::size_t h, std::size_t heads) {
  const double exponent = options.steepness * share(options.slopes, h, heads);
  const double whole = std::floor(exponent);
  return std::ldexp(exp(ln_2 * DoubleDouble{whole - exponent, 0}).high, -static_cast<int>(whole));
}

Expected<void> check_steepness(double steepness) {
  if (steepness > 0 && steepness <= 1000) return {};
  return wrong("steepness", steepness, {"a number > 0, at most 1000"});
}

}  // namespace

template <>
Expected<AlibiSlopes> from_name(std::string_view name) {
  return from_name<AlibiSlopes>(slopes_names, "slopes", name);
}

template <>
Expected<AlibiDistance> from_name(std::string_view name) {
  return from_name<AlibiDistance>(distance_names, "distance", name);
}

Expected<void> alibi_slopes(const AlibiOptions& options, std::span<float> out) {
  if (auto checked = check_whole("heads", static_cast<std::int64_t>(out.size()), 1, max_heads); !checked)
    return checked;
  if (auto checked = check_steepness(options.steepness); !checked) return checked;
  for (std::size_t h = 0; h < out.size(); ++h) out[h] = static_cast<float>(slope(options, h, out.size()));
  return {};
}

Expected<void> alibi_bias(const AlibiOptions& options, const RelativePositions& positions, Future future,
                          std::span<float> out) {
  if (auto checked = check_steepness(options.steepness); !checked) return checked;
  auto slopes = AlignedArray<double>::make(positions.heads());
  if (!slopes) return std::unexpected(slopes.error());
  for (std::size_t h = 0; h < slopes->size(); ++h) (*slopes)[h] = slope(options, h, slopes->size());
  const bool linear = options.distance == AlibiDistance::linear;
  return write_compact(positions, future, out, [&](std::size_t h, std::int64_t distance) {
    // The sign is changed on the integer: a double's zero would become -0, with some compilers only.
    return (*slopes)[h] * static_cast<double>(linear || distance < 0 ? distance : -distance);
  });
}

}  // namespace posenc
