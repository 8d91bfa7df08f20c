#include "posenc/diagnosis/bias_diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/bias/bias_search.hpp"
#include "posenc/relative/swin.hpp"

namespace posenc {
namespace {

using namespace diagnosis;

constexpr std::array<std::string_view, 7> bias_types{"",        "alibi",        "t5",  "kerple-log",
                                                     "clipped", "kerple-power", "swin"};

/// Slopes that are steeper than this one are 0 at once; more buckets than this no model has.
constexpr double most_steepness = 1000;
constexpr std::int64_t most_buckets = 4096;

Expected<void> check_expected_bias(const BiasExpectation& expected, const PairSample& sample) {
  if (std::ranges::find(bias_types, std::string_view(expected.type)) == bias_types.end())
    return invalid_argument("expected.type", expected.type,
                            {R"("alibi", "t5", "kerple-log", "kerple-power", "clipped" or "swin")"});
  POSENC_TRY(from_name<AlibiSlopes>(expected.slopes));
  POSENC_TRY(from_name<AlibiDistance>(expected.distance));
  const bool has_steepness = expected.steepness > 0 && expected.steepness <= most_steepness;
  if (!has_steepness)
    return invalid_argument("expected.steepness", expected.steepness, expected::above_to, {0, most_steepness});
  const auto heads = static_cast<std::int64_t>(sample.heads);
  POSENC_TRY(check_whole("expected.heads", expected.heads.value_or(heads), heads, max_heads));
  POSENC_TRY(check_whole("expected.firstHead", expected.first_head, 0, expected.heads.value_or(heads) - heads));
  POSENC_TRY(check_whole("expected.buckets", expected.buckets, 2, most_buckets));
  POSENC_TRY(check_whole("expected.maxDistance", expected.max_distance, 1, max_positions));
  if (!expected.parameters.empty())
    POSENC_TRY(check_size("expected.parameters", expected.parameters.size(), sample.heads, std::size_t{2}));
  for (const double parameter : expected.parameters)
    if (parameter <= 0 || !std::isfinite(parameter))
      return invalid_argument("expected.parameters", parameter, expected::finite_above, {0});
  if (expected.type != "t5" || expected.table.empty()) return {};
  // What cannot be expected is refused in the words of the function that would make it.
  POSENC_TRY(T5Buckets::make({expected.buckets, expected.max_distance, expected.bidirectional}));
  return check_size("expected.table", expected.table.size(), static_cast<std::size_t>(expected.buckets), sample.heads);
}

/// The tokens of a window.
Expected<std::size_t> window_tokens(const WindowExpectation& window) {
  POSENC_TRY(check_whole("expected.window", static_cast<std::int64_t>(window.extents.size()), 2, 3));
  for (const std::int64_t extent : window.extents) POSENC_TRY(check_whole("expected.window", extent, 1, max_side));
  return static_cast<std::size_t>(WindowWay{window.extents, window.class_token}.tokens());
}

}  // namespace

Expected<Diagnosis> diagnose_bias(const BiasSamples& samples, const BiasExpectation& expected) {
  POSENC_TRY_LET(sample, PairSample::make(samples));
  POSENC_TRY(check_expected_bias(expected, sample));
  if (expected.type == "swin") {
    POSENC_TRY_LET(tokens, window_tokens(expected.window));
    POSENC_TRY(check_size("bias.data", sample.queries * sample.keys, tokens, tokens));
    const auto rows = WindowWay{expected.window.extents, expected.window.class_token}.rows();
    POSENC_TRY(check_size("expected.table", expected.table.size(), static_cast<std::size_t>(rows), sample.heads));
  }
  return BiasSearch(sample, expected).diagnose();
}

Expected<Diagnosis> diagnose_window_ids(const SampledTensor& ids, const WindowExpectation& expected) {
  POSENC_TRY_LET(tokens, window_tokens(expected));
  // Divided and not multiplied: the pairs of a large window may not fit into a size.
  const std::size_t rows = ids.values.size() / tokens;
  if (ids.values.empty() || rows * tokens != ids.values.size() || rows % tokens != 0)
    POSENC_TRY(check_size("ids.data", ids.values.size(), tokens, tokens));
  for (std::size_t at = 0; at < ids.values.size(); ++at)
    if (!std::isfinite(ids.values[at]))
      return invalid_argument("ids.data[" + decimal(at) + "]", ids.values[at], expected::finite);
  const auto side = static_cast<std::int64_t>(tokens);
  POSENC_TRY_LET(sample, PairSample::make({{ids.values, {static_cast<std::int64_t>(rows) / side, 1, side, side}}}));
  const BiasExpectation meant{.type = "ids", .window = expected};
  Diagnosis found = BiasSearch(sample, meant).diagnose();
  found.dtype = "float64";
  return found;
}

}  // namespace posenc
