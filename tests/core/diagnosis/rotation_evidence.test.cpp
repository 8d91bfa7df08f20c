#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "diagnosis/mutants/rotated_vectors.hpp"
#include "posenc/diagnosis/frequency_diagnosis.hpp"

// A verdict is never surer than its evidence: what few pairs, few tokens, 16 bits and far positions leave.

using posenc::Diagnosis;
using posenc::Expectation;
using posenc::Layout;
using posenc::Mistake;
using posenc::Verdict;
using testing::head_plan;
using testing::MadeRotation;
using testing::make_vectors;
using testing::rotation;
using testing::Stored;
using testing::Vectors;

namespace {

/// Whether one of the explanations has these mistakes.
bool names_mistakes(const Diagnosis& seen, const std::string& names) {
  return std::ranges::any_of(seen.explanations,
                             [&](const auto& each) { return testing::names_of(each.mistakes) == names; });
}

/// The vectors at other positions than those that are told, one list an axis.
Vectors moved_vectors(const MadeRotation& made, std::vector<double> told, const std::vector<double>& done,
                      Stored stored) {
  Vectors vectors = make_vectors(made, 1, done, stored);
  vectors.positions = std::move(told);
  return vectors;
}

std::vector<double> consecutive(std::size_t count, double first) {
  std::vector<double> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(first + static_cast<double>(i));
  return made;
}

}  // namespace

TEST_CASE("sines of the next row, of other pairs than those expected", "[diagnosis]") {
  const Expectation expected = head_plan(16, Layout::half);
  MadeRotation made = rotation(expected);
  made.reads_halves = made.writes_halves = false;
  Vectors vectors = make_vectors(made, 1, {1, 519, 590, 2043}, Stored::float32);
  for (std::size_t token = 0; token < 4; ++token)
    for (std::size_t pair = 0; pair < 8; ++pair) {
      const std::size_t at = token * 16 + 2 * pair;
      const double cosine = static_cast<double>(rotation_of(made, pair, vectors.positions[token]).cosine);
      const double sine = static_cast<double>(rotation_of(made, pair, vectors.positions[token] + 1).sine);
      const double x = vectors.before[at], y = vectors.before[at + 1];
      vectors.after[at] = testing::rounded(x * cosine - y * sine, Stored::float32);
      vectors.after[at + 1] = testing::rounded(x * sine + y * cosine, Stored::float32);
    }
  CHECK(names_mistakes(vectors.diagnosis(expected), "layout + sine-rows"));
}

TEST_CASE("positions that 16 bits leave open are told as such, and a pattern among them is named", "[diagnosis]") {
  Expectation expected = head_plan(8, Layout::half);
  expected.plan->base = 500000;
  for (const double first : {0.0, 999900.0}) {
    const Diagnosis seen =
        moved_vectors(rotation(expected), consecutive(5, first), {300, 300, 300, 300, 300}, Stored::bfloat16)
            .diagnosis(expected);
    CAPTURE(first, name_of(seen.verdict));
    // Far positions leave others open.
    CHECK((seen.verdict == Verdict::certain) == (first == 0));
    CHECK(names_mistakes(seen, "positions-constant"));
  }
  // The last token alone has no pattern.
  const Diagnosis last =
      moved_vectors(rotation(head_plan(4, Layout::half)), {0, 1, 2, 3}, {0, 1, 2, 80}, Stored::float16)
          .diagnosis(head_plan(4, Layout::half));
  CHECK((last.verdict == Verdict::likely || last.verdict == Verdict::ambiguous));
  CHECK(names_mistakes(last, "positions-other"));
}

TEST_CASE("positions that begin again, where those expected do not count", "[diagnosis]") {
  Expectation expected = head_plan(8, Layout::half);
  const Diagnosis even =
      moved_vectors(rotation(expected), {0, 2, 4, 6}, {0, 2, 0, 1}, Stored::float32).diagnosis(expected);
  CHECK(even.verdict == Verdict::certain);
  CHECK(names_mistakes(even, "positions-restarted"));

  // Of three axes: each begins again at the fourth token.
  expected = head_plan(32, Layout::half);
  expected.mrope_section = {8, 4, 4};
  const std::array<std::vector<double>, 3> told{{{7, 8, 9, 10, 11, 12}, {16, 2, 12, 5, 9, 30}, {36, 7, 0, 21, 3, 8}}};
  Vectors made = make_vectors(rotation(expected), 1, told[0], Stored::bfloat16);
  made.after = made.before, made.positions.clear(), made.axes = 3;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    MadeRotation one = rotation(expected);
    for (std::size_t pair = 0; pair < 16; ++pair)
      if ((pair < 8 ? 0uz : pair < 12 ? 1uz : 2uz) != axis) one.frequencies[pair] = 0;
    std::vector<double> done = told[axis];
    for (std::size_t token = 3; token < 6; ++token) done[token] = static_cast<double>(token - 3);
    made.after = rotate(one, made.after, 1, done, Stored::bfloat16);
    made.positions.insert(made.positions.end(), told[axis].begin(), told[axis].end());
  }
  CHECK(names_mistakes(made.diagnosis(expected), "positions-restarted"));
}

TEST_CASE("angles that their roundings leave open prove nothing", "[diagnosis]") {
  Expectation expected = head_plan(4, Layout::half);
  expected.plan->base = 5000000;
  const MadeRotation made = rotation(expected, {Mistake::reciprocal});
  const Diagnosis far = make_vectors(made, 1, consecutive(3, 999900), Stored::bfloat16).diagnosis(expected);
  CHECK(far.verdict == Verdict::too_little);
  CHECK_FALSE(far.next.empty());
  CHECK(make_vectors(made, 1, consecutive(6, 0), Stored::float32).diagnosis(expected).verdict == Verdict::certain);

  // Position 0 turns nothing: reciprocals of a large base would explain any values beyond it.
  expected = head_plan(8, Layout::half);
  Vectors off = make_vectors(rotation(expected), 1, {0, 1024, 2048, 3072}, Stored::float64);
  off.after[9] += 0.25;
  CHECK(off.diagnosis(expected).verdict != Verdict::certain);
}

TEST_CASE("results that all fit a coarser type have the rivals of that type", "[diagnosis]") {
  // By YaRN of factor 40, base 10000; base 1000 with factor 1.5 is nearer than angles of float32 at such positions.
  const std::vector<float> before{-0.76953125F, -1.84375F,   0.07861328125F, 0.78125F,   1.3515625F,  1.8359375F,
                                  0.95703125F,  -0.8828125F, 0.5625F,        1.1171875F, -1.7734375F, -0.1708984375F};
  const std::vector<float> after{-0.7734375F, 1.9765625F,    -0.055419921875F, 0.298828125F, -0.359375F, -2.03125F,
                                 1.6171875F,  -0.216796875F, 1.140625F,        -1.0390625F,  1.46875F,   -0.44921875F};
  const std::vector<double> positions = consecutive(3, 999900);
  const auto stored = [](const std::vector<float>& values) {
    return posenc::SampledTensor{posenc::ConstStored(std::span(values)), {3, 1, 4}};
  };
  const Diagnosis seen = testing::value_of(posenc::diagnose_rotation(
      {.before = stored(before), .after = stored(after), .positions = positions}, Expectation{}));
  CHECK(seen.verdict == Verdict::ambiguous);
}

TEST_CASE("frequencies of one length, or cast ones, where nothing was expected", "[diagnosis]") {
  const auto diagnosed = [](const MadeRotation& made) {
    return make_vectors(made, 2, testing::some_positions, Stored::bfloat16).diagnosis({});
  };
  Expectation ntk = head_plan(64, Layout::half);
  ntk.plan->scaling = posenc::scaling::Ntk{4};
  const Diagnosis grown = diagnosed(rotation(ntk));
  CHECK(grown.verdict == Verdict::ambiguous);
  CHECK(std::ranges::count(grown.tells, "length") == 1);

  MadeRotation cast = rotation(head_plan(64, Layout::half));
  for (long double& frequency : cast.frequencies)
    frequency = testing::rounded(static_cast<double>(frequency), Stored::bfloat16);
  const Diagnosis rounded = diagnosed(cast);
  REQUIRE_FALSE(rounded.explanations.empty());
  CHECK(std::get<posenc::FoundRotation>(rounded.explanations[0].found).hypothesis.frequencies ==
        posenc::DType::bfloat16);
}

TEST_CASE("positions beyond what an arithmetic holds are an error", "[diagnosis]") {
  posenc::diagnosis::RotationHypothesis hypothesis{.plan = {.dim = 4, .layout = Layout::half}};
  hypothesis.arithmetic = posenc::diagnosis::AngleArithmetic::float16;
  std::vector<double> cosines(4, 7), sines(4, 7);
  const std::vector<double> positions{1, 70000};
  testing::require_error(posenc::diagnosis::write_rotations(hypothesis, positions, cosines, sines), "positions",
                         "70000");
  CHECK(cosines == std::vector<double>(4, 7));
}
