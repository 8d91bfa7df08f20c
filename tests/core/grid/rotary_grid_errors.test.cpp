#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "grid/grid_testing.hpp"
#include "posenc/grid/rotary_mixed.hpp"

using posenc::Layout;
using posenc::resolve;
using posenc::RotaryGridChoice;
using testing::choice_of;
using testing::infinity;
using testing::Points;
using testing::require_error;
using testing::rotary_of;
using testing::RotaryGridPreset;
using testing::Shape;
using testing::value_of;

namespace {

/// Refused with `argument` named; x, of `size` values, is unchanged.
void check_refused(const Shape& shape, const Points& points, std::size_t size, const posenc::TokensAround& around,
                   std::string_view argument, std::string_view value) {
  const auto rotary = rotary_of(choice_of(RotaryGridPreset::qwen2_vl, 8));
  const auto before = testing::fractions(size, 5);
  auto x = before;
  require_error(rotary.apply(x, testing::sequence_first(shape), points, around), argument, value);
  CHECK(testing::same_bits(x, before));
}

void check_cache_refused(const Points& points, std::size_t cosines, std::size_t sines,
                         const posenc::TokensAround& around, std::string_view argument) {
  const auto rotary = rotary_of(choice_of(RotaryGridPreset::qwen2_vl, 8));
  std::vector<float> c(cosines, testing::untouched), s(sines, testing::untouched);
  require_error(rotary.cache(points, around, posenc::CacheRow::pairs, c, s), argument, "");
  CHECK(testing::is_untouched(c));
  CHECK(testing::is_untouched(s));
}

posenc::RotaryGridOptions axial(std::vector<std::int64_t> dims) {
  posenc::RotaryGridOptions options;
  options.dim = 16;
  options.dims = std::move(dims);
  options.layout = Layout::half;
  return options;
}

}  // namespace

TEST_CASE("grid rotary: what a preset cannot be is an Error", "[grid][rotary]") {
  require_error(posenc::from_name<posenc::RotaryGridPreset>("qwen"), "preset", "qwen");
  for (const RotaryGridPreset preset : testing::grid_presets) {
    RotaryGridChoice choice = choice_of(preset, 0);
    require_error(resolve(choice), "dim", "0");
    choice.dim = (std::int64_t{1} << 24) + 2;
    require_error(resolve(choice), "dim", "16777218");
    choice.dim = 15;
    require_error(resolve(choice), "dim", "15");
    choice.dim = 128;
    choice.axes = 9;
    require_error(resolve(choice), "axes", "9");
    choice.axes = std::nullopt;
    choice.dims = std::vector<std::int64_t>(9, 2);
    require_error(resolve(choice), "dims", "9");
  }
  require_error(resolve(choice_of(RotaryGridPreset::flux, 64)), "dim", "64");
  require_error(resolve(choice_of(RotaryGridPreset::cogvideox, 72)), "dim", "72");
  require_error(resolve(choice_of(RotaryGridPreset::wan, 4)), "dim", "4");
}

TEST_CASE("grid rotary: options without a meaning are Errors", "[grid][rotary]") {
  RotaryGridChoice open = choice_of(RotaryGridPreset::axial, 16);
  open.axes = std::nullopt;
  require_error(resolve(open), "axes", "nothing");
  open.axes = 2;
  open.dims = {8};
  require_error(resolve(open), "axes", "2");
  RotaryGridChoice pixel = choice_of(RotaryGridPreset::lucidrains_pixel, 16);
  pixel.base = 100;
  require_error(resolve(pixel), "base", "100");
  pixel = choice_of(RotaryGridPreset::timm_pixel, 16);
  pixel.start = 1;
  require_error(resolve(pixel), "start", "1");
  RotaryGridChoice language = choice_of(RotaryGridPreset::timm, 16);
  language.max_frequency = 10;
  require_error(resolve(language), "maxFrequency", "10");
  RotaryGridChoice unordered = choice_of(RotaryGridPreset::qwen2_vl, 16);
  unordered.merge = std::nullopt;
  require_error(resolve(unordered), "mergeSize", "none");
  RotaryGridChoice centred = choice_of(RotaryGridPreset::dinov3, 16);
  centred.start = 0;
  require_error(resolve(centred), "start", "0");
}

TEST_CASE("grid rotary: wrong plain options are Errors", "[grid][rotary]") {
  const auto refused = [](const posenc::RotaryGridOptions& options, std::string_view argument, std::string_view value) {
    require_error(posenc::rotary_grid(options), argument, value);
  };
  refused(axial({}), "dims", "0");
  refused(axial({8, 7}), "dims", "7");
  refused(axial({8, 0}), "dims", "0");
  refused(axial({-2, 8}), "dims", "-2");
  refused(axial({8, 10}), "dims", "10");
  refused(axial({std::numeric_limits<std::int64_t>::max() - 1, 2}), "dims", "9223372036854775808");
  auto options = axial({8, 8});
  options.dim = 1;
  refused(options, "dim", "1");
  options = axial({8, 8});
  options.layout = Layout::unnamed;
  refused(options, "layout", "");
  options.layout = Layout::deinterleaved;
  refused(options, "layout", "deinterleaved");
  options = axial({8, 8});
  for (const double base : {0.0, -1.0, std::nan(""), infinity}) {
    options.base = base;
    refused(options, "base", "");
  }
  options = axial({8, 4});
  options.ladder = posenc::GridLadder::shared;
  refused(options, "dims", "4");
  options.dims = {8, 8};
  options.frequencies = posenc::GridFrequencies::cycles;
  refused(options, "ladder", "shared");
  options = axial({8, 8});
  options.frequencies = posenc::GridFrequencies::pixel;
  for (const double most : {1.9, -2.0, std::nan(""), infinity, 1e300}) {
    options.max_frequency = most;
    refused(options, "maxFrequency", "");
  }
}

TEST_CASE("grid rotary: what cannot be rotated is an Error and nothing is written", "[grid][rotary]") {
  const std::vector<double> points{0, 1, 2, 3};
  const auto two = Points::rows(points);
  check_refused({2, 4}, two, 8, {}, "shape", "4");
  check_refused({2, 8}, two, 15, {}, "x", "15");
  check_refused({3, 8}, two, 24, {}, "points", "2");
  check_refused({1, 8}, two, 8, {}, "points", "2");
  check_refused({3, 1, 1, 8}, two, 24, {}, "batchAxis", "none");
  check_refused({2, 8}, Points::rows({points.data(), 3}), 16, {}, "points", "3");
  check_refused({2, 8}, Points::axes_first({points.data(), 3}), 16, {}, "positions", "3");
  check_refused({2, 8}, two, 16, {.before = -1}, "prefixTokens", "-1");
  check_refused({2, 8}, two, 16, {.before = 3}, "prefixTokens", "3");
  check_refused({2, 8}, two, 16, {.before = 1, .after = 2}, "suffixTokens", "2");
  check_refused({2, 8}, two, 16, {.before = 0, .after = 1}, "points", "2");
  for (const double bad : {std::nan(""), infinity, -infinity, 0x1p54}) {
    const std::vector<double> wrong{0, 1, 2, bad};
    check_refused({2, 8}, Points::rows(wrong), 16, {}, "points", "");
  }
}

TEST_CASE("grid rotary: coordinates that no frequency rotates are numbers of any size but the largest",
          "[grid][rotary]") {
  const auto rotary = value_of(posenc::rotary_mixed({.dim = 2, .layout = Layout::half}, std::vector<double>{0, 0}));
  const std::vector<double> far{1e290, 0}, too_far{1e305, 0};
  std::vector<float> x{1, 2};
  value_of(rotary.apply(x, testing::sequence_first(Shape{1, 2}), Points::rows(far)));
  CHECK(x == std::vector<float>{1, 2});
  require_error(rotary.apply(x, testing::sequence_first(Shape{1, 2}), Points::rows(too_far)), "points", "1e+305");
}

TEST_CASE("grid rotary: caches of another size or of bad points are Errors", "[grid][rotary]") {
  const std::vector<double> points{0, 1, 2, 3};
  const std::vector<double> nan_last{0, 1, 2, std::nan("")};
  check_cache_refused(Points::rows(points), 7, 8, {}, "cosines");
  check_cache_refused(Points::rows(points), 8, 9, {}, "sines");
  check_cache_refused(Points::rows(points), 8, 8, {.before = 1}, "cosines");
  check_cache_refused(Points::rows(points), 8, 8, {.after = -1}, "suffixTokens");
  // In 32 bits these would wrap around to 0.
  check_cache_refused(Points::rows(points), 8, 8, {std::int64_t{1} << 31, std::int64_t{1} << 31}, "prefixTokens");
  check_cache_refused(Points::rows(nan_last), 8, 8, {}, "points");
  require_error(posenc::from_name<posenc::CacheRow>("heads"), "row", "heads");
}
