#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/laws/mistaken_laws.hpp"

namespace posenc::diagnosis {

/// Predictions that differ by so few units at all positions are the same for these samples.
inline constexpr double indistinct_units = 2;

/// A law that may have made the turns.
struct TurnExplanation {
  TurnLaw law;
  std::vector<Mistake> mistakes;  ///< by which it differs from what was expected, none where nothing was
  double surprise = 0;            ///< of all turns, in bits
  double cost = 0;                ///< of saying it, in bits
  double units = 0;               ///< the largest residual, in what its arithmetic could cause
  double residual = 0;            ///< the largest residual itself, |observed - predicted|
  /// The largest difference of what it and the first explanation predict, in units of the observations: the samples do
  /// not tell them apart where that is below indistinct_units.
  double apart = 0;
  bool is_estimated = false;  ///< it has numbers that were estimated from the turns
};

/// Laws that may have made these turns, the best first (least surprise + cost), at most `most`. Laws whose plans give
/// the same numbers are one. First come those that an expected plan and one or two known mistakes make; then what the
/// turns themselves say: frequencies are estimated pair by pair, resolved beyond whole turns between positions by
/// several of these, and laws fitted to them (base and denominator, rule with its parameters, factor, sign, exchange,
/// first position). A plan of rule "given" where there are frequencies but no law.
/// Errors: sizes, memory.
[[nodiscard]] Expected<std::vector<TurnExplanation>> explain_turns(const Turns& turns,
                                                                   std::span<const double> positions,
                                                                   const TurnContext& context, std::size_t most = 8);

}  // namespace posenc::diagnosis
