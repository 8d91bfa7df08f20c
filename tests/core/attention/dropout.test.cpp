#include "posenc/attention/dropout.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "testing/testing.hpp"

using posenc::Dropout;
using testing::fractions;
using testing::same_bits;
using testing::value_of;

namespace {

/// Philox4x32-10 by the paper's description: the words in pairs, the key raised by the golden ratio and sqrt(3) - 1.
std::array<std::uint32_t, 4> philox_by_pairs(std::array<std::uint32_t, 4> words, std::uint32_t key0,
                                             std::uint32_t key1) {
  for (std::uint32_t round = 0; round < 10; ++round) {
    const auto product = [&](std::uint32_t multiplier, std::size_t word) {
      return static_cast<std::uint64_t>(multiplier) * words[word];
    };
    const auto a = product(3528531795u, 0);
    const auto b = product(3449720151u, 2);
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x / 4294967296u); };
    words = {high(b) ^ words[1] ^ (key0 + round * 2654435769u), static_cast<std::uint32_t>(b % 4294967296u),
             high(a) ^ words[3] ^ (key1 + round * 3144134277u), static_cast<std::uint32_t>(a % 4294967296u)};
  }
  return words;
}

bool dropped_by_formula(const Dropout& options, std::uint64_t i) {
  const std::uint64_t at = options.first + i;
  const auto words =
      philox_by_pairs({static_cast<std::uint32_t>(at / 4), static_cast<std::uint32_t>(at / 4 >> 32), 0, 0},
                      static_cast<std::uint32_t>(options.seed), static_cast<std::uint32_t>(options.seed >> 32));
  return static_cast<double>(words[at % 4]) < std::floor(options.p * 4294967296.0);
}

std::vector<float> dropped(const Dropout& options, const std::vector<float>& x) {
  std::vector<float> out(x.size(), testing::untouched);
  value_of(posenc::dropout(options, x, out));
  return out;
}

}  // namespace

TEST_CASE("dropout: the test's Philox has the published known answers", "[dropout]") {
  using Words = std::array<std::uint32_t, 4>;
  CHECK(philox_by_pairs({0, 0, 0, 0}, 0, 0) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t ones = 0xffffffff;
  CHECK(philox_by_pairs({ones, ones, ones, ones}, ones, ones) == Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox_by_pairs({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("dropout: each element by its own counter", "[dropout]") {
  testing::Generator generator(700);
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t seed = std::uint64_t{generator.next()} << (round % 30);
    const Dropout options{.p = static_cast<double>(generator.below(101)) / 100,
                          .seed = seed,
                          .first = std::uint64_t{generator.next()} << (round % 28)};
    const auto x = fractions(1 + generator.below(40), generator.next());
    const auto out = dropped(options, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool zero = dropped_by_formula(options, i);
      REQUIRE(same_bits(out[i], zero ? 0.0f : static_cast<float>(static_cast<double>(x[i]) / (1 - options.p))));
    }
  }
}

TEST_CASE("dropout: the first word of seed 0 decides element 0", "[dropout]") {
  constexpr double word = 0x6627e8d5;
  CHECK_FALSE(same_bits(dropped({.p = word / 4294967296.0}, {1.0f})[0], 0.0f));
  CHECK(same_bits(dropped({.p = (word + 1) / 4294967296.0}, {1.0f})[0], 0.0f));
}

TEST_CASE("dropout: any slice is a slice of the whole", "[dropout]") {
  const auto x = fractions(1000, 701);
  const Dropout options{.p = 0.3, .seed = 12345};
  const auto whole = dropped(options, x);
  testing::Generator generator(702);
  for (int round = 0; round < 50; ++round) {
    const std::size_t first = generator.below(900);
    const std::size_t count = generator.below(100);
    Dropout slice = options;
    slice.first = first;
    const auto part = dropped(slice, {x.begin() + static_cast<std::ptrdiff_t>(first),
                                      x.begin() + static_cast<std::ptrdiff_t>(first + count)});
    REQUIRE(same_bits(part, std::span(whole).subspan(first, count)));
  }
}

TEST_CASE("dropout: shares and means are those of p", "[dropout]") {
  constexpr std::size_t count = 1 << 20;
  const std::vector<float> ones(count, 1.0f);
  for (const double p : {0.01, 0.1, 0.5, 0.9}) {
    const auto out = dropped({.p = p, .seed = 7}, ones);
    double zeros = 0, sum = 0, neighbours = 0;
    for (std::size_t i = 0; i < count; ++i) {
      zeros += out[i] == 0;
      sum += out[i];
      neighbours += out[i] == 0 && out[(i + 1) % count] == 0;
    }
    // Five standard deviations.
    const double share = 5 * std::sqrt(p * (1 - p) / count);
    CHECK(std::abs(zeros / count - p) <= share);
    CHECK(std::abs(sum / count - 1) <= share / (1 - p) + 1e-7);
    CHECK(std::abs(neighbours / count - p * p) <= 5 * std::sqrt(2 * p * p / count));
  }
}

TEST_CASE("dropout: nothing, everything, evaluation, in place, empty", "[dropout]") {
  const auto x = fractions(50, 703);
  CHECK(same_bits(dropped({.p = 0}, x), x));
  CHECK(same_bits(dropped({.p = 1, .seed = 3}, x), std::vector<float>(50)));
  CHECK(same_bits(dropped({.p = 0.5, .training = false}, x), x));
  CHECK(same_bits(dropped({.p = 1, .training = false}, x), x));
  auto own = x;
  value_of(posenc::dropout({.p = 0.5, .seed = 4}, own, own));
  CHECK(same_bits(own, dropped({.p = 0.5, .seed = 4}, x)));
  CHECK(dropped({.p = 0.5}, {}).empty());
}

TEST_CASE("dropout: wrong options and sizes are Errors and nothing is written", "[dropout]") {
  const auto x = fractions(8, 704);
  std::vector<float> out(8, testing::untouched);
  const auto refused = [&](const Dropout& options, std::size_t size, std::string_view argument) {
    testing::require_error(posenc::dropout(options, x, std::span(out).first(size)), argument, "");
    CHECK(testing::is_untouched(out));
  };
  for (const double p : {-0.001, 1.001, std::nan(""), HUGE_VAL}) refused({.p = p}, 8, "p");
  refused({.p = 0.5, .seed = std::uint64_t{1} << 53}, 8, "seed");
  refused({.p = 0.5, .first = ~std::uint64_t{0}}, 8, "offset");
  refused({.p = 0.5}, 7, "out");
}

TEST_CASE("dropout: ones have the bits that are stored", "[hashes]") {
  // 1000 ones, p = 0.1, seed 2024, from element 2^33 on.
  std::vector<float> ones(1000, 1);
  testing::value_of(posenc::dropout({.p = 0.1, .seed = 2024, .first = std::uint64_t{1} << 33}, ones, ones));
  testing::check_hash("dropout", "abcc8dad821c3412", {ones});
}
