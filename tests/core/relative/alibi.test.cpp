#include "posenc/relative/alibi.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "relative/relative_testing.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::AlibiDistance;
using posenc::AlibiOptions;
using posenc::AlibiSlopes;
using posenc::Future;
using posenc::RelativePositions;
using reference::Quad;
using testing::require_error;
using testing::value_of;

namespace {

std::vector<float> slopes(std::size_t heads, const AlibiOptions& options = {}) {
  std::vector<float> out(heads);
  value_of(posenc::alibi_slopes(options, out));
  return out;
}

/// By the authors' recursion: a power of two as it is, else the lower one and every other slope of the doubled one.
std::vector<Quad> paper_exponents(std::size_t heads, double steepness) {
  std::size_t power = 1;
  while (power * 2 <= heads) power *= 2;
  std::vector<Quad> exponents;
  for (std::size_t h = 1; h <= power; ++h) exponents.push_back(static_cast<Quad>(steepness) * h / power);
  for (std::size_t h = 1; exponents.size() < heads; h += 2)
    exponents.push_back(static_cast<Quad>(steepness) * h / (2 * power));
  return exponents;
}

/// All slopes of the next power of two, every second one first.
std::vector<Quad> mpt_exponents(std::size_t heads, double steepness) {
  std::size_t power = 1;
  while (power < heads) power *= 2;
  if (power == heads) return paper_exponents(heads, steepness);
  std::vector<Quad> exponents;
  for (std::size_t start : {2u, 1u})
    for (std::size_t h = start; h <= power && exponents.size() < heads; h += 2)
      exponents.push_back(static_cast<Quad>(steepness) * h / power);
  return exponents;
}

}  // namespace

TEST_CASE("alibi: slopes of 8 and 12 heads as the paper prints them", "[alibi]") {
  CHECK(slopes(8) == std::vector{0.5f, 0.25f, 0.125f, 0.0625f, 0x1p-5f, 0x1p-6f, 0x1p-7f, 0x1p-8f});
  const auto twelve = slopes(12);
  CHECK(twelve[7] == 0x1p-8f);
  for (std::size_t k = 0; k < 4; ++k)
    CHECK(reference::ulp_error(twelve[8 + k], reference::power(2, -static_cast<Quad>(0.5) - static_cast<Quad>(k))) <
          0.501);
  CHECK(slopes(1) == std::vector{0x1p-8f});
}

TEST_CASE("alibi: slopes of any number of heads, by either convention", "[alibi][accuracy]") {
  double worst = 0;
  for (std::size_t heads = 1; heads <= 130; ++heads)
    for (const double steepness : {8.0, 16.0, 3.7}) {
      const auto paper = paper_exponents(heads, steepness);
      const auto mpt = mpt_exponents(heads, steepness);
      const auto by_paper = slopes(heads, {.steepness = steepness});
      const auto by_mpt = slopes(heads, {.slopes = AlibiSlopes::mpt, .steepness = steepness});
      for (std::size_t h = 0; h < heads; ++h) {
        worst = std::fmax(worst, reference::ulp_error(by_paper[h], reference::power(2, -paper[h])));
        worst = std::fmax(worst, reference::ulp_error(by_mpt[h], reference::power(2, -mpt[h])));
      }
    }
  std::printf("largest error: alibi slopes: %.4f ulp\n", worst);
  CHECK(worst <= 0.501);
}

TEST_CASE("alibi: bias is slope * distance, for any shape", "[alibi][accuracy]") {
  testing::Generator generator(310);
  double worst = 0;
  for (int round = 0; round < 200; ++round) {
    auto shape = testing::random_shape(generator);
    shape.heads = static_cast<std::int64_t>(1 + generator.below(20));
    const auto positions = value_of(RelativePositions::make(shape));
    const AlibiOptions options{.distance = generator.below(2) == 0 ? AlibiDistance::symmetric : AlibiDistance::linear};
    const Future future = generator.below(2) == 0 ? Future::keep : Future::mask;
    std::vector<float> bias(positions.heads() * positions.distances());
    value_of(posenc::alibi_bias(options, positions, future, bias));
    const auto exponents = paper_exponents(positions.heads(), 8);
    worst = std::fmax(worst, testing::worst_ulp(positions, future, bias, [&](std::size_t h, std::int64_t d) {
                        const Quad times = options.distance == AlibiDistance::linear || d < 0 ? d : -d;
                        return reference::power(2, -exponents[h]) * times;
                      }));
  }
  std::printf("largest error: alibi bias: %.4f ulp\n", worst);
  CHECK(worst <= 0.501);
}

TEST_CASE("alibi: wrong options are Errors", "[alibi]") {
  std::vector<float> out(4, testing::untouched);
  const auto positions = value_of(RelativePositions::make({.heads = 2, .queries = 2, .keys = 2}));
  require_error(posenc::alibi_slopes({}, {}), "heads", "0");
  for (const double steepness : {0.0, -8.0, 1001.0, std::nan("")}) {
    require_error(posenc::alibi_slopes({.steepness = steepness}, out), "steepness", "");
    require_error(posenc::alibi_bias({.steepness = steepness}, positions, Future::keep, out), "steepness", "");
  }
  require_error(posenc::alibi_bias({}, positions, Future::keep, out), "out", "4");
  require_error(posenc::from_name<posenc::AlibiSlopes>("bloom"), "slopes", "bloom");
  require_error(posenc::from_name<posenc::AlibiDistance>("abs"), "distance", "abs");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("alibi: biases have the bits that are stored", "[hashes]") {
  const auto positions = testing::hashed_positions();
  std::vector<float> out(positions.heads() * positions.distances());
  value_of(posenc::alibi_bias({}, positions, Future::keep, out));
  testing::check_hash("alibi", "a17bbae5fcc11a15", {out});
}
