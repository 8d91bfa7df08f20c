#include "posenc/diagnosis/rotation_diagnosis.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "diagnosis/mutants/rotated_vectors.hpp"
#include "posenc/diagnosis/cache_diagnosis.hpp"
#include "posenc/diagnosis/frequency_diagnosis.hpp"
#include "testing/testing.hpp"

using posenc::Diagnosis;
using posenc::Expectation;
using posenc::Layout;
using posenc::Mistake;
using posenc::Verdict;
using testing::head_plan;
using testing::MadeRotation;
using testing::make_vectors;
using testing::rotation;
using testing::some_positions;
using testing::Stored;
using testing::value_of;
using testing::Vectors;

namespace {

std::string rotation_mistakes(const Diagnosis& seen) {
  REQUIRE(!seen.explanations.empty());
  return testing::names_of(seen.explanations[0].mistakes);
}

const posenc::FoundRotation& found_rotation_of(const Diagnosis& seen) {
  REQUIRE(!seen.explanations.empty());
  return std::get<posenc::FoundRotation>(seen.explanations[0].found);
}

/// Mistakes by the part of a rotation that they change, and whether caches and lists of frequencies show it.
struct Part {
  std::vector<Mistake> mistakes;
  bool in_cache = true, in_list = false;
};
const std::vector<Part> parts{{{Mistake::layout, Mistake::permuted, Mistake::first_dim, Mistake::rotary_dim}, false},
                              {{Mistake::exponent_doubled, Mistake::exponent_halved, Mistake::exponent_half_minus_one,
                                Mistake::exponent_head_dim},
                               true,
                               true},
                              {{Mistake::base}, true, true},
                              {{Mistake::other_layers}, true, true},
                              {{Mistake::scaling_missing}, true, true},
                              {{Mistake::factor_missing, Mistake::factor_twice}},
                              {{Mistake::reciprocal}, true, true},
                              {{Mistake::sign}},
                              {{Mistake::exchanged}},
                              {{Mistake::first_position}},
                              {{Mistake::position_scale}},
                              {{Mistake::angles_float32}}};

/// Every mistake alone, and pairs of different parts.
std::vector<std::vector<Mistake>> changes_of(bool Part::* is_shown) {
  std::vector<std::vector<Mistake>> made{{}};
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const Mistake one : parts[i].mistakes) {
      if (is_shown != nullptr && !(parts[i].*is_shown)) continue;
      made.push_back({one});
      for (std::size_t k = i + 1; k < parts.size(); ++k)
        for (const Mistake other : parts[k].mistakes)
          if (is_shown == nullptr || parts[k].*is_shown) made.push_back({one, other});
    }
  return made;
}

/// The diagnosis of vectors, of a cache, or of a list of frequencies that a rotation makes.
Diagnosis diagnosed_as(int kind, const MadeRotation& made, Stored stored, const Expectation& expected) {
  if (kind == 0) return make_vectors(made, 1, some_positions, stored).diagnosis(expected);
  std::vector<double> cosines, sines, list;
  for (const long double frequency : made.frequencies)
    list.push_back(testing::rounded(static_cast<double>(frequency), stored));
  const auto pairs = std::ssize(list), tokens = std::ssize(some_positions);
  if (kind == 2) return value_of(posenc::diagnose_frequencies({list, {pairs}}, expected));
  for (const double position : some_positions)
    for (std::size_t pair = 0; pair < list.size(); ++pair) {
      const testing::PairRotation rotation = rotation_of(made, pair, position);
      cosines.push_back(testing::rounded(static_cast<double>(rotation.cosine), stored));
      sines.push_back(testing::rounded(static_cast<double>(rotation.sine), stored));
    }
  return value_of(posenc::diagnose_cache(
      {.cosines = {cosines, {tokens, pairs}}, .sines = {sines, {tokens, pairs}}, .positions = some_positions},
      expected));
}

}  // namespace

TEST_CASE("the pairing of dimensions is found without an expectation", "[diagnosis]") {
  for (const bool reads_halves : {true, false})
    for (const bool writes_halves : {true, false})
      for (const auto& [first, count] : {std::pair{0, 64}, std::pair{0, 32}, std::pair{32, 32}})
        for (const Stored stored : {Stored::float64, Stored::float32, Stored::float16, Stored::bfloat16}) {
          CAPTURE(reads_halves, writes_halves, first, count, stored);
          MadeRotation made = rotation(head_plan(64, Layout::half, count, first));
          made.reads_halves = reads_halves;
          made.writes_halves = writes_halves;
          const Diagnosis seen = make_vectors(made, 3, some_positions, stored).diagnosis({});
          CHECK(seen.verdict != Verdict::none);
          CHECK(found_rotation_of(seen).reads == (reads_halves ? Layout::half : Layout::interleaved));
          CHECK(found_rotation_of(seen).writes == (writes_halves ? Layout::half : Layout::interleaved));
          CHECK(found_rotation_of(seen).first_dim == first);
          CHECK(found_rotation_of(seen).hypothesis.plan.rotary_dim == count);
          CHECK(seen.axes == std::vector<std::int64_t>{0, 2});
        }
}

TEST_CASE("every mistake alone, and pairs of them: vectors, caches and frequencies of twelve models", "[diagnosis]") {
  constexpr bool Part::* shown[]{nullptr, &Part::in_cache, &Part::in_list};
  std::size_t index = 0;
  for (int kind = 0; kind < 3; ++kind)
    for (const testing::KnownPlan& plan : testing::known_plans())
      for (const std::vector<Mistake>& mistakes : changes_of(shown[kind])) {
        // All singles of vectors; a share of the rest, which no number of a plan's changes divides.
        if (++index % (mistakes.size() > 1 ? 41 : kind == 0 ? 1 : 3) != 0) continue;
        const auto made = testing::make_rotation(plan.expected, mistakes);
        if (!made || made->count == 0) continue;
        const Stored stored = kind < 2 && index % 2 == 0 ? Stored::bfloat16 : Stored::float32;
        const Diagnosis seen = diagnosed_as(kind, *made, stored, plan.expected);
        // Angles of float32 are as right as exact ones.
        std::vector<Mistake> shown_ones = mistakes;
        std::erase_if(shown_ones,
                      [](Mistake each) { return each >= Mistake::angles_float32 && each <= Mistake::angles_exact; });
        std::ranges::sort(shown_ones);
        const std::string truth = testing::names_of(shown_ones);
        std::string named;
        for (const auto& each : seen.explanations) named += testing::names_of(each.mistakes) + ", ";
        INFO(kind << ", " << plan.name << ", " << truth << ": " << name_of(seen.verdict) << " " << named);
        CHECK(named.starts_with(truth + ", "));
      }
}

TEST_CASE("a value that is off is placed, in dimensions that rotate and in those that do not", "[diagnosis]") {
  const Expectation expected = head_plan(64, Layout::half, 16);
  for (const std::size_t dim : {std::size_t{3}, std::size_t{40}}) {
    Vectors off = make_vectors(rotation(expected), 2, some_positions, Stored::float32);
    off.after[(5 * 2 + 1) * 64 + dim] += 0.01;
    const Diagnosis seen = off.diagnosis(expected);
    CHECK(seen.verdict == Verdict::none);
    CHECK(seen.departure.tokens == std::vector<std::int64_t>{5});
    CHECK(seen.departure.heads == std::vector<std::int64_t>{1});
  }
}

TEST_CASE("numbers that no list has are found in any type, with any rule", "[diagnosis]") {
  const std::vector<double> near{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  for (const Stored stored : {Stored::float32, Stored::float16, Stored::bfloat16})
    for (const bool is_scaled : {false, true})
      for (const auto& [mistake, change] : {std::pair{Mistake::base, 0},
                                            {Mistake::factor_other, 1},
                                            {Mistake::position_scale, 2},
                                            {Mistake::first_position, 3}}) {
        CAPTURE(static_cast<int>(stored), is_scaled, change);
        Expectation expected = head_plan(64, Layout::half), done = expected;
        if (is_scaled)
          expected.plan->scaling = done.plan->scaling = posenc::scaling::Yarn{.factor = 32, .original_length = 4096};
        if (change == 0) done.plan->base = 777777;
        MadeRotation made = rotation(done);
        if (change == 1) made.factor *= 1.7L;
        if (change == 2) made.position_scale = 0.3L;
        if (change == 3) made.first_position = 37;
        const Diagnosis seen = make_vectors(made, 4, near, stored).diagnosis(expected);
        // With a free factor, bfloat16 does not tell these positions from those of a scaled plan.
        const bool is_open = change == 1 && stored == Stored::bfloat16;
        CHECK(seen.verdict == (is_open ? Verdict::ambiguous : Verdict::likely));
        CHECK(rotation_mistakes(seen) == testing::names_of(std::vector{mistake}));
      }
}

TEST_CASE("far positions tell a base that no list has, too", "[diagnosis]") {
  std::vector<double> far(16);
  std::iota(far.begin(), far.end(), 1000);
  for (const Stored stored : {Stored::float16, Stored::bfloat16}) {
    const Expectation expected = head_plan(128, Layout::half);
    Expectation done = expected;
    done.plan->base = 777777;
    const Diagnosis seen = make_vectors(rotation(done), 4, far, stored).diagnosis(expected);
    CHECK(seen.verdict == Verdict::likely);
    CHECK(rotation_mistakes(seen) == "base");
    CHECK(std::fabs(found_rotation_of(seen).hypothesis.plan.base - 777777) < 1000);
  }
}

TEST_CASE("pairs that are counted from 1", "[diagnosis]") {
  const Expectation expected = head_plan(64, Layout::half);
  MadeRotation made = rotation(expected);
  for (std::size_t i = 0; i < made.frequencies.size(); ++i)
    made.frequencies[i] = std::pow(10000.0L, -2 * static_cast<long double>(i + 1) / 64);
  const Diagnosis seen = make_vectors(made, 2, some_positions, Stored::float32).diagnosis(expected);
  CHECK(seen.verdict == Verdict::certain);
  CHECK(rotation_mistakes(seen) == "exponent-from-one");
}

TEST_CASE("tokens that may have several positions are read together", "[diagnosis]") {
  // Four pairs in 16 bits leave a token more than one position.
  const Expectation expected = head_plan(8, Layout::half);
  std::vector<double> given = some_positions, moved = given;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += i < 3 ? 0 : 700;
  Vectors vectors = make_vectors(rotation(expected), 2, moved, Stored::float16);
  vectors.positions = given;
  const Diagnosis seen = vectors.diagnosis(expected);
  CHECK(rotation_mistakes(seen) == "offset-from");
  CHECK(found_rotation_of(seen).positions.values == moved);
}

TEST_CASE("what leaves angles open is never certain", "[diagnosis]") {
  // A position of 1e8 and a turn of float32's angles.
  const Expectation expected = head_plan(64, Layout::half);
  const Vectors far = make_vectors(rotation(expected), 2, {1e9, 1e9 + 1, 1e9 + 5}, Stored::float32);
  const Diagnosis seen = far.diagnosis(expected);
  CHECK(seen.verdict == Verdict::ambiguous);
  CHECK(rotation_mistakes(seen) == "none");
  CHECK(!seen.next.empty());
}

TEST_CASE("ones as inputs show neither pairs nor where they are written", "[diagnosis]") {
  const Expectation expected = head_plan(256, Layout::interleaved, 64);
  Vectors ones = make_vectors(rotation(expected), 1, some_positions, Stored::float32);
  std::ranges::fill(ones.before, 1);
  ones.after = rotate(rotation(expected), ones.before, 1, some_positions, Stored::float32);
  const Diagnosis seen = ones.diagnosis(expected);
  CHECK(seen.verdict == Verdict::ambiguous);
  CHECK(seen.tells == std::vector<std::string_view>{"inputs"});
}

TEST_CASE("axes may have any order", "[diagnosis]") {
  const Expectation expected = head_plan(32, Layout::interleaved);
  // As many heads as tokens: extents alone do not distinguish them.
  const Vectors plainly = make_vectors(rotation(expected), 8, some_positions, Stored::float32);
  std::vector<std::size_t> order{0, 1, 2};
  do {
    const testing::Permuted before = testing::permuted(plainly.before, plainly.shape, order);
    const testing::Permuted after = testing::permuted(plainly.after, plainly.shape, order);
    const Vectors reversed{
        .before = before.values, .after = after.values, .shape = before.shape, .positions = some_positions};
    const auto place = [&](std::size_t axis) { return std::ranges::find(order, axis) - order.begin(); };
    CAPTURE(order[0], order[1], order[2]);
    for (const Expectation& each : {expected, Expectation{}}) {
      const Diagnosis seen = reversed.diagnosis(each);
      CHECK(seen.axes == std::vector<std::int64_t>{place(0), place(2)});
      // Rotated along the tokens, or wrongly along the heads: nothing says which of the two is the sequence.
      CHECK(seen.sequence_axes == std::vector<std::int64_t>{place(0), place(1)});
      CHECK(seen.verdict == Verdict::ambiguous);
    }
    CHECK(rotation_mistakes(reversed.diagnosis(expected)) == "none");
  } while (std::ranges::next_permutation(order).found);
}

TEST_CASE("axes that are named are taken", "[diagnosis]") {
  const Expectation expected = head_plan(32, Layout::half);
  const Vectors made = make_vectors(rotation(expected), 8, some_positions, Stored::float32);
  const auto diagnosed = [&](std::int64_t sequence, std::int64_t dim) {
    return posenc::diagnose_rotation({.before = {made.before, made.shape},
                                      .after = {made.after, made.shape},
                                      .positions = made.positions,
                                      .sequence_axis = sequence,
                                      .dim_axis = dim},
                                     expected);
  };
  CHECK(value_of(diagnosed(-3, -1)).verdict == Verdict::certain);
  // The heads' axis has as many: if it is the sequence's, these were rotated along the other.
  CHECK(rotation_mistakes(value_of(diagnosed(1, 2))) == "sequence-axis");
  testing::require_error(diagnosed(3, 2), "seqAxis", "3");
  testing::require_error(diagnosed(2, 1), "positions", "8");
}

TEST_CASE("random vectors, and those that were not rotated", "[diagnosis]") {
  for (const Stored stored : {Stored::float32, Stored::bfloat16}) {
    Vectors made = make_vectors(rotation(head_plan(64, Layout::half)), 2, some_positions, stored);
    made.after = testing::random_vectors(made.before.size(), 99, stored);
    CHECK(made.diagnosis(head_plan(64, Layout::half)).verdict == Verdict::none);
    CHECK(made.diagnosis({}).verdict == Verdict::none);
    made.after = made.before;
    CHECK(rotation_mistakes(made.diagnosis(head_plan(64, Layout::half))) == "not-rotated");
    CHECK(rotation_mistakes(made.diagnosis({})) == "not-rotated");
    CHECK(made.diagnosis(head_plan(64, Layout::half)).verdict == Verdict::certain);
  }
}

TEST_CASE("axes in any order, extents alike, 2^24 values: every value is compared", "[diagnosis]") {
  const Expectation expected = head_plan(64, Layout::half);
  std::vector<double> positions(300);
  std::iota(positions.begin(), positions.end(), 0);
  const Vectors plainly = make_vectors(rotation(expected), 12, positions, Stored::float32);
  for (const auto& order : {std::vector<std::size_t>{0, 1, 2}, {1, 0, 2}, {2, 1, 0}}) {
    const testing::Permuted before = testing::permuted(plainly.before, plainly.shape, order);
    Vectors made{before.values, testing::permuted(plainly.after, plainly.shape, order).values, before.shape, positions};
    CHECK(made.diagnosis(expected).verdict == Verdict::certain);
    for (const std::size_t at : {std::size_t{0}, std::size_t{100'000}, made.after.size() - 1}) {
      made.after[at] += 0.25;
      const Diagnosis seen = made.diagnosis(expected);
      CHECK(seen.verdict == Verdict::none);
      CHECK(seen.explanations.empty());
      if (order[0] == 0) CHECK(seen.departure.tokens == std::vector{static_cast<std::int64_t>(at / 768)});
      if (order[0] == 0) CHECK(seen.departure.heads == std::vector{static_cast<std::int64_t>(at % 768 / 64)});
      if (order[0] == 0) CHECK(seen.departure.pairs == std::vector{static_cast<std::int64_t>(at % 32)});
      made.after[at] -= 0.25;
    }
  }
  // As many dimensions as tokens: both are tried.
  positions.resize(64);
  const Diagnosis square = make_vectors(rotation(expected), 40, positions, Stored::float32).diagnosis({});
  CHECK(square.verdict == Verdict::certain);
  CHECK(square.axes == std::vector<std::int64_t>{0, 2});
  positions.resize(4096);
  std::iota(positions.begin(), positions.end(), 0);
  const auto still = [] { return std::vector<double>(std::size_t{1} << 24, 0.5); };
  const Vectors large{still(), still(), {4096, 32, 128}, positions};
  CHECK(large.diagnosis(head_plan(128, Layout::half)).verdict == Verdict::certain);
}

/// Frequency i of d / 2, as libraries step to it in float32; the last three are steps of none that is known.
float stepped(int way, double base, double d, double i) {
  const auto x = [](double value) { return static_cast<float>(value); };
  const double e = 2 * i / d;
  float product = 1;
  for (int k = 0; k < i; ++k) product *= x(std::pow(base, -2 / d));
  const float all[]{1 / x(std::pow(base, x(e))),
                    1 / x(std::pow(base, e)),
                    x(std::pow(base, x(-e))),
                    x(std::pow(base, -e)),
                    x(std::exp(x(2 * i * x(-std::log(base) / d)))),
                    x(std::exp(x(2 * i * (-x(std::log(base)) / x(d))))),
                    x(std::exp2(x(2 * i * x(-std::log2(base) / d)))),
                    x(std::pow(x(std::pow(base, -2 / d)), i)),
                    product};
  return all[way];
}

TEST_CASE("float32 frequencies of any steps are no other base and no other exponent", "[diagnosis]") {
  const std::vector<double> far{4000, 4007, 4014, 4021, 4028, 4035, 4042, 4049};
  for (const auto& [dim, count] : {std::pair{128, 128}, {64, 48}})
    for (const auto& [d, named] : {std::pair{count, "none"}, {count / 2, "exponent-halved"}})
      for (const double base : {10000.0, 50000.0, 10000.02})
        for (int way = 0; way < 9; ++way)
          for (const bool is_far : {false, true}) {
            Expectation expected = head_plan(dim, Layout::half, count);
            expected.plan->base = base;
            MadeRotation made = rotation(expected);
            for (std::size_t i = 0; i < made.frequencies.size(); ++i)
              made.frequencies[i] = stepped(way, base, d, static_cast<double>(i));
            made.float32_angles = true;
            const Diagnosis seen =
                make_vectors(made, 1, is_far ? far : some_positions, Stored::float32).diagnosis(expected);
            CAPTURE(dim, named, base, way, is_far, name_of(seen.verdict));
            // A base that is nearly round may be the round one.
            if (way < 6 && base != 10000.02) CHECK(seen.verdict == Verdict::certain);
            if (way < 6 || seen.verdict == Verdict::certain) CHECK(rotation_mistakes(seen) == named);
          }
}

TEST_CASE("too few positions are ambiguous, and those proposed settle it", "[diagnosis]") {
  struct Case {
    std::size_t plan;
    std::vector<Mistake> mistakes;
    std::vector<double> positions;
  };
  const std::vector<testing::KnownPlan> plans = testing::known_plans();
  for (const Case& each : {Case{.plan = 1, .mistakes = {Mistake::scaling_missing}, .positions = {0, 1, 2, 3}},
                           Case{.plan = 1, .mistakes = {}, .positions = {0, 1, 2}},
                           Case{.plan = 0, .mistakes = {Mistake::layout}, .positions = {0}},
                           Case{.plan = 0, .mistakes = {}, .positions = {0, 0}}}) {
    const Expectation& expected = plans[each.plan].expected;
    CAPTURE(plans[each.plan].name, testing::names_of(each.mistakes), each.positions.size());
    const MadeRotation made = rotation(expected, each.mistakes);
    const Diagnosis first = make_vectors(made, 2, each.positions, Stored::bfloat16).diagnosis(expected);
    // At position 0 anything would do.
    const bool is_still = std::ranges::count(each.positions, 0) == std::ssize(each.positions);
    CHECK(first.verdict == (is_still ? Verdict::too_little : Verdict::ambiguous));
    REQUIRE(!first.next.empty());
    const Diagnosis second = make_vectors(made, 2, first.next, Stored::float32).diagnosis(expected);
    CHECK((second.verdict == Verdict::certain || second.verdict == Verdict::likely));
    CHECK(rotation_mistakes(second) == testing::names_of(each.mistakes));
  }
}

TEST_CASE("inputs that are not those that were rotated explain nothing; float32 cosines times doubles", "[diagnosis]") {
  const Expectation expected = head_plan(64, Layout::half);
  const MadeRotation made = rotation(expected);
  Vectors rounded_later = make_vectors(made, 2, some_positions, Stored::float32);
  for (double& value : rounded_later.before) value = testing::rounded(value, Stored::bfloat16);
  CHECK(rounded_later.diagnosis(expected).verdict == Verdict::none);

  Vectors mixed = make_vectors(made, 2, some_positions, Stored::float64);
  for (std::size_t token = 0; token < some_positions.size(); ++token)
    for (std::size_t pair = 0; pair < 32; ++pair) {
      const testing::PairRotation rotation = rotation_of(made, pair, some_positions[token]);
      const double cosine = static_cast<float>(rotation.cosine), sine = static_cast<float>(rotation.sine);
      for (std::size_t head = 0; head < 2; ++head) {
        const std::size_t a = (token * 2 + head) * 64 + pair, b = a + 32;
        mixed.after[a] = mixed.before[a] * cosine - mixed.before[b] * sine;
        mixed.after[b] = mixed.before[a] * sine + mixed.before[b] * cosine;
      }
    }
  CHECK(rotation_mistakes(mixed.diagnosis(expected)) == "none");
  CHECK(mixed.diagnosis(expected).verdict == Verdict::certain);
  CHECK(mixed.diagnosis(expected).dtype == "float32");
}

TEST_CASE("the dimensions, factor and shift that are proposed mend it", "[diagnosis]") {
  for (const Layout layout : {Layout::half, Layout::interleaved}) {
    const Expectation expected = head_plan(64, layout, 32);
    const Vectors right = make_vectors(rotation(expected), 2, some_positions, Stored::float32);
    const auto moved = [](const std::vector<double>& values, const std::vector<std::int64_t>& dims) {
      std::vector<double> made(values.size());
      for (std::size_t i = 0; i < values.size(); ++i)
        made[i] = values[i / 64 * 64 + static_cast<std::size_t>(dims.at(i % 64))];
      return made;
    };
    // Written elsewhere: the output is put right.
    const Vectors permuted = make_vectors(rotation(expected, {Mistake::permuted}), 2, some_positions, Stored::float32);
    const posenc::Explanation output = permuted.diagnosis(expected).explanations.at(0);
    CHECK_FALSE(output.dims_before);
    CHECK(moved(permuted.after, output.dims) == right.after);

    // Other pairs: with the input's dimensions moved, the code as it is gives the right scores.
    for (const Mistake mistake : {Mistake::layout, Mistake::first_dim}) {
      CAPTURE(name_of(mistake));
      const MadeRotation wrong = rotation(expected, {mistake});
      const auto seen = make_vectors(wrong, 2, some_positions, Stored::float32).diagnosis(expected);
      const posenc::Explanation input = seen.explanations.at(0);
      REQUIRE(input.dims_before);
      const std::vector<double> mended =
          rotate(wrong, moved(right.before, input.dims), 2, some_positions, Stored::float32);
      const auto score = [](const std::vector<double>& x, std::size_t query, std::size_t key) {
        double sum = 0;
        for (std::size_t dimension = 0; dimension < 64; ++dimension)
          sum += x[query * 64 + dimension] * x[key * 64 + dimension];
        return sum;
      };
      for (std::size_t key = 0; key < 16; ++key)
        CHECK(std::fabs(score(mended, 5, key) - score(right.after, 5, key)) < 1e-4);
    }
  }
  const Expectation scaled = testing::known_plans()[3].expected;
  const auto diagnosed = [&](Mistake mistake) {
    return make_vectors(rotation(scaled, {mistake}), 2, some_positions, Stored::float32).diagnosis(scaled);
  };
  const double factor = 0.1 * std::log(4.0) + 1;
  CHECK(std::fabs(diagnosed(Mistake::factor_missing).explanations.at(0).factor - factor) < 1e-12);
  CHECK(std::fabs(diagnosed(Mistake::factor_twice).explanations.at(0).factor - 1 / factor) < 1e-12);
  CHECK(diagnosed(Mistake::first_position).explanations.at(0).shift == -1);
}

TEST_CASE("all dimensions rotate, by the exponents of those that should", "[diagnosis]") {
  const Expectation expected = head_plan(128, Layout::interleaved, 96);
  MadeRotation made = rotation(expected, {Mistake::rotary_dim});
  for (std::size_t i = 0; i < made.frequencies.size(); ++i)
    made.frequencies[i] = std::pow(10000.0L, -2 * static_cast<long double>(i) / 96);
  const Diagnosis seen = make_vectors(made, 2, some_positions, Stored::float32).diagnosis(expected);
  CHECK(rotation_mistakes(seen) == "rotary-dim");
  CHECK(found_rotation_of(seen).hypothesis.plan.rotary_dim == 128);
  CHECK(found_rotation_of(seen).hypothesis.plan.exponent_dim == 96);
}

TEST_CASE("positions of three axes", "[diagnosis]") {
  Expectation expected = head_plan(128, Layout::half);
  expected.mrope_section = {16, 24, 24};
  const std::vector<std::vector<double>> points{
      {0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3}, {0, 1, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5}, {0, 1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5}};
  Vectors made{.before = testing::random_vectors(12 * 2 * 128, 31, Stored::float32),
               .after = {},
               .shape = {12, 2, 128},
               .positions = {}};
  made.after = made.before;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    // The pairs of the other axes do not rotate.
    MadeRotation one = rotation(expected);
    for (std::size_t pair = 0; pair < 64; ++pair)
      if ((pair < 16 ? 0uz : pair < 40 ? 1uz : 2uz) != axis) one.frequencies[pair] = 0;
    made.after = rotate(one, made.after, 2, points[axis], Stored::float32);
    made.positions.insert(made.positions.end(), points[axis].begin(), points[axis].end());
  }
  const auto diagnosed = [&] {
    return value_of(posenc::diagnose_rotation({.before = {made.before, made.shape},
                                               .after = {made.after, made.shape},
                                               .positions = made.positions,
                                               .axes = 3},
                                              expected));
  };
  CHECK(rotation_mistakes(diagnosed()) == "none");
  CHECK(diagnosed().verdict != Verdict::none);
  CHECK(found_rotation_of(diagnosed()).mrope_section == std::vector<std::int64_t>{16, 24, 24});
  expected.mrope_section = {24, 20, 20};
  CHECK(rotation_mistakes(diagnosed()) == "sections");
}

TEST_CASE("pairs of zeros are no evidence, and cost nothing", "[diagnosis]") {
  const Expectation expected = head_plan(64, Layout::half);
  Vectors made = make_vectors(rotation(expected), 2, some_positions, Stored::float32);
  for (std::size_t i = 0; i < made.before.size(); ++i)
    if (i % 64 % 32 > 20) made.before[i] = made.after[i] = 0;
  const Diagnosis seen = made.diagnosis(expected);
  CHECK(rotation_mistakes(seen) == "none");
  CHECK(seen.verdict != Verdict::none);
}

TEST_CASE("what cannot be a rotation's vectors is an error", "[diagnosis]") {
  const Expectation expected = head_plan(64, Layout::half);
  const Vectors good = make_vectors(rotation(expected), 2, some_positions, Stored::float32);
  const auto diagnosed = [](const Vectors& vectors, const Expectation& expectation) {
    return posenc::diagnose_rotation({.before = {vectors.before, vectors.shape},
                                      .after = {vectors.after, vectors.shape},
                                      .positions = vectors.positions},
                                     expectation);
  };
  Vectors bad = good;
  bad.after[70] = std::nan("");
  testing::require_error(diagnosed(bad, expected), "after.data[70]", "nan");
  bad = good;
  bad.before[3] = -testing::infinity;
  testing::require_error(diagnosed(bad, expected), "before.data[3]", "-inf");
  bad = good;
  bad.positions[1] = testing::infinity;
  testing::require_error(diagnosed(bad, expected), "positions[1]", "inf");
  bad = good;
  bad.positions.pop_back();
  testing::require_error(diagnosed(bad, expected), "positions", "7");
  bad = good;
  bad.shape = {8, 64, 2};
  testing::require_error(diagnosed({good.before, good.after, {8, 127}, good.positions}, {}), "before.data", "1024");
  testing::require_error(diagnosed(good, head_plan(128, Layout::half)), "expected.dim", "128");
  testing::require_error(diagnosed(good, head_plan(64, Layout::unnamed)), "expected.layout", "");
  testing::require_error(diagnosed(good, head_plan(64, Layout::half, 32, 40)), "expected.firstDim", "40");
}
