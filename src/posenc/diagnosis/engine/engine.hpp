#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/engine/axis_assignment.hpp"
#include "posenc/diagnosis/engine/comparison.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/positions/position_pattern.hpp"
#include "posenc/diagnosis/positions/token_positions.hpp"

namespace posenc::diagnosis {

/// One computation that makes every value.
struct Finding {
  RotationHypothesis hypothesis;
  std::vector<Mistake> mistakes;
  AxisAssignment assignment = {};
  HypothesisNumbers numbers = {};
  Comparison residual = {};
  bool is_estimated = false;  ///< no list has its numbers
  bool is_open = false;       ///< positions are one reading of many
  FoundPositions positions = {};

  /// Whether both make the same numbers at every position.
  [[nodiscard]] bool is_same_as(const Finding& other) const {
    // What turns nothing takes no axis.
    const bool is_of_axes = turns_nothing() || assignment.axis_of_pair == other.assignment.axis_of_pair;
    return is_of_axes && same_numbers(numbers, other.numbers) && positions.values == other.positions.values &&
           mistakes_of_axes() == other.mistakes_of_axes() &&
           // Patterns that give these tokens the same positions give others different ones.
           (positions.values.empty() || mistakes.back() == other.mistakes.back());
  }
  [[nodiscard]] bool turns_nothing() const {
    return std::ranges::all_of(numbers.rates, [](double rate) { return rate == 0; });
  }
  /// Text does not show which axes pairs take, and its positions are of one axis.
  [[nodiscard]] bool mistakes_of_axes() const {
    return assignment.axis_of_pair.empty() && !assignment.mistakes.empty();
  }
};

/// A view of samples, and what to look for in it.
struct Question {
  const SampleView& view;
  Places places;
  const RotationContext& context;
  AxisExpectation axes;
  HypothesisLists& lists;
  bool keeps_lengths = true;  ///< pairs are as long as before, as far as the first of them show it
  /// Tokens that depart from what was expected, as far as they are known: whatever does not explain these is dropped
  /// before others are looked at.
  std::span<const std::size_t> departing = {};
};

/// THE engine, in four steps: it simulates each computation of the list, compares every value, and returns those that
/// are left; where none is, it reads positions back, and then estimates numbers.
class Engine {
 public:
  explicit Engine(const Question& question);

  /// All of the list that explains every value, with at most so many mistakes; with two the family too. `most` bounds
  /// how many are looked for.
  [[nodiscard]] std::vector<Finding> listed(std::size_t most_mistakes, std::size_t most) const;

  /// Finds them at other positions than those given, read back from each token: by a pattern that has a name, by a line
  /// through the given ones, or any. `farthest` gets how far positions were looked for.
  [[nodiscard]] std::vector<Finding> moved(std::size_t most_mistakes, double& farthest) const;

  /// Computations with numbers that no list has: a factor, a base, any frequencies.
  [[nodiscard]] std::vector<Finding> estimated() const;

  /// Whether no token shows what some pair does: its inputs are zeros.
  [[nodiscard]] bool has_unseen_pairs() const;

 private:
  void for_known(Keep keep) const;
  [[nodiscard]] bool is_named() const { return question_.context.expected_arithmetic.has_value(); }
  [[nodiscard]] std::vector<AxisAssignment> assignments() const;
  [[nodiscard]] std::vector<ListedHypothesis> restarted(const AxisAssignment& assignment) const;
  [[nodiscard]] std::optional<AxisAssignment> meant_axes() const;
  [[nodiscard]] std::vector<PositionPattern> patterns_of(std::span<const double> values) const;
  [[nodiscard]] bool is_left_out(const ListedHypothesis& each) const;
  [[nodiscard]] bool try_listed(const ListedHypothesis& each, const AxisAssignment& assignment,
                                std::vector<Finding>& found, bool is_estimated = false) const;
  [[nodiscard]] double near_reach() const;
  [[nodiscard]] double expected_factor() const;
  void try_factors(ListedHypothesis each, const AxisAssignment& assignment, std::span<const double> factors,
                   std::vector<Finding>& found) const;
  void try_patterns(std::size_t most_mistakes, std::vector<Finding>& found) const;
  /// Positions of all tokens, [axes, tokens], as a computation's angles leave them: more than one list where more are
  /// possible. Where those of each token are several that no list has together, it is open which, and the nearest are
  /// told.
  struct Reading {
    std::vector<std::vector<double>> values;
    std::vector<double> nearest;
    bool is_open = false;
  };
  [[nodiscard]] Reading read_positions(const ListedHypothesis& each, const AxisAssignment& assignment,
                                       const ReadingRange& range) const;
  void add_moved(const ListedHypothesis& each, const AxisAssignment& assignment, std::vector<double> values,
                 std::vector<Finding>& found) const;

  Question question_;
  Measured measured_;
};

}  // namespace posenc::diagnosis
