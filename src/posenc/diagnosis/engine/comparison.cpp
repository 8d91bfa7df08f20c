#include "posenc/diagnosis/engine/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/rotary/certificate/rounding_error.hpp"

// std::sin, std::cos and std::sqrt are right here: they rule out what is far off, and simulations are compared.

namespace posenc::diagnosis {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

/// So many vectors of a token show its rotation as well as all: what they leave is compared with all.
constexpr std::size_t most_measured = 64;

/// An angle that may be off by more shows little; so many pairs that are not prove a computation, whatever others may
/// be.
constexpr double weak_angle = 0.25;
constexpr std::ptrdiff_t enough_told = 4;

/// A product of a rate and a position in double, and its sine, are off by no more than this of the angle.
constexpr double double_angle = 0x1p-48;

}  // namespace

std::vector<std::size_t> spread_indices(std::size_t count, std::size_t most) {
  std::vector<std::size_t> made;
  made.reserve(std::min(count, most));
  const std::size_t first = count <= most ? count : (most + 1) / 2;
  for (std::size_t i = 0; i < first; ++i) made.push_back(i);
  const std::size_t rest = std::min(count, most) - first;
  for (std::size_t i = 1; i <= rest; ++i) made.push_back(first - 1 + i * (count - first) / rest);
  return made;
}

Measured measure(const SampleView& view, std::vector<std::size_t> tokens) {
  Measured made{.tokens = std::move(tokens), .pairs = view.pairs(), .real = {}, .imaginary = {}, .error = {}};
  const std::size_t vectors = std::min(view.vectors(), most_measured);
  for (const std::size_t token : made.tokens) {
    const TokenPairs& own = view.pairs_of(token);
    for (std::size_t pair = 0; pair < view.pairs(); ++pair) {
      double real = 0, imaginary = 0, weight = 0, error = 0;
      for (std::size_t vector = 0; vector < vectors; ++vector) {
        const std::size_t at = vector * view.pairs() + pair;
        const double x = own.x[at], y = own.y[at], u = own.u[at], v = own.v[at];
        const double before = std::sqrt(x * x + y * y), after = std::sqrt(u * u + v * v);
        const double slack = std::max(own.slack_u[at], own.slack_v[at]);
        if (before == 0 || slack == unknown) continue;
        real += x * u + y * v, imaginary += x * v - y * u, weight += before * before;
        // Either part is off by what is allowed of it, and products of a pair are no more than sqrt(2) times its
        // length.
        const double parts = 1.4142135623730952 * after;
        const double allowed = view.noise().of(parts, after, true, 1.5 * before) + slack;
        error += before * (1.4142135623730952 * allowed + 0x1p-50 * after);
      }
      made.real.push_back(weight > 0 ? real / weight : 0);
      made.imaginary.push_back(weight > 0 ? imaginary / weight : 0);
      // The bound follows from the expected length, which the measured one may be a little below.
      made.error.push_back(weight > 0 ? 1.02 * error / weight : unknown);
    }
  }
  return made;
}

bool may_explain(const Measured& measured, const Places& places, const HypothesisNumbers& numbers, bool is_named,
                 std::span<const std::int64_t> axis_of_pair) {
  if (numbers.rates.size() != measured.pairs) return false;
  const bool is_meant = numbers.arithmetic == AngleArithmetic::exact;
  const double rounding = numbers.cosines == DType::float32 ? 0 : 1.5 * unit_of(rounding_of(numbers.cosines)).value;
  const double factor = numbers.factor, size = std::fabs(factor);
  for (std::size_t i = measured.tokens.size(); i-- > 0;) {
    const std::size_t token = measured.tokens[i];
    for (std::size_t k = 0; k < measured.pairs; ++k) {
      // The slowest pair and the fastest one soon show a difference.
      const std::size_t pair = k == 0 ? measured.pairs - 1 : k - 1, at = measured.at(i, pair);
      if (measured.error[at] == unknown) continue;
      const auto axis = axis_of_pair.empty() ? std::size_t{0} : static_cast<std::size_t>(axis_of_pair[pair]);
      const double position = places.at(axis, token) + numbers.first_position, rate = numbers.rates[pair];
      const double angle = rate * position;
      const double sine_angle = numbers.sine_rows == 0 ? angle : angle + rate * numbers.sine_rows;
      const double magnitude = std::max(std::fabs(angle), std::fabs(sine_angle));
      const double cosine = factor * std::cos(angle), sine = factor * std::sin(sine_angle);
      const double real = numbers.exchanged ? sine : cosine, imaginary = numbers.exchanged ? cosine : sine;
      const double loose =
          loose_rate(is_meant ? AngleArithmetic::exact : AngleArithmetic::float32, is_meant && is_named, pair, rate);
      const double reach =
          measured.error[at] + rounding * size * 1.5 +
          size * 1.5 *
              ((loose + double_angle) * (magnitude + std::fabs(rate)) +
               (is_meant ? 0 : 2 * loose_rate(AngleArithmetic::product, true, pair, rate) * magnitude) +
               coarse_angle(numbers.arithmetic, magnitude, std::fabs(position) + std::fabs(numbers.sine_rows)));
      const double a = measured.real[at] - real, b = measured.imaginary[at] - imaginary;
      if (a * a + b * b > reach * reach) return false;
    }
  }
  return true;
}

Comparison compare(const SampleView& view, const Places& places, const RotationHypothesis& hypothesis, bool is_named,
                   std::span<const std::int64_t> axis_of_pair, Marks* marks) {
  Comparison made;
  auto angles = HypothesisAngles::make(hypothesis);
  const std::size_t pairs = view.pairs();
  if (!angles || angles->pairs() != pairs) return {.explains = false, .ulps = unknown, .units = unknown};
  const RotationMap map(hypothesis);
  const Noise& noise = view.noise();
  const bool has_factor = hypothesis.factor != 1;
  std::vector<double> cosines(pairs), sines(pairs), radians(pairs), loose(pairs), own(3 * pairs);
  for (std::size_t i = 0; i < pairs; ++i)
    loose[i] = loose_rate(hypothesis.arithmetic, is_named, i, angles->radians()[i]);
  std::vector<double> least(pairs, unknown);  ///< by how much the angle of a pair may be off where it is known best
  for (std::size_t token = view.tokens(); token-- > 0;) {
    for (std::size_t axis = 0; axis < places.axes; ++axis) {
      if (!axis_of_pair.empty() &&
          std::ranges::find(axis_of_pair, static_cast<std::int64_t>(axis)) == axis_of_pair.end())
        continue;
      if (!angles->write(places.at(axis, token), own.data(), own.data() + pairs, own.data() + 2 * pairs))
        return {.explains = false, .ulps = unknown, .units = unknown};
      for (std::size_t i = 0; i < pairs; ++i)
        if (axis_of_pair.empty() || axis_of_pair[i] == static_cast<std::int64_t>(axis))
          cosines[i] = own[i], sines[i] = own[pairs + i], radians[i] = own[2 * pairs + i];
      if (axis_of_pair.empty()) break;
    }
    for (std::size_t i = 0; i < pairs; ++i) {
      const RotatedPair rotated = map(cosines[i], sines[i]);
      cosines[i] = rotated.real, sines[i] = rotated.imaginary;
      radians[i] = std::fabs(radians[i]) * loose[i];
      // Where nothing turns all is alike.
      if (radians[i] > 0) least[i] = std::min(least[i], radians[i]);
    }
    const TokenPairs& seen = view.pairs_of(token);
    for (std::size_t vector = 0; vector < view.vectors(); ++vector) {
      for (std::size_t i = 0, at = vector * pairs; i < pairs; ++i, ++at) {
        const double x = seen.x[at], y = seen.y[at], c = cosines[i], s = sines[i];
        const double xc = x * c, ys = y * s, xs = x * s, yc = y * c;
        const double u = xc - ys, v = xs + yc;
        const double own_parts = std::fabs(xc) + std::fabs(ys), other_parts = std::fabs(xs) + std::fabs(yc);
        const double by_angle_u = radians[i] < 1 ? radians[i] * other_parts : own_parts + other_parts;
        const double by_angle_v = radians[i] < 1 ? radians[i] * own_parts : own_parts + other_parts;
        const double bend = radians[i] * radians[i] * (own_parts + other_parts);
        const double allowed_u = noise.of(own_parts, std::fabs(u), has_factor, std::fabs(x) + std::fabs(y)) +
                                 by_angle_u + bend + seen.slack_u[at];
        const double allowed_v = noise.of(other_parts, std::fabs(v), has_factor, std::fabs(x) + std::fabs(y)) +
                                 by_angle_v + bend + seen.slack_v[at];
        const double off_u = seen.slack_u[at] == unknown ? 0 : std::fabs(seen.u[at] - u);
        const double off_v = seen.slack_v[at] == unknown ? 0 : std::fabs(seen.v[at] - v);
        if (off_u == 0 && off_v == 0) continue;
        if (off_u > allowed_u || off_v > allowed_v) {
          made.explains = false;
          if (marks == nullptr) return made;
          marks->tokens[token] = marks->vectors[vector] = marks->pairs[i] = true;
        }
        const double length = std::sqrt(u * u + v * v), off = std::max(off_u, off_v);
        if (length > 0) made.ulps = std::max(made.ulps, off / (2 * noise.type.unit(length)));
        made.units = std::max({made.units, off_u / allowed_u, off_v == 0 ? 0 : off_v / allowed_v});
      }
    }
  }
  const auto told = [&](double most) {
    return std::ranges::count_if(least, [&](double each) { return each < most || each == unknown; });
  };
  const auto leaves_open = [&](double most) {
    const auto count = told(most);
    return count < std::ssize(least) && count < enough_told;
  };
  made.is_blind = leaves_open(1), made.is_weak = leaves_open(weak_angle);
  return made;
}

std::vector<double> telling_positions(const RotationHypothesis& a, const RotationHypothesis& b, bool is_named,
                                      const Noise& noise, double reach) {
  auto first = HypothesisAngles::make(a), second = HypothesisAngles::make(b);
  std::vector<double> made;
  if (!first || !second || first->pairs() != second->pairs()) return made;
  const std::size_t pairs = first->pairs();
  const RotationMap of_a(a), of_b(b);
  std::vector<double> rows(6 * pairs);
  const auto row = [&](std::size_t k) { return rows.data() + k * pairs; };
  for (double position = 1; position <= reach && made.size() < 4; position = std::floor(position * 1.5) + 1) {
    if (!first->write(position, row(0), row(1), row(2)) || !second->write(position, row(3), row(4), row(5))) break;
    for (std::size_t i = 0; i < pairs; ++i) {
      const RotatedPair one = of_a(row(0)[i], row(1)[i]), other = of_b(row(3)[i], row(4)[i]);
      const double off = std::max(std::fabs(one.real - other.real), std::fabs(one.imaginary - other.imaginary));
      const double loose = std::fabs(row(2)[i]) * loose_rate(a.arithmetic, is_named, i, first->radians()[i]) +
                           std::fabs(row(5)[i]) * loose_rate(b.arithmetic, is_named, i, second->radians()[i]);
      // Twice what either is allowed, for a pair of any direction.
      const double size = std::max(std::fabs(a.factor), std::fabs(b.factor));
      if (off <= 4 * (noise.of(size * 1.5, size, a.factor != 1 || b.factor != 1) + size * loose)) continue;
      made.push_back(position);
      break;
    }
  }
  return made;
}

}  // namespace posenc::diagnosis
