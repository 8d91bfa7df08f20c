#include "posenc/diagnosis/axes/axis_views.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "posenc/diagnosis/laws/evidence.hpp"

namespace posenc::diagnosis {
namespace {

/// Whether two turns are the same but for roundings.
bool agree(const Turns& turns, std::size_t a, std::size_t b) {
  const double allowed = explained_units * (turns.units[a] + turns.units[b]);
  return std::fabs(turns.cosines[a] - turns.cosines[b]) <= allowed &&
         std::fabs(turns.sines[a] - turns.sines[b]) <= allowed;
}

}  // namespace

AxisChoices axis_choices(const Turns& turns, std::span<const double> points, std::size_t axes) {
  AxisChoices choices{turns.pairs, axes, std::vector<bool>(turns.pairs * axes, true)};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::map<double, std::vector<std::size_t>> known;  // by position: for each pair the token whose turn is known best
    for (std::size_t token = 0; token < turns.tokens; ++token) {
      const auto [place, is_new] = known.try_emplace(points[axis * turns.tokens + token]);
      if (is_new) {
        place->second.assign(turns.pairs, token);
        continue;
      }
      for (std::size_t pair = 0; pair < turns.pairs; ++pair) {
        std::size_t& best = place->second[pair];
        const std::size_t a = best * turns.pairs + pair, b = token * turns.pairs + pair;
        if (!agree(turns, a, b)) choices.possible[pair * axes + axis] = false;
        if (turns.units[b] < turns.units[a]) best = token;
      }
    }
  }
  return choices;
}

AxisView view_of(const Turns& turns, std::span<const double> points, const std::vector<std::int64_t>& axis_of_pair,
                 std::span<const std::size_t> pairs) {
  AxisView view;
  std::map<double, std::vector<std::size_t>> best;  // by position: a token a pair, or none
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto axis = static_cast<std::size_t>(axis_of_pair[pairs[k]]);
    for (std::size_t token = 0; token < turns.tokens; ++token) {
      auto& tokens = best[points[axis * turns.tokens + token]];
      if (tokens.empty()) tokens.assign(pairs.size(), turns.tokens);
      if (tokens[k] == turns.tokens ||
          turns.units[token * turns.pairs + pairs[k]] < turns.units[tokens[k] * turns.pairs + pairs[k]])
        tokens[k] = token;
    }
  }
  view.turns.tokens = best.size();
  view.turns.pairs = pairs.size();
  for (const auto& [position, tokens] : best) {
    view.positions.push_back(position);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const bool is_there = tokens[k] < turns.tokens;
      const std::size_t at = is_there ? tokens[k] * turns.pairs + pairs[k] : 0;
      view.turns.cosines.push_back(is_there ? turns.cosines[at] : 1);
      view.turns.sines.push_back(is_there ? turns.sines[at] : 0);
      view.turns.units.push_back(is_there ? turns.units[at] : std::numeric_limits<double>::infinity());
    }
  }
  return view;
}

}  // namespace posenc::diagnosis
