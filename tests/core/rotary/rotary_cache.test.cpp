#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <vector>

#include "frequencies/scaling_reference.hpp"
#include "posenc/rotary/rotary.hpp"
#include "rotary/rotary_reference.hpp"
#include "testing/testing.hpp"

using posenc::Layout;
using posenc::Positions;
using posenc::Rotary;
using posenc::RotaryOptions;
using testing::same_bits;
using testing::untouched;
using testing::value_of;

namespace {

struct Cache {
  std::vector<float> cosines;
  std::vector<float> sines;
};

Cache cache_of(const RotaryOptions& options, const Positions& positions) {
  const auto rotary = value_of(Rotary::make(options));
  const std::size_t size = positions.count() * rotary.rotary_dim() / 2;
  Cache cache{std::vector<float>(size, untouched), std::vector<float>(size, untouched)};
  value_of(rotary.cache(positions, cache.cosines, cache.sines));
  return cache;
}

reference::LargestErrors measure(const RotaryOptions& options, const std::vector<double>& positions) {
  const Cache cache = cache_of(options, Positions::list(positions));
  const auto [frequencies, factor] = reference::scaled(posenc::plan_of(options));
  reference::LargestErrors errors;
  std::size_t at = 0;
  for (const double position : positions)
    for (const reference::Quad frequency : frequencies) {
      const reference::Phase phase = reference::phase(frequency * position);
      errors.note(cache.cosines[at], factor * phase.cosine);
      errors.note(cache.sines[at], factor * phase.sine);
      ++at;
    }
  return errors;
}

/// Refused with `argument` named, and nothing written.
void check_refused(const Positions& positions, std::size_t cosines, std::size_t sines, std::string_view argument) {
  const auto rotary = value_of(Rotary::make({.dim = 8, .layout = Layout::half}));
  Cache cache{std::vector<float>(cosines, untouched), std::vector<float>(sines, untouched)};
  testing::require_error(rotary.cache(positions, cache.cosines, cache.sines), argument, "");
  CHECK(testing::is_untouched(cache.cosines));
  CHECK(testing::is_untouched(cache.sines));
}

}  // namespace

TEST_CASE("rotary: cosines and sines are accurate", "[rotary][accuracy]") {
  std::vector<double> positions{-1, -0.3, 0.1, 4095, 131071, 1048575, -1048575, 67108865, 2147483648.0, -2147483647.5};
  for (int i = 0; i < 200; ++i) positions.push_back(i);
  reference::LargestErrors errors;
  for (const double base : {500.0, 1e4, 5e5, 1e6, 0.5})
    errors.note(measure({.dim = 64, .layout = Layout::half, .base = base}, positions));
  errors.note(measure({.dim = 128, .layout = Layout::half, .rotary_dim = 50}, positions));
  errors.note(measure({.dim = 64, .layout = Layout::half, .exponent = posenc::Exponent::double_stepped}, positions));
  errors.note(
      measure({.dim = 64, .layout = Layout::half}, {0x1p53, -0x1p53, 0x1p53 - 1, 0x1p52 + 0.5, 6134899525417045.0}));
  std::printf("largest error: rotary cache: %.7f ulp, %.4e absolute\n", errors.ulp, errors.absolute);
  CHECK(errors.ulp <= 0.501);
  CHECK(errors.absolute <= 3.0e-8);
}

TEST_CASE("rotary: an attention factor is in the one rounding", "[rotary][accuracy]") {
  namespace scaling = posenc::scaling;
  std::vector<double> positions{-1, -0.3, 0.1, 4095, 131071, 1048575, -1048575, 67108865, -2147483647.5};
  for (int i = 0; i < 200; ++i) positions.push_back(i);
  reference::LargestErrors errors;
  const auto with = [&](const posenc::Scaling& rule, std::optional<std::int64_t> length = {}) {
    return measure({.dim = 64, .layout = Layout::half, .scaling = rule, .length = length}, positions);
  };
  for (const double factor : {1.5, 4.0, 40.0, 64.0}) {
    errors.note(with(scaling::Yarn{.factor = factor, .original_length = 4096}));
    errors.note(
        with(scaling::Longrope{factor, 4096, std::vector<double>(32, 1.25), std::vector<double>(32, factor)}, 131072));
  }
  errors.note(with(scaling::Yarn{.factor = 40, .original_length = 4096, .mscale = 1, .mscale_all_dim = 0.707}));
  for (const double factor : {0.1, 0.9, 1.0 / 3, 1.1902380714238083, 1000.0})
    errors.note(with(scaling::Yarn{.factor = 4, .original_length = 4096, .attention_factor = factor}));
  errors.note(with(scaling::Given{std::vector<double>(32, 0.7), 1.7}));
  std::printf("largest error: rotary cache with an attention factor: %.7f ulp\n", errors.ulp);
  CHECK(errors.ulp <= 0.501);
  errors = with(scaling::Yarn{.factor = 4, .original_length = 4096, .attention_factor = 0.99});
  CHECK(errors.absolute <= 3.0e-8);
}

TEST_CASE("rotary: caches with an attention factor have the same rows one by one, and in both directions", "[rotary]") {
  const RotaryOptions options{
      .dim = 22, .layout = Layout::half, .scaling = posenc::scaling::Yarn{.factor = 40, .original_length = 4096}};
  const Cache all = cache_of(options, Positions::range(100, 1000));
  for (std::size_t row = 0; row < 100; ++row) {
    const Cache one = cache_of(options, Positions::range(1, 1000 + static_cast<double>(row)));
    REQUIRE(same_bits(std::span(all.cosines).subspan(row * 11, 11), one.cosines));
    REQUIRE(same_bits(std::span(all.sines).subspan(row * 11, 11), one.sines));
  }
}

TEST_CASE("rotary: the cache is the sinusoidal table's values, bit for bit", "[rotary]") {
  for (const std::int64_t dim : {2, 6, 30, 64}) {
    const Cache cache = cache_of({.dim = dim, .layout = Layout::half}, Positions::range(40, -3));
    const auto table = testing::table_of({.frequencies = {.dim = dim}}, Positions::range(40, -3));
    REQUIRE(table.size() == 2 * cache.sines.size());
    for (std::size_t i = 0; i < cache.sines.size(); ++i) {
      REQUIRE(same_bits(cache.sines[i], table[2 * i]));
      REQUIRE(same_bits(cache.cosines[i], table[2 * i + 1]));
    }
  }
}

TEST_CASE("rotary: a cache of a range is that of the list, and its slices are slices", "[rotary]") {
  const RotaryOptions options{.dim = 22, .layout = Layout::half};
  const std::vector<double> positions{5, 6, 7, 8};
  const Cache range = cache_of(options, Positions::range(4, 5));
  const Cache list = cache_of(options, Positions::list(positions));
  const Cache slice = cache_of(options, Positions::range(2, 6));
  CHECK(same_bits(range.cosines, list.cosines));
  CHECK(same_bits(range.sines, list.sines));
  CHECK(same_bits(slice.cosines, std::span(range.cosines).subspan(11, 22)));
  CHECK(same_bits(slice.sines, std::span(range.sines).subspan(11, 22)));
}

TEST_CASE("rotary: a cache of no positions is empty", "[rotary]") {
  CHECK(cache_of({.dim = 8, .layout = Layout::half}, Positions::range(0)).cosines.empty());
}

TEST_CASE("rotary: a cache of bad positions or of another size is an Error and nothing is written", "[rotary]") {
  const std::vector<double> nan_last{0, std::nan("")};
  const std::vector<double> too_large{posenc::max_angle + 2, 0};
  check_refused(Positions::list(nan_last), 8, 8, "positions");
  check_refused(Positions::list(too_large), 8, 8, "positions");
  check_refused(Positions::range(2, std::numeric_limits<double>::infinity()), 8, 8, "offset");
  check_refused(Positions::range(2), 7, 8, "cosines");
  check_refused(Positions::range(2), 9, 8, "cosines");
  check_refused(Positions::range(2), 8, 7, "sines");
  check_refused(Positions::range(2), 8, 16, "sines");
  check_refused(Positions::range(std::size_t{1} << (sizeof(std::size_t) * 8 - 2)), 0, 0, "cosines");
}

TEST_CASE("rotary cache: cosines, then sines, have the bits that are stored", "[hashes]") {
  namespace scaling = posenc::scaling;
  const auto check = [](std::string_view name, std::string_view stored, const Cache& cache) {
    testing::check_hash(name, stored, {cache.cosines, cache.sines});
  };
  // Positions 0 to 255; dim 128, base 500000.
  check("cache 256 x 64", "312847dacabafeb3",
        cache_of({.dim = 128, .layout = Layout::half, .base = 5e5}, Positions::range(256)));
  // Positions 1048575, -3, 0.5; dim 80, rotary dim 20.
  const std::vector<double> positions{1048575, -3, 0.5};
  check("cache partial", "08956c4675c7ab86",
        cache_of({.dim = 80, .layout = Layout::half, .rotary_dim = 20}, Positions::list(positions)));
  // Positions 8192 to 8222 with Llama 3.1's rule: dim 128, base 500000.
  const scaling::Llama3 llama3{8, 1, 4, 8192};
  check("cache llama3", "db5933c710406802",
        cache_of({.dim = 128, .layout = Layout::half, .base = 5e5, .scaling = llama3}, Positions::range(31, 8192)));
  // YaRN: dim 64, base 10000, factor 40, original length 4096.
  const scaling::Yarn yarn{.factor = 40, .original_length = 4096};
  check("cache yarn", "d39a9ee82da2590a",
        cache_of({.dim = 64, .layout = Layout::half, .scaling = yarn}, Positions::range(31, 8192)));
}
