#include <cmath>
#include <limits>
#include <variant>

#include "bytes.hpp"
#include "invariants.hpp"
#include "posenc/diagnosis/bias_diagnosis.hpp"
#include "posenc/diagnosis/id_diagnosis.hpp"

/// Diagnoses of biases and ids: whatever the values, an Error or an answer whose numbers can be read.
namespace fuzz {
namespace {

using namespace posenc;

constexpr double infinity = std::numeric_limits<double>::infinity();

void check_diagnosis(const Expected<Diagnosis>& made) {
  if (!check(made)) return;
  require(made->verdict != Verdict::certain || !made->explanations.empty(), "certain of an explanation");
  require(made->explanations.size() <= 512, "as many explanations as are returned");
  for (const Explanation& each : made->explanations)
    require(!std::isnan(each.units) && !std::isnan(each.ulps), "residuals are numbers");
  if (made->verdict == Verdict::too_little)
    require(made->explanations.empty(), "what tells too little has no explanation");
  else if (made->verdict != Verdict::none)
    require(!made->explanations.empty() && made->explanations[0].units <= 8, "an explanation explains");
}

/// A function of distance, of a kind that is known, so that the searches go deep; then some values are spoiled.
double value_at(std::size_t kind, double scale, std::int64_t d, std::size_t head, std::size_t clip) {
  const double size = std::fabs(static_cast<double>(d)), slope = std::ldexp(scale, -static_cast<int>(head));
  const auto most = static_cast<std::int64_t>(clip);
  switch (kind) {
    case 0:
      return -slope * size;
    case 1:
      return slope * static_cast<double>(d);
    case 2:
      return -slope * std::log1p(size);
    case 3:
      return -slope * std::sqrt(size);
    case 4:
      return std::sin(static_cast<double>((d < -most  ? -most
                                           : d > most ? most
                                                      : d) +
                                          7 * static_cast<std::int64_t>(head)));
    case 5:
      return std::sin(std::floor(8 * std::log2(1 + size)) + static_cast<double>(head));
    default:
      return 0;
  }
}

void fuzz_bias(Bytes& bytes) {
  const std::int64_t heads = bytes.extent(), queries = bytes.extent(), keys = bytes.extent();
  std::vector<double> values(bytes.size_near(volume({heads, queries, keys})));
  const std::size_t kind = bytes.below(8), clip = bytes.below(9);
  const double scale = bytes.flag() ? 0.5 : bytes.number();
  const std::int64_t first = bytes.flag() ? static_cast<std::int64_t>(bytes.below(20)) - 4 : bytes.extent();
  const std::size_t mask = bytes.below(3);
  const std::int64_t rows = queries > 0 ? queries : 1, columns = keys > 0 ? keys : 1;
  for (std::size_t at = 0; at < values.size(); ++at) {
    const auto index = static_cast<std::int64_t>(at);
    const std::int64_t row = index / columns,
                       d = index % columns - row % rows - (first > 64 || first < -64 ? 0 : first);
    values[at] = kind == 7 ? bytes.number() : value_at(kind, scale, d, static_cast<std::size_t>(row / rows % 64), clip);
    if (mask != 0 && d > 0) values[at] = mask == 1 ? -infinity : -65504;
  }
  for (std::size_t spoiled = bytes.below(4); spoiled > 0 && !values.empty(); --spoiled)
    values[(bytes.byte() * 257u + bytes.byte()) % values.size()] = bytes.number();
  if (bytes.flag())
    for (double& value : values) value = static_cast<double>(static_cast<float>(value));
  constexpr const char* dtypes[]{"float64", "float32", "float16", "bfloat16", "int8"};
  BiasSamples samples{.bias = {.values = values, .shape = {heads, queries, keys}}};
  if (bytes.flag()) samples.bias.dtype = dtypes[bytes.below(std::size(dtypes))];
  if (bytes.flag()) samples.first_query = bytes.extent();
  if (bytes.byte() > 250) samples.bias.shape.pop_back();
  constexpr const char* types[]{"", "alibi", "t5", "kerple-log", "kerple-power", "clipped", "swin", "shaw"};
  BiasExpectation expected;
  expected.type = types[bytes.below(std::size(types))];
  if (bytes.flag()) expected.slopes = bytes.flag() ? "mpt" : bytes.text();
  if (bytes.flag()) expected.distance = bytes.flag() ? "linear" : bytes.text();
  if (bytes.flag()) expected.steepness = bytes.number();
  expected.heads = bytes.maybe_extent();
  if (bytes.flag()) expected.first_head = bytes.extent();
  if (bytes.flag()) expected.buckets = bytes.extent();
  if (bytes.flag()) expected.max_distance = bytes.extent();
  expected.bidirectional = bytes.flag();
  expected.causal = bytes.flag();
  if (bytes.flag())
    for (std::size_t i = 0; i < 2 * std::max<std::size_t>(bytes.below(4), 1); ++i)
      expected.parameters.push_back(bytes.number());
  if (bytes.flag()) expected.window.extents = {bytes.extent(), bytes.extent()};
  check_diagnosis(diagnose_bias(samples, expected));
}

void fuzz_ids(Bytes& bytes) {
  constexpr const char* presets[]{"",           "qwen2-vl",    "qwen2.5-vl", "qwen3-vl",   "glm4v", "qwen2.5-omni",
                                  "qwen3-omni", "ernie4.5-vl", "bailing",    "hunyuan-vl", "qwen9"};
  std::vector<MropeSegment> segments(bytes.below(5));
  for (MropeSegment& segment : segments) {
    segment.kind = bytes.one_up_to(MropeSegment::Kind::video);
    if (segment.kind == MropeSegment::Kind::text) {
      segment.length = bytes.extent();
      continue;
    }
    for (std::int64_t& extent : segment.grid)
      extent = bytes.byte() > 250 ? bytes.extent() : 2 * static_cast<std::int64_t>(bytes.below(4));
    if (segment.kind == MropeSegment::Kind::image) segment.grid[0] = 1;
    segment.seconds_per_grid = bytes.maybe_number();
    if (bytes.byte() > 200) segment.audio = bytes.extent();
  }
  const char* const expected = presets[bytes.below(std::size(presets))];
  IdSamples samples{.ids = {},
                    .axes = bytes.byte() > 240 ? bytes.below(9)
                            : bytes.flag()     ? 3u
                                               : 4u,
                    .segments = segments};
  samples.merge = bytes.maybe_extent();
  samples.tokens_per_second = bytes.maybe_number();
  // A preset's plan, where there is one: mistakes are then tried on it.
  std::vector<double> ids;
  const char* const made = presets[1 + bytes.below(9)];
  if (auto options = mrope_options(made); options && options->axes() == samples.axes) {
    if (samples.merge) options->merge = *samples.merge;
    if (options->tokens_per_second && samples.tokens_per_second) options->tokens_per_second = samples.tokens_per_second;
    const auto tokens = count_mrope_tokens(*options, segments);
    if (check(tokens) && *tokens <= 4096) {
      std::vector<std::int32_t> out(samples.axes * *tokens);
      if (check(mrope_positions(*options, segments, {.out = out, .length = *tokens})))
        ids.assign(out.begin(), out.end());
    }
  }
  if (ids.empty()) ids = bytes.doubles(bytes.below(40));
  const double offset = bytes.flag() ? 0 : bytes.number();
  for (double& id : ids) id += offset;
  if (bytes.byte() > 200 && !ids.empty()) ids[bytes.byte() % ids.size()] = bytes.number();
  samples.ids = ids;
  check_diagnosis(diagnose_ids(samples, {expected}));
}

}  // namespace
}  // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fuzz;
  Bytes bytes({data, size});
  bytes.flag() ? fuzz_bias(bytes) : fuzz_ids(bytes);
  return 0;
}
