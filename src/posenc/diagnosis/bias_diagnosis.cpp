#include "posenc/diagnosis/bias_diagnosis.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "posenc/base/try.hpp"
#include "posenc/diagnosis/bias/bias_centres.hpp"
#include "posenc/diagnosis/bias/bias_mistakes.hpp"
#include "posenc/diagnosis/bias/bias_profile.hpp"
#include "posenc/diagnosis/bias/bucket_family.hpp"
#include "posenc/diagnosis/bias/kerple_family.hpp"
#include "posenc/diagnosis/bias/linear_family.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"

namespace posenc {
namespace {

using namespace diagnosis;

bool is_zero(const BiasProfile& profile) {
  for (std::size_t at = 0; at < profile.low.size(); ++at)
    if (profile.low[at] <= profile.high[at] && (profile.low[at] != 0 || profile.high[at] != 0)) return false;
  return true;
}

void append(std::vector<Candidate>& all, std::vector<Candidate> more) {
  for (Candidate& candidate : more) all.push_back(std::move(candidate));
}

/// Whether all values from the distance on at which `clipped` clips are one, in all heads and on both sides: a mask of
/// a window is such a constant, too, and learned ends are not.
bool may_be_window(const BiasProfile& profile, const FoundBias& clipped) {
  const auto clip = static_cast<std::int64_t>(clipped.parameters[0]);
  std::optional<double> constant;
  for (std::size_t head = 0; head < profile.extents.heads; ++head)
    for (std::size_t c = 0; c < profile.distances; ++c) {
      const std::int64_t centre = clipped.first_query - profile.extents.first_query;
      const std::int64_t from_query = profile.distance(c) - centre;
      if (!profile.has(head, c) || std::abs(from_query) < clip) continue;
      const double value = profile.low[head * profile.distances + c];
      if (constant.value_or(value) != value) return false;
      constant = value;
    }
  return true;
}

/// Other numbers of T5's than the first have the same values here, and others elsewhere.
bool has_rival(const Diagnosis& diagnosis) { return diagnosis.explanations.size() > 1 && !diagnosis.next.empty(); }

void lower(Diagnosis& diagnosis, Verdict most) { diagnosis.verdict = std::max(diagnosis.verdict, most); }

}  // namespace

Expected<Diagnosis> diagnose_bias(const BiasSamples& samples, const BiasExpectation& expected) {
  POSENC_TRY_LET(extents, extents_of(samples));
  POSENC_TRY(check_expectation(expected, extents));
  POSENC_TRY_LET(profile, profile_by_distance(samples, extents));
  Diagnosis diagnosis;
  diagnosis.dtype = profile.type.name;
  if (profile.values == 0) return diagnosis;
  const BiasTask task{profile, expected};
  const double noise_bits = static_cast<double>(profile.values) * profile.value_bits();
  std::vector<Candidate> candidates;
  // Learned biases start as zeros.
  if (is_zero(profile)) {
    set_too_little(diagnosis, false);
    return diagnosis;
  }
  const std::vector<std::int64_t> centres = bias_centres(profile);
  append(candidates, linear_candidates(task, centres));
  if (candidates.empty()) append(candidates, kerple_candidates(task, centres));
  std::vector<double> next;
  if (profile.exact) {
    POSENC_TRY_LET(learned, learned_candidates(task, centres));
    append(candidates, std::move(learned.candidates));
    next = std::move(learned.next);
  }
  if (candidates.empty() && !profile.exact) {
    POSENC_TRY_LET(by_key, profile_by_key(samples, profile));
    const std::int64_t centre = 0;
    append(candidates, linear_candidates({by_key, expected}, {&centre, 1}));
    if (candidates.empty()) append(candidates, linear_candidates(task, centres, true));
  }
  weigh(std::move(candidates), noise_bits, diagnosis);
  if (diagnosis.explanations.empty()) return diagnosis;
  const auto& found = std::get<FoundBias>(diagnosis.explanations[0].found);
  const std::string_view type = found.type;
  // Up to a constant of each row no bias says where its queries are; a mask of their own keys says that it is
  // elsewhere.
  const bool hides_own_keys = found.up_to_rows && profile.last_open < 0;
  const bool has_noise = profile.type.rounding > float32_rounding && diagnosis.explanations[0].units > stored_roundings;
  if (type == "toeplitz" || profile.has_holes || hides_own_keys || has_noise ||
      (type == "clipped" && may_be_window(profile, found)))
    lower(diagnosis, Verdict::likely);
  if (type == "t5" && diagnosis.verdict != Verdict::none) {
    diagnosis.next = std::move(next);
    // A table of two sides would say which is which: exchanged, queries and keys have buckets, too.
    if (has_rival(diagnosis) || found.bidirectional) lower(diagnosis, Verdict::likely);
  }
  return diagnosis;
}

}  // namespace posenc
