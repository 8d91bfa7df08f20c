#include "posenc/diagnosis/engine/dim_angles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"

namespace posenc::diagnosis {

std::vector<DimAngles> dim_angles(const RotationHypothesis& hypothesis, bool has_halves) {
  std::vector<DimAngles> made;
  const auto pairs = static_cast<std::size_t>(hypothesis.plan.dim / 2), dims = 2 * pairs;
  // The dimension of either part of a pair, and what another layout's cache has there.
  const auto dim_at = [&](std::size_t pair, std::size_t part) {
    return has_halves ? pair + part * pairs : 2 * pair + part;
  };
  DimAngles cache{.hypothesis = hypothesis, .first = {}, .second = {}};
  DimAngles by_dim = cache;
  for (std::size_t pair = 0; pair < pairs; ++pair)
    for (const std::size_t part : {std::size_t{0}, std::size_t{1}}) {
      const std::size_t dim = dim_at(pair, part);
      (part == 0 ? cache.first : cache.second).push_back(has_halves ? dim / 2 : dim % pairs);
      (part == 0 ? by_dim.first : by_dim.second).push_back(dim);
    }
  made.push_back(cache);
  if (!std::holds_alternative<scaling::Default>(hypothesis.plan.scaling)) return made;
  for (const std::size_t denominator : {2 * dims, dims}) {
    by_dim.mistake = Mistake::exponent_by_dim;
    by_dim.hypothesis.plan = plain_plan(hypothesis.plan);
    by_dim.hypothesis.plan.dim = static_cast<std::int64_t>(2 * dims);
    by_dim.hypothesis.plan.exponent_dim = static_cast<std::int64_t>(denominator);
    made.push_back(by_dim);
  }
  return made;
}

Comparison compare(const SampleView& view, const Places& places, const DimAngles& dims, bool is_named) {
  Comparison made;
  const Comparison none{.explains = false};
  auto angles = HypothesisAngles::make(dims.hypothesis);
  if (!angles || dims.first.size() != view.pairs()) return none;
  const RotationMap map(dims.hypothesis);
  std::vector<double> cosines(angles->pairs()), sines(angles->pairs()), radians(angles->pairs());
  bool is_moved = false;
  for (std::size_t token = 0; token < view.tokens(); ++token) {
    if (!angles->write(places.at(0, token), cosines.data(), sines.data(), radians.data())) return none;
    const TokenPairs& seen = view.pairs_of(token);
    for (std::size_t at = 0; at < seen.x.size(); ++at) {
      const std::size_t pair = at % view.pairs();
      for (const bool is_first : {true, false}) {
        const std::size_t k = is_first ? dims.first[pair] : dims.second[pair];
        const RotatedPair rotated = map(cosines[k], sines[k]);
        const double own = is_first ? seen.x[at] : seen.y[at], other = is_first ? -seen.y[at] : seen.x[at];
        const double predicted = own * rotated.real + other * rotated.imaginary;
        const double parts = std::fabs(own * rotated.real) + std::fabs(other * rotated.imaginary);
        const double loose =
            std::fabs(radians[k]) * loose_rate(dims.hypothesis.arithmetic, is_named, k, angles->radians()[k]);
        const double slack = is_first ? seen.slack_u[at] : seen.slack_v[at];
        const double turned = std::fabs(own * rotated.imaginary) + std::fabs(other * rotated.real);
        const double allowed = view.noise().of(parts, std::fabs(predicted), dims.hypothesis.factor != 1) +
                               std::min(loose, 1.0) * (turned + loose * parts) + slack;
        const double value = is_first ? seen.u[at] : seen.v[at], off = std::fabs(value - predicted);
        if (std::isinf(slack)) continue;
        if (off > allowed) return none;
        if (off > 0) made.units = std::max(made.units, off / allowed);
        is_moved = is_moved || std::fabs(value - own) > 4 * allowed;
      }
    }
  }
  // Vectors that stayed where they were show nothing.
  made.explains = is_moved;
  return made;
}

}  // namespace posenc::diagnosis
