#include "posenc/relative/t5.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "relative/relative_testing.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::Future;
using posenc::RelativePositions;
using posenc::T5Buckets;
using posenc::T5Options;
using reference::Quad;
using testing::require_error;
using testing::value_of;

namespace {

/// The published formula: a logarithm, a product, a floor. `Real` is float for the bits of Hugging Face's, whose
/// divisor is a double rounded to float32.
template <class Real, class Log>
std::int64_t bucket_by_formula(const T5Options& options, std::int64_t distance, Real slack, const Log& ln) {
  std::int64_t buckets = options.buckets;
  std::int64_t first = 0;
  std::int64_t size = -distance;
  if (options.bidirectional) {
    buckets /= 2;
    if (distance > 0) first = buckets;
    size = distance > 0 ? distance : -distance;
  } else if (distance > 0) {
    size = 0;
  }
  const std::int64_t exact = buckets / 2;
  if (size < exact) return first + size;
  const auto divisor = static_cast<Real>(reference::logarithm(static_cast<Quad>(options.max_distance) / exact));
  const Real share = ln(static_cast<Real>(size) / static_cast<Real>(exact)) / divisor;
  const auto step = static_cast<std::int64_t>(share * static_cast<Real>(buckets - exact) + slack);
  return first + std::min(exact + step, buckets - 1);
}

std::int64_t in_quad(const T5Options& options, std::int64_t distance) {
  return bucket_by_formula<Quad>(options, distance, static_cast<Quad>(1e-25), reference::logarithm);
}

/// ln in float32: the nearest to the exact one, as the platforms' libraries give it nearly always.
std::int64_t in_float(const T5Options& options, std::int64_t distance) {
  return bucket_by_formula<float>(options, distance, 0.0f,
                                  [](float x) { return static_cast<float>(reference::logarithm(x)); });
}

}  // namespace

TEST_CASE("t5: buckets of the defaults by hand", "[t5]") {
  const auto both = value_of(T5Buckets::make({}));
  for (const auto& [distance, bucket] : std::vector<std::pair<std::int64_t, std::int32_t>>{
           {0, 0},      {-1, 1},   {-7, 7},   {-8, 8},   {-11, 8},  {-12, 9},  {-15, 9},     {-16, 10}, {-22, 10},
           {-23, 11},   {-32, 12}, {-45, 12}, {-46, 13}, {-63, 13}, {-64, 14}, {-90, 14},    {-91, 15}, {-128, 15},
           {-5000, 15}, {1, 17},   {8, 24},   {16, 26},  {64, 30},  {128, 31}, {1000000, 31}}) {
    INFO("distance " << distance);
    CHECK(both.bucket(distance) == bucket);
  }
  const auto causal = value_of(T5Buckets::make({.bidirectional = false}));
  CHECK(causal.bucket(5) == 0);
  CHECK(causal.bucket(-15) == 15);
  CHECK(causal.bucket(-16) == 16);
  CHECK(causal.bucket(-127) == 31);
}

TEST_CASE("t5: the defaults give Hugging Face's float32 result for every distance", "[t5]") {
  for (const bool bidirectional : {true, false}) {
    const T5Options options{.bidirectional = bidirectional};
    const auto buckets = value_of(T5Buckets::make(options));
    for (std::int64_t distance = -3000; distance <= 3000; ++distance) {
      INFO("distance " << distance);
      REQUIRE(buckets.bucket(distance) == in_float(options, distance));
      REQUIRE(buckets.bucket(distance) == in_quad(options, distance));
    }
  }
}

TEST_CASE("t5: at an exact power the formula's bucket is right where float32 falls short", "[t5]") {
  const T5Options options{17, 27, false};
  CHECK(value_of(T5Buckets::make(options)).bucket(-12) == 11);
  CHECK(in_quad(options, -12) == 11);
  CHECK(in_float(options, -12) == 10);
}

TEST_CASE("t5: any options give the formula's bucket; float32 differs at boundaries alone", "[t5]") {
  testing::Generator generator(320);
  int different = 0;
  for (int round = 0; round < 60; ++round) {
    const bool bidirectional = generator.below(2) == 0;
    const auto buckets = static_cast<std::int64_t>(4 + generator.below(130));
    const std::int64_t exact = (bidirectional ? buckets / 2 : buckets) / 2;
    const T5Options options{buckets, exact + 1 + static_cast<std::int64_t>(generator.below(round < 30 ? 64 : 2048)),
                            bidirectional};
    const auto made = value_of(T5Buckets::make(options));
    for (std::int64_t size = 0; size < options.max_distance + 3;
         size += 1 + static_cast<std::int64_t>(generator.below(3)))
      for (const std::int64_t distance : {size, -size}) {
        INFO("buckets " << buckets << ", up to " << options.max_distance << ", distance " << distance);
        REQUIRE(made.bucket(distance) == in_quad(options, distance));
        if (in_float(options, distance) == made.bucket(distance)) continue;
        ++different;
        REQUIRE(std::abs(in_float(options, distance) - made.bucket(distance)) == 1);
      }
  }
  std::printf("t5: float32 logarithms differ at %d distances of 60 random option sets\n", different);
}

TEST_CASE("t5: bias is the table's value of the bucket", "[t5]") {
  testing::Generator generator(321);
  for (int round = 0; round < 50; ++round) {
    const auto positions = value_of(RelativePositions::make(testing::random_shape(generator)));
    const Future future = generator.below(2) == 0 ? Future::keep : Future::mask;
    const auto table = testing::fractions(32 * positions.heads(), 322);
    const auto buckets = value_of(T5Buckets::make({.bidirectional = generator.below(2) == 0}));
    std::vector<std::int32_t> ids(positions.distances());
    value_of(buckets.ids(positions, ids));
    std::vector<float> bias(positions.heads() * positions.distances());
    value_of(buckets.bias(positions, future, table, bias));
    CHECK(testing::worst_ulp(positions, future, bias, [&](std::size_t h, std::int64_t d) {
            const auto id = static_cast<std::size_t>(ids[static_cast<std::size_t>(d - positions.distance(0))]);
            return static_cast<Quad>(table[id * positions.heads() + h]);
          }) == 0);
  }
}

TEST_CASE("t5: wrong options are Errors", "[t5]") {
  require_error(T5Buckets::make({.buckets = 3}), "buckets", "3");
  require_error(T5Buckets::make({.buckets = 1, .bidirectional = false}), "buckets", "1");
  require_error(T5Buckets::make({.buckets = 4097}), "buckets", "4097");
  require_error(T5Buckets::make({.max_distance = 8}), "maxDistance", "8");
  require_error(T5Buckets::make({.max_distance = std::int64_t{1} << 40}), "maxDistance", "");
  const auto buckets = value_of(T5Buckets::make({}));
  const auto positions = value_of(RelativePositions::make({.heads = 2, .queries = 2, .keys = 2}));
  std::vector<float> out(6, testing::untouched);
  require_error(buckets.bias(positions, Future::keep, std::vector<float>(63), out), "table", "63");
  require_error(buckets.bias(positions, Future::keep, std::vector<float>(64), std::span(out).first(5)), "out", "5");
  std::vector<std::int32_t> ids(4);
  require_error(buckets.ids(positions, ids), "out", "4");
  CHECK(testing::is_untouched(out));
}
