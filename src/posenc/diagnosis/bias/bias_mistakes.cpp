#include "posenc/diagnosis/bias/bias_mistakes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/bias/slope_rules.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc::diagnosis {
namespace {

constexpr std::array<std::string_view, 8> types{"",        "alibi",  "t5",      "kerple-log", "kerple-power",
                                                "clipped", "linear", "toeplitz"};

/// Slopes that differ by less are those of one rule, computed in another way.
constexpr double same_slope = 1e-6;

/// More buckets than any model has.
constexpr std::int64_t most_buckets = 4096;

bool has_slopes(std::string_view type) { return type == "alibi" || type == "linear"; }

bool has_expected_slopes(const BiasTask& task, const FoundBias& found) {
  if (found.slope_rule.empty()) return task.expects("linear");
  const SlopeRule rule = expected_rule(task.expected, task.profile.extents.heads);
  for (std::size_t h = 0; h < found.slopes.size(); ++h) {
    const double slope = std::fabs(found.slopes[h] / found.factor);
    if (std::fabs(slope - slope_of(rule, task.expected.steepness, h)) > same_slope * slope) return false;
  }
  return true;
}

/// Notes the mistakes of a bias that has the expected type.
void note_numbers(const BiasTask& task, const FoundBias& found, std::vector<Mistake>& mistakes) {
  const BiasExpectation& expected = task.expected;
  if (has_slopes(found.type)) {
    if (!has_expected_slopes(task, found)) mistakes.push_back(Mistake::slopes);
    if (found.factor != 1) mistakes.push_back(Mistake::factor_other);
    // A constant of each row hides for keys before the query which distance it is; those behind it show it.
    const bool shows_distance = !found.up_to_rows || (task.profile.shows_future && !task.profile.masks_future);
    const std::string_view distance = found.up_to_rows && found.distance.empty() ? "linear" : found.distance;
    if (shows_distance && !distance.empty() && distance != expected.distance) mistakes.push_back(Mistake::distance);
  }
  const auto& numbers = found.parameters;
  const bool other_buckets = found.type == "t5" && (numbers[0] != static_cast<double>(expected.buckets) ||
                                                    numbers[1] != static_cast<double>(expected.max_distance) ||
                                                    found.bidirectional != expected.bidirectional);
  const bool other_clip = found.type == "clipped" && numbers[0] != static_cast<double>(expected.max_distance);
  if (other_buckets || other_clip) mistakes.push_back(Mistake::buckets);
}

std::vector<Mistake> mistakes_of(const BiasTask& task, const FoundBias& found, std::int64_t centre) {
  std::vector<Mistake> mistakes;
  if (task.expected.type.empty()) return mistakes;
  const bool does_nothing =
      has_slopes(found.type) && std::ranges::all_of(found.slopes, [](double s) { return s == 0; });
  if (does_nothing) return {Mistake::not_rotated};
  const bool as_alibi = has_slopes(found.type) && task.expects("alibi");
  if (found.type == task.expected.type || as_alibi)
    note_numbers(task, found, mistakes);
  else
    mistakes.push_back(Mistake::distance);
  if (found.negative) mistakes.push_back(Mistake::sign);
  if (centre != 0 && !found.up_to_rows) mistakes.push_back(Mistake::first_position);
  if (task.profile.shows_future && found.causal != task.expected.causal) mistakes.push_back(Mistake::causal);
  return mistakes;
}

}  // namespace

Expected<void> check_expectation(const BiasExpectation& expected, const BiasExtents& extents) {
  if (std::ranges::find(types, std::string_view(expected.type)) == types.end())
    return invalid_argument("expected.type", expected.type,
                            {R"("alibi", "t5", "kerple-log", "kerple-power", "clipped", "linear" or "toeplitz")"});
  POSENC_TRY(from_name<AlibiSlopes>(expected.slopes));
  POSENC_TRY(from_name<AlibiDistance>(expected.distance));
  const bool has_steepness = expected.steepness > 0 && expected.steepness <= most_steepness;
  if (!has_steepness)
    return invalid_argument("expected.steepness", expected.steepness, expected::above_to, {0, most_steepness});
  const auto heads = static_cast<std::int64_t>(extents.heads);
  POSENC_TRY(check_whole("expected.heads", expected.heads.value_or(heads), heads, max_heads));
  POSENC_TRY(check_whole("expected.firstHead", expected.first_head, 0, expected.heads.value_or(heads) - heads));
  POSENC_TRY(check_whole("expected.buckets", expected.buckets, 2, most_buckets));
  return check_whole("expected.maxDistance", expected.max_distance, 1, max_positions);
}

double number_cost(double value, double expected, std::span<const double> usual) {
  if (value == expected) return 0;
  return std::ranges::find(usual, value) != usual.end() ? usual_number_bits : any_number_bits;
}

Candidate bias_candidate(const BiasTask& task, FoundBias found, std::int64_t centre, const BiasResidual& residual,
                         double cost) {
  const BiasProfile& profile = task.profile;
  found.first_query = profile.extents.first_query + centre;
  // A mask may begin where the queries should be, or where the bias has them.
  found.causal = (profile.masks_future && (profile.shows_future || profile.last_open <= centre)) ||
                 (!profile.anchored && profile.last_open == centre && profile.last() > centre);
  Candidate candidate;
  candidate.data_bits = residual.data_bits;
  candidate.cost = cost + (centre == 0 || found.up_to_rows ? 0 : usual_number_bits);
  Explanation& explanation = candidate.explanation;
  explanation.mistakes = mistakes_of(task, found, centre);
  const std::size_t unusual = (found.negative ? 1 : 0) + (found.factor != 1 ? 1 : 0);
  candidate.cost +=
      mistake_bits * static_cast<double>(task.expected.type.empty() ? unusual : explanation.mistakes.size());
  // Up to rows, a query at another place does the same without a wrong sign.
  if (found.negative && found.up_to_rows) candidate.cost += usual_number_bits + mistake_bits;
  explanation.units = residual.units;
  explanation.ulps = residual.ulps;
  if (!task.expected.type.empty()) {
    const bool has_sign = found.negative && found.type != "t5";
    explanation.factor = (has_sign ? -1 : 1) / found.factor;
    if (!found.up_to_rows && centre != 0) explanation.shift = -static_cast<double>(centre);
  }
  explanation.found = std::move(found);
  return candidate;
}

}  // namespace posenc::diagnosis
