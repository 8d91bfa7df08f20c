#include "posenc/grid/mrope_positions.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "testing/testing.hpp"

using posenc::MropeNext;
using posenc::MropeOptions;
using posenc::MropeSegment;
using posenc::MropeTime;
using posenc::PaddingSide;
using testing::require_error;
using testing::value_of;

namespace {

using Ids = std::vector<std::int32_t>;
using Segments = std::vector<MropeSegment>;

MropeSegment text(std::int64_t length) {
  MropeSegment segment;
  segment.length = length;
  return segment;
}

MropeSegment image(std::int64_t h, std::int64_t w, std::int64_t t = 1) {
  MropeSegment segment;
  segment.kind = MropeSegment::Kind::image;
  segment.grid[0] = t;
  segment.grid[1] = h;
  segment.grid[2] = w;
  return segment;
}

MropeSegment video(std::int64_t t, std::int64_t h, std::int64_t w, std::optional<double> seconds = {}) {
  MropeSegment segment = image(h, w, t);
  segment.kind = MropeSegment::Kind::video;
  segment.seconds_per_grid = seconds;
  return segment;
}

MropeOptions options_of(MropeTime time, std::int64_t merge = 2, std::optional<double> rate = {},
                        MropeNext next = MropeNext::past_maximum) {
  return {.time = time, .next = next, .merge = merge, .tokens_per_second = rate};
}

struct Result {
  Ids time, height, width;
  std::int64_t delta;
};

Result positions_of(const MropeOptions& options, const Segments& segments) {
  const std::size_t length = value_of(count_mrope_tokens(options, segments));
  Ids out(3 * length, -7);
  const std::int64_t delta = value_of(mrope_positions(options, segments, {.out = out, .length = length}));
  const auto third = [&](std::ptrdiff_t axis) {
    const auto size = static_cast<std::ptrdiff_t>(length);
    return Ids(out.begin() + axis * size, out.begin() + (axis + 1) * size);
  };
  return {third(0), third(1), third(2), delta};
}

}  // namespace

TEST_CASE("mrope positions: seconds lose their fraction at the end, or before they are multiplied", "[grid][mrope]") {
  const Segments half_seconds{text(1), video(4, 2, 2, 0.7)};
  // 0, 1.4, 2.8, 4.2 with two tokens a second
  CHECK(positions_of(options_of(MropeTime::seconds, 2, 2), half_seconds).time == Ids{0, 1, 2, 3, 5});
  CHECK(positions_of(options_of(MropeTime::whole_seconds, 2, 2), half_seconds).time == Ids{0, 1, 1, 1, 1});
  CHECK(positions_of(options_of(MropeTime::whole_seconds, 2, 2), {video(3, 2, 2, 1.9)}).time == Ids{0, 2, 4});
  // A second a grid by default.
  CHECK(positions_of(options_of(MropeTime::seconds, 2, 2), {video(3, 2, 2)}).time == Ids{0, 2, 4});
  // 10 * 0.7f = 7, but 10 * 0.1f * 7 is 7 in float32 and 7.0000001 in double: computed in float32.
  const auto tenths = positions_of(options_of(MropeTime::seconds, 1, 10), {video(8, 1, 1, 0.1)}).time;
  for (int i = 0; i < 8; ++i)
    CHECK(tenths[static_cast<std::size_t>(i)] == static_cast<int>(static_cast<float>(i) * 0.1f * 10.0f));
}

TEST_CASE("mrope positions: transformers 5 goes on behind the extent, whatever the time", "[grid][mrope]") {
  const Segments segments{video(5, 4, 6), text(2)};
  CHECK(positions_of(options_of(MropeTime::index), segments).time.back() == 6);
  const auto next = positions_of(options_of(MropeTime::index, 2, {}, MropeNext::past_extent), segments);
  CHECK(next.time.back() == 4);
  CHECK(next.width.back() == 4);
  CHECK(next.delta == 5 - 32);
  const Segments images{text(3), image(6, 4), text(1)};
  CHECK(positions_of(options_of(MropeTime::index, 2, {}, MropeNext::past_extent), images).time ==
        positions_of(options_of(MropeTime::index), images).time);
}

TEST_CASE("mrope positions: Qwen3-Omni's sound stands behind frames of the same time", "[grid][mrope]") {
  MropeSegment film = video(2, 2, 4, 0.08);
  film.audio = 4;
  const auto made = positions_of(value_of(posenc::mrope_options("qwen3-omni")), {film, text(1)});
  // Marks 0, 1; frames at 2 and at 4, sound at 2 ... 5; marks 6, 7.
  CHECK(made.time == Ids{0, 1, 2, 2, 2, 3, 4, 4, 4, 5, 6, 7, 8});
  CHECK(made.height == Ids{0, 1, 2, 2, 2, 3, 2, 2, 4, 5, 6, 7, 8});
  CHECK(made.width == Ids{0, 1, 2, 3, 2, 3, 2, 3, 4, 5, 6, 7, 8});
  CHECK(made.delta == 9 - 13);
}

TEST_CASE("mrope positions: Ernie's frames in twos, Bailing's from the centre", "[grid][mrope]") {
  const MropeOptions ernie = value_of(posenc::mrope_options("ernie4.5-vl"));
  const Segments film{text(1), video(4, 2, 4), text(1)};
  CHECK(positions_of(ernie, film).time == Ids{0, 1, 1, 2, 2, 3});
  CHECK(positions_of(ernie, film).width == Ids{0, 1, 2, 1, 2, 3});
  require_error(count_mrope_tokens(ernie, Segments{video(3, 2, 2)}), "segments[0].grid", "3");

  // bailing_mrope.py of SGLang, term by term: time 2 t; rows 0, 1, 2 less 1; columns 0 ... 3 less 1; and the reverse.
  for (const auto& [rows, columns] : {std::pair{3, 4}, {4, 3}}) {
    const auto centred =
        positions_of(value_of(posenc::mrope_options("bailing")), {text(2), video(2, 2 * rows, 2 * columns), text(2)});
    Ids time{0, 1}, height{0, 1}, width{0, 1};
    for (std::int32_t t = 2; t <= 4; t += 2)
      for (std::int32_t h = -1; h < rows - 1; ++h)
        for (std::int32_t w = -1; w < columns - 1; ++w) {
          time.push_back(t);
          height.push_back(t + h);
          width.push_back(t + w);
        }
    for (Ids* ids : {&time, &height, &width}) ids->insert(ids->end(), {5, 6});
    CHECK(centred.time == time);
    CHECK(centred.height == height);
    CHECK(centred.width == width);
    CHECK(centred.delta == 7 - 28);
  }
}

TEST_CASE("mrope positions: a page of HunyuanOCR has four, and a break behind each row", "[grid][mrope]") {
  const MropeOptions page = value_of(posenc::mrope_options("hunyuan-vl"));
  const Segments segments{text(1), image(4, 2), image(2, 4), text(1)};
  REQUIRE(value_of(count_mrope_tokens(page, segments)) == 9);
  Ids out(4 * 9, -7);
  CHECK(value_of(mrope_positions(page, segments, {.out = out, .length = 9})) == 0);
  CHECK(out == Ids{0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 1, 0, 1, 0, 1, 2, 8,
                   0, 0, 0, 1, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 1, 1, 1, 8});
}

TEST_CASE("mrope positions: presets are the models' options", "[grid][mrope]") {
  CHECK(value_of(posenc::mrope_options("qwen2-vl")).time == MropeTime::index);
  CHECK(value_of(posenc::mrope_options("qwen2.5-vl")).time == MropeTime::seconds);
  CHECK(value_of(posenc::mrope_options("qwen3-vl")).time == MropeTime::frame);
  CHECK(value_of(posenc::mrope_options("qwen3-vl")).merge == 2);
  require_error(posenc::mrope_options("qwen"), "preset", "qwen");
  require_error(posenc::from_name<posenc::MropeTime>("now"), "time", "now");
  require_error(posenc::from_name<posenc::MropeNext>("past"), "next", "past");
  require_error(posenc::from_name<posenc::MropeDelta>("row"), "deltas", "row");
  require_error(posenc::from_name<posenc::PaddingSide>("up"), "padding", "up");
}

TEST_CASE("mrope positions: random sequences, against the plain rule", "[grid][mrope]") {
  testing::Generator generator(91);
  for (int round = 0; round < 200; ++round) {
    const auto merge = static_cast<std::int64_t>(1 + generator.below(3));
    Segments segments;
    Ids time, height, width;
    std::int32_t start = 0;
    for (std::size_t i = generator.below(6); i > 0; --i) {
      if (generator.below(2) == 0) {
        const auto length = static_cast<std::int32_t>(generator.below(5));
        segments.push_back(text(length));
        for (std::int32_t p = start; p < start + length; ++p)
          for (Ids* ids : {&time, &height, &width}) ids->push_back(p);
      } else {
        const auto t = static_cast<std::int32_t>(1 + generator.below(4)),
                   h = static_cast<std::int32_t>(generator.below(4)), w = static_cast<std::int32_t>(generator.below(4));
        segments.push_back(video(t, h * merge, w * merge));
        for (std::int32_t at = 0; at < t * h * w; ++at) {
          time.push_back(start + at / (h * w));
          height.push_back(start + at / w % h);
          width.push_back(start + at % w);
        }
      }
      for (const Ids* ids : {&time, &height, &width})
        if (!ids->empty()) start = std::max(start, *std::ranges::max_element(*ids) + 1);
    }
    const auto made = positions_of(options_of(MropeTime::index, merge), segments);
    INFO("round " << round);
    REQUIRE(made.time == time);
    REQUIRE(made.height == height);
    REQUIRE(made.width == width);
    REQUIRE(made.delta == start - static_cast<std::int64_t>(time.size()));
  }
}

TEST_CASE("mrope positions: rows of a batch are filled up on the named side", "[grid][mrope]") {
  Ids out(3 * 2 * 5, -7);
  const MropeOptions options = options_of(MropeTime::index);
  const std::int64_t left = value_of(mrope_positions(
      options, Segments{text(3)}, {.out = out, .rows = 2, .row = 0, .length = 5, .side = PaddingSide::left}));
  CHECK(left == 3 - 5);
  const Segments second{text(1), image(2, 4)};
  const std::int64_t right = value_of(mrope_positions(
      options, second, {.out = out, .rows = 2, .row = 1, .length = 5, .side = PaddingSide::right, .padding = 0}));
  CHECK(right == 3 - 5);
  // Transformers 5.3 takes the three tokens' own length.
  Ids again(3 * 5);
  for (const PaddingSide side : {PaddingSide::left, PaddingSide::right})
    CHECK(value_of(mrope_positions(
              options, second, {.out = again, .length = 5, .side = side, .delta = posenc::MropeDelta::unpadded})) == 0);
  CHECK(out == Ids{1, 1, 0, 1, 2, 0, 1, 1, 0, 0, 1, 1, 0, 1, 2, 0, 1, 1, 0, 0, 1, 1, 0, 1, 2, 0, 1, 2, 0, 0});
}

TEST_CASE("mrope positions: nothing is as long as it says", "[grid][mrope]") {
  CHECK(positions_of(options_of(MropeTime::index), {}).time.empty());
  CHECK(positions_of(options_of(MropeTime::index), {}).delta == 0);
  const auto only_text = positions_of(options_of(MropeTime::index), {text(0), image(0, 4), text(2), video(0, 2, 2)});
  CHECK(only_text.time == Ids{0, 1});
  CHECK(only_text.delta == 0);
}

TEST_CASE("mrope positions: wrong segments and options are Errors and nothing is written", "[grid][mrope]") {
  const auto refused = [](const MropeOptions& options, const Segments& segments, std::string_view argument,
                          std::string_view value) {
    Ids out(3 * 100, -7);
    require_error(count_mrope_tokens(options, segments), argument, value);
    require_error(mrope_positions(options, segments, {.out = out, .length = 100}), argument, value);
    CHECK(out == Ids(3 * 100, -7));
  };
  const MropeOptions index = options_of(MropeTime::index);
  refused(index, {text(1), text(-1)}, "segments[1].text", "-1");
  refused(index, {image(-2, 2)}, "segments[0].grid", "-2");
  refused(index, {image(2, 3)}, "segments[0].grid", "3");
  refused(index, {image(2, 2, 2)}, "segments[0].grid", "2");
  refused(index, {video(-1, 2, 2)}, "segments[0].grid", "-1");
  refused(index, {video(1, std::int64_t{1} << 40, 2)}, "segments[0].grid", "1099511627776");
  refused(index, {video(1 << 20, 1 << 10, 1 << 10)}, "segments[0].grid", "1048576");
  refused(index, {text(INT64_MAX)}, "segments[0].text", "9223372036854775808");
  refused(index, {text(2147483647), text(1)}, "segments[1].text", "1");
  refused(index, {text(2147483646), image(4, 4)}, "segments[1].grid", "1");
  refused(index, {video(2, 2, 2, 1)}, "segments[0].secondsPerGrid", "1");
  refused(options_of(MropeTime::frame), {video(2, 2, 2)}, "segments[0].grid", "2");
  refused(options_of(MropeTime::index, 0), {}, "mergeSize", "0");
  refused(options_of(MropeTime::index, 2, 2), {}, "tokensPerSecond", "2");
  const MropeOptions seconds = options_of(MropeTime::seconds, 2, 2);
  refused(options_of(MropeTime::seconds), {}, "tokensPerSecond", "none");
  refused(options_of(MropeTime::whole_seconds, 2, -1), {}, "tokensPerSecond", "-1");
  refused(options_of(MropeTime::seconds, 2, std::numeric_limits<double>::infinity()), {}, "tokensPerSecond", "inf");
  refused(seconds, {video(2, 2, 2, -1)}, "segments[0].secondsPerGrid", "-1");
  refused(seconds, {video(2, 2, 2, std::nan(""))}, "segments[0].secondsPerGrid", "nan");
  refused(seconds, {video(2, 2, 2, 1e300)}, "segments[0].secondsPerGrid", "1e+300");
  refused(seconds, {video(2, 2, 2, 2e9)}, "segments[0].secondsPerGrid", "2");
  const auto heard = [](MropeSegment segment, std::int64_t audio) {
    segment.audio = audio;
    return segment;
  };
  const MropeOptions omni = value_of(posenc::mrope_options("qwen2.5-omni"));
  refused(index, {heard(video(1, 2, 2), 3)}, "segments[0].audio", "3");
  refused(omni, {heard(image(2, 2), 3)}, "segments[0].audio", "3");
  refused(omni, {heard(video(0, 2, 2), 3)}, "segments[0].audio", "3");
  refused(omni, {heard(video(1, 2, 2), 0)}, "segments[0].audio", "0");
  refused(omni, {heard(video(1, 2, 2), INT64_MAX)}, "segments[0].audio", "9223372036854775808");
  refused(omni, {text(2147483600), heard(video(1, 2, 2), 40)}, "segments[1].audio", "40");
  refused(value_of(posenc::mrope_options("qwen3-omni")), {video(2, 2, 2, 0.1)}, "segments[0].secondsPerGrid", "0.1");
  refused(value_of(posenc::mrope_options("bailing")), {video(2, 2, 2, 1)}, "segments[0].secondsPerGrid", "1");
  MropeOptions short_chunks = omni;
  short_chunks.seconds_per_chunk = 0.01;
  refused(short_chunks, {}, "secondsPerChunk", "0.01");
  MropeSegment timed = image(2, 2);
  timed.seconds_per_grid = 1;
  refused(seconds, {timed}, "segments[0].secondsPerGrid", "1");
  Ids out(12, -7);
  require_error(mrope_positions(index, Segments{text(5)}, {.out = out, .length = 4}), "length", "4");
  require_error(mrope_positions(index, Segments{text(4)}, {.out = out, .length = 5}), "out", "12");
  require_error(mrope_positions(index, Segments{text(1)}, {.out = out, .rows = 2, .row = 2, .length = 2}), "row", "2");
  require_error(mrope_positions(index, Segments{text(1)}, {.out = out, .length = 4, .padding = std::int64_t{1} << 31}),
                "paddingPosition", "2147483648");
  CHECK(out == Ids(12, -7));
}
