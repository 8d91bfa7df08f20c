#include "posenc/diagnosis/engine/dim_angles.hpp"

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
  DimAngles cache{.hypothesis = hypothesis};
  DimAngles by_dim = cache;
  for (std::size_t pair = 0; pair < pairs; ++pair)
    for (const std::size_t part : {std::size_t{0}, std::size_t{1}}) {
      const std::size_t dim = dim_at(pair, part);
      (part == 0 ? cache.pairs.first : cache.pairs.second).push_back(has_halves ? dim / 2 : dim % pairs);
      (part == 0 ? by_dim.pairs.first : by_dim.pairs.second).push_back(dim);
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

}  // namespace posenc::diagnosis
