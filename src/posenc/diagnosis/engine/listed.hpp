#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "posenc/base/function_ref.hpp"
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
[[nodiscard]] Diagnosis concluded(Counting counting, std::string_view type, FunctionRef<void(Diagnosis&)> tell,
                                  FunctionRef<Departure()> depart);

/// The diagnosis of values that say nothing.
inline Diagnosis too_little_of(std::string_view type) {
  Diagnosis made;
  made.verdict = Verdict::too_little;
  made.dtype = type;
  return made;
}

/// The shortest decimal number near an estimate that `explains`, or the estimate itself.
[[nodiscard]] std::optional<double> shortest_number(double value, FunctionRef<bool(double)> explains);

/// Where a function is least between two numbers: looked for by steps, then nearer by ever smaller ones.
[[nodiscard]] double least_at(double low, double high, double step, FunctionRef<double(double)> function);

}  // namespace posenc::diagnosis
