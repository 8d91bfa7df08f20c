#include "posenc/diagnosis/bias/bias_profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc::diagnosis {
namespace {

constexpr double no_value = std::numeric_limits<double>::infinity();

Expected<BiasProfile> empty_profile(const BiasExtents& extents, std::size_t distances) {
  BiasProfile profile;
  profile.extents = extents;
  profile.distances = distances;
  for (AlignedArray<double>* const array : {&profile.low, &profile.high, &profile.magnitude}) {
    POSENC_TRY_LET(made, AlignedArray<double>::make(extents.heads * distances));
    *array = std::move(made);
  }
  std::ranges::fill(profile.low.span(), no_value);
  std::ranges::fill(profile.high.span(), -no_value);
  return profile;
}

void note(BiasProfile& profile, std::size_t at, double value, double magnitude) {
  const bool is_first = profile.low[at] > profile.high[at];
  if (!is_first && (profile.low[at] != value || profile.high[at] != value)) profile.exact = false;
  profile.low[at] = std::min(profile.low[at], value);
  profile.high[at] = std::max(profile.high[at], value);
  profile.magnitude[at] = std::max(profile.magnitude[at], magnitude);
}

void find_last_open(BiasProfile& profile) {
  profile.last_open = profile.first - 1;
  for (std::size_t c = profile.distances; c-- > 0;)
    for (std::size_t head = 0; head < profile.extents.heads; ++head)
      if (profile.has(head, c)) {
        profile.last_open = profile.distance(c);
        return;
      }
}

/// Whether a value is masked though farther keys are not, in a matrix of one head: but for keys that none of several
/// queries sees, as padding is. One query alone does not tell padding from a window.
bool has_holes(const BiasProfile& profile, const SampleValues& matrix) {
  const std::size_t queries = profile.extents.queries, keys = profile.extents.keys;
  for (std::size_t key = 0; key < keys; ++key) {
    bool is_seen = false, is_hidden = false;
    for (std::size_t query = 0; query < queries; ++query) {
      const bool is_hole = is_masked(matrix[query * keys + key]);
      is_seen = is_seen || !is_hole;
      is_hidden = is_hidden || (is_hole && profile.distance(queries - 1 - query + key) <= profile.last_open);
    }
    if (is_hidden && (is_seen || queries == 1)) return true;
  }
  return false;
}

/// The type that represents the smallest and the largest value of every distance.
Expected<StoredType> type_of(const BiasProfile& profile, const BiasSamples& samples) {
  std::vector<double> values;
  for (std::size_t at = 0; at < profile.low.size(); ++at) {
    if (profile.low[at] > profile.high[at]) continue;
    values.push_back(profile.low[at]);
    if (profile.low[at] != profile.high[at]) values.push_back(profile.high[at]);
  }
  if (values.empty()) values.push_back(0);
  return stored_type_of({values, {static_cast<std::int64_t>(values.size())}, samples.bias.dtype}, "bias");
}

}  // namespace

double BiasProfile::value_bits() const { return -1.0 - std::ilogb(type.rounding); }

Expected<BiasExtents> extents_of(const BiasSamples& samples) {
  const auto& all = samples.bias.shape;
  if (all.size() < 2)
    return invalid_argument("bias.shape", static_cast<double>(all.size()),
                            {"[.., heads, queries, keys] or [queries, keys]"});
  const std::span<const std::int64_t> shape = std::span(all).last(std::min<std::size_t>(all.size(), 3));
  const bool has_heads = shape.size() == 3;
  BiasExtents extents;
  for (std::size_t axis = 0; axis + 3 < all.size(); ++axis) {
    POSENC_TRY(check_whole("bias.shape", all[axis], 1, max_positions));
    extents.batch *= static_cast<std::size_t>(all[axis]);
  }
  std::size_t* const parts[]{&extents.heads, &extents.queries, &extents.keys};
  extents.heads = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t part = i + (has_heads ? 0 : 1);
    POSENC_TRY(check_whole("bias.shape", shape[i], 1, part == 0 ? max_heads : max_positions));
    *parts[part] = static_cast<std::size_t>(shape[i]);
  }
  POSENC_TRY(check_extents("bias.data", samples.bias.values.size(),
                           {extents.batch, extents.heads, extents.queries, extents.keys}));
  extents.first_query = samples.first_query.value_or(static_cast<std::int64_t>(extents.keys) -
                                                     static_cast<std::int64_t>(extents.queries));
  POSENC_TRY(check_whole("firstQuery", extents.first_query, -max_positions, max_positions));
  return extents;
}

Expected<BiasProfile> profile_by_distance(const BiasSamples& samples, const BiasExtents& extents) {
  auto made = empty_profile(extents, extents.queries + extents.keys - 1);
  if (!made) return made;
  BiasProfile& profile = *made;
  profile.first = -(extents.first_query + static_cast<std::int64_t>(extents.queries) - 1);
  std::size_t at = 0;
  for (std::size_t each = 0; each < extents.batch * extents.heads; ++each)
    for (std::size_t query = 0; query < extents.queries; ++query) {
      const std::size_t row = each % extents.heads * profile.distances + extents.queries - 1 - query;
      for (std::size_t key = 0; key < extents.keys; ++key, ++at) {
        const double value = samples.bias.values[at];
        if (std::isnan(value) || value == no_value)
          return invalid_argument("bias.data[" + decimal(at) + "]", value, {"a number, or -infinity as a mask"});
        if (is_masked(value)) continue;
        ++profile.values;
        note(profile, row + key, value, std::fabs(value));
      }
    }
  find_last_open(profile);
  const std::size_t size = extents.queries * extents.keys;
  for (std::size_t start = 0; start < samples.bias.values.size() && !profile.has_holes; start += size)
    profile.has_holes = has_holes(profile, samples.bias.values.subspan(start, size));
  profile.shows_future = extents.keys > 1 && profile.last() > 0;
  profile.masks_future = profile.last_open <= 0;
  POSENC_TRY_LET(type, type_of(profile, samples));
  profile.type = type;
  return made;
}

Expected<BiasProfile> profile_by_key(const BiasSamples& samples, const BiasProfile& by_distance) {
  const BiasExtents& extents = by_distance.extents;
  auto made = empty_profile(extents, 2 * extents.keys - 1);
  if (!made) return made;
  BiasProfile& profile = *made;
  profile.type = by_distance.type;
  profile.values = by_distance.values;
  profile.anchored = true;
  profile.shows_future = by_distance.shows_future, profile.masks_future = by_distance.masks_future;
  profile.has_holes = by_distance.has_holes;
  profile.first = 1 - static_cast<std::int64_t>(extents.keys);
  for (std::size_t row = 0; row < extents.batch * extents.heads * extents.queries; ++row) {
    const SampleValues values = samples.bias.values.subspan(row * extents.keys, extents.keys);
    std::size_t anchor = extents.keys;
    for (std::size_t key = 0; key < extents.keys; ++key)
      if (!is_masked(values[key]) && (anchor == extents.keys || std::fabs(values[key]) < std::fabs(values[anchor])))
        anchor = key;
    const auto query = static_cast<std::int64_t>(row % extents.queries) + extents.first_query;
    if (anchor < extents.keys && static_cast<std::int64_t>(anchor) != query) profile.meets_queries = false;
    for (std::size_t key = 0; key < extents.keys; ++key)
      if (!is_masked(values[key]))
        note(profile, row / extents.queries % extents.heads * profile.distances + extents.keys - 1 + key - anchor,
             values[key] - values[anchor], std::max(std::fabs(values[key]), std::fabs(values[anchor])));
  }
  find_last_open(profile);
  return made;
}

void BiasResidual::add(const BiasProfile& profile, std::size_t at, double predicted, double floor) {
  const double residual = std::max(std::fabs(profile.low[at] - predicted), std::fabs(profile.high[at] - predicted));
  const double unit = profile.type.unit(std::max(profile.magnitude[at], std::fabs(predicted)));
  const double allowed = std::max(unit, floor);
  if (!std::isfinite(residual) || !std::isfinite(allowed)) {
    units = no_value;
    return;
  }
  data_bits += diagnosis::data_bits(residual, unit, allowed);
  units = std::max(units, residual / allowed);
  ulps = std::max(ulps, residual / (2 * unit));
}

}  // namespace posenc::diagnosis
