#include "bytes.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace fuzz {
namespace {

constexpr std::int64_t absurd_extents[]{-1,
                                        (std::int64_t{1} << 24) + 1,
                                        std::int64_t{1} << 31,
                                        std::int64_t{1} << 32,
                                        std::int64_t{1} << 53,
                                        std::numeric_limits<std::int64_t>::min(),
                                        std::numeric_limits<std::int64_t>::max()};

constexpr double usual_numbers[]{1, 2, 8, 0.5, 32, 4, 64, 10000, 500000, 4096, 8192, 131072, 0.1, 1e-6, 1e6};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double absurd_numbers[]{
    0, -0.0, -1, 1e308, 5e-324, 9007199254740992, std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, 1e17};

constexpr std::size_t most = 1 << 16;

}  // namespace

std::uint64_t Bytes::raw(std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | byte();
  return value;
}

std::int64_t Bytes::extent() {
  const std::uint8_t choice = byte();
  if (choice < 240) return choice % 17;
  return absurd_extents[choice % std::size(absurd_extents)];
}

double Bytes::number() {
  const std::uint8_t choice = byte();
  if (choice < 160) return usual_numbers[choice % std::size(usual_numbers)];
  if (choice < 200) return static_cast<double>(byte());
  if (choice < 230) return absurd_numbers[choice % std::size(absurd_numbers)];
  const std::uint64_t bits = raw(8);
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::optional<double> Bytes::maybe_number() { return flag() ? std::optional(number()) : std::nullopt; }

std::optional<std::int64_t> Bytes::maybe_extent() { return flag() ? std::optional(extent()) : std::nullopt; }

std::size_t Bytes::size_near(std::size_t right) {
  const std::uint8_t choice = byte();
  if (choice < 220) return right;
  if (choice < 235) return right + 1;
  return choice < 250 && right > 0 ? right - 1 : 0;
}

std::vector<float> Bytes::floats(std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(byte()) / 32 - 4;
  if (count > 0 && byte() > 240) values[below(std::min(count, std::size_t{256}))] = static_cast<float>(number());
  return values;
}

std::vector<double> Bytes::doubles(std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = number();
  return values;
}

std::string Bytes::text() {
  std::string text(below(12), ' ');
  for (char& character : text) character = static_cast<char>(byte());
  return text;
}

std::size_t volume(std::initializer_list<std::int64_t> extents) {
  std::size_t product = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 0 || extent > static_cast<std::int64_t>(most)) return 5;
    product *= static_cast<std::size_t>(extent);
    if (product > most) return 5;
  }
  return product;
}

}  // namespace fuzz
