#include "posenc/diagnosis/engine/noise.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

// std::log is right here: it bounds roundings.

namespace posenc::diagnosis {
namespace {

/// A type of `digits` significant bits, and the range of its magnitudes.
struct FloatType {
  StoredType type;
  int digits;
  double smallest, largest;
};

/// Coarsest first. Of float64 the rounding is taken to be 2^-40: who computes in double has angles whose own rounding
/// grows with the position, to 2^-40 at some thousands.
constexpr std::array<FloatType, 4> float_types{{
    {{"bfloat16", 0x1p-8, 0x1p-134}, 8, 0x1p-133, 0x1.fep127},
    {{"float16", 0x1p-11, 0x1p-25}, 11, 0x1p-24, 65504},
    {{"float32", float32_rounding, 0x1p-150}, 24, 0x1p-149, 0x1.fffffep127},
    {{"float64", 0x1p-40, 0x1p-1074}, 53, 0x1p-1074, 0x1.fffffffffffffp1023},
}};

constexpr std::array<std::string_view, 3> quantizations{"q8_0", "fp8-e4m3", "fp8-e5m2"};

bool represents(const FloatType& float_type, double value) {
  // Most values are of float32: of these the compiler's own conversion is the quickest answer.
  if (float_type.digits == 24) return static_cast<double>(static_cast<float>(value)) == value;
  const double magnitude = std::fabs(value);
  if (magnitude > float_type.largest) return false;
  int exponent = 0;
  const double mantissa = std::ldexp(std::frexp(magnitude, &exponent), float_type.digits);
  const double steps = magnitude / float_type.smallest;
  return mantissa == std::floor(mantissa) && (steps == std::floor(steps) || std::isinf(steps));
}

const FloatType* named_type(std::string_view name) {
  return std::ranges::find(float_types, name, [](const FloatType& each) { return each.type.name; });
}

}  // namespace

Expected<std::vector<StoredType>> stored_types_of(const SampledTensor& tensor, std::string_view argument) {
  const std::string name(argument);
  std::size_t size = 1;
  for (const std::int64_t extent : tensor.shape) {
    if (extent < 1)
      return invalid_argument(name + ".shape", static_cast<double>(extent), expected::extents_at_least, {1});
    const auto factor = static_cast<std::uint64_t>(extent);
    size = size > tensor.values.size() / factor ? tensor.values.size() + 1 : size * static_cast<std::size_t>(factor);
  }
  if (tensor.shape.empty() || size != tensor.values.size())
    return invalid_argument(name + ".data", static_cast<double>(tensor.values.size()),
                            {"as many values as its shape has"});
  const auto* fitted = float_types.begin();
  for (std::size_t i = 0; i < size; ++i) {
    const double value = tensor.values[i];
    if (!std::isfinite(value)) return invalid_argument(name + ".data[" + decimal(i) + "]", value, expected::finite);
    while (!represents(*fitted, value)) ++fitted;
  }
  if (tensor.quantized && std::ranges::find(quantizations, *tensor.quantized) == quantizations.end())
    return invalid_argument(name + ".quantized", *tensor.quantized, {R"("q8_0", "fp8-e4m3" or "fp8-e5m2")"});
  const auto* given = named_type(tensor.dtype ? std::string_view(*tensor.dtype) : tensor.values.type_name());
  if (given == float_types.end())
    return invalid_argument(name + ".dtype", tensor.dtype.value_or(""),
                            {R"("float64", "float32", "float16" or "bfloat16")"});
  std::vector<StoredType> made{given->type};
  // A stated type may be finer than the array only in name.
  if (tensor.dtype) return made;
  if (fitted < given)
    made.push_back(fitted->type);
  else if (given->type.rounding < float32_rounding)
    // Products of doubles with cosines of float32.
    made.push_back({"float32", float32_rounding, given->type.least});
  return made;
}

bool are_zeros(const SampleValues& values) {
  for (std::size_t at = 0; at < values.size(); ++at)
    if (values[at] != 0) return false;
  return true;
}

Expected<void> check_positions(std::span<const double> positions, std::size_t count) {
  POSENC_TRY(check_size("positions", positions.size(), count));
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (!std::isfinite(positions[i]))
      return invalid_argument("positions[" + decimal(i) + "]", positions[i], expected::finite);
  return {};
}

double loose_rate(AngleArithmetic arithmetic, bool is_named, std::size_t pair, double frequency) {
  constexpr double exact_angles = 0x1p-50;
  // The last bits of the power, its reciprocal, the position and the product; and an exponent that is rounded moves a
  // power base^-e by ln(base) e 2^-24.
  constexpr double own_steps = 3, other_steps = 9;
  const double by_exponent = frequency == 0 ? 0 : std::fabs(std::log(std::fabs(frequency)));
  // In a running product each pair adds the last bits of its own.
  const auto by_product = static_cast<double>(pair);
  if (arithmetic == AngleArithmetic::exact && is_named) return exact_angles;
  if (arithmetic == AngleArithmetic::exact)
    return float32_rounding * (other_steps + std::max(2 * by_exponent, by_product));
  return float32_rounding * (own_steps + (arithmetic == AngleArithmetic::product ? by_product : by_exponent));
}

double coarse_angle(AngleArithmetic arithmetic, double angle, double position) {
  if (arithmetic == AngleArithmetic::float16) return 0x1p-9 * angle + 0x1p-24 * (1 + std::fabs(position));
  return arithmetic == AngleArithmetic::bfloat16 ? 0x1p-6 * angle : 0;
}

void add_quantization(std::string_view quantized, double largest, std::span<const double> vector,
                      std::span<double> slack) {
  if (quantized == "q8_0") {
    // A block has 127 steps up to its largest, and the step is a float16.
    constexpr std::size_t block = 32;
    constexpr double steps = 1.0 / 254 + 0x1p-11 + 0x1p-20;
    for (std::size_t start = 0; start < vector.size(); start += block) {
      const std::size_t end = std::min(start + block, vector.size());
      double most = 0;
      for (std::size_t i = start; i < end; ++i) most = std::max(most, std::fabs(vector[i]));
      for (std::size_t i = start; i < end; ++i) slack[i] += steps * most;
    }
    return;
  }
  const bool has_three_digits = quantized == "fp8-e4m3";
  const double relative = has_three_digits ? 0x1p-4 : 0x1p-3, most = has_three_digits ? 448 : 57344;
  const double least = (has_three_digits ? 0x1p-10 : 0x1p-17) * std::max(1.0, largest / most);
  // The largest error of a value is relative to what it was: a little more than to what it is.
  for (std::size_t i = 0; i < vector.size(); ++i)
    slack[i] += std::max(relative * (1 + relative) * std::fabs(vector[i]), least);
}

}  // namespace posenc::diagnosis
