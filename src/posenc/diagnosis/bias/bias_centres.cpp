#include "posenc/diagnosis/bias/bias_centres.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "posenc/diagnosis/estimates/line_fit.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc::diagnosis {
namespace {

/// Queries are looked for so many positions off where the values do not show where they are.
constexpr std::int64_t most_off = 3;

double middle(const BiasProfile& profile, std::size_t at) { return (profile.low[at] + profile.high[at]) / 2; }

std::size_t steepest_head(const BiasProfile& profile) {
  std::size_t steepest = 0;
  double largest = -1;
  for (std::size_t head = 0; head < profile.extents.heads; ++head)
    for (std::size_t c = 0; c < profile.distances; ++c) {
      if (!profile.has(head, c) || std::fabs(middle(profile, head * profile.distances + c)) <= largest) continue;
      largest = std::fabs(middle(profile, head * profile.distances + c));
      steepest = head;
    }
  return steepest;
}

/// The distance whose value is smallest.
std::optional<std::int64_t> smallest(const BiasProfile& profile, std::size_t head) {
  std::optional<std::int64_t> found;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < profile.distances; ++c) {
    if (!profile.has(head, c)) continue;
    const double size = std::fabs(middle(profile, head * profile.distances + c));
    if (size >= least) continue;
    least = size;
    found = profile.distance(c);
  }
  return found;
}

/// Finds where the line through the values up to a distance is 0.
std::optional<std::int64_t> crossing(const BiasProfile& profile, std::size_t head, std::int64_t up_to) {
  LineFit line(false);
  for (std::size_t c = 0; c < profile.distances && profile.distance(c) <= up_to; ++c)
    if (profile.has(head, c)) line.add(static_cast<double>(c), middle(profile, head * profile.distances + c), 1);
  const double zero = std::round(-line.intercept() / line.slope()) + static_cast<double>(profile.first);
  if (!(std::fabs(zero) <= static_cast<double>(max_positions))) return std::nullopt;
  return static_cast<std::int64_t>(zero);
}

}  // namespace

std::vector<std::int64_t> bias_centres(const BiasProfile& profile) {
  std::vector<std::int64_t> centres{0};
  const auto add = [&](std::optional<std::int64_t> centre) {
    if (centre && std::ranges::find(centres, *centre) == centres.end()) centres.push_back(*centre);
  };
  const std::size_t head = steepest_head(profile);
  const auto least = smallest(profile, head);
  add(least);
  add(crossing(profile, head, least.value_or(profile.last_open)));
  if (profile.last_open < profile.last()) add(profile.last_open);
  add(-profile.extents.first_query);
  // Behind a mask, or where no key is after the query, the meeting itself is not seen.
  for (std::int64_t off = -most_off; off <= most_off; ++off)
    if (profile.last_open <= most_off) add(profile.last_open + off);
  return centres;
}

}  // namespace posenc::diagnosis
