#pragma once

#include <cstddef>
#include <vector>

#include "posenc/diagnosis/diagnosis.hpp"

namespace posenc::diagnosis {

/// The one way to a verdict: explanations that make every value, in the order of the list, are counted. There is no
/// weight: one that is left is certain, several are ambiguous, an estimated one is likely.
class Counting {
 public:
  /// Adds an explanation of every value. `numbers` are what it makes here and elsewhere, far enough to differ from all
  /// others that are not the same everywhere: of those with equal numbers the first, or the one with fewer mistakes, is
  /// kept. `is_estimated`: no list has its numbers.
  void add(Explanation explanation, std::vector<double> numbers, bool is_estimated = false);

  [[nodiscard]] bool empty() const { return left_.empty(); }
  [[nodiscard]] std::size_t size() const { return left_.size(); }

  /// The explanations, fewest mistakes first, and the verdict. What would tell them apart is the caller's to find.
  [[nodiscard]] Diagnosis take() &&;

 private:
  struct Left {
    Explanation explanation;
    std::vector<double> numbers;
    bool is_estimated = false;
  };
  std::vector<Left> left_;
};

/// At most so many explanations are returned: more would only repeat that the samples do not tell.
inline constexpr std::size_t most_returned = 512;

}  // namespace posenc::diagnosis
