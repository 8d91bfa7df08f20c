#include "testing/testing.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdio>
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
  return message.substr(first,
                        message.size() - first - std::string_view(", expected ").size() - error.expected().size());
}

void check_error(const posenc::Error& error, std::string_view argument, std::string_view value) {
  INFO(error.message());
  CHECK(error.argument == argument);
  CHECK(lower_case(value_text(error)).find(lower_case(value)) != std::string::npos);
  CHECK_FALSE(error.expected().empty());
}

std::string hash_of(std::initializer_list<std::span<const float>> outputs) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const auto& values : outputs)
    for (const float value : values) {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ (bits >> shift & 0xff)) * 0x100000001b3u;
    }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

void check_hash(std::string_view name, std::string_view stored, std::initializer_list<std::span<const float>> outputs) {
  INFO(name);
  CHECK(hash_of(outputs) == stored);
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

posenc::SequenceShape sequence_first(std::span<const std::int64_t> shape) {
  return value_of(posenc::SequenceShape::make(
      shape, {.sequence = shape.size() > 2 ? std::optional<std::int64_t>(-3) : std::nullopt}));
}

std::vector<float> rotated(const posenc::RotaryOptions& options, std::vector<float> x,
                           std::span<const std::int64_t> shape, const posenc::Positions& positions,
                           posenc::Direction direction, std::optional<std::int64_t> sequence_axis) {
  const auto rotary = value_of(posenc::Rotary::make(options));
  const auto sequence_shape =
      sequence_axis ? value_of(posenc::SequenceShape::make(shape, {.sequence = sequence_axis})) : sequence_first(shape);
  value_of(rotary.apply(x, sequence_shape, positions, direction));
  return x;
}

}  // namespace testing
