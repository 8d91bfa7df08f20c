#include "posenc/diagnosis/engine/counting.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/diagnosis/engine/ordering.hpp"

namespace posenc::diagnosis {
namespace {

/// Numbers that are nearer than this, relative to the larger, are one number computed in two ways.
constexpr double same_number = 0x1p-40;

bool is_same_number(double a, double b) {
  return a == b || std::fabs(a - b) <= same_number * std::max(std::fabs(a), std::fabs(b));
}

}  // namespace

void Counting::add(Explanation explanation, std::vector<double> numbers, bool is_estimated) {
  for (Left& each : left_) {
    if (!std::ranges::equal(each.numbers, numbers, is_same_number)) continue;
    // What a list has is a better name than an estimate, of however few mistakes.
    if (std::pair(is_estimated, explanation.mistakes.size()) <
        std::pair(each.is_estimated, each.explanation.mistakes.size()))
      each.explanation = std::move(explanation), each.is_estimated = is_estimated;
    return;
  }
  left_.push_back({std::move(explanation), std::move(numbers), is_estimated});
}

Diagnosis Counting::take() && {
  Diagnosis made;
  if (left_.empty()) return made;
  sort_by(left_, [](const Left& each) { return each.explanation.mistakes.size(); });
  made.verdict = left_.size() > 1             ? Verdict::ambiguous
                 : left_.front().is_estimated ? Verdict::likely
                                              : Verdict::certain;
  for (std::size_t i = 0; i < std::min(left_.size(), most_returned); ++i)
    made.explanations.push_back(std::move(left_[i].explanation));
  return made;
}

}  // namespace posenc::diagnosis
