#include "diagnosis/verdict_counts.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace testing {

std::string names_of(std::span<const posenc::Mistake> mistakes) {
  std::vector<std::string> names;
  for (const posenc::Mistake mistake : mistakes) names.emplace_back(posenc::name_of(mistake));
  std::ranges::sort(names);
  std::string made;
  for (const std::string& name : names) made += (made.empty() ? "" : " + ") + name;
  return made.empty() ? "none" : made;
}

void VerdictCounts::add(const std::string& truth, bool right, posenc::Verdict verdict) {
  Row& row = rows_[truth];
  ++row.all;
  ++count_;
  ++row.verdicts[static_cast<std::size_t>(verdict)];
  if (right)
    ++row.right, ++right_;
  else if (verdict == posenc::Verdict::certain)
    ++certainly_wrong_;
}

double VerdictCounts::share() const { return static_cast<double>(right_) / static_cast<double>(count_); }

std::size_t VerdictCounts::certainly_wrong() const { return certainly_wrong_; }

std::string VerdictCounts::table() const {
  std::string made = "| mistake | samples | named first | certain | likely | ambiguous | too little | none |\n";
  made += "|---|---|---|---|---|---|---|---|\n";
  for (const auto& [name, row] : rows_) {
    made += "| " + name + " | " + std::to_string(row.all) + " | " + std::to_string(row.right);
    for (const std::size_t verdict : row.verdicts) made += " | " + std::to_string(verdict);
    made += " |\n";
  }
  return made;
}

}  // namespace testing
