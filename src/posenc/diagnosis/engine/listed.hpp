#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "posenc/diagnosis/engine/changes.hpp"
#include "posenc/diagnosis/engine/counting.hpp"

namespace posenc::diagnosis {

/// Where values are not those expected, noted one by one.
class Departures {
 public:
  void add(std::size_t token, std::size_t head) {
    if (std::pair(token, head) == last_) return;
    last_ = {token, head};
    tokens_.insert(static_cast<std::int64_t>(token));
    heads_.insert(static_cast<std::int64_t>(head));
  }
  void add_pair(std::size_t pair) { pairs_.insert(static_cast<std::int64_t>(pair)); }

  /// Empty where each token departs.
  [[nodiscard]] Departure take(std::size_t tokens, bool has_heads = true) const {
    Departure made;
    if (tokens_.size() == tokens) return made;
    made.tokens.assign(tokens_.begin(), tokens_.end());
    if (has_heads) made.heads.assign(heads_.begin(), heads_.end());
    made.pairs.assign(pairs_.begin(), pairs_.end());
    made.of_tokens = static_cast<std::int64_t>(tokens);
    return made;
  }

 private:
  std::set<std::int64_t> tokens_, heads_, pairs_;
  std::pair<std::size_t, std::size_t> last_{std::size_t{0} - 1, 0};  ///< values of a row come one after the other
};

/// Makes the diagnosis of the explanations that are left. tell(diagnosis) sets what would tell several apart; where
/// none is left, depart() returns what departs.
template <class Tell, class Depart>
Diagnosis concluded(Counting counting, std::string_view type, const Tell& tell, const Depart& depart) {
  Diagnosis made = std::move(counting).take();
  made.dtype = type;
  if (made.verdict == Verdict::ambiguous) tell(made);
  if (made.verdict == Verdict::none) made.departure = depart();
  return made;
}

/// The diagnosis of values that say nothing.
inline Diagnosis too_little_of(std::string_view type) {
  Diagnosis made;
  made.verdict = Verdict::too_little;
  made.dtype = type;
  return made;
}

/// A number to so many decimal digits: as a decimal literal has it, up to 15 digits and 22 behind the point.
inline double rounded_to(double value, int digits) {
  const int behind = digits - 1 - static_cast<int>(std::floor(std::log10(std::fabs(value))));
  const double unit = std::pow(10.0, std::abs(behind));
  return behind > 0 ? std::round(value * unit) / unit : std::round(value / unit) * unit;
}

/// The shortest decimal number near an estimate that `explains`, or the estimate itself.
template <class Explains>
std::optional<double> shortest_number(double value, const Explains& explains) {
  constexpr int most_digits = 15;  // that no double loses
  if (!std::isfinite(value) || value == 0) return std::nullopt;
  for (int digits = 1; digits <= most_digits; ++digits)
    if (const double rounded = rounded_to(value, digits); explains(rounded)) return rounded;
  return explains(value) ? std::optional(value) : std::nullopt;
}

/// Where a function is least between two numbers: looked for by steps, then nearer by ever smaller ones.
template <class Function>
double least_at(double low, double high, double step, const Function& function) {
  constexpr int most_rounds = 12;
  double best = low;
  for (int round = 0; round < most_rounds; ++round) {
    double least = std::numeric_limits<double>::infinity();
    const auto steps = static_cast<int>((high - low) / step);
    for (int i = 0; i <= steps; ++i) {
      const double at = low + i * step;
      if (const double now = function(at); now < least) least = now, best = at;
    }
    low = best - step;
    high = best + step;
    step /= 8;
  }
  return best;
}

}  // namespace posenc::diagnosis
