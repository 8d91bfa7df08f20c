#include "testing/testing.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>

namespace testing {
namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

}  // namespace

std::vector<float> fractions(std::size_t count, std::uint32_t seed) {
  Generator generator(seed);
  std::vector<float> values(count);
  for (float& value : values) value = generator.fraction();
  return values;
}

std::string value_text(const posenc::Error& error) {
  const std::string message = error.message();
  const std::size_t first = error.argument.size() + 2;
  return message.substr(first, message.size() - first - std::string_view(", expected ").size() - error.expected.size());
}

void check_error(const posenc::Error& error, std::string_view argument, std::string_view value) {
  INFO(error.message());
  CHECK(error.argument == argument);
  CHECK(lower_case(value_text(error)).find(lower_case(value)) != std::string::npos);
  CHECK_FALSE(error.expected.empty());
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

bool is_untouched(std::span<const float> out) {
  return std::ranges::all_of(out, [](float value) { return same_bits(value, untouched); });
}

std::vector<float> table_of(const posenc::SinusoidalOptions& options, const posenc::Positions& positions) {
  const auto encoding = value_of(posenc::Sinusoidal::make(options));
  std::vector<float> out(positions.count() * encoding.dim(), untouched);
  value_of(encoding.table(positions, out));
  return out;
}

std::vector<float> rotated(const posenc::RotaryOptions& options, std::vector<float> x,
                           std::span<const std::int64_t> shape, const posenc::Positions& positions,
                           posenc::Direction direction, std::optional<std::int64_t> sequence_axis) {
  const auto rotary = value_of(posenc::Rotary::make(options));
  const auto sequence_shape = value_of(posenc::SequenceShape::make(shape, {.sequence = sequence_axis}));
  value_of(rotary.apply(x, sequence_shape, positions, direction));
  return x;
}

}  // namespace testing
