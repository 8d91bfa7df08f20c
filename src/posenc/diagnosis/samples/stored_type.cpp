#include "posenc/diagnosis/samples/stored_type.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

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

}  // namespace

Expected<StoredType> stored_type_of(const SampledTensor& tensor, std::string_view argument) {
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
  auto float_type = float_types.begin();
  for (std::size_t i = 0; i < size; ++i) {
    const double value = tensor.values[i];
    if (!std::isfinite(value)) return invalid_argument(name + ".data[" + decimal(i) + "]", value, expected::finite);
    while (!represents(*float_type, value)) ++float_type;
  }
  StoredType type = float_type->type;
  if (!tensor.dtype) return type;
  const auto* const given = std::ranges::find(float_types, std::string_view(*tensor.dtype),
                                              [](const FloatType& each) { return each.type.name; });
  if (given == float_types.end())
    return invalid_argument(name + ".dtype", *tensor.dtype, {R"("float64", "float32", "float16" or "bfloat16")"});
  type.name = given->type.name;
  type.rounding = std::max(type.rounding, given->type.rounding);
  type.least = std::max(type.least, given->type.least);
  return type;
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

}  // namespace posenc::diagnosis
