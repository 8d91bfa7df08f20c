#include "posenc/diagnosis/bias_diagnosis.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/bias/bias_search.hpp"
#include "posenc/diagnosis/bias/window_pairs.hpp"

namespace posenc {
namespace {

using namespace diagnosis;

constexpr std::array<std::string_view, 9> bias_types{"",        "alibi",  "t5",       "kerple-log", "kerple-power",
                                                     "clipped", "linear", "toeplitz", "swin"};

/// Slopes that are steeper than this one are 0 at once; more buckets than this no model has.
constexpr double most_steepness = 1000;
constexpr std::int64_t most_buckets = 4096;

Expected<void> check_expected_bias(const BiasExpectation& expected, const PairSample& sample) {
  if (std::ranges::find(bias_types, std::string_view(expected.type)) == bias_types.end())
    return invalid_argument(
        "expected.type", expected.type,
        {R"("alibi", "t5", "kerple-log", "kerple-power", "clipped", "linear", "toeplitz" or "swin")"});
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
  if (expected.type != "t5" || expected.table.empty()) return {};
  // What cannot be expected is refused in the words of the function that would make it.
  POSENC_TRY(T5Buckets::make({expected.buckets, expected.max_distance, expected.bidirectional}));
  return check_size("expected.table", expected.table.size(), static_cast<std::size_t>(expected.buckets), sample.heads);
}

}  // namespace

Expected<Diagnosis> diagnose_bias(const BiasSamples& samples, const BiasExpectation& expected) {
  POSENC_TRY_LET(sample, PairSample::make(samples));
  POSENC_TRY(check_expected_bias(expected, sample));
  if (expected.type == "swin") return diagnose_window_bias(sample, expected);
  return BiasSearch(sample, expected).diagnose();
}

}  // namespace posenc
