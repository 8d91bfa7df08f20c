#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "diagnosis/mutants/made_rotation.hpp"
#include "diagnosis/verdict_counts.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "testing/testing.hpp"

using posenc::Mistake;
using testing::KnownPlan;
using testing::Stored;
using testing::VerdictCounts;

namespace {

/// Eight, from the first to one that shows what slow pairs do.
const std::vector<double> eight_positions{0, 1, 2, 7, 64, 511, 4095, 20000};

constexpr Mistake of_dims[]{Mistake::layout, Mistake::permuted, Mistake::first_dim, Mistake::rotary_dim};
constexpr Mistake of_hypotheses[]{Mistake::exponent_doubled,
                                  Mistake::exponent_halved,
                                  Mistake::exponent_half_minus_one,
                                  Mistake::exponent_head_dim,
                                  Mistake::reciprocal,
                                  Mistake::base,
                                  Mistake::other_layers,
                                  Mistake::scaling_missing,
                                  Mistake::factor_missing,
                                  Mistake::factor_twice,
                                  Mistake::sign,
                                  Mistake::exchanged,
                                  Mistake::first_position,
                                  Mistake::position_scale,
                                  Mistake::angles_float32};

/// None, each alone, those of dimensions with those of hypotheses.
std::vector<std::vector<Mistake>> mistakes_to_make() {
  std::vector<std::vector<Mistake>> made{{}, {Mistake::not_rotated}};
  for (const Mistake hypothesis : of_hypotheses) made.push_back({hypothesis});
  for (const Mistake dims : of_dims) {
    made.push_back({dims});
    for (const Mistake hypothesis : of_hypotheses) made.push_back({dims, hypothesis});
  }
  return made;
}

/// Whether both sets of mistakes do the same at these positions, as far as values so rounded show.
bool same_output(const KnownPlan& plan, const std::vector<Mistake>& a, const std::vector<Mistake>& b, Stored stored) {
  const auto of_a = testing::make_rotation(plan.expected, a);
  const auto of_b = testing::make_rotation(plan.expected, b);
  if (!of_a || !of_b) return false;
  const std::vector<double> before = testing::random_vectors(eight_positions.size() * of_a->dims, 5, Stored::float32);
  const std::vector<double> x = rotate(*of_a, before, 1, eight_positions, Stored::float64);
  const std::vector<double> y = rotate(*of_b, before, 1, eight_positions, Stored::float64);
  const double unit = stored == Stored::bfloat16 ? 0x1p-8 : 0x1p-24;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::fabs(x[i] - y[i]) > 4 * unit) return false;
  return true;
}

struct Seen {
  posenc::Diagnosis diagnosis;
  bool right = false;
};

Seen diagnose(const KnownPlan& plan, const std::vector<Mistake>& mistakes, const testing::MadeRotation& made,
              Stored stored, std::uint32_t seed) {
  constexpr std::size_t head_count = 2;
  const std::vector<double> before =
      testing::random_vectors(eight_positions.size() * head_count * made.dims, seed, stored);
  const std::vector<double> after = rotate(made, before, head_count, eight_positions, stored);
  const std::vector<std::int64_t> shape{static_cast<std::int64_t>(eight_positions.size()), head_count,
                                        static_cast<std::int64_t>(made.dims)};
  posenc::RotationSamples samples{.before = {before, shape}, .after = {after, shape}, .positions = eight_positions};
  // Float32 is a mistake only where exact angles were named.
  posenc::Expectation expected = plan.expected;
  expected.arithmetic = posenc::diagnosis::AngleArithmetic::exact;
  Seen seen{.diagnosis = testing::value_of(diagnose_rotation(samples, expected))};
  if (seen.diagnosis.explanations.empty()) return seen;
  const auto& first = seen.diagnosis.explanations[0].mistakes;
  seen.right = testing::names_of(first) == testing::names_of(mistakes) ||
               same_output(plan, mistakes, {first.begin(), first.end()}, stored);
  return seen;
}

/// All mistakes with all plans, or every `step`-th of these pairs.
VerdictCounts confusion_of(Stored stored, std::size_t step, bool prints) {
  VerdictCounts confusion;
  std::size_t index = 0;
  for (const KnownPlan& plan : testing::known_plans())
    for (const std::vector<Mistake>& mistakes : mistakes_to_make()) {
      const auto made = testing::make_rotation(plan.expected, mistakes);
      if (!made || index++ % step != 0) continue;
      const Seen seen = diagnose(plan, mistakes, *made, stored, static_cast<std::uint32_t>(index));
      confusion.add(testing::names_of(mistakes), seen.right, seen.diagnosis.verdict);
      if (!prints || seen.right) continue;
      const auto& found = seen.diagnosis.explanations;
      std::printf("%s: %s, taken for %s (%s", plan.name.c_str(), testing::names_of(mistakes).c_str(),
                  found.empty() ? "nothing" : testing::names_of(found[0].mistakes).c_str(),
                  std::string(name_of(seen.diagnosis.verdict)).c_str());
      for (std::size_t i = 0; i < found.size() && i < 3; ++i)
        std::printf("; %s %.1f units %.0f bits", testing::names_of(found[i].mistakes).c_str(), found[i].units,
                    found[i].bits);
      std::printf(")\n");
    }
  return confusion;
}

}  // namespace

TEST_CASE("mistakes of rotations are named first, alone and in pairs", "[diagnosis]") {
  const VerdictCounts in_float32 = confusion_of(Stored::float32, 11, false);
  CHECK(in_float32.share() >= 0.99);
  CHECK(in_float32.certainly_wrong() == 0);
  const VerdictCounts in_bfloat16 = confusion_of(Stored::bfloat16, 11, false);
  CHECK(in_bfloat16.share() >= 0.95);
  CHECK(in_bfloat16.certainly_wrong() == 0);
}

TEST_CASE("the confusion table of rotations", "[.confusion]") {
  const char* const every = std::getenv("POSENC_CONFUSION_STEP");
  const std::size_t step = every == nullptr ? 1 : std::strtoul(every, nullptr, 10);
  for (const Stored stored : {Stored::float32, Stored::bfloat16}) {
    const VerdictCounts confusion = confusion_of(stored, step, true);
    std::printf("\n%s: %.2f %% of %zu named first, %zu wrong ones called certain\n\n%s\n",
                stored == Stored::float32 ? "float32" : "bfloat16", 100 * confusion.share(), confusion.count(),
                confusion.certainly_wrong(), confusion.table().c_str());
  }
}
