#include "posenc/relative/kerple.hpp"

#include <cmath>
#include <limits>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/relative/kernels/diagonal_rows.hpp"

namespace posenc {
namespace {

constexpr Name kernel_names[]{
    {"logarithmic", KerpleKernel::logarithmic},
    {"power", KerpleKernel::power},
};

Expected<void> check_parameters(std::string_view argument, std::span<const float> values, std::size_t heads,
                                float most) {
  if (auto checked = check_size(argument, values.size(), heads); !checked) return checked;
  for (const float value : values) {
    const bool usable = value > 0 && value <= most;
    if (!usable)
      return wrong(argument, static_cast<double>(value), {most == 2 ? "numbers > 0, at most 2" : "finite numbers > 0"});
  }
  return {};
}

double power(double base, double exponent) { return base == 0 ? 0 : exp(log(base) * DoubleDouble{exponent, 0}).high; }

}  // namespace

template <>
Expected<KerpleKernel> from_name(std::string_view name) {
  return from_name<KerpleKernel>(kernel_names, "kernel", name);
}

Expected<void> kerple_bias(const KerpleOptions& options, const RelativePositions& positions, Future future,
                           std::span<float> out) {
  constexpr float finite = std::numeric_limits<float>::max();
  const bool is_power = options.kernel == KerpleKernel::power;
  if (auto checked = check_parameters("r1", options.r1, positions.heads(), finite); !checked) return checked;
  if (auto checked = check_parameters("r2", options.r2, positions.heads(), is_power ? 2 : finite); !checked)
    return checked;
  return write_compact(positions, future, out, [&](std::size_t h, std::int64_t distance) {
    // The bias is symmetric: one side is computed, the other copied from it.
    const std::int64_t mirrored = -distance - positions.distance(0);
    if (distance > 0 && mirrored >= 0)
      return static_cast<double>(out[h * positions.distances() + static_cast<std::size_t>(mirrored)]);
    const auto d = std::fabs(static_cast<double>(distance));
    const auto r2 = static_cast<double>(options.r2[h]);
    const double size = static_cast<double>(options.r1[h]) * (is_power ? power(d, r2) : logarithm_1p(r2 * d));
    return size == 0 ? 0.0 : -size;
  });
}

}  // namespace posenc
