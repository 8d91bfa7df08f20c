#include "posenc/diagnosis/estimates/frequency_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>

#include "posenc/diagnosis/estimates/phase.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"

namespace posenc::diagnosis {
namespace {

/// A phase that is uncertain by more than this does not determine the whole cycles.
constexpr double resolvable = 0.8 * std::numbers::pi;

/// So many candidates of one pair are followed at most: neighbouring positions that are further apart leave more.
constexpr std::size_t beam = 512;

/// No frequency is estimated where two neighbours allow more whole cycles than this either way: there would be far too
/// many to follow.
constexpr double most_whole_cycles = 0x1p16;

/// Whole numbers beyond are not all doubles, and their divisors are not known.
constexpr double largest_divided = 0x1p53;

/// A known phase is weighted as if it were off by this, and by this part of its whole cycles: sums of them are rounded.
constexpr double least_error = 1e-15;

struct Point {
  double position, phase, error;
};

/// Points with the phases, whole cycles included, of one candidate.
struct Path {
  double radians = 0, error = 0;
  std::vector<double> phases;  ///< of the points in order; NaN where one is too uncertain
};

std::vector<Point> points_of(const PairPhases& pair) {
  std::vector<Point> points;
  if (pair.zero_at) points.push_back({*pair.zero_at, 0, 0});
  for (std::size_t k = 0; k < pair.positions.size(); ++k)
    if (std::isfinite(pair.errors[k])) points.push_back({pair.positions[k], pair.phases[k], pair.errors[k]});
  return points;
}

/// Brings two neighbouring points to the front, the most precise of those, and the others in order of distance.
bool sort_from_closest(std::vector<Point>& points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return points[a].position < points[b].position; });
  double closest = std::numeric_limits<double>::infinity(), precision = closest;
  std::size_t start = points.size();
  for (std::size_t k = 0; k + 1 < order.size(); ++k) {
    const Point &a = points[order[k]], &b = points[order[k + 1]];
    const double distance = b.position - a.position;
    if (distance == 0 || distance > closest) continue;
    if (distance == closest && a.error + b.error >= precision) continue;
    closest = distance, precision = a.error + b.error, start = order[k];
  }
  if (start == points.size()) return false;
  const Point first = points[start];
  const auto distance = [&](const Point& point) { return std::fabs(point.position - first.position); };
  std::stable_sort(points.begin(), points.end(),
                   [&](const Point& a, const Point& b) { return distance(a) < distance(b); });
  return true;
}

/// The error that a point's phase may have, for a candidate.
double tolerance(const PairPhases& pair, const Point& point, double radians) {
  return explained_units * point.error + pair.relative_error * std::fabs(point.position * radians);
}

/// Follows one candidate to a point: whole cycles that it allows make several of it.
void extend(const PairPhases& pair, const std::vector<Point>& points, std::size_t k, const Path& path,
            std::vector<Path>& to) {
  const Point &first = points.front(), &point = points[k];
  const double distance = point.position - first.position;
  const double own = tolerance(pair, point, path.radians) + tolerance(pair, first, path.radians);
  const double reach = own + path.error * std::fabs(distance);
  const double predicted = path.phases.front() + path.radians * distance;
  const double off = wrapped(point.phase - predicted);
  if (own > resolvable) {
    to.push_back(path);
    to.back().phases.push_back(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  for (double rotations = -std::floor((reach + off) / cycle); off + rotations * cycle <= reach; ++rotations) {
    if (to.size() >= beam) return;
    const double moved = off + rotations * cycle;
    Path next = path;
    next.phases.push_back(predicted + moved);
    if (distance != 0 && own / std::fabs(distance) < path.error) {
      // Far more precise than before, or alike.
      const double error = own / std::fabs(distance);
      const double weight = path.error * path.error / (path.error * path.error + error * error);
      next.radians += weight * moved / distance;
      next.error = path.error * error / std::sqrt(path.error * path.error + error * error);
    }
    to.push_back(std::move(next));
  }
}

/// The line through the phases of a path, each of which may be off by `error_of`.
template <class ErrorOf>
PairFrequency fitted(const std::vector<Point>& points, const Path& path, const ErrorOf& error_of) {
  double weights = 0, position = 0, phase = 0;
  const auto each = [&](auto&& use) {
    for (std::size_t k = 0; k < path.phases.size(); ++k) {
      const double error = std::max(error_of(points[k]), least_error * (1 + std::fabs(path.phases[k])));
      if (std::isfinite(path.phases[k])) use(points[k], path.phases[k], 1 / (error * error));
    }
  };
  each([&](const Point& point, double at, double weight) {
    weights += weight, position += weight * point.position, phase += weight * at;
  });
  position /= weights, phase /= weights;
  double squares = 0, products = 0;
  each([&](const Point& point, double at, double weight) {
    const double distance = point.position - position;
    squares += weight * distance * distance, products += weight * distance * (at - phase);
  });
  PairFrequency made;
  made.radians = products / squares;
  made.error = 1 / std::sqrt(squares);
  made.phase = wrapped(phase - made.radians * position);
  made.phase_error = std::sqrt(1 / weights + position * position / squares);
  each([&](const Point& point, double at, double weight) {
    const double off = at - phase - made.radians * (point.position - position);
    made.misfit = std::max(made.misfit, std::fabs(off) * std::sqrt(weight));
  });
  return made;
}

/// Fits by roundings alone where these explain the phases, which are then exact; else with the arithmetic's errors.
PairFrequency fitted(const PairPhases& pair, const std::vector<Point>& points, const Path& path) {
  const PairFrequency exact = fitted(points, path, [](const Point& point) { return point.error; });
  if (exact.misfit <= explained_units) return exact;
  return fitted(points, path,
                [&](const Point& point) { return tolerance(pair, point, path.radians) / explained_units; });
}

}  // namespace

double lattice_of(std::span<const double> positions, std::optional<double> zero_at) {
  std::vector<double> all(positions.begin(), positions.end());
  if (zero_at) all.push_back(*zero_at);
  std::sort(all.begin(), all.end());
  double smallest = std::numeric_limits<double>::infinity();
  std::int64_t common = 0;
  bool is_whole = true;
  for (std::size_t k = 0; k + 1 < all.size(); ++k) {
    const double distance = all[k + 1] - all[k];
    if (distance == 0) continue;
    smallest = std::min(smallest, distance);
    is_whole = is_whole && distance == std::nearbyint(distance) && distance <= largest_divided;
    if (is_whole) common = std::gcd(common, static_cast<std::int64_t>(distance));
  }
  if (!std::isfinite(smallest)) return 0;
  return is_whole ? static_cast<double>(common) : smallest;
}

std::vector<PairFrequency> estimate_frequency(const PairPhases& pair, double lattice) {
  std::vector<Point> points = points_of(pair);
  if (lattice == 0 || !sort_from_closest(points)) return {};
  const double largest = std::numbers::pi / lattice;
  // Tokens of the same position come before the neighbour.
  std::size_t second = 1;
  while (points[second].position == points[0].position) ++second;
  std::swap(points[1], points[second]);
  const double distance = points[1].position - points[0].position;
  const double step = wrapped(points[1].phase - points[0].phase);
  std::vector<Path> paths, next;
  const double most_rotations = std::ceil(largest * std::fabs(distance) / cycle);
  if (!(most_rotations <= most_whole_cycles)) return {};
  for (double rotations = -most_rotations; rotations <= most_rotations && paths.size() < beam; ++rotations) {
    const double moved = step + rotations * cycle, radians = moved / distance;
    if (std::fabs(radians) > largest) continue;
    const double own = tolerance(pair, points[0], radians) + tolerance(pair, points[1], radians);
    if (own <= resolvable)
      paths.push_back({radians, own / std::fabs(distance), {points[0].phase, points[0].phase + moved}});
  }
  for (std::size_t k = 2; k < points.size(); ++k) {
    next.clear();
    for (const Path& path : paths) extend(pair, points, k, path, next);
    std::swap(paths, next);
  }
  std::vector<PairFrequency> made;
  for (const Path& path : paths) {
    const PairFrequency frequency = fitted(pair, points, path);
    if (frequency.misfit <= explained_units) made.push_back(frequency);
  }
  std::sort(made.begin(), made.end(), [](const auto& a, const auto& b) { return a.misfit < b.misfit; });
  return made;
}

}  // namespace posenc::diagnosis
