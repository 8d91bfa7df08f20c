#include "posenc/diagnosis/axes/axis_views.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "posenc/diagnosis/hypotheses/evidence.hpp"

namespace posenc::diagnosis {
namespace {

/// A rotation is known better than another whose unit is so many times as large.
constexpr double known_better = 0.5;

/// Whether two rotations are the same but for roundings.
bool agree(const PairRotations& rotations, std::size_t a, std::size_t b) {
  const double allowed = explained_units * (rotations.units[a] + rotations.units[b]);
  return std::fabs(rotations.cosines[a] - rotations.cosines[b]) <= allowed &&
         std::fabs(rotations.sines[a] - rotations.sines[b]) <= allowed;
}

}  // namespace

AxisChoices axis_choices(const PairRotations& rotations, std::span<const double> points, std::size_t axes) {
  AxisChoices choices{rotations.pairs, axes, std::vector<bool>(rotations.pairs * axes, true)};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::map<double, std::vector<std::size_t>>
        known;  // by position: for each pair the token whose rotation is known best
    for (std::size_t token = 0; token < rotations.tokens; ++token) {
      const auto [place, is_new] = known.try_emplace(points[axis * rotations.tokens + token]);
      if (is_new) {
        place->second.assign(rotations.pairs, token);
        continue;
      }
      for (std::size_t pair = 0; pair < rotations.pairs; ++pair) {
        std::size_t& best = place->second[pair];
        const std::size_t a = best * rotations.pairs + pair, b = token * rotations.pairs + pair;
        if (!agree(rotations, a, b)) choices.possible[pair * axes + axis] = false;
        if (rotations.units[b] < rotations.units[a]) best = token;
      }
    }
  }
  return choices;
}

AxisView view_of(const PairRotations& rotations, std::span<const double> points,
                 const std::vector<std::int64_t>& axis_of_pair, std::span<const std::size_t> pairs) {
  AxisView view;
  std::map<double, std::vector<std::size_t>> best;  // by position: a token a pair, or none
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto axis = static_cast<std::size_t>(axis_of_pair[pairs[k]]);
    for (std::size_t token = 0; token < rotations.tokens; ++token) {
      auto& tokens = best[points[axis * rotations.tokens + token]];
      if (tokens.empty()) tokens.assign(pairs.size(), rotations.tokens);
      const auto unit_of = [&](std::size_t of) { return rotations.units[of * rotations.pairs + pairs[k]]; };
      // Units go with lengths: the least of many alike would be that of the shortest rotation.
      if (tokens[k] == rotations.tokens || known_better * unit_of(tokens[k]) > unit_of(token)) tokens[k] = token;
    }
  }
  view.rotations.tokens = best.size();
  view.rotations.pairs = pairs.size();
  for (const auto& [position, tokens] : best) {
    view.positions.push_back(position);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const bool is_there = tokens[k] < rotations.tokens;
      const std::size_t at = is_there ? tokens[k] * rotations.pairs + pairs[k] : 0;
      view.rotations.cosines.push_back(is_there ? rotations.cosines[at] : 1);
      view.rotations.sines.push_back(is_there ? rotations.sines[at] : 0);
      view.rotations.units.push_back(is_there ? rotations.units[at] : std::numeric_limits<double>::infinity());
    }
  }
  return view;
}

}  // namespace posenc::diagnosis
