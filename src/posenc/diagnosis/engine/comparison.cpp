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

/// An angle that may be off by more says nothing: a radian, and what estimates of roundings differ by.
constexpr double blind_angle = 1.25;

/// An angle that may be off by more shows little; so many pairs that are not prove a computation, whatever others may
/// be.
constexpr double weak_angle = 0.25;

/// An angle that is known better than this changes no length by more than roundings do.
constexpr double least_loose = 0x1p-20;
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
    const TokenPairs& own = view.pairs_of(token, vectors);
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

Simulation::Simulation(const SampleView& view, HypothesisAngles& angles, const RotationHypothesis& hypothesis,
                       bool is_named, std::span<const std::int64_t> axis_of_pair, const PairsOfDims& dims)
    : view_(&view),
      angles_(angles),
      map_(hypothesis),
      has_factor_(hypothesis.factor != 1),
      keeps_lengths_(hypothesis.sine_rows == 0 && hypothesis.cosines == DType::float32 && dims.first.empty()),
      axis_of_pair_(axis_of_pair),
      own_(3 * angles_.pairs()) {
  for (std::size_t i = 0; i < angles_.pairs(); ++i)
    rates_.push_back(loose_rate(hypothesis.arithmetic, is_named, i, angles_.radians()[i]));
  for (const bool is_second : {false, true}) {
    Dims& own = dims_[is_second ? 1 : 0];
    own.pairs = is_second ? dims.second : dims.first;
    for (std::size_t i = own.pairs.size(); i < view.pairs(); ++i) own.pairs.push_back(i);
    own.loose.resize(view.pairs()), own.turned.resize(view.pairs()), own.off.resize(view.pairs());
  }
}

bool Simulation::turn(std::size_t axis, double position) {
  const std::size_t count = angles_.pairs();
  if (!angles_.write(position, own_.data(), own_.data() + count, own_.data() + 2 * count)) return false;
  for (Dims& each : dims_)
    for (std::size_t i = 0; i < each.pairs.size(); ++i) {
      if (!has(i, axis)) continue;
      const std::size_t k = each.pairs[i];
      each.loose[i] = std::fabs(own_[2 * count + k]) * rates_[k];
      each.turned[i] = map_(own_[k], own_[count + k]);
      each.off[i] = map_.off(own_[k], own_[count + k], each.loose[i]);
    }
  return true;
}

bool Simulation::compare(std::size_t token, std::optional<std::size_t> axis, Comparison& made, Marks* marks) const {
  const Noise& noise = view_->noise();
  const TokenPairs& seen = view_->pairs_of(token);
  const std::size_t pairs = view_->pairs();
  const auto& [of_u, of_v] = dims_;
  for (std::size_t vector = 0; vector < view_->vectors(); ++vector) {
    for (std::size_t i = 0, at = vector * pairs; i < pairs; ++i, ++at) {
      if (axis && !has(i, *axis)) continue;
      const double x = seen.x[at], y = seen.y[at];
      const RotatedPair &by_u = of_u.turned[i], &by_v = of_v.turned[i];
      const double u = x * by_u.real - y * by_u.imaginary, v = x * by_v.imaginary + y * by_v.real;
      const auto parts_of = [&](double a, double b) { return std::fabs(x * a) + std::fabs(y * b); };
      const auto noise_of = [&](double sum, double a, double b) {
        return noise.of(parts_of(a, b), std::fabs(sum), has_factor_, std::fabs(x) + std::fabs(y));
      };
      const double noise_u = noise_of(u, by_u.real, by_u.imaginary) + seen.slack_u[at];
      const double noise_v = noise_of(v, by_v.imaginary, by_v.real) + seen.slack_v[at];
      // Both dimensions of a pair that turns are off by no more than its length times the angle.
      const double most =
          keeps_lengths_ ? of_u.loose[i] * std::fabs(map_.factor()) * std::sqrt(x * x + y * y) : unknown;
      const double allowed_u = noise_u + std::min(parts_of(of_u.off[i].real, of_u.off[i].imaginary), most);
      const double allowed_v = noise_v + std::min(parts_of(of_v.off[i].imaginary, of_v.off[i].real), most);
      const double off_u = seen.slack_u[at] == unknown ? 0 : std::fabs(seen.u[at] - u);
      const double off_v = seen.slack_v[at] == unknown ? 0 : std::fabs(seen.v[at] - v);
      if (off_u == 0 && off_v == 0) continue;
      const double length = std::sqrt(u * u + v * v), off = std::max(off_u, off_v);
      // Whatever its angle is, a pair is as long.
      const bool is_as_long = !keeps_lengths_ || of_u.loose[i] < least_loose ||
                              !(std::fabs(std::hypot(seen.u[at], seen.v[at]) - length) > noise_u + noise_v);
      if (off_u > allowed_u || off_v > allowed_v || !is_as_long) {
        made.explains = false;
        if (marks == nullptr) return false;
        marks->tokens[token] = marks->vectors[vector] = marks->pairs[i] = true;
      }
      if (length > 0) made.ulps = std::max(made.ulps, off / (2 * noise.type.unit(length)));
      made.units = std::max({made.units, off_u / allowed_u, off_v == 0 ? 0 : off_v / allowed_v});
    }
  }
  return made.explains;
}

Comparison compare(const SampleView& view, const Places& places, const RotationHypothesis& hypothesis, bool is_named,
                   std::span<const std::int64_t> axis_of_pair, Marks* marks, const PairsOfDims& dims,
                   HypothesisAngles* angles) {
  const Comparison none{.explains = false, .ulps = unknown, .units = unknown};
  std::optional<HypothesisAngles> new_angles;
  if (angles == nullptr) {
    auto made = HypothesisAngles::make(hypothesis);
    if (!made) return none;
    angles = &new_angles.emplace(*std::move(made));
  }
  angles->move_to(hypothesis);
  if ((dims.first.empty() ? angles->pairs() : dims.first.size()) != view.pairs()) return none;
  Simulation simulation(view, *angles, hypothesis, is_named, axis_of_pair, dims);
  Comparison made;
  std::vector<double> least(view.pairs(), unknown);  ///< by how much the angle of a pair may be off, where least
  for (std::size_t token = view.tokens(); token-- > 0;) {
    for (std::size_t axis = 0; axis < (axis_of_pair.empty() ? 1 : places.axes); ++axis)
      if ((axis_of_pair.empty() || std::ranges::count(axis_of_pair, static_cast<std::int64_t>(axis)) != 0) &&
          !simulation.turn(axis, places.at(axis, token)))
        return none;
    // Where nothing turns all is alike.
    for (std::size_t i = 0; i < least.size(); ++i)
      if (const double own = simulation.loose_angles()[i]; own > 0) least[i] = std::min(least[i], own);
    if (!simulation.compare(token, std::nullopt, made, marks) && marks == nullptr) return made;
  }
  const auto leaves_open = [&](double most) {
    const auto told = std::ranges::count_if(least, [&](double each) { return each < most || each == unknown; });
    return told < std::ssize(least) && told < enough_told;
  };
  made.is_blind = leaves_open(blind_angle), made.is_weak = leaves_open(weak_angle);
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
