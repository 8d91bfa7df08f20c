#pragma once

// The one way in which explanations are offered, merged and ranked: by bits, the fewest first.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace posenc::diagnosis {

/// The explanations of fewest bits, best first. T::total() is what it costs to state one, and the values given it.
template <class T>
class Shortlist {
 public:
  explicit Shortlist(std::size_t most = std::numeric_limits<std::size_t>::max()) : most_(most) {}

  /// An explanation of so many bits or more is not kept.
  [[nodiscard]] double bound() const {
    return kept_.size() < most_ ? std::numeric_limits<double>::infinity() : kept_.back().total();
  }

  /// Keeps an explanation that is among the best; of equal ones the first offered comes first.
  void offer(T made) {
    if (!(made.total() < bound())) return;
    const auto next = std::ranges::upper_bound(kept_, made.total(), {}, &T::total);
    kept_.insert(next, std::move(made));
    if (kept_.size() > most_) kept_.pop_back();
  }

  [[nodiscard]] const std::vector<T>& kept() const { return kept_; }

  /// The explanations, at most `most`, each without worse ones for which is_same(better, worse).
  template <class Same>
  [[nodiscard]] std::vector<T> merged(std::size_t most, const Same& is_same) && {
    std::vector<T> made;
    for (T& each : kept_) {
      if (made.size() == most) break;
      if (std::ranges::none_of(made, [&](const T& better) { return is_same(better, each); }))
        made.push_back(std::move(each));
    }
    return made;
  }

 private:
  std::size_t most_;
  std::vector<T> kept_;
};

}  // namespace posenc::diagnosis
