#include "posenc/relative/kerple.hpp"

#include <limits>
#include <string>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/array_maths.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/kernels/diagonal_rows.hpp"

namespace posenc {
namespace {

Expected<void> check_parameters(std::string_view argument, std::span<const float> values, std::size_t heads,
                                float most) {
  POSENC_TRY(check_size(argument, values.size(), heads));
  for (const float value : values) {
    const bool usable = value > 0 && value <= most;
    if (!usable)
      return most == 2 ? invalid_argument(argument, static_cast<double>(value), expected::above_to, {0, most})
                       : invalid_argument(argument, static_cast<double>(value), expected::finite_above, {0});
  }
  return {};
}

}  // namespace

Expected<void> kerple_bias(const KerpleOptions& options, const RelativePositions& positions, Future future,
                           std::span<float> out) {
  constexpr float finite = std::numeric_limits<float>::max();
  const bool is_weight = options.kernel == KerpleKernel::weight;
  const bool is_power = is_weight || options.kernel == KerpleKernel::power;
  if (is_weight && future == Future::mask)
    return invalid_argument("future", std::string("\"mask\""), expected::exactly, {"\"keep\""},
                            ", for weights: scores are masked afterwards");
  POSENC_TRY(check_parameters("r1", options.r1, positions.heads(), finite));
  POSENC_TRY(check_parameters("r2", options.r2, positions.heads(), is_power ? 2 : finite));
  const std::size_t distances = positions.distances();
  POSENC_TRY(check_size("out", out.size(), positions.heads(), distances));
  if (out.empty()) return {};
  const DistanceSizes sizes(positions, future);
  const std::size_t count = sizes.count();
  POSENC_TRY_LET(memory, AlignedArray<double>::make_unfilled(2 * count));
  POSENC_TRY_LET(values, AlignedArray<float>::make_unfilled(count));
  // The sizes; of the power kernel, to which 0 is apart, their logarithms, which all heads share.
  const auto inputs = memory.span().first(count), powers = memory.span().last(count);
  const bool has_zero = count != 0 && sizes.least() == 0;
  for (std::size_t k = 0; k < count; ++k) inputs[k] = static_cast<double>(sizes.least() + static_cast<std::int64_t>(k));
  if (is_power && has_zero) inputs[0] = 1;
  if (is_power) logarithms(inputs);
  for (std::size_t h = 0; h < positions.heads(); ++h) {
    const auto r1 = static_cast<double>(options.r1[h]), r2 = static_cast<double>(options.r2[h]);
    for (std::size_t k = 0; k < count; ++k) powers[k] = r2 * inputs[k];
    if (is_power)
      exponentials<double>(powers);
    else
      logarithms_1p<double>(powers);
    for (std::size_t k = 0; k < count; ++k) powers[k] *= -r1;
    if (is_weight) exponentials<double>(powers);
    for (std::size_t k = 0; k < count; ++k) values[k] = static_cast<float>(powers[k]);
    if (has_zero) values[0] = is_weight ? 1 : 0;
    sizes.write(values.span(), out.subspan(h * distances, distances));
  }
  return {};
}

}  // namespace posenc
