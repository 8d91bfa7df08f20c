#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "diagnosis/mutants/mutants.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "testing/testing.hpp"

using mutants::Clean;

using mutants::Mutant;
using mutants::Noise;
using posenc::Explanation;
using posenc::Mistake;
using posenc::Verdict;
using testing::value_of;

namespace {

enum class Outcome : std::uint8_t { right, same_numbers, wrong };

/// A row of the table: how often a mistake was named, and how surely.
struct ConfusionRow {
  int count = 0, right = 0, same = 0, wrong = 0;
  int certain = 0, likely = 0, ambiguous = 0, none = 0, wrong_and_certain = 0;
};

/// A hypothesis in the generator's words.
mutants::Recipe recipe_of(const posenc::diagnosis::RotationHypothesis& hypothesis) {
  return {.plan = hypothesis.plan,
          .reciprocal = hypothesis.reciprocal,
          .other_factor = hypothesis.factor,
          .first_position = hypothesis.first_position,
          .position_scale = hypothesis.position_scale,
          .negative = hypothesis.negative,
          .exchanged = hypothesis.exchanged,
          .arithmetic = hypothesis.arithmetic};
}

/// Whether an explanation's hypothesis gives what the mutant computed, within what its type's roundings cause: both by
/// the generator, whose float32 steps may end in other bits than the core's.
bool same_numbers(const Explanation& explanation, const Clean& clean, std::span<const double> positions, Noise noise) {
  const auto& found = std::get<posenc::FoundRotation>(explanation.found);
  mutants::Recipe recipe = recipe_of(found.hypothesis);
  recipe.plan.dim = recipe.plan.rotary_dim.value_or(recipe.plan.dim), recipe.plan.rotary_dim = {};
  const Clean made = mutants::rotations_of(recipe, positions);
  if (made.cosines.size() != clean.cosines.size()) return false;
  const double most = noise == Noise::float32 ? 0x1p-14 : 0x1p-5;
  for (std::size_t at = 0; at < clean.cosines.size(); ++at)
    if (std::fabs(made.cosines[at] - clean.cosines[at]) > most || std::fabs(made.sines[at] - clean.sines[at]) > most)
      return false;
  return true;
}

Outcome outcome_of(const posenc::Diagnosis& seen, const Mutant& mutant, const Clean& clean,
                   std::span<const double> positions, Noise noise) {
  std::vector<Mistake> made = posenc::without_arithmetic(mutant.mistakes);
  // Angles of float32 are as right as exact ones where none are named.
  for (const Mistake mistake : mutant.mistakes)
    if (mistake == Mistake::angles_float16 || mistake == Mistake::angles_bfloat16) made.push_back(mistake);
  std::ranges::sort(made);
  for (const Explanation& each : seen.explanations) {
    std::vector<Mistake> named = each.mistakes;
    std::ranges::sort(named);
    if (named == made) return Outcome::right;
    if (same_numbers(each, clean, positions, noise)) return Outcome::same_numbers;
  }
  return Outcome::wrong;
}

std::string names_of(const std::vector<Mistake>& mistakes) {
  std::string text;
  for (const Mistake mistake : mistakes) text += (text.empty() ? "" : " + ") + std::string(name_of(mistake));
  return text.empty() ? "nothing" : text;
}

void note(ConfusionRow& row, Outcome outcome, std::string_view verdict) {
  ++row.count;
  ++(outcome == Outcome::right ? row.right : outcome == Outcome::same_numbers ? row.same : row.wrong);
  ++(verdict == "certain"     ? row.certain
     : verdict == "likely"    ? row.likely
     : verdict == "ambiguous" ? row.ambiguous
                              : row.none);
  if (outcome == Outcome::wrong && verdict == "certain") ++row.wrong_and_certain;
}

struct HypothesisConfusion {
  std::map<Mistake, ConfusionRow> alone, in_pairs;
  ConfusionRow nothing, all;
};

/// Takes one in so many single mistakes and pairs, across all models.
struct Strides {
  std::size_t alone = 1, in_pairs = 1;
};

/// A fiftieth of them all, in seconds, under sanitizers and in WebAssembly too: [.confusion] has the rest. Neither
/// divides the number of a model's mistakes, so that every mistake has its rotation in some model.
constexpr Strides few{.alone = 5, .in_pairs = 101};

/// `show` prints the wrong ones.
HypothesisConfusion confuse(Noise noise, Strides strides, bool show) {
  HypothesisConfusion made;
  std::size_t alone = 0, in_pairs = 0;
  for (const mutants::Model& model : mutants::models()) {
    const std::vector<double> positions = mutants::positions_of(model);
    const posenc::Expectation expected = mutants::expectation_of(model);
    for (const Mutant& mutant : mutants::mutants_of(model, true)) {
      const bool is_pair = mutant.mistakes.size() == 2;
      if (is_pair ? ++in_pairs % strides.in_pairs != 0 : ++alone % strides.alone != 0) continue;
      const Clean clean = mutants::rotations_of(mutant.recipe, positions);
      if (clean.cosines.empty()) continue;
      const auto tokens = positions.size(), head = static_cast<std::size_t>(expected.plan->dim);
      const mutants::Vectors vectors =
          mutants::rotated(clean, tokens, head, noise, static_cast<std::uint32_t>(in_pairs + 1));
      const std::vector<std::int64_t> shape{static_cast<std::int64_t>(tokens), static_cast<std::int64_t>(head)};
      const std::string type = noise == Noise::float32 ? "float32" : "bfloat16";
      const posenc::Diagnosis seen = value_of(posenc::diagnose_rotation(
          {.before = {vectors.before, shape, type}, .after = {vectors.after, shape, type}, .positions = positions},
          expected));
      const Outcome outcome = outcome_of(seen, mutant, clean, positions, noise);
      const std::string_view verdict = name_of(seen.verdict);
      note(made.all, outcome, verdict);
      if (mutant.mistakes.empty()) note(made.nothing, outcome, verdict);
      for (const Mistake mistake : mutant.mistakes)
        note((mutant.mistakes.size() == 1 ? made.alone : made.in_pairs)[mistake], outcome, verdict);
      if (show && outcome == Outcome::wrong)
        std::printf("<!-- %s: %s, taken for %s (%s) -->\n", model.name.c_str(), names_of(mutant.mistakes).c_str(),
                    seen.explanations.empty() ? "-" : names_of(seen.explanations[0].mistakes).c_str(),
                    std::string(verdict).c_str());
    }
  }
  return made;
}

void print_row(const std::string& name, const ConfusionRow& row) {
  std::printf("| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", name.c_str(), row.count, row.right, row.same,
              row.wrong, row.certain, row.likely, row.ambiguous, row.none, row.wrong_and_certain);
}

void print_table(const char* title, const HypothesisConfusion& confusion) {
  std::printf(
      "\n%s\n\n| mistake | mutants | named | other name, same numbers | wrong | certain | likely | ambiguous | "
      "none | wrong and certain |\n|---|---|---|---|---|---|---|---|---|---|\n",
      title);
  print_row("nothing", confusion.nothing);
  for (const auto& [mistake, row] : confusion.alone) print_row(std::string(name_of(mistake)), row);
  for (const auto& [mistake, row] : confusion.in_pairs) print_row(std::string(name_of(mistake)) + " + another", row);
  print_row("all", confusion.all);
  std::fflush(stdout);
}

double share_of_right(const ConfusionRow& row) { return static_cast<double>(row.right + row.same) / row.count; }

}  // namespace

TEST_CASE("diagnosis: known mistakes of forty plans are named from eight positions", "[diagnosis]") {
  const HypothesisConfusion confusion = confuse(Noise::float32, few, false);
  CHECK(confusion.alone.size() >= 20);
  CHECK(share_of_right(confusion.all) >= 0.99);
  CHECK(confusion.all.wrong_and_certain == 0);
}

TEST_CASE("diagnosis: known mistakes are named in the noise of a bfloat16 rotation", "[diagnosis]") {
  const HypothesisConfusion confusion = confuse(Noise::bfloat16, few, false);
  CHECK(share_of_right(confusion.all) >= 0.95);
  CHECK(confusion.all.wrong_and_certain == 0);
}

TEST_CASE("diagnosis: the table of confusion, rotations in float32", "[.confusion]") {
  const HypothesisConfusion confusion = confuse(Noise::float32, {}, true);
  print_table("Vectors in float32", confusion);
  CHECK(share_of_right(confusion.all) >= 0.99);
  CHECK(confusion.all.wrong_and_certain == 0);
}

TEST_CASE("diagnosis: the table of confusion, rotations as arithmetic in bfloat16 leaves them", "[.confusion]") {
  const HypothesisConfusion confusion = confuse(Noise::bfloat16, {}, true);
  print_table("Vectors as a rotation in bfloat16 leaves them", confusion);
  CHECK(share_of_right(confusion.all) >= 0.95);
  CHECK(confusion.all.wrong_and_certain == 0);
}
