#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/mutants/bias_generator.hpp"
#include "diagnosis/mutants/made_rotation.hpp"
#include "posenc/diagnosis/bias_diagnosis.hpp"
#include "posenc/diagnosis/cache_diagnosis.hpp"
#include "posenc/diagnosis/fixtures.hpp"
#include "posenc/diagnosis/frequency_diagnosis.hpp"
#include "posenc/diagnosis/id_diagnosis.hpp"
#include "posenc/diagnosis/output_diagnosis.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "posenc/diagnosis/sinusoid_diagnosis.hpp"
#include "testing/testing.hpp"

// The answers to some hundred samples, number by number, as stored_answers.txt has them: what a hypothesis costs, when
// it is certain, how many tokens are looked at. A threshold that is changed changes one of them. With POSENC_WRITE=1 in
// the environment the file is written anew: each line that differs is a change of what users read, and needs a reason.

// Samples are made by functions of the C library: another one rounds a sine or a power otherwise, and these are then
// the answers to other samples.
#if defined(__GLIBC__) && !defined(__clang__)

using posenc::Expectation;
using posenc::Layout;
using posenc::Mistake;
using posenc::RotaryOptions;
using testing::MadeRotation;
using testing::Stored;

namespace {

/// One answer in words and numbers: words are compared as they are, numbers up to what libraries' logarithms differ by.
struct Answer {
  std::string name, words;
  std::vector<double> numbers;
};

std::vector<double> counted_from(std::size_t count, double first) {
  std::vector<double> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = first + static_cast<double>(i);
  return made;
}

class Answers {
  /// More explanations of one sample tell little.
  static constexpr std::size_t shown = 3;

 public:
  void add(const std::string& name, const posenc::Diagnosis& seen) {
    Answer made{.name = name, .words = std::string(name_of(seen.verdict)), .numbers = {}};
    made.numbers.push_back(static_cast<double>(seen.explanations.size()));
    for (std::size_t i = 0; i < std::min(seen.explanations.size(), shown); ++i) {
      const posenc::Explanation& each = seen.explanations[i];
      made.words += ", " + testing::names_of(each.mistakes);
      made.numbers.push_back(each.units);
      for (const double number : {each.factor - 1, each.shift, each.scale - 1})
        if (number != 0) made.numbers.push_back(number);
    }
    for (const auto* const list : {&seen.departure.tokens, &seen.departure.heads, &seen.departure.pairs})
      if (!list->empty()) made.numbers.push_back(static_cast<double>(list->size()));
    made.numbers.insert(made.numbers.end(), seen.next.begin(), seen.next.end());
    made_.push_back(std::move(made));
  }

  template <class Made>
  void add(const std::string& name, const posenc::Expected<Made>& seen) {
    if (seen)
      add(name, *seen);
    else
      made_.push_back({name, "refused, " + seen.error().argument, {}});
  }

  void add(const std::string& name, const posenc::OutputDiagnosis& seen) {
    add(name + ", b", seen.b);
    made_.back().words += ", wrong: " + std::string(name_of(seen.wrong));
  }

  void add(const std::string& name, const posenc::Fixture& seen) {
    Answer made{.name = name, .words = "", .numbers = seen.positions};
    made.words += testing::names_of(seen.undetected);
    for (const posenc::FixtureMistake& each : seen.mistakes) {
      made.words += ", " + testing::names_of(each.names);
      const double size = std::accumulate(each.moves.begin(), each.moves.end(), 0.0,
                                          [](double sum, double move) { return sum + std::fabs(move); });
      for (const double number : {static_cast<double>(each.moves.size()), size, each.bfloat16_tolerance.value_or(-1)})
        made.numbers.push_back(number);
    }
    made.numbers.push_back(static_cast<double>(seen.indices.size()));
    made.numbers.push_back(static_cast<double>(seen.rotated));
    for (const auto* const tolerances : {&seen.float32_tolerances, &seen.bfloat16_tolerances})
      made.numbers.insert(made.numbers.end(), tolerances->begin(), tolerances->end());
    made_.push_back(std::move(made));
  }

  /// Compares them with those that are stored in a file, or writes it.
  void compare(const std::string& path) const {
    if (std::getenv("POSENC_WRITE") != nullptr) write(path);
    std::ifstream file(path);
    std::string line;
    std::size_t count = 0;
    for (; std::getline(file, line); ++count) {
      REQUIRE(count < made_.size());
      INFO("stored: " << line);
      const Answer& answer = made_[count];
      INFO("now:    " << text_of(answer));
      const std::size_t end = line.find(" =");
      REQUIRE(end != std::string::npos);
      CHECK(line.substr(0, end) == answer.name + ": " + answer.words);
      const char* next = line.c_str() + end + 2;
      std::vector<double> numbers;
      for (char* rest = nullptr; *next != '\0'; next = rest) {
        numbers.push_back(std::strtod(next, &rest));
        if (rest == next) break;
      }
      REQUIRE(numbers.size() == answer.numbers.size());
      for (std::size_t i = 0; i < numbers.size(); ++i)
        CHECK(std::fabs(numbers[i] - answer.numbers[i]) <= 0.01 + 0x1p-14 * std::fabs(numbers[i]));
    }
    CHECK(count == made_.size());
  }

 private:
  [[nodiscard]] static std::string text_of(const Answer& answer) {
    std::string made = answer.name + ": " + answer.words + " =";
    char number[32];
    for (const double each : answer.numbers) {
      std::snprintf(number, sizeof number, " %.5g", each);
      made += number;
    }
    return made;
  }

  void write(const std::string& path) const {
    std::ofstream file(path);
    for (const Answer& each : made_) file << text_of(each) << '\n';
  }

  std::vector<Answer> made_;
};

std::string path_of(const std::string& name) { return POSENC_ROOT "/tests/core/diagnosis/stored_answers/" + name; }

constexpr Stored stored_types[]{Stored::float32, Stored::bfloat16, Stored::float16, Stored::float64};
constexpr const char* type_names[]{"float32", "bfloat16", "float16", "float64"};

/// Vectors before and after a rotation.
struct MadeVectors {
  std::vector<double> before, after;
  std::vector<std::int64_t> shape;
  std::vector<double> positions;

  [[nodiscard]] posenc::RotationSamples samples() const {
    return {.before = {before, shape}, .after = {after, shape}, .positions = positions};
  }
};

MadeVectors vectors_of(const MadeRotation& made, std::vector<double> positions, std::size_t heads, Stored stored,
                       std::uint32_t seed) {
  MadeVectors vectors;
  vectors.before = testing::random_vectors(positions.size() * heads * made.dims, seed, stored);
  vectors.after = rotate(made, vectors.before, heads, positions, stored);
  vectors.shape = {std::ssize(positions), static_cast<std::int64_t>(heads), static_cast<std::int64_t>(made.dims)};
  vectors.positions = std::move(positions);
  return vectors;
}

Expectation plain_expectation(std::int64_t dim, double base = 10000, std::optional<std::int64_t> rotary_dim = {},
                              Layout layout = Layout::half) {
  Expectation made;
  made.plan = RotaryOptions{.dim = dim, .layout = layout, .base = base, .rotary_dim = rotary_dim};
  return made;
}

MadeRotation made_right(const Expectation& expected) { return *testing::make_rotation(expected, {}); }

constexpr auto asked_mistakes = [] {
  using enum Mistake;
  return std::array{layout,
                    permuted,
                    first_dim,
                    rotary_dim,
                    exponent_doubled,
                    exponent_half_minus_one,
                    exponent_head_dim,
                    reciprocal,
                    base,
                    other_layers,
                    scaling_missing,
                    factor_missing,
                    sign,
                    exchanged,
                    first_position,
                    position_scale,
                    angles_float32};
}();

}  // namespace

TEST_CASE("stored answers: mistakes of rotations", "[diagnosis]") {
  Answers answers;
  const std::vector<double> positions{0, 1, 2, 7, 64, 511, 4095, 20000};
  std::uint32_t index = 0;
  for (const testing::KnownPlan& plan : testing::known_plans())
    for (const Mistake first : asked_mistakes)
      for (const Mistake second : {first, Mistake::sign, Mistake::base}) {
        const std::vector<Mistake> mistakes =
            first == second ? std::vector{first} : std::vector{std::min(first, second), std::max(first, second)};
        const auto made = testing::make_rotation(plan.expected, mistakes);
        ++index;
        if (!made || index % 11 != 0) continue;
        const MadeVectors vectors = vectors_of(*made, positions, 1 + index % 2, stored_types[index % 4], index);
        const std::string name = plan.name + ", " + testing::names_of(mistakes) + ", " + type_names[index % 4];
        Expectation expected = plan.expected;
        if (index % 3 == 0) expected.arithmetic = posenc::diagnosis::AngleArithmetic::exact;
        answers.add(name, diagnose_rotation(vectors.samples(), expected));
        if (index % 7 == 0) answers.add(name + ", not expected", diagnose_rotation(vectors.samples(), {}));
      }
  answers.compare(path_of("rotations.txt"));
}

TEST_CASE("stored answers: how many tokens and heads, where, and with how much noise", "[diagnosis]") {
  Answers answers;
  const Expectation expected = plain_expectation(32, 10000, 16), whole = plain_expectation(32);
  for (const double first : {0.0, 100000.0})
    for (const std::size_t tokens : {1u, 2u, 3u, 9u, 60u, 200u}) {
      const std::size_t heads = tokens < 20 ? tokens : 1;
      const auto name = std::to_string(tokens) + " tokens from " + std::to_string(first);
      const MadeVectors one = vectors_of(made_right(expected), counted_from(tokens, first), heads, Stored::float32, 5);
      answers.add(name, diagnose_rotation(one.samples(), expected));
      const MadeVectors two = vectors_of(made_right(whole), counted_from(tokens, first), 1, Stored::bfloat16, 6);
      answers.add(name + ", all dimensions", diagnose_rotation(two.samples(), whole));
      if (first == 0) answers.add(name + ", not expected", diagnose_rotation(one.samples(), {}));
    }
  // Every value is off by so many of its roundings, alternately.
  for (const double units : {2.0, 3.9, 4.1, 15.0, 1000.0})
    for (const bool all : {true, false}) {
      MadeVectors noisy = vectors_of(made_right(whole), counted_from(12, 0), 2, Stored::float64, 7);
      for (std::size_t i = 0; i < noisy.after.size(); ++i) {
        const double noise = (i * 7 % 5 < 3 ? units : -units) * 0x1p-24;
        const double value = noisy.after[i] * (all || i == 100 ? 1 + noise : 1);
        noisy.after[i] = rounded(value, Stored::float32), noisy.before[i] = rounded(noisy.before[i], Stored::float32);
      }
      const auto name = (all ? "all off by " : "one off by ") + std::to_string(units);
      answers.add(name, diagnose_rotation(noisy.samples(), whole));
      answers.add(name + ", not expected", diagnose_rotation(noisy.samples(), {}));
    }
  answers.compare(path_of("tokens.txt"));
}

TEST_CASE("stored answers: positions that are not those given", "[diagnosis]") {
  Answers answers;
  const Expectation expected = plain_expectation(16);
  struct Pattern {
    const char* name;
    double (*position)(double p, std::size_t token, std::size_t count);
  };
  const Pattern patterns[]{
      {"modulo", [](double p, std::size_t, std::size_t) { return std::fmod(p, 5); }},
      {"clamped", [](double p, std::size_t, std::size_t) { return std::min(p, 6.0); }},
      {"offset", [](double p, std::size_t token, std::size_t n) { return 2 * token < n ? p : p + 9; }},
      {"far", [](double p, std::size_t token, std::size_t n) { return 2 * token < n ? p : p + 5000; }},
      {"very far", [](double p, std::size_t token, std::size_t n) { return 2 * token < n ? p : p + 17000; }},
      {"one offset", [](double p, std::size_t token, std::size_t n) { return token + 1 < n ? p : p + 9; }},
      {"reversed", [](double, std::size_t token, std::size_t n) { return static_cast<double>(n - 1 - token); }},
      {"constant", [](double, std::size_t, std::size_t) { return 7.0; }},
      {"halves", [](double p, std::size_t token, std::size_t) { return p + (token % 3 == 2 ? 0.5 : 0); }},
      {"any", [](double p, std::size_t token, std::size_t) { return p + static_cast<double>(token * token % 11); }},
      {"again", [](double p, std::size_t token, std::size_t n) { return p * static_cast<double>(n - token); }}};
  for (const Pattern& pattern : patterns)
    for (const std::size_t tokens : {3u, 8u})
      for (const Stored stored : {Stored::float32, Stored::bfloat16}) {
        const std::vector<double> given = counted_from(tokens, 0);
        std::vector<double> own(tokens);
        for (std::size_t i = 0; i < tokens; ++i) own[i] = pattern.position(given[i], i, tokens);
        MadeVectors vectors = vectors_of(made_right(expected), own, 1, stored, 11);
        vectors.positions = given;
        const auto name = pattern.name + (" of " + std::to_string(tokens)) + (stored == Stored::float32 ? "" : ", 16");
        answers.add(name, diagnose_rotation(vectors.samples(), expected));
        if (stored == Stored::float32) answers.add(name + ", not expected", diagnose_rotation(vectors.samples(), {}));
      }
  // Where all pairs are fast a position is known up to whole turns; some are further than is looked for.
  const Expectation fast = plain_expectation(8, 10);
  for (const double first : {0.0, 12000.0})
    for (const double offset : {-3.0, 3000.0, 9000.0, 50000.0}) {
      std::vector<double> own = counted_from(8, first);
      for (std::size_t i = 4; i < 8; ++i) own[i] += offset;
      MadeVectors vectors = vectors_of(made_right(fast), own, 1, Stored::float32, 13);
      vectors.positions = counted_from(8, first);
      answers.add("from " + std::to_string(first) + ", then " + std::to_string(offset),
                  diagnose_rotation(vectors.samples(), fast));
    }
  answers.compare(path_of("positions.txt"));
}

TEST_CASE("stored answers: caches and tables", "[diagnosis]") {
  Answers answers;
  std::uint32_t index = 0;
  const auto cache = [&](const std::string& name, const MadeRotation& made, std::size_t tokens,
                         const Expectation& expected, double noise) {
    const Stored stored = stored_types[++index % 3];
    std::vector<double> cosines, sines;
    for (std::size_t at = 0; at < tokens * made.count / 2; ++at) {
      const auto rotation = rotation_of(made, at % (made.count / 2), static_cast<double>(at / (made.count / 2)));
      cosines.push_back(rounded(static_cast<double>(rotation.cosine) * (1 + noise), stored));
      sines.push_back(rounded(static_cast<double>(rotation.sine) * (1 - noise), stored));
    }
    const std::vector<std::int64_t> shape{static_cast<std::int64_t>(tokens), static_cast<std::int64_t>(made.count / 2)};
    answers.add(name + ", " + type_names[index % 3],
                diagnose_cache({.cosines = {cosines, shape}, .sines = {sines, shape}, .positions = {}}, expected));
  };
  for (const testing::KnownPlan& plan : testing::known_plans())
    for (const Mistake mistake : asked_mistakes)
      if (const auto made = testing::make_rotation(plan.expected, std::vector{mistake}); made && ++index % 6 == 0)
        cache(plan.name + ", " + testing::names_of(std::vector{mistake}), *made, 20, plan.expected, 0);
  const Expectation meant = plain_expectation(16);
  for (const std::size_t tokens : {2u, 5u, 49u, 300u})
    cache(std::to_string(tokens) + " tokens", made_right(meant), tokens, meant, 0);
  for (const double noise : {0x1p-23, 0x1p-21, 0x1p-20, 0x1p-10, 0x1p-7})
    cache("noise " + std::to_string(std::log2(noise)), made_right(meant), 30, meant, noise);

  const auto table = [&](const std::string& name, std::size_t rows, std::size_t dim, double base, double amplitude,
                         double first, bool cosines_first, const Expectation& expected) {
    const Stored stored = stored_types[++index % 3];
    std::vector<double> values;
    for (std::size_t at = 0; at < rows * dim; ++at) {
      const std::size_t i = at % dim;
      const double angle = (static_cast<double>(at / dim) + first) *
                           std::pow(base, -2 * static_cast<double>(i / 2) / static_cast<double>(dim));
      values.push_back(
          rounded(amplitude * ((i % 2 == 1) != cosines_first ? std::cos(angle) : std::sin(angle)), stored));
    }
    answers.add(name + ", " + type_names[index % 3],
                diagnose_sinusoid({.table = {values, {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(dim)}},
                                   .positions = {}},
                                  expected));
  };
  for (const std::size_t rows : {3u, 49u})
    for (const std::size_t dim : {17u, 64u}) {
      const Expectation expected = plain_expectation(static_cast<std::int64_t>(dim));
      const std::string name = std::to_string(rows) + " rows of " + std::to_string(dim);
      table(name, rows, dim, 10000, 1, 0, false, expected);
      table(name + ", a base", rows, dim, 777, 1, 0, false, expected);
      table(name + ", cosines", rows, dim, 10000, 1, 0, true, expected);
      table(name + ", loud", rows, dim, 10000, std::sqrt(static_cast<double>(dim)) * (1 + 0x1p-22), 0, false, expected);
      table(name + ", not expected", rows, dim, 10000, 1, 1, true, {});
    }
  answers.compare(path_of("caches-and-tables.txt"));
}

TEST_CASE("stored answers: frequencies", "[diagnosis]") {
  Answers answers;
  std::uint32_t index = 0;
  for (const testing::KnownPlan& plan : testing::known_plans())
    for (const Mistake mistake : asked_mistakes) {
      const auto made = testing::make_rotation(plan.expected, std::vector{mistake});
      if (!made || made->count == 0) continue;
      if (++index % 7 != 0) continue;
      const Stored stored = stored_types[index % 4];
      std::vector<double> list;
      for (const long double frequency : made->frequencies) {
        const auto radians = static_cast<double>(frequency);
        const double value = index % 3 == 0 ? radians : (index % 3 == 1 ? 1 : 2 * std::numbers::pi) / radians;
        list.push_back(rounded(std::isfinite(value) ? value : 0, stored));
      }
      const std::string name =
          plan.name + ", " + testing::names_of(std::vector{mistake}) + ", " + type_names[index % 4];
      const posenc::SampledTensor tensor{.values = list, .shape = {std::ssize(list)}};
      answers.add(name, diagnose_frequencies(tensor, plan.expected));
      if (index % 2 == 0) answers.add(name + ", not expected", diagnose_frequencies(tensor, {}));
    }
  answers.compare(path_of("frequencies.txt"));
}

TEST_CASE("stored answers: biases", "[diagnosis][bias]") {
  Answers answers;
  using bias_generator::Real;
  const auto add = [&](const std::string& name, const bias_generator::Matrix& matrix, const auto& value,
                       const posenc::BiasExpectation& expected) {
    const std::vector<double> values = matrix.values(value);
    answers.add(name + ", " + matrix.dtype, diagnose_bias(matrix.samples(values), expected));
    answers.add(name + ", " + matrix.dtype + ", not expected", diagnose_bias(matrix.samples(values), {}));
  };
  for (const std::int64_t heads : {12})
    for (const char* const dtype : {"float32", "bfloat16"})
      for (const double steepness : {8.0, 7.3})
        for (const double factor : {1.0, 1.01 / 8}) {
          const bias_generator::Matrix matrix{
              .heads = heads, .queries = 6, .keys = 14, .dtype = dtype, .first_query = 8, .bias_query = 8};
          const auto exponents = bias_generator::exponents("paper", static_cast<std::size_t>(heads), steepness);
          add(std::to_string(heads) + " heads, " + std::to_string(steepness) + ", " + std::to_string(factor), matrix,
              [&](std::size_t h, std::int64_t d) {
                return -static_cast<Real>(factor) * std::exp2(-exponents[h]) * static_cast<Real>(d < 0 ? -d : d);
              },
              {.type = "alibi"});
        }
  for (const std::int64_t keys : {4, 20, 200})
    for (const bool power : {false, true}) {
      const bias_generator::Matrix matrix{
          .heads = 2, .queries = 1, .keys = keys, .first_query = keys - 1, .bias_query = keys - 1};
      add(std::string("KERPLE of ") + std::to_string(keys) + (power ? ", power" : ""), matrix,
          [&](std::size_t h, std::int64_t d) {
            const auto x = static_cast<Real>(d < 0 ? -d : d), r2 = static_cast<Real>(h) + Real(0.7);
            return -Real(0.3) * (!power ? std::log1p(r2 * x) : x == 0 ? 0 : std::pow(x, r2));
          },
          {.type = power ? "kerple-power" : "kerple-log"});
    }
  for (const std::int64_t keys : {20, 150})
    for (const std::int64_t buckets : {8, 32})
      for (const std::int64_t most : {64, 333}) {
        const bias_generator::Matrix matrix{
            .heads = 1, .queries = 1, .keys = keys, .first_query = keys - 1, .bias_query = keys - 1};
        add("T5 of " + std::to_string(keys) + ", " + std::to_string(buckets) + ", " + std::to_string(most), matrix,
            [&](std::size_t h, std::int64_t d) {
              return bias_generator::learned(3, h, bias_generator::t5_bucket(d, buckets, most, false));
            },
            {.type = "t5", .buckets = buckets, .bidirectional = false});
      }
  answers.compare(path_of("biases.txt"));
}

TEST_CASE("stored answers: positions of several axes", "[diagnosis]") {
  Answers answers;
  constexpr std::size_t tokens = 12;
  const std::vector<std::string> orders{"sections", "usual", "reversed", "interleaved", "one axis", "no order"};
  const auto axis_of = [](std::size_t order, std::size_t i) -> std::size_t {
    const auto after = [i](std::size_t first, std::size_t then) {
      return (i >= first ? 1uz : 0uz) + (i >= then ? 1 : 0);
    };
    const std::size_t axes[]{after(2, 5), after(16, 40), 2 - after(3, 6), i % 3, 1, i * i % 5 % 3};
    return axes[order];
  };
  for (const std::size_t pairs : {8UL, 64UL})
    for (std::size_t order = 0; order < orders.size(); ++order)
      for (const bool restarts : {false, true}) {
        MadeRotation made = made_right(plain_expectation(2 * static_cast<std::int64_t>(pairs)));
        std::vector<std::size_t> axes(pairs);
        for (std::size_t i = 0; i < pairs; ++i) axes[i] = axis_of(order, i);
        std::vector<std::size_t> counts(3), sizes(3);
        for (const std::size_t axis : axes) ++sizes[axis];
        for (std::size_t i = 0; restarts && i < pairs; ++i)
          made.frequencies[i] = std::pow(10000.0L, -static_cast<long double>(counts[axes[i]]++) / sizes[axes[i]]);
        std::vector<double> points(3 * tokens);
        for (std::size_t t = 0; t < tokens; ++t)
          points[t] = static_cast<double>(3 + t / 12), points[tokens + t] = static_cast<double>(3 + t / 4 % 3),
          points[2 * tokens + t] = static_cast<double>(3 + t % 4);
        const std::vector<double> before =
            testing::random_vectors(tokens * 2 * pairs, static_cast<std::uint32_t>(tokens), Stored::float32);
        std::vector<double> after(before);
        for (std::size_t t = 0; t < tokens; ++t)
          for (std::size_t i = 0; i < pairs; ++i) {
            const auto rotation = rotation_of(made, i, points[axes[i] * tokens + t]);
            const double a = before[2 * t * pairs + i], b = before[(2 * t + 1) * pairs + i];
            const auto c = static_cast<double>(rotation.cosine), s = static_cast<double>(rotation.sine);
            after[2 * t * pairs + i] = rounded(a * c - b * s, Stored::float32);
            after[(2 * t + 1) * pairs + i] = rounded(a * s + b * c, Stored::float32);
          }
        const std::vector<std::int64_t> shape{static_cast<std::int64_t>(tokens), 2 * static_cast<std::int64_t>(pairs)};
        const posenc::RotationSamples samples{
            .before = {before, shape}, .after = {after, shape}, .positions = points, .axes = 3};
        const std::string name = orders[order] + ", " + std::to_string(pairs) + " pairs, " + std::to_string(tokens) +
                                 " tokens" + (restarts ? ", restarted" : "");
        Expectation expected = plain_expectation(2 * static_cast<std::int64_t>(pairs));
        expected.mrope_section =
            pairs == 8 ? std::vector<std::int64_t>{2, 3, 3} : std::vector<std::int64_t>{16, 24, 24};
        answers.add(name, diagnose_rotation(samples, expected));
        if (pairs == 8) answers.add(name + ", not expected", diagnose_rotation(samples, {}));
      }
  answers.compare(path_of("axes.txt"));
}

TEST_CASE("stored answers: ids, outputs, fixtures", "[diagnosis]") {
  Answers answers;
  for (const char* const preset : {"qwen2-vl", "qwen2.5-vl", "ernie4.5-vl", "qwen2.5-omni"})
    for (const double rate : {4.0}) {
      std::vector<posenc::MropeSegment> segments(3);
      segments[0].length = segments[2].length = 3;
      segments[1] = {
          .kind = posenc::MropeSegment::Kind::video, .grid = {4, 4, 6}, .seconds_per_grid = 1.0, .audio = {}};
      auto options = testing::value_of(posenc::mrope_options(preset));
      if (std::string_view(preset).starts_with("qwen2.5"))
        options.tokens_per_second = rate;
      else
        segments[1].seconds_per_grid.reset();
      const auto tokens = testing::value_of(posenc::count_mrope_tokens(options, segments));
      std::vector<std::int32_t> ids(options.axes() * static_cast<std::size_t>(tokens));
      REQUIRE(mrope_positions(options, segments, {.out = ids, .length = ids.size() / options.axes()}));
      for (const double offset : {0.0, 3.0}) {
        std::vector<double> values(ids.begin(), ids.end());
        for (double& value : values) value += offset;
        const posenc::IdSamples samples{.ids = values, .axes = options.axes(), .segments = segments};
        const auto name = std::string(preset) + " at " + std::to_string(rate) + " plus " + std::to_string(offset);
        answers.add(name, diagnose_ids(samples, {.preset = preset}));
        answers.add(name + ", not expected", diagnose_ids(samples, {.preset = ""}));
        answers.add(name + ", another expected", diagnose_ids(samples, {.preset = "glm4v"}));
      }
    }

  const Expectation meant = plain_expectation(16);
  for (const Mistake mistake : {Mistake::base, Mistake::sign, Mistake::layout, Mistake::first_position})
    for (const Stored stored : {Stored::float32, Stored::bfloat16}) {
      const MadeVectors a = vectors_of(made_right(meant), counted_from(12, 0), 1, stored, 3);
      const MadeVectors b =
          vectors_of(*testing::make_rotation(meant, std::vector{mistake}), counted_from(12, 0), 1, stored, 3);
      for (const bool is_same : {true, false})
        if (!is_same || mistake == Mistake::sign)
          answers.add(
              "outputs, " + testing::names_of(std::vector{mistake}) + (is_same ? ", right" : ""),
              diagnose_outputs(
                  {.a = {a.after, a.shape}, .b = {is_same ? a.after : b.after, a.shape}, .positions = a.positions},
                  meant));
    }

  for (const testing::KnownPlan& plan : testing::known_plans())
    if (plan.expected.plan->dim < 128)
      for (const std::int64_t length : {64, 4096})
        answers.add("fixture of " + plan.name, make_fixture(plan.expected, {.length = length}));
  Expectation mrope = plain_expectation(32);
  mrope.mrope_section = {4, 6, 6};
  answers.add("fixture of M-RoPE", make_fixture(mrope, {.length = 1024}));
  answers.compare(path_of("others.txt"));
}

#endif
