#include "posenc/diagnosis/positions/position_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace posenc::diagnosis {
namespace {

using Tokens = std::vector<std::int64_t>;

/// Fewer tokens than this show no pattern of one position: any are.
constexpr std::size_t least_tokens = 3;

/// Positions as the patterns look at them.
class PatternSearch {
 public:
  PatternSearch(std::span<const double> expected, std::span<const double> found)
      : expected_(expected), found_(found), count_(expected.size()) {}

  [[nodiscard]] std::vector<PositionPattern> patterns() {
    if (std::ranges::equal(expected_, found_)) return {};
    if (!add_counted() && !add_reversed() && !add_not_rotated() && !add_constant()) {
      add_modulo();
      add_clamped();
      if (made_.empty()) add_padding_skipped();
      add_restarted();
      add_rotated_again();
      if (made_.empty()) add_offset_from();
    }
    if (made_.empty()) add(Mistake::positions_other);
    return std::move(made_);
  }

 private:
  void add(Mistake mistake, Tokens tokens = {}, double amount = 0) {
    made_.push_back({.mistake = mistake, .tokens = std::move(tokens), .amount = amount});
  }

  [[nodiscard]] bool all_found(const auto& position_of) const {
    for (std::size_t token = 0; token < count_; ++token)
      if (found_[token] != position_of(token)) return false;
    return true;
  }

  /// The tokens whose position is not that of the token in front plus one.
  [[nodiscard]] static Tokens jumps(std::span<const double> positions) {
    Tokens made;
    for (std::size_t token = 1; token < positions.size(); ++token)
      if (positions[token] != positions[token - 1] + 1) made.push_back(static_cast<std::int64_t>(token));
    return made;
  }

  [[nodiscard]] bool are_whole(std::span<const double> positions) const {
    return std::ranges::all_of(positions, [](double each) { return each == std::floor(each); });
  }

  /// The first and last token of the runs of padding: of tokens that have one position, in front of what is counted
  /// from 0 or 1 on, or behind it. Nothing where positions are not of that form.
  [[nodiscard]] static std::optional<Tokens> padding_ends(std::span<const double> positions) {
    const auto count = static_cast<std::int64_t>(positions.size());
    const auto at = [&](std::int64_t token) { return positions[static_cast<std::size_t>(token)]; };
    std::int64_t first = 0, last = count;
    while (first + 1 < count && at(first + 1) == at(0)) ++first;
    // Where padding has the position of the first token, that one is the last of the run.
    if (first + 1 < count && at(first + 1) != at(first) + 1) ++first;
    while (last > first + 1 && at(last - 1) == at(last - 2)) --last;
    if (last < count && at(last - 1) + 1 != at(last)) --last;
    const std::int64_t end = last < count ? last : count;
    for (std::int64_t token = first + 1; token < end; ++token)
      if (at(token) != at(token - 1) + 1) return std::nullopt;
    if ((first == 0 && end == count) || end - first < 2 || (at(first) != 0 && at(first) != 1)) return std::nullopt;
    Tokens made;
    if (first > 0) made.push_back(first);
    if (end < count) made.push_back(end);
    return made;
  }

  /// Positions that count the tokens, where others were expected.
  bool add_counted() {
    if (count_ < 2 || !jumps(found_).empty() || jumps(expected_).empty()) return false;
    const double first = found_[0];
    Tokens starts = jumps(expected_);
    const auto is_start = [&](std::int64_t token) { return at(expected_, token) == expected_[0]; };
    if (std::optional<Tokens> ends = padding_ends(expected_); ends && first == 0) {
      add(Mistake::padding_counted, *std::move(ends));
      return true;
    }
    if (first == expected_[0] && std::ranges::all_of(starts, is_start)) {
      add(Mistake::positions_joined, std::move(starts));
      return true;
    }
    if (first == expected_[0] && (first != 0 || are_whole(expected_)))
      add(Mistake::counted_on, std::move(starts), first);
    else if (first == 0)
      add(Mistake::token_indices);
    return !made_.empty();
  }

  bool add_reversed() {
    if (!all_found([&](std::size_t token) { return expected_[count_ - 1 - token]; })) return false;
    add(Mistake::positions_reversed);
    return true;
  }

  /// Some tokens have the position 0.
  bool add_not_rotated() {
    Tokens still;
    for (std::size_t token = 0; token < count_; ++token) {
      if (found_[token] == expected_[token]) continue;
      if (found_[token] != 0) return false;
      still.push_back(static_cast<std::int64_t>(token));
    }
    if (still.size() == count_) return false;
    add(Mistake::tokens_not_rotated, std::move(still));
    return true;
  }

  void add_modulo() {
    double modulus = 0, largest = 0;
    for (std::size_t token = 0; token < count_; ++token) {
      const double difference = expected_[token] - found_[token];
      if (difference < 0 || difference != std::floor(difference) || found_[token] < 0) return;
      modulus = modulus == 0 ? difference : greatest_divisor(modulus, difference);
      largest = std::max(largest, found_[token]);
    }
    if (modulus <= largest) return;
    Tokens starts;
    for (std::size_t token = 1; token < count_; ++token)
      if (found_[token] < found_[token - 1] && expected_[token] > expected_[token - 1])
        starts.push_back(static_cast<std::int64_t>(token));
    if (all_found([&](std::size_t token) { return std::fmod(expected_[token], modulus); }))
      add(Mistake::positions_modulo, std::move(starts), modulus);
  }

  [[nodiscard]] static double greatest_divisor(double a, double b) {
    while (b != 0) a = std::exchange(b, std::fmod(a, b));
    return a;
  }

  /// Positions that begin again where they should go on.
  void add_restarted() {
    Tokens starts = jumps(found_);
    // A modulus that shows more than once is the simpler pattern.
    const bool is_modulo = !made_.empty() && made_.back().mistake == Mistake::positions_modulo;
    if (!jumps(expected_).empty() || starts.empty() || (!made_.empty() && (!is_modulo || starts.size() > 1))) return;
    const auto is_start = [&](std::int64_t token) { return at(found_, token) == found_[0] || at(found_, token) == 0; };
    if (found_[0] != expected_[0] || !std::ranges::all_of(starts, is_start)) return;
    // One last token does not show that anything goes on.
    if (starts.back() + 1 == static_cast<std::int64_t>(count_) && starts.size() == 1) return;
    add(Mistake::positions_restarted, std::move(starts));
  }

  void add_clamped() {
    const double most = *std::ranges::max_element(found_), least = *std::ranges::min_element(found_);
    if (most == least) return;
    if (std::ranges::count(found_, most) > 1 &&
        all_found([&](std::size_t token) { return std::min(expected_[token], most); }))
      add(Mistake::positions_clamped, first_of(most), most);
    else if (std::ranges::count(found_, least) > 1 &&
             all_found([&](std::size_t token) { return std::max(expected_[token], least); }))
      add(Mistake::positions_clamped, first_of(least), least);
  }

  [[nodiscard]] Tokens first_of(double position) const {
    return {std::ranges::find(found_, position) - found_.begin()};
  }

  /// Padding that has one position where it should be counted.
  void add_padding_skipped() {
    if (!jumps(expected_).empty()) return;
    if (std::optional<Tokens> ends = padding_ends(found_)) add(Mistake::padding_skipped, *std::move(ends));
  }

  /// Keys that are rotated when they are stored, and all of them again at each later step.
  void add_rotated_again() {
    if (count_ < least_tokens) return;
    const auto steps = [&](std::size_t token) { return expected_[token] * static_cast<double>(count_ - token); };
    double sum = 0;
    std::vector<double> sums(count_);
    for (std::size_t token = count_; token-- > 0;) sums[token] = sum += expected_[token];
    if (all_found(steps) || all_found([&](std::size_t token) { return sums[token]; })) add(Mistake::rotated_again);
  }

  /// One offset from a token on, or up to one.
  void add_offset_from() {
    std::size_t from = 1;
    const auto difference = [&](std::size_t token) { return found_[token] - expected_[token]; };
    while (from < count_ && difference(from) == difference(0)) ++from;
    if (from == count_ || (difference(0) != 0 && difference(from) != 0)) return;
    for (std::size_t token = from; token < count_; ++token)
      if (difference(token) != difference(from)) return;
    const double amount = difference(0) == 0 ? difference(from) : difference(0);
    // One token has no pattern.
    const std::size_t moved = difference(0) == 0 ? count_ - from : from;
    if (moved >= 2) add(Mistake::offset_from, {static_cast<std::int64_t>(from)}, amount);
  }

  bool add_constant() {
    if (count_ < least_tokens || std::ranges::count(found_, found_[0]) != static_cast<std::ptrdiff_t>(count_))
      return false;
    add(Mistake::positions_constant, {}, found_[0]);
    return true;
  }

  [[nodiscard]] static double at(std::span<const double> positions, std::int64_t token) {
    return positions[static_cast<std::size_t>(token)];
  }

  std::span<const double> expected_, found_;
  std::size_t count_;
  std::vector<PositionPattern> made_;
};

}  // namespace

std::vector<PositionPattern> position_patterns(std::span<const double> expected, std::span<const double> found) {
  return PatternSearch(expected, found).patterns();
}

}  // namespace posenc::diagnosis
