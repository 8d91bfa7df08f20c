#include "posenc/grid/mrope_positions.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

Expected<MropeOptions> options_of(const std::string& preset, const std::string& time, const std::string& next,
                                  double merge, double tokens_per_second) {
  auto options = mrope_options(preset);
  if (!options) return options;
  const auto time_meaning = name_if_given(mrope_time_from_name, time);
  if (!time_meaning) return std::unexpected(time_meaning.error());
  const auto next_meaning = name_if_given(mrope_next_from_name, next);
  if (!next_meaning) return std::unexpected(next_meaning.error());
  options->time = time_meaning->value_or(options->time);
  options->next = next_meaning->value_or(options->next);
  options->merge = whole_if_given(merge).value_or(options->merge);
  options->tokens_per_second = number_if_given(tokens_per_second);
  return options;
}

/// Five doubles a segment: kind, then length or t, h and w, then seconds a grid (NaN where they are not given).
std::vector<MropeSegment> segments_at(Address address, std::size_t count) {
  std::vector<MropeSegment> segments(count);
  const double* from = values_at<const double>(address, 5 * count).data();
  for (MropeSegment& segment : segments) {
    segment.kind = static_cast<MropeSegment::Kind>(whole(from[0]));
    segment.length = whole(from[1]);
    for (std::size_t axis = 0; axis < 3; ++axis) segment.grid[axis] = whole(from[1 + axis]);
    segment.seconds_per_grid = number_if_given(from[4]);
    from += 5;
  }
  return segments;
}

val tokens(const std::string& preset, const std::string& time, const std::string& next, double merge,
           double tokens_per_second, Address segments, std::size_t count) {
  const auto options = options_of(preset, time, next, merge, tokens_per_second);
  if (!options) return failure(options.error());
  const auto counted = count_mrope_tokens(*options, segments_at(segments, count));
  return counted ? val(*counted) : failure(counted.error());
}

val positions(const std::string& preset, const std::string& time, const std::string& next, double merge,
              double tokens_per_second, Address segments, std::size_t count, Address out, std::size_t rows,
              std::size_t row, std::size_t length, const std::string& side, double padding) {
  const auto options = options_of(preset, time, next, merge, tokens_per_second);
  if (!options) return failure(options.error());
  const auto side_meaning = padding_side_from_name(side);
  if (!side_meaning) return failure(side_meaning.error());
  const auto delta = mrope_positions(*options, segments_at(segments, count),
                                     {.out = values_at<std::int32_t>(out, 3 * rows * length),
                                      .rows = rows,
                                      .row = row,
                                      .length = length,
                                      .side = *side_meaning,
                                      .padding = whole(padding)});
  return delta ? val(static_cast<double>(*delta)) : failure(delta.error());
}

}  // namespace

EMSCRIPTEN_BINDINGS(mrope_positions) {
  emscripten::function("mropeTokens", &tokens);
  emscripten::function("mropePositions", &positions);
}

}  // namespace posenc::embind
