/// Ids of tokens by models' own code: tests/api/hub/ids.json has a sequence on each line (tests/README.md describes how
/// it was made).

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <vector>

#include "hub/json.hpp"
#include "posenc/grid/mrope_positions.hpp"
#include "posenc/hub/model_types.hpp"
#include "testing/testing.hpp"

namespace {

using posenc::MropeSegment;

/// The options that make a model's ids as transformers 5 does: a preset, and where a segment behind an image starts.
const std::map<std::string, std::pair<const char*, posenc::MropeNext>> id_rules{
    {"qwen2_vl", {"qwen2-vl", posenc::MropeNext::past_extent}},
    {"qwen2_5_vl", {"qwen2.5-vl", posenc::MropeNext::past_extent}},
    {"qwen3_vl", {"qwen3-vl", posenc::MropeNext::past_maximum}},
    {"qwen3_5", {"qwen3-vl", posenc::MropeNext::past_maximum}},
    {"glm4v", {"glm4v", posenc::MropeNext::past_maximum}},
    {"ernie4_5_vl_moe", {"ernie4.5-vl", posenc::MropeNext::past_extent}},
    {"qwen2_5_omni", {"qwen2.5-omni", posenc::MropeNext::past_maximum}},
    {"qwen3_omni_moe", {"qwen3-omni", posenc::MropeNext::past_maximum}},
};

double number(const posenc::ConfigValue& of, const char* key) { return std::get<double>(of.find(key)->value); }

MropeSegment text(double length) { return {.length = static_cast<std::int64_t>(length)}; }

/// Adds a segment: marks around images, videos and sound are text, except in a video with sound.
void add_segment(const posenc::ConfigValue& of, bool has_marks, std::vector<MropeSegment>& segments) {
  if (of.find("text")) return segments.push_back(text(number(of, "text")));
  const posenc::ConfigValue* const video = of.find("video");
  const posenc::ConfigValue* const grid = video != nullptr ? video : of.find("image");
  if (grid == nullptr) return segments.push_back(text(number(of, "audio") + 2));
  MropeSegment segment{.kind = video != nullptr ? MropeSegment::Kind::video : MropeSegment::Kind::image};
  for (std::size_t axis = 0; axis < 3; ++axis)
    segment.grid[axis] =
        static_cast<std::int64_t>(std::get<double>(std::get<posenc::ConfigValue::List>(grid->value)[axis].value));
  if (of.find("seconds")) segment.seconds_per_grid = number(of, "seconds");
  if (of.find("audio")) segment.audio = static_cast<std::int64_t>(number(of, "audio"));
  const bool is_marked = has_marks && !segment.audio;
  if (is_marked) segments.push_back(text(1));
  segments.push_back(segment);
  if (is_marked) segments.push_back(text(1));
}

}  // namespace

TEST_CASE("mrope ids: sequences have the ids of models' own code", "[hub][mrope]") {
  const auto stored = testing::from_file("api/hub/ids.json");
  std::map<std::string_view, std::string_view> presets;  // of rows
  for (const posenc::ConfigValue& model : std::get<posenc::ConfigValue::List>(stored.value)) {
    const auto& type = std::get<std::string>(model.find("type")->value);
    INFO(type);
    const auto& [preset, next] = id_rules.at(type);
    for (const auto& row : std::get<posenc::ConfigValue::List>(model.find("rows")->value))
      presets[std::get<std::string>(row.value)] = preset;
    posenc::MropeOptions options = testing::value_of(posenc::mrope_options(preset));
    options.next = next;
    options.merge = static_cast<std::int64_t>(number(model, "mergeSize"));
    if (type == "qwen2_5_vl") options.time = posenc::MropeTime::whole_seconds;
    const bool is_omni = model.find("positionsPerSecond") != nullptr;
    if (is_omni) options.tokens_per_second = number(model, "positionsPerSecond");
    if (model.find("tokensPerSecond")) options.tokens_per_second = number(model, "tokensPerSecond");
    if (model.find("secondsPerChunk")) options.seconds_per_chunk = number(model, "secondsPerChunk");
    std::vector<MropeSegment> segments;
    for (const auto& segment : std::get<posenc::ConfigValue::List>(model.find("segments")->value))
      add_segment(segment, is_omni, segments);
    const std::size_t length = testing::value_of(count_mrope_tokens(options, segments));
    std::vector<std::int32_t> out(3 * length);
    CHECK(static_cast<double>(testing::value_of(mrope_positions(options, segments, {.out = out, .length = length}))) ==
          number(model, "delta"));
    std::vector<std::int32_t> expected;
    for (const auto& axis : std::get<posenc::ConfigValue::List>(model.find("ids")->value))
      for (const auto& id : std::get<posenc::ConfigValue::List>(axis.value))
        expected.push_back(static_cast<std::int32_t>(std::get<double>(id.value)));
    CHECK(out == expected);
  }
  for (const posenc::ModelType& row : posenc::model_types()) {
    INFO(row.type << ": ids.json has the numbers of each row with ids, and of no other");
    const bool has_numbers =
        row.encoding == posenc::TypeEncoding::rotary && row.verified == posenc::Verified::by_numbers;
    if (has_numbers) CHECK(row.ids == presets[row.type]);
  }
}
