#include "posenc/diagnosis/fixtures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "../testing/testing.hpp"

namespace {

using namespace posenc;
using testing::value_of;

Expectation expected_of(const RotaryOptions& plan) {
  Expectation expected;
  expected.plan = plan;
  return expected;
}

const RotaryOptions plain{.dim = 64, .layout = Layout::half};

/// The frequencies base^(-2i/d) in long double, with Llama 3's rule where it has one.
long double frequency(const RotaryOptions& plan, std::size_t pair) {
  const auto d = static_cast<long double>(plan.rotary_dim.value_or(plan.dim));
  const long double base = std::pow(static_cast<long double>(plan.base), -2 * static_cast<long double>(pair) / d);
  const auto* rule = std::get_if<scaling::Llama3>(&plan.scaling);
  if (rule == nullptr) return base;
  const long double cycles =
      static_cast<long double>(rule->original_length) * base / (2 * std::numbers::pi_v<long double>);
  const long double smooth = std::clamp((cycles - 1) / 3, 0.0L, 1.0L);
  return (1 - smooth) * base / static_cast<long double>(rule->factor) + smooth * base;
}

/// A token's head, rotated by the formulas.
std::vector<long double> rotated_head(const RotaryOptions& plan, const Fixture& fixture, std::size_t token) {
  std::vector<long double> out(fixture.input.begin(), fixture.input.end());
  const auto pairs = static_cast<std::size_t>(plan.rotary_dim.value_or(plan.dim)) / 2;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const bool is_half = plan.layout == Layout::half;
    const std::size_t one = is_half ? pair : 2 * pair, other = is_half ? pair + pairs : 2 * pair + 1;
    const long double angle = static_cast<long double>(fixture.positions[token]) * frequency(plan, pair);
    const long double a = fixture.input[one], b = fixture.input[other];
    out[one] = a * std::cos(angle) - b * std::sin(angle);
    out[other] = a * std::sin(angle) + b * std::cos(angle);
  }
  return out;
}

const FixtureMistake* find(const Fixture& fixture, Mistake mistake) {
  const auto found = std::ranges::find_if(fixture.mistakes, [&](const FixtureMistake& each) {
    return std::ranges::find(each.names, mistake) != each.names.end();
  });
  return found == fixture.mistakes.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a fixture's outputs are those of the formulas", "[fixtures]") {
  const RotaryOptions llama{.dim = 128,
                            .layout = Layout::half,
                            .base = 500000,
                            .scaling = scaling::Llama3{.factor = 8, .original_length = 8192}};
  const RotaryOptions partial{.dim = 80, .layout = Layout::interleaved, .rotary_dim = 32};
  for (const auto& [plan, length] : {std::pair{plain, 2048}, std::pair{llama, 131072}, std::pair{partial, 2048}}) {
    const auto fixture = value_of(make_fixture(expected_of(plan), {.length = length}));
    REQUIRE(fixture.positions.size() == fixture.tokens);
    for (std::size_t token = 0; token < fixture.tokens; ++token) {
      const auto right = rotated_head(plan, fixture, token);
      for (std::size_t dimension = 0; dimension < fixture.dim; ++dimension)
        CHECK(std::fabs(fixture.outputs[token * fixture.dim + dimension] - static_cast<double>(right[dimension])) <
              1e-9);
    }
  }
}

TEST_CASE("no two mistakes of a fixture are the same where either is looked at", "[fixtures]") {
  const auto fixture = value_of(make_fixture(expected_of(plain), {.length = 4096}));
  // Moves at the indices that two have in common; they differ there, or in which indices they have.
  for (const auto& a : fixture.mistakes)
    for (const auto& b : fixture.mistakes)
      if (&a != &b) CHECK_FALSE((a.at == b.at && a.moves == b.moves));
}

TEST_CASE("each pair is looked at, and indices are in order", "[fixtures]") {
  const RotaryOptions partial{.dim = 80, .layout = Layout::half, .rotary_dim = 32};
  const auto fixture = value_of(make_fixture(expected_of(partial), {.length = 2048}));
  std::vector<bool> seen(16, false);
  for (std::size_t i = 0; i < fixture.indices.size(); ++i) {
    const std::size_t dimension = fixture.indices[i] % 80;
    CHECK((dimension < 32) == (i < fixture.rotated));
    if (dimension < 32) seen[dimension % 16] = true;
    if (i > 0 && i != fixture.rotated) CHECK(fixture.indices[i] > fixture.indices[i - 1]);
  }
  CHECK(std::ranges::count(seen, true) == 16);
  CHECK(fixture.indices.size() > fixture.rotated);
}

TEST_CASE("float32 angles are within the tolerances of their positions", "[fixtures]") {
  for (const std::int64_t length : {512, 131072}) {
    const auto fixture = value_of(make_fixture(expected_of(plain), {.length = length}));
    for (std::size_t i = 0; i < fixture.rotated; ++i) {
      const std::size_t index = fixture.indices[i], token = index / 64, pair = index % 64 % 32;
      const auto inverse = 1 / static_cast<float>(std::pow(10000.0L, static_cast<long double>(pair) / 32));
      const double angle = static_cast<float>(fixture.positions[token]) * inverse;
      const double a = fixture.input[pair], b = fixture.input[pair + 32];
      const double y =
          index % 64 < 32 ? a * std::cos(angle) - b * std::sin(angle) : a * std::sin(angle) + b * std::cos(angle);
      CHECK(std::fabs(y - fixture.outputs[index]) <= fixture.float32_tolerances[token]);
    }
  }
}

TEST_CASE("positions of several axes differ, and their mistakes are there", "[fixtures]") {
  Expectation expected = expected_of({.dim = 128, .layout = Layout::half, .base = 1e6});
  expected.mrope_section = {16, 24, 24};
  const auto fixture = value_of(make_fixture(expected, {.length = 32768}));
  CHECK(fixture.axes == 3);
  CHECK(fixture.positions.size() == 3 * fixture.tokens);
  using enum Mistake;
  for (const Mistake mistake : {axes_order, axis_missing, sections, section_order})
    CHECK(find(fixture, mistake) != nullptr);
  CHECK(find(fixture, rotary_dim) == nullptr);
}

TEST_CASE("fixtures that cannot be made are errors", "[fixtures]") {
  testing::require_error(make_fixture({}, {}), "expected.plan", "nothing");
  testing::require_error(make_fixture(expected_of(plain), {.length = 1}), "length", "1");
  testing::require_error(make_fixture(expected_of(plain), {.length = (std::int64_t{1} << 24) + 1}), "length",
                         "16777217");
  testing::require_error(make_fixture(expected_of({.dim = 1026, .layout = Layout::half}), {}), "expected.dim", "1026");
  testing::require_error(make_fixture(expected_of({.dim = 64}), {}), "expected.layout", "");
  Expectation axes = expected_of(plain);
  axes.mrope_section = {1, 2, 3};
  testing::require_error(make_fixture(axes, {}), "sections", "6");
}
