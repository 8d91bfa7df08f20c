#include "posenc/diagnosis/bias/kerple_family.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "posenc/diagnosis/estimates/line_fit.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"

// std::log and its like fit parameters, which are reported as fitted: their last bits mean nothing.

namespace posenc::diagnosis {
namespace {

/// Logarithms of r2 that are looked at: beyond, the logarithmic kernel is a line or a constant.
constexpr double least_log = -30, most_log = 30;

/// Halvings of that range for a first guess, and steps of Gauss and Newton from there: each doubles the digits.
constexpr int halvings = 40, newton_steps = 8;

/// The kernel is positive definite up to this power; a step of ln r2 is not longer than this.
constexpr double most_power = 2, most_step = 1;

/// Logarithms and powers in the type of the bias are off by more than one rounding.
constexpr double kerple_floor = 2;

/// Distances of a head that are fitted, to save time: evenly spread, enough for the parameters' last digits.
constexpr std::size_t most_fitted = 512;

/// Fewer values than this do not determine two parameters.
constexpr std::size_t least_fitted = 4;

struct KerplePoint {
  double x = 0, log_value = 0;
};

struct KerpleHead {
  double r1 = 0, r2 = 0;
};

/// ln(-value) for some distances from a centre; nothing where a value has the other sign.
std::optional<std::vector<KerplePoint>> points_of(const BiasProfile& profile, std::size_t head, std::int64_t centre,
                                                  double sign) {
  std::vector<KerplePoint> points;
  const std::size_t step = profile.distances / most_fitted + 1;
  for (std::size_t c = 0; c < profile.distances; c += step) {
    const std::size_t at = head * profile.distances + c;
    if (!profile.has(head, c) || profile.distance(c) == centre) continue;
    const double value = -sign * (profile.low[at] + profile.high[at]) / 2;
    if (!(value > 0)) return std::nullopt;
    points.push_back({std::fabs(static_cast<double>(profile.distance(c) - centre)), std::log(value)});
  }
  return points;
}

/// -r1 |d|^r2: a line in logarithms.
KerpleHead fit_power(std::span<const KerplePoint> points) {
  LineFit line(false);
  for (const KerplePoint& point : points) line.add(std::log(point.x), point.log_value, 1);
  return {std::exp(line.intercept()), line.slope()};
}

/// ln ln(1 + r2 x), and its derivative by ln r2.
struct LogKernel {
  double value = 0, slope = 0;
};
LogKernel log_kernel(double log_r2, double x) {
  const double t = std::exp(log_r2) * x, kernel = std::log1p(t);
  return {std::log(kernel), t / (1 + t) / kernel};
}

/// -r1 ln(1 + r2 |d|): ln r2 from the nearest and the farthest value, then from all.
KerpleHead fit_logarithm(std::span<const KerplePoint> points) {
  const auto [near, far] = std::ranges::minmax_element(points, {}, &KerplePoint::x);
  double low = least_log, high = most_log;
  for (int k = 0; k < halvings; ++k) {
    const double middle = (low + high) / 2;
    const double growth = log_kernel(middle, far->x).value - log_kernel(middle, near->x).value;
    (growth > far->log_value - near->log_value ? low : high) = middle;
  }
  double log_r2 = (low + high) / 2, log_r1 = 0;
  for (int k = 0; k <= newton_steps; ++k) {
    double rest = 0, slope = 0, products = 0, squares = 0;
    for (const KerplePoint& point : points) {
      const LogKernel kernel = log_kernel(log_r2, point.x);
      const double residual = point.log_value - kernel.value;
      rest += residual;
      slope += kernel.slope;
      products += residual * kernel.slope;
      squares += kernel.slope * kernel.slope;
    }
    const auto n = static_cast<double>(points.size());
    log_r1 = rest / n;
    if (k == newton_steps) break;
    const double step = (n * products - rest * slope) / (n * squares - slope * slope);
    if (std::isfinite(step)) log_r2 = std::clamp(log_r2 + std::clamp(step, -most_step, most_step), least_log, most_log);
  }
  return {std::exp(log_r1), std::exp(log_r2)};
}

double kerple_value(bool is_power, const KerpleHead& head, double x) {
  if (x == 0) return 0;
  return -head.r1 * (is_power ? std::pow(x, head.r2) : std::log1p(head.r2 * x));
}

std::optional<Candidate> fit_kernel(const BiasTask& task, std::int64_t centre, bool is_power, double sign) {
  const BiasProfile& profile = task.profile;
  FoundBias found;
  BiasResidual residual;
  for (std::size_t head = 0; head < profile.extents.heads; ++head) {
    const auto points = points_of(profile, head, centre, sign);
    if (!points || points->size() < least_fitted) return std::nullopt;
    const KerpleHead fitted = is_power ? fit_power(*points) : fit_logarithm(*points);
    const bool usable = fitted.r1 > 0 && fitted.r2 > 0 && std::isfinite(fitted.r1 + fitted.r2);
    if (!usable || (is_power && fitted.r2 > most_power)) return std::nullopt;
    for (std::size_t c = 0; c < profile.distances; ++c) {
      if (!profile.has(head, c)) continue;
      const double x = std::fabs(static_cast<double>(profile.distance(c) - centre));
      const double predicted = sign * kerple_value(is_power, fitted, x);
      residual.add(profile, head * profile.distances + c, predicted,
                   kerple_floor * profile.type.unit(std::fabs(predicted)));
      if (residual.units > explained_units) return std::nullopt;
    }
    found.parameters.push_back(fitted.r1);
    found.parameters.push_back(fitted.r2);
  }
  found.type = is_power ? "kerple-power" : "kerple-log";
  found.negative = sign < 0;
  const double cost = profile.value_bits() * static_cast<double>(found.parameters.size());
  return bias_candidate(task, std::move(found), centre, residual, cost);
}

}  // namespace

std::vector<Candidate> kerple_candidates(const BiasTask& task, std::span<const std::int64_t> centres) {
  std::vector<Candidate> candidates;
  for (const std::int64_t centre : centres)
    for (const bool is_power : {false, true})
      for (const double sign : {1.0, -1.0})
        if (auto candidate = fit_kernel(task, centre, is_power, sign)) candidates.push_back(*std::move(candidate));
  return candidates;
}

}  // namespace posenc::diagnosis
