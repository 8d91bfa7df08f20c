#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "posenc/diagnosis/diagnosis.hpp"

namespace testing {

/// The mistakes' names, in any order the same: "layout + sign", or "none".
[[nodiscard]] std::string names_of(std::span<const posenc::Mistake> mistakes);

/// How often mistakes were named first, and with which verdict.
class VerdictCounts {
 public:
  /// `truth` is what was done, `right` whether the first explanation is that.
  void add(const std::string& truth, bool right, posenc::Verdict verdict);

  [[nodiscard]] double share() const;                 ///< named first, of all
  [[nodiscard]] std::size_t certainly_wrong() const;  ///< of those that are not
  /// A table in markdown: a mistake a row, a verdict a column.
  [[nodiscard]] std::string table() const;

 private:
  struct Row {
    std::size_t right = 0, all = 0, verdicts[5] = {};
  };

  std::map<std::string, Row> rows_;
  std::size_t right_ = 0, count_ = 0, certainly_wrong_ = 0;
};

}  // namespace testing
