#include "posenc/diagnosis/id_diagnosis.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "testing/testing.hpp"

using posenc::Diagnosis;
using posenc::FoundIds;
using posenc::Mistake;
using posenc::MropeNext;
using posenc::MropeSegment;
using posenc::MropeTime;
using posenc::Verdict;
using testing::require_error;
using testing::value_of;

namespace {

using Kind = MropeSegment::Kind;

/// How a preset counts, as its own code has it.
struct Counting {
  std::string preset;
  double rate = 0;          ///< positions a second; 0: frames
  bool frames = true;       ///< videos of several frames
  std::int64_t merged = 1;  ///< frames of a video in one
  bool centred = false, page = false;
  bool extent = false;  ///< transformers from 5.3 on
};

const std::vector<Counting> countings{{"qwen2-vl"},
                                      {"qwen2.5-vl", 2},
                                      {"qwen3-vl", 0, false},
                                      {"glm4v", 0, false},
                                      {"qwen2.5-omni", 25},
                                      {"qwen3-omni", 25},
                                      {"ernie4.5-vl", 0, true, 2},
                                      {"bailing", -2, true, 1, true},
                                      {"hunyuan-vl", 0, false, 1, false, true}};

MropeSegment text(std::int64_t length) { return {.length = length, .grid = {}, .seconds_per_grid = {}, .audio = {}}; }
MropeSegment grid(Kind kind, std::int64_t t, std::int64_t h, std::int64_t w) {
  return {.kind = kind, .grid = {t, h, w}, .seconds_per_grid = {}, .audio = {}};
}

/// Text, an image, text, a video, text.
std::vector<MropeSegment> mixed(const Counting& counting) {
  std::vector<MropeSegment> segments{text(5), grid(Kind::image, 1, 4, 8), text(3),
                                     grid(Kind::video, counting.frames ? 4 : 1, 4, 4), text(4)};
  // Seconds that are not whole tell rules of times apart; Qwen3-Omni has none.
  if (counting.rate > 0) segments[3].seconds_per_grid = counting.preset == "qwen3-omni" ? 2 : 1.5;
  return segments;
}

/// [axes, tokens], by the formulas in words; merge 2.
std::vector<double> ids_of(const Counting& counting, const std::vector<MropeSegment>& segments) {
  std::vector<std::vector<double>> tokens;
  double start = 0, images = 0;
  for (const MropeSegment& segment : segments) {
    if (segment.kind == Kind::text) {
      for (std::int64_t i = 0; i < segment.length; ++i, ++start)
        tokens.push_back(std::vector<double>(counting.page ? 4 : 3, counting.page ? double(tokens.size()) : start));
      continue;
    }
    const std::int64_t t = segment.grid[0] / (segment.kind == Kind::video ? counting.merged : 1);
    const std::int64_t h = segment.grid[1] / 2, w = segment.grid[2] / 2 + (counting.page ? 1 : 0);
    double largest = 0, last_time = 0;
    for (std::int64_t f = 0; f < t; ++f)
      for (std::int64_t y = 0; y < h; ++y)
        for (std::int64_t x = 0; x < w; ++x) {
          const double seconds = segment.seconds_per_grid.value_or(1);
          const double time =
              counting.rate == 0 ? double(f) : std::trunc(double(f) * seconds * std::fabs(counting.rate));
          last_time = time;
          if (counting.page) {
            tokens.push_back({double(tokens.size()), double(x), double(y), images});
          } else if (counting.centred) {
            const auto place = [&](std::int64_t i, std::int64_t n) { return start + time + double(i - (n - 1) / 2); };
            tokens.push_back({start + time, place(y, h), place(x, w)});
          } else {
            tokens.push_back({start + time, start + double(y), start + double(x)});
            largest = std::max({largest, time, double(y), double(x)});
          }
        }
    images += 1;
    start += counting.centred ? last_time + 1 : counting.extent ? double(std::max(h, w)) : largest + 1;
  }
  const std::size_t axes = counting.page ? 4 : 3;
  std::vector<double> ids(axes * tokens.size());
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (std::size_t i = 0; i < tokens.size(); ++i) ids[axis * tokens.size() + i] = tokens[i][axis];
  return ids;
}

posenc::IdSamples samples_of(const Counting& counting, const std::vector<double>& ids,
                             const std::vector<MropeSegment>& segments) {
  posenc::IdSamples samples{.ids = ids, .axes = counting.page ? 4u : 3u, .segments = segments};
  samples.merge = 2;
  if (counting.preset == "qwen2.5-vl") samples.tokens_per_second = counting.rate;
  return samples;
}

const FoundIds& ids_found(const Diagnosis& diagnosis) {
  REQUIRE(!diagnosis.explanations.empty());
  return std::get<FoundIds>(diagnosis.explanations[0].found);
}

std::vector<Mistake> mistakes_in(const Diagnosis& diagnosis) {
  REQUIRE(!diagnosis.explanations.empty());
  return diagnosis.explanations[0].mistakes;
}

}  // namespace

TEST_CASE("diagnose_ids: text, an image and a video of every preset", "[diagnosis][ids]") {
  for (Counting counting : countings)
    for (const bool extent : {false, true}) {
      counting.extent = extent && !counting.centred && !counting.page;
      const auto segments = mixed(counting);
      const auto ids = ids_of(counting, segments);
      INFO(counting.preset << (extent ? ", past the extent" : ""));
      const Diagnosis expected = value_of(posenc::diagnose_ids(samples_of(counting, ids, segments), {counting.preset}));
      CHECK(ids_found(expected).preset == counting.preset);
      CHECK(mistakes_in(expected).empty());
      // Qwen2.5-Omni counts other sound than Qwen3-Omni, and there is none here.
      CHECK(expected.verdict == (counting.preset == "qwen3-omni" ? Verdict::ambiguous : Verdict::certain));
      const Diagnosis found = value_of(posenc::diagnose_ids(samples_of(counting, ids, segments), {""}));
      CHECK(found.verdict != Verdict::none);
      const bool is_there = std::ranges::any_of(found.explanations, [&](const auto& each) {
        return std::get<FoundIds>(each.found).preset == counting.preset;
      });
      CHECK((is_there || counting.preset == "glm4v"));  // which counts as Qwen3-VL does
      CHECK(found.explanations[0].units == 0);
    }
}

TEST_CASE("diagnose_ids: mistakes alone and in pairs are named", "[diagnosis][ids]") {
  for (const Counting& counting : countings) {
    const auto segments = mixed(counting);
    const auto right = ids_of(counting, segments);
    const std::size_t axes = counting.page ? 4 : 3, tokens = right.size() / axes;
    for (const int order : {0, 1, 2, 3})
      for (const double offset : {0.0, 1.0, -7.0}) {
        auto ids = right;
        std::vector<Mistake> mistakes;
        if (order == 1) {
          std::ranges::swap_ranges(std::span(ids).subspan((axes - 2) * tokens, tokens),
                                   std::span(ids).subspan((axes - 1) * tokens));
          mistakes.push_back(Mistake::axes_order);
        } else if (order == 2) {
          for (std::size_t i = tokens; i < ids.size(); ++i) ids[i] = ids[i % tokens];
          mistakes.push_back(Mistake::axis_missing);
        } else if (order == 3) {
          for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = double(i % tokens);
          mistakes.push_back(Mistake::axis_missing);
        }
        for (double& id : ids) id += offset;
        if (offset != 0) mistakes.push_back(Mistake::first_position);
        const Diagnosis found = value_of(posenc::diagnose_ids(samples_of(counting, ids, segments), {counting.preset}));
        INFO(counting.preset << ", order " << order << ", offset " << offset);
        CHECK(mistakes_in(found) == mistakes);
        CHECK(found.verdict != Verdict::none);
        CHECK(ids_found(found).offset == offset);
        CHECK(found.explanations[0].shift == -offset);
      }
  }
}

TEST_CASE("diagnose_ids: time at another rate, or without seconds", "[diagnosis][ids]") {
  const Counting expected{"qwen2.5-vl", 2};
  auto segments = mixed(expected);
  segments[3].seconds_per_grid = 1.5;
  for (const double rate : {1.0, 4.0, 25.0}) {
    const auto ids = ids_of({"qwen2.5-vl", rate}, segments);
    const Diagnosis found = value_of(posenc::diagnose_ids(samples_of(expected, ids, segments), {"qwen2.5-vl"}));
    INFO(rate);
    CHECK(mistakes_in(found) == std::vector{Mistake::scaling_other});
  }
  // Frames in place of seconds: what follows the video starts elsewhere, on all axes.
  const auto frames = ids_of({"qwen2-vl"}, segments);
  const Diagnosis index = value_of(posenc::diagnose_ids(samples_of(expected, frames, segments), {"qwen2.5-vl"}));
  CHECK(mistakes_in(index) == std::vector{Mistake::time_rule});
  // Told or not, the rate is found.
  auto samples = samples_of(expected, frames, segments);
  const auto fast = ids_of({"qwen2.5-vl", 4}, segments);
  samples.ids = fast;
  samples.tokens_per_second = std::nullopt;
  CHECK(ids_found(value_of(posenc::diagnose_ids(samples, {""}))).tokens_per_second == 4);
  // transformers 4.52 to 5.15 count whole seconds: right only where that was named.
  auto whole = segments;
  whole[3].seconds_per_grid = 1;
  const auto ids = ids_of(expected, whole);
  const Diagnosis version = value_of(posenc::diagnose_ids(samples_of(expected, ids, segments), {"qwen2.5-vl"}));
  CHECK(mistakes_in(version) == std::vector{Mistake::time_rule});
  CHECK(ids_found(version).time == MropeTime::whole_seconds);
  const posenc::IdExpectation named{.preset = "qwen2.5-vl", .time = MropeTime::whole_seconds};
  CHECK(mistakes_in(value_of(posenc::diagnose_ids(samples_of(expected, ids, segments), named))).empty());
  const auto seconds = ids_of(expected, segments);
  CHECK(mistakes_in(value_of(posenc::diagnose_ids(samples_of(expected, seconds, segments), named))) ==
        std::vector{Mistake::time_rule});
}

TEST_CASE("diagnose_ids: what follows an image past its extent is a version", "[diagnosis][ids]") {
  Counting counting{"qwen2-vl"};
  std::vector<MropeSegment> segments{text(2), grid(Kind::video, 6, 4, 4), text(3)};
  counting.extent = true;
  const auto ids = ids_of(counting, segments);
  const Diagnosis found = value_of(posenc::diagnose_ids(samples_of(counting, ids, segments), {"qwen2-vl"}));
  CHECK(mistakes_in(found).empty());
  CHECK(ids_found(found).next == MropeNext::past_extent);
  const posenc::IdExpectation named{.preset = "qwen2-vl", .next = MropeNext::past_maximum};
  CHECK(mistakes_in(value_of(posenc::diagnose_ids(samples_of(counting, ids, segments), named))) ==
        std::vector{Mistake::next_rule});
}

TEST_CASE("diagnose_ids: none, and the first token that departs", "[diagnosis][ids]") {
  const Counting counting{"qwen2-vl"};
  const auto segments = mixed(counting);
  auto ids = ids_of(counting, segments);
  ids[2 * ids.size() / 3 + 9] += 1;
  const Diagnosis found = value_of(posenc::diagnose_ids(samples_of(counting, ids, segments), {"qwen2-vl"}));
  CHECK(found.verdict == Verdict::none);
  CHECK(found.explanations.empty());
  CHECK(found.departure.tokens == std::vector<std::int64_t>{9});
  testing::Generator generator(5);
  for (double& id : ids) id = double(generator.below(40));
  CHECK(value_of(posenc::diagnose_ids(samples_of(counting, ids, segments), {""})).verdict == Verdict::none);
}

TEST_CASE("diagnose_ids: presets with the same ids are as likely as each other", "[diagnosis][ids]") {
  const Counting counting{"qwen2-vl"};
  const std::vector<MropeSegment> segments{text(9)};
  const auto ids = ids_of(counting, segments);
  CHECK(value_of(posenc::diagnose_ids(samples_of(counting, ids, segments), {""})).verdict == Verdict::ambiguous);
  // Other presets count text alike: pictures would tell.
  const Diagnosis expected = value_of(posenc::diagnose_ids(samples_of(counting, ids, segments), {"glm4v"}));
  CHECK(expected.verdict == Verdict::ambiguous);
  CHECK(mistakes_in(expected).empty());
  CHECK(expected.tells == std::vector<std::string_view>{"segments"});
}

TEST_CASE("diagnose_ids refuses what are no ids", "[diagnosis][ids]") {
  const Counting counting{"qwen2-vl"};
  const auto segments = mixed(counting);
  auto ids = ids_of(counting, segments);
  auto samples = samples_of(counting, ids, segments);
  require_error(posenc::diagnose_ids(samples, {"qwen9"}), "preset", "qwen9");
  samples.axes = 2;
  require_error(posenc::diagnose_ids(samples, {""}), "axes", "2");
  samples.axes = 3;
  ids[4] = std::numeric_limits<double>::quiet_NaN();
  require_error(posenc::diagnose_ids(samples, {""}), "ids[4]", "nan");
  ids[4] = 4;
  samples.ids = std::span(ids).first(ids.size() - 3);
  require_error(posenc::diagnose_ids(samples, {""}), "ids", std::to_string(ids.size() - 3));
  std::vector<MropeSegment> many{grid(Kind::video, std::int64_t{1} << 30, 4, 4)};
  samples.segments = many;
  require_error(posenc::diagnose_ids(samples, {""}), "segments[0]", "");
}
