#include "posenc/rotary/fope.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "posenc/rotary/rotary.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::FopeOptions;
using posenc::Positions;
using reference::Quad;
using testing::require_error;
using testing::value_of;

namespace {

struct Written {
  std::vector<float> cosines, sines;
};

Written write(const FopeOptions& options, const Positions& positions) {
  const std::size_t size =
      static_cast<std::size_t>(options.heads) * positions.count() * static_cast<std::size_t>(options.dim / 2);
  Written out{std::vector<float>(size, testing::untouched), std::vector<float>(size, testing::untouched)};
  value_of(posenc::write_fope(options, positions, out.cosines, out.sines));
  return out;
}

}  // namespace

TEST_CASE("fope: sums of cosines and of sines, in 113 bits", "[rotary]") {
  for (const std::int64_t dim : {2, 10, 64, 128})
    for (const std::int64_t mixed : {dim / 2, dim / 4}) {
      const std::int64_t kept = (dim + 1) / 3, heads = 3;
      const auto size = static_cast<std::size_t>(heads * kept * mixed);
      const auto cosines = testing::fractions(size, 1611), sines = testing::fractions(size, 1612);
      const FopeOptions options{
          .dim = dim, .base = 5e5, .heads = heads, .kept = kept, .mixed = mixed, .cosines = cosines, .sines = sines};
      const std::vector<double> places{0, 1, 2.5, -7, 4095, 131071, 1048575, 0x1p40 + 3};
      const Written out = write(options, Positions::list(places));
      const auto frequencies = reference::frequencies({.dim = dim, .base = 5e5});
      std::size_t at = 0;
      for (std::size_t h = 0; h < static_cast<std::size_t>(heads); ++h)
        for (const double place : places)
          for (std::size_t m = 0; m < static_cast<std::size_t>(dim / 2); ++m, ++at) {
            if (m >= static_cast<std::size_t>(mixed)) {
              REQUIRE(out.cosines[at] == 1.0f);
              REQUIRE(out.sines[at] == 0.0f);
              continue;
            }
            Quad cosine = 0, sine = 0, sum = 0;
            for (std::size_t n = 0; n < static_cast<std::size_t>(kept); ++n) {
              const std::size_t entry = (h * static_cast<std::size_t>(kept) + n) * static_cast<std::size_t>(mixed) + m;
              const auto phase = reference::phase(frequencies[n] * place);
              cosine += phase.cosine * cosines[entry];
              sine += phase.sine * sines[entry];
              sum += reference::magnitude(cosines[entry]) + reference::magnitude(sines[entry]);
            }
            const auto within = [&](float value, Quad exact) {
              const double half = std::ldexp(std::fmax(std::fabs(static_cast<double>(exact)), 0x1p-126), -24);
              return static_cast<double>(reference::magnitude(value - exact)) <=
                     half + (1e-14 + static_cast<double>(kept) * 0x1p-53) * static_cast<double>(sum);
            };
            REQUIRE(within(out.cosines[at], cosine));
            REQUIRE(within(out.sines[at], sine));
          }
    }
}

TEST_CASE("fope: unit matrices leave plain rotation, and frequencies below the floor stand still", "[rotary]") {
  // 2 pi / 2048 lies between frequencies 20 and 21 of 32: 10000^(-20/32) = 0.00316, 10000^(-21/32) = 0.00237.
  constexpr std::size_t kept = 21;
  std::vector<float> unit(kept * kept);
  for (std::size_t n = 0; n < kept; ++n) unit[n * (kept + 1)] = 1;
  FopeOptions options{.dim = 64, .heads = 1, .kept = kept, .mixed = kept, .cosines = unit, .sines = unit};
  options.original_length = 2048;
  const auto positions = Positions::range(300, 12);
  const Written out = write(options, positions);
  const auto rotary = value_of(posenc::Rotary::make({.dim = 64, .layout = posenc::Layout::half}));
  std::vector<float> cosines(out.cosines.size()), sines(out.sines.size());
  value_of(rotary.cache(positions, cosines, sines));
  for (std::size_t at = 0; at < cosines.size(); ++at) {
    REQUIRE(testing::same_bits(out.cosines[at], at % 32 < kept ? cosines[at] : 1.0f));
    REQUIRE(testing::same_bits(out.sines[at], at % 32 < kept ? sines[at] : 0.0f));
  }
  options.original_length = 2720;
  std::vector<float> none(32);
  require_error(posenc::write_fope(options, Positions::range(1), none, none), "originalLength", "2720");
}

// FoPE of 2 heads, dim 32, base 10000: 9 frequencies that fractions of seeds 1613 (cosines) and 1614 (sines) mix to 12,
// at positions 0 to 99; cosines, then sines.
TEST_CASE("fope: the same bits everywhere", "[rotary][hashes]") {
  const auto cosines = testing::fractions(2 * 9 * 12, 1613), sines = testing::fractions(2 * 9 * 12, 1614);
  const Written out =
      write({.dim = 32, .heads = 2, .kept = 9, .mixed = 12, .cosines = cosines, .sines = sines}, Positions::range(100));
  testing::check_hash("fope", "b1c9effdb7a73ed6", {out.cosines, out.sines});
}

TEST_CASE("fope: wrong options and sizes are Errors and nothing is written", "[rotary]") {
  std::vector<float> matrix(6), out(4, testing::untouched);
  const auto refused = [&](FopeOptions options, std::string_view argument, std::string_view value) {
    if (options.cosines.empty()) options.cosines = options.sines = matrix;
    require_error(posenc::write_fope(options, Positions::range(2), out, out), argument, value);
    CHECK(testing::is_untouched(out));
  };
  refused({.dim = 0, .heads = 1, .kept = 1, .mixed = 1}, "dim", "0");
  refused({.dim = 5, .heads = 1, .kept = 1, .mixed = 1}, "dim", "5");
  refused({.dim = 4, .base = -1, .heads = 1, .kept = 1, .mixed = 1}, "base", "-1");
  refused({.dim = 4, .heads = 0, .kept = 1, .mixed = 1}, "cosines", "6");
  refused({.dim = 4, .heads = 1, .kept = 3, .mixed = 1}, "cosines.shape", "3");
  refused({.dim = 4, .heads = 1, .kept = 1, .mixed = 3}, "cosines.shape", "3");
  refused({.dim = 4, .heads = 1, .kept = 2, .mixed = 2}, "cosines", "6");
  refused({.dim = 4, .heads = 3, .kept = 1, .mixed = 2}, "out.cos", "4");
  refused({.dim = 4, .heads = 1, .kept = 2, .mixed = 2, .original_length = 0}, "originalLength", "0");
  refused({.dim = 4, .heads = 1, .kept = 2, .mixed = 2, .original_length = 10}, "originalLength", "10");
}
