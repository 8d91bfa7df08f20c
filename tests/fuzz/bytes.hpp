#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fuzz {

/// A fuzzer's bytes, read as the numbers and lists that functions take. Once they are used up, everything is 0.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool is_empty() const { return at_ >= bytes_.size(); }
  std::uint8_t byte() { return is_empty() ? 0 : bytes_[at_++]; }
  bool flag() { return byte() % 2 != 0; }
  /// 0 ... count - 1, for a count up to 256.
  std::size_t below(std::size_t count) { return byte() % count; }

  /// An enumerator, the last of which is `last`.
  template <class Enum>
  Enum one_up_to(Enum last) {
    return static_cast<Enum>(below(static_cast<std::size_t>(last) + 1));
  }

  /// Mostly 0 ... 16, at times a number that no extent may have.
  std::int64_t extent();
  /// Mostly usual, at times absurd: not finite, huge, negative.
  double number();
  std::optional<double> maybe_number();
  std::optional<std::int64_t> maybe_extent();

  /// Mostly `right`, at times one more or less, or none.
  std::size_t size_near(std::size_t right);
  std::vector<float> floats(std::size_t count);
  std::vector<double> doubles(std::size_t count);
  std::string text();

 private:
  std::uint64_t raw(std::size_t bytes);

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

/// The product of extents as a size that memory can hold; if it does not fit, some small one, which is then wrong.
[[nodiscard]] std::size_t volume(std::initializer_list<std::int64_t> extents);

}  // namespace fuzz
