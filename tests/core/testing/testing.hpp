#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/frequencies/positions.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

/// Helpers that several test files share.
namespace testing {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr float float_infinity = std::numeric_limits<float>::infinity();

/// Pseudo-random numbers, the same on every machine, in JavaScript too: state = state * 1664525 + 1013904223 mod 2^32,
/// of which each draw takes the upper 24 bits.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : state_(seed) {}

  /// 0 ... 2^24 - 1
  [[nodiscard]] std::uint32_t next() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 8;
  }

  /// 0 ... count - 1
  [[nodiscard]] std::size_t below(std::size_t count) { return next() % count; }

  /// next() / 2^23 - 1, which is exact: -1 <= x < 1
  [[nodiscard]] float fraction() { return static_cast<float>(next()) / 8388608.0f - 1.0f; }

 private:
  std::uint32_t state_;
};

/// `count` draws of Generator(seed).fraction().
[[nodiscard]] std::vector<float> fractions(std::size_t count, std::uint32_t seed);

/// The value, or a failed test that shows the Error.
template <class T>
T value_of(posenc::Expected<T> result) {
  if (!result) FAIL(result.error().message());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// How the message shows the value.
[[nodiscard]] std::string value_text(const posenc::Error& error);

/// The error's argument is `argument`; its value contains `value`, whatever the case; it says what was expected.
void check_error(const posenc::Error& error, std::string_view argument, std::string_view value);

template <class T>
void require_error(const posenc::Expected<T>& result, std::string_view argument, std::string_view value) {
  INFO("an Error about " << argument << ": " << value);
  REQUIRE_FALSE(result.has_value());
  check_error(result.error(), argument, value);
}

[[nodiscard]] bool same_bits(std::span<const float> a, std::span<const float> b);
[[nodiscard]] inline bool same_bits(float a, float b) { return same_bits({&a, 1}, {&b, 1}); }

/// FNV-1a of 64 bits over the values of all outputs in order, each as four bytes, the lowest first; in hexadecimal.
[[nodiscard]] std::string hash_of(std::initializer_list<std::span<const float>> outputs);

/// Checks that bits are the same on every machine: the outputs have the hash that is stored. Another one is a change of
/// what the library computes, and needs a reason. The name is for the tests of the API, which look the hash up in the
/// tests' text; a comment says in words how to repeat the outputs. Tests that call this have the tag [hashes].
void check_hash(std::string_view name, std::string_view stored, std::initializer_list<std::span<const float>> outputs);

/// Extents, outermost first.
using Shape = std::vector<std::int64_t>;

/// An extent that still fits into a shape, and that no test could count to where a size has 64 bits.
inline constexpr std::int64_t very_many = std::int64_t{1} << (sizeof(std::size_t) == 8 ? 40 : 20);

/// Outputs are filled with this: after an Error they must be unchanged.
inline constexpr float untouched = 7.25f;
[[nodiscard]] bool is_untouched(std::span<const float> out);

/// The table of an encoding, which must succeed.
[[nodiscard]] std::vector<float> table_of(const posenc::SinusoidalOptions& options, const posenc::Positions& positions);

/// The usual shape of tests, which must succeed: [..., seq, heads, dim] or [seq, dim].
[[nodiscard]] posenc::SequenceShape sequence_first(std::span<const std::int64_t> shape);

/// x rotated, which must succeed; without a sequence axis as sequence_first has it.
[[nodiscard]] std::vector<float> rotated(const posenc::RotaryOptions& options, std::vector<float> x,
                                         std::span<const std::int64_t> shape, const posenc::Positions& positions,
                                         posenc::Direction direction = posenc::Direction::forward,
                                         std::optional<std::int64_t> sequence_axis = {});

}  // namespace testing
