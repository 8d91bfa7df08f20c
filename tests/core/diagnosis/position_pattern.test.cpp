#include "posenc/diagnosis/positions/position_pattern.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

using posenc::Mistake;
using posenc::diagnosis::position_patterns;

namespace {

using Positions = std::vector<double>;

Positions counted(std::size_t count, double first = 0) {
  Positions made(count);
  for (double& position : made) position = first++;
  return made;
}

/// The names of the patterns, with commas between.
std::string names(const Positions& expected, const Positions& found) {
  std::string made;
  for (const auto& pattern : position_patterns(expected, found))
    made += (made.empty() ? "" : ", ") + std::string(name_of(pattern.mistake));
  return made;
}

}  // namespace

TEST_CASE("patterns of positions follow from what was expected and what was found", "[diagnosis]") {
  CHECK(names({}, {}).empty());
  CHECK(names(counted(5), counted(5)).empty());
  CHECK(names({0, 1, 2, 0, 1}, counted(5)) == "positions-joined");
  CHECK(names({5, 6, 7, 5, 6}, counted(5, 5)) == "positions-joined");
  CHECK(names({1, 1, 0, 1, 2}, counted(5)) == "padding-counted");
  CHECK(names({0, 0, 0, 1, 2}, counted(5)) == "padding-counted");
  CHECK(names({0, 1, 2, 1, 1}, counted(5)) == "padding-counted");
  CHECK(names(counted(5), {1, 1, 0, 1, 2}) == "padding-skipped");
  CHECK(names({3, 8, 9, 20}, counted(4, 3)) == "counted-on");
  CHECK(names({0, 12.5, 12.5, 25}, counted(4)) == "token-indices");
  CHECK(names(counted(5), {4, 3, 2, 1, 0}) == "positions-reversed");
  CHECK(names(counted(6), {0, 1, 2, 0, 0, 0}) == "tokens-not-rotated");
  CHECK(names(counted(7), {0, 1, 2, 0, 1, 2, 0}) == "positions-modulo");
  CHECK(names(counted(6), {0, 1, 2, 3, 3, 3}) == "positions-clamped");
  CHECK(names(counted(6, 4), {6, 6, 6, 7, 8, 9}) == "positions-clamped");
  CHECK(names(counted(9), {0, 1, 2, 3, 0, 1, 0, 1, 2}) == "positions-restarted");
  CHECK(names(counted(6), {0, 1, 9, 10, 11, 12}) == "offset-from");
  CHECK(names(counted(6), {7, 8, 9, 10, 4, 5}) == "offset-from");
  CHECK(names(counted(4), {8, 8, 8, 8}) == "positions-constant");
  CHECK(names(counted(4, 40), {40, 40, 40, 40}) == "positions-constant");
  CHECK(names(counted(4, 1), {4, 6, 6, 4}) == "rotated-again");
  CHECK(names(counted(4, 1), {10, 9, 7, 4}) == "rotated-again");
  CHECK(names(counted(4), {7, 1, 30, 2}) == "positions-other");
  // Several that one example does not distinguish; two tokens show no one position, and one token no offset.
  CHECK(names(counted(6), {0, 1, 2, 3, 0, 1}) == "positions-modulo, positions-restarted");
  CHECK(names(counted(2, 4), {5, 4}) == "positions-reversed");
  CHECK(names(counted(3), {8, 8, 8}) == "positions-constant");
  CHECK(names(counted(2), {8, 8}) != "positions-constant");
  CHECK(names(counted(5), {0, 1, 2, 3, 9}) == "positions-other");
}
