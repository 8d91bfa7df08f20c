#include "posenc/frequencies/scaling.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "frequencies/scaling_reference.hpp"
#include "posenc/rotary/rotary.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::Frequencies;
using posenc::FrequencyPlan;
using posenc::Layout;
using posenc::Positions;
using posenc::Scaling;
using reference::Quad;
using testing::Generator;
using testing::value_of;
namespace scaling = posenc::scaling;

namespace {

/// The largest relative error of a plan's frequencies against the published formula; its attention factor is checked.
double relative_error(const FrequencyPlan& plan) {
  const auto made = value_of(Frequencies::make_scaled(plan));
  const auto exact = reference::scaled(plan);
  REQUIRE(made.count() == exact.frequencies.size());
  CHECK(reference::double_ulp_error(made.attention_factor(), exact.attention_factor) <= 1);
  CHECK(value_of(posenc::attention_factor(plan)) == made.attention_factor());
  double worst = 0;
  for (std::size_t i = 0; i < made.count(); ++i) {
    const Quad cycles = static_cast<Quad>(made.head()[i]) + made.mid()[i] + made.tail()[i];
    const Quad error = reference::magnitude(cycles * 2 * reference::pi() - exact.frequencies[i]);
    if (exact.frequencies[i] == 0)
      CHECK(cycles == 0);
    else
      worst = std::max(worst, static_cast<double>(error / reference::magnitude(exact.frequencies[i])));
  }
  return worst;
}

std::vector<double> numbers(Generator& generator, std::size_t count, double least, double most) {
  std::vector<double> values(count);
  for (double& value : values) value = least + (most - least) * (0.5 + 0.5 * generator.fraction());
  return values;
}

double number(Generator& generator, double least, double most) { return numbers(generator, 1, least, most)[0]; }

constexpr std::size_t rule_count = std::variant_size_v<Scaling>;

/// A rule of the kind `kind`, with ordinary options.
Scaling random_rule(Generator& generator, std::size_t kind, std::int64_t dim) {
  const auto pairs = static_cast<std::size_t>(dim / 2);
  const double factor = number(generator, 1, 64);
  const double length = 512.0 * static_cast<double>(1 + generator.below(64));
  switch (kind) {
    case 0:
      return scaling::Default{};
    case 1:
      return scaling::Linear{factor};
    case 2:
      return scaling::Ntk{factor};
    case 3:
      return scaling::Dynamic{factor, length};
    case 4:
      return scaling::Yarn{.factor = factor, .original_length = length, .truncate = generator.below(2) == 0};
    case 5:
      return scaling::Longrope{factor, length, numbers(generator, pairs, 1, 3), numbers(generator, pairs, 1, 70)};
    case 6:
      return scaling::Llama3{.factor = factor, .original_length = length};
    case 7:
      return scaling::Proportional{number(generator, 0, 1), factor};
    default:
      return scaling::Given{numbers(generator, pairs, -2, 2), number(generator, 0.5, 2)};
  }
}

FrequencyPlan random_plan(Generator& generator, std::size_t kind) {
  const std::int64_t dim = 4 + 2 * static_cast<std::int64_t>(generator.below(126));
  const double base = number(generator, 500, 1e6);
  FrequencyPlan plan{.frequencies = {.dim = dim, .base = base}, .scaling = random_rule(generator, kind, dim)};
  plan.length = static_cast<std::int64_t>(generator.below(200000));
  if (generator.below(4) == 0) plan.exponent_dim = dim + static_cast<std::int64_t>(generator.below(100));
  return plan;
}

FrequencyPlan plan_of(Scaling rule, std::int64_t dim = 128, double base = 10000) {
  return {.frequencies = {.dim = dim, .base = base}, .scaling = std::move(rule), .length = 4096};
}

double frequency(const FrequencyPlan& plan, std::size_t i) {
  return value_of(Frequencies::make_scaled(plan)).radians(i);
}

}  // namespace

TEST_CASE("scaling: every rule agrees with its formula over random options", "[scaling]") {
  Generator generator(11);
  for (std::size_t kind = 0; kind < rule_count; ++kind) {
    double worst = 0;
    for (int round = 0; round < 25; ++round) {
      const FrequencyPlan plan = random_plan(generator, kind);
      REQUIRE(plan.scaling.index() == kind);
      INFO("rule " << kind << ", dim " << plan.frequencies.dim << ", base " << plan.frequencies.base);
      worst = std::max(worst, relative_error(plan));
    }
    std::printf("largest error: scaling rule %zu: 2^%.1f relative\n", kind, std::log2(worst));
    CHECK(worst <= 0x1p-88);
  }
}

TEST_CASE("scaling: cosines and sines stay accurate up to position 2^31 under every rule", "[scaling][accuracy]") {
  const std::vector<double> positions{0, 1, -3, 0.5, 4095, 131071, 1048575, 67108865, 2147483648.0, -2147483647.5};
  Generator generator(12);
  reference::LargestErrors errors;
  for (std::size_t kind = 0; kind < rule_count; ++kind)
    for (int round = 0; round < 6; ++round) {
      FrequencyPlan plan = random_plan(generator, kind);
      const auto made = value_of(posenc::Rotary::make({.dim = plan.frequencies.dim,
                                                       .layout = Layout::half,
                                                       .base = plan.frequencies.base,
                                                       .exponent_dim = plan.exponent_dim,
                                                       .scaling = plan.scaling,
                                                       .length = plan.length}));
      const auto exact = reference::scaled(plan);
      const std::size_t size = positions.size() * exact.frequencies.size();
      std::vector<float> cosines(size);
      std::vector<float> sines(size);
      value_of(made.cache(Positions::list(positions), cosines, sines));
      const auto factor = static_cast<float>(made.attention_factor());
      for (std::size_t at = 0; at < size; ++at) {
        const std::size_t pairs = exact.frequencies.size();
        const auto phase = reference::phase(exact.frequencies[at % pairs] * positions[at / pairs]);
        if (factor == 1) {
          errors.note(cosines[at], phase.cosine);
          errors.note(sines[at], phase.sine);
          continue;
        }
        // One rounding of cosine or sine, one of the factor, one of their product.
        const double bound = (0.501 + 0.5 + 0.5) * 0x1p-23 * factor;
        REQUIRE(reference::magnitude(cosines[at] - phase.cosine * exact.attention_factor) <= bound);
        REQUIRE(reference::magnitude(sines[at] - phase.sine * exact.attention_factor) <= bound);
      }
    }
  std::printf("largest error: scaled cache: %.7f ulp, %.4e absolute\n", errors.ulp, errors.absolute);
  CHECK(errors.ulp <= 0.501);
  CHECK(errors.absolute <= 3.0e-8);
}

TEST_CASE("scaling: no rule and a factor of 1 change no bit", "[scaling]") {
  const auto plain = value_of(Frequencies::make({.dim = 128}));
  const std::vector<double> ones(64, 1.0);
  for (const Scaling& rule : {Scaling{}, Scaling{scaling::Linear{1}}, Scaling{scaling::Proportional{1, 1}},
                              Scaling{scaling::Longrope{1, 4096, ones, ones}}}) {
    const auto made = value_of(Frequencies::make_scaled(plan_of(rule)));
    CHECK(std::ranges::equal(made.head(), plain.head()));
    CHECK(std::ranges::equal(made.mid(), plain.mid()));
    CHECK(std::ranges::equal(made.tail(), plain.tail()));
    CHECK(made.attention_factor() == 1);
  }
}

TEST_CASE("scaling: static NTK keeps the first frequency and divides the last by the factor", "[scaling]") {
  const auto plan = plan_of(scaling::Ntk{8});
  CHECK(frequency(plan, 0) == 1);
  CHECK(std::abs(frequency(plan, 63) * 8 / frequency(plan_of({}), 63) - 1) < 1e-14);
}

TEST_CASE("scaling: dynamic NTK is unchanged up to the original length and then static NTK's", "[scaling]") {
  auto plan = plan_of(scaling::Dynamic{4, 2048});
  for (const std::int64_t length : {0, 1, 2048}) {
    plan.length = length;
    CHECK(frequency(plan, 63) == frequency(plan_of({}), 63));
  }
  plan.length = 4096;  // 4 * 2 - 3 = 5
  CHECK(frequency(plan, 63) == frequency(plan_of(scaling::Ntk{5}), 63));
}

TEST_CASE("scaling: LongRoPE switches strictly after the original length", "[scaling]") {
  auto plan = plan_of(scaling::Longrope{32, 4096, {1, 1}, {2, 4}}, 4);
  CHECK(frequency(plan, 1) == 0.01);
  plan.length = 4097;
  CHECK(frequency(plan, 0) == 0.5);
  CHECK(frequency(plan, 1) == 0.0025);
  // Phi-3's: sqrt(1 + ln 32 / ln 4096) = sqrt(17/12)
  CHECK(std::abs(value_of(posenc::attention_factor(plan)) - 1.1902380714238083) < 1e-15);
  std::get<scaling::Longrope>(plan.scaling).factor = 0.5;
  CHECK(value_of(posenc::attention_factor(plan)) == 1);
  std::get<scaling::Longrope>(plan.scaling).attention_factor = 1.25;
  CHECK(value_of(posenc::attention_factor(plan)) == 1.25);
}

TEST_CASE("scaling: Llama 3 keeps high frequencies and divides low ones", "[scaling]") {
  const auto plan = plan_of(scaling::Llama3{8, 1, 4, 8192}, 128, 500000);
  const auto plain = plan_of({}, 128, 500000);
  for (const std::size_t i : {0u, 10u, 28u}) CHECK(frequency(plan, i) == frequency(plain, i));
  for (const std::size_t i : {36u, 50u, 63u}) CHECK(frequency(plan, i) == frequency(plain, i) / 8);
  CHECK(frequency(plan, 32) < frequency(plain, 32));
  CHECK(frequency(plan, 32) > frequency(plain, 32) / 8);
}

TEST_CASE("scaling: Llama 3 with low equal to high has two branches and no 0/0", "[scaling]") {
  const auto plan = plan_of(scaling::Llama3{8, 2, 2, 8192}, 128, 500000);
  const auto plain = plan_of({}, 128, 500000);
  for (std::size_t i = 0; i < 64; ++i) {
    const double inv = frequency(plain, i);
    CHECK(frequency(plan, i) == (inv * 8192 / 6.283185307179586 >= 2 ? inv : inv / 8));
  }
  CHECK(relative_error(plan) <= 0x1p-88);
}

TEST_CASE("scaling: YaRN's attention factor, in its order of precedence", "[scaling]") {
  const auto factor = [](const scaling::Yarn& rule) { return value_of(posenc::attention_factor(plan_of(rule))); };
  scaling::Yarn rule{.factor = 40, .original_length = 4096};
  CHECK(std::abs(factor(rule) - 1.3688879454113936) < 1e-15);  // 0.1 ln 40 + 1
  rule.mscale = 0.707;
  CHECK(std::abs(factor(rule) - 1.3688879454113936) < 1e-15);  // one of the two is not enough
  rule.mscale_all_dim = 0;
  CHECK(std::abs(factor(rule) - 1.3688879454113936) < 1e-15);
  rule.mscale_all_dim = 0.707;
  CHECK(factor(rule) == 1);
  rule.mscale_all_dim = 1;
  CHECK(std::abs(factor(rule) - (0.0707 * std::log(40.0) + 1) / 1.3688879454113936) < 1e-15);
  rule.attention_factor = 1.5;
  CHECK(factor(rule) == 1.5);
  CHECK(factor({.factor = 0.5, .original_length = 4096}) == 1);
}

TEST_CASE("scaling: YaRN at the edges of its ramp", "[scaling]") {
  // The ramp below index 0, above the last, of no width, and reversed; truncated or not.
  for (const bool truncate : {true, false})
    for (const double length : {2.0, 6.0, 100.0, 4096.0, 1e6, 1e12})
      for (const double fast : {1.0, 32.0, 1e5}) {
        INFO("length " << length << ", betaFast " << fast);
        const scaling::Yarn rule{.factor = 16, .original_length = length, .beta_fast = fast, .truncate = truncate};
        CHECK(relative_error(plan_of(rule)) <= 0x1p-88);
      }
}

TEST_CASE("scaling: proportional rotates the first pairs, over the whole head's exponent", "[scaling]") {
  const auto made = value_of(Frequencies::make_scaled(plan_of(scaling::Proportional{0.25, 1}, 512, 1e6)));
  const auto plain = value_of(Frequencies::make({.dim = 512, .base = 1e6}));
  REQUIRE(made.count() == 256);
  for (std::size_t i = 0; i < 256; ++i) CHECK(made.radians(i) == (i < 64 ? plain.radians(i) : 0));
  CHECK(value_of(Frequencies::make_scaled(plan_of(scaling::Proportional{0, 1}))).largest() == 0);
}

TEST_CASE("scaling: in layout half the dimensions that proportional leaves alone are two runs", "[scaling]") {
  const auto x = testing::fractions(3 * 16, 4);
  const auto y = testing::rotated({.dim = 16, .layout = Layout::half, .scaling = scaling::Proportional{0.5, 1}}, x,
                                  std::vector<std::int64_t>{3, 16}, Positions::range(3, 5));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK((x[i] == y[i]) == (i % 8 >= 4));
}

TEST_CASE("scaling: the exponent's denominator is not the number of rotated dimensions", "[scaling]") {
  const FrequencyPlan plan{.frequencies = {.dim = 4}, .exponent_dim = 8};
  CHECK(frequency(plan, 0) == 1);
  CHECK(frequency(plan, 1) == 0.1);
  CHECK(frequency({.frequencies = {.dim = 4}}, 1) == 0.01);
}

TEST_CASE("scaling: given frequencies are used as they are, negative ones too", "[scaling]") {
  const auto plan = plan_of(scaling::Given{{0.5, -0.25}, 1}, 4);
  CHECK(frequency(plan, 0) == 0.5);
  CHECK(frequency(plan, 1) == -0.25);
  const auto rotary =
      value_of(posenc::Rotary::make({.dim = 4, .layout = Layout::half, .scaling = scaling::Given{{-3e15, -0.25}, 1}}));
  std::vector<float> cosines(2);
  std::vector<float> sines(2);
  value_of(rotary.cache(Positions::range(1, 2), cosines, sines));
  CHECK(std::abs(sines[1] + std::sin(0.5)) < 3.1e-8);
  CHECK(reference::magnitude(sines[0] - reference::phase(-6e15).sine) < 3.1e-8);
  testing::require_error(rotary.cache(Positions::range(1, 4), cosines, sines), "offset", "4");
}

TEST_CASE("scaling: the attention factor multiplies scores by its square", "[scaling]") {
  const auto x = testing::fractions(16, 6);
  const posenc::RotaryOptions plain{.dim = 16, .layout = Layout::half};
  posenc::RotaryOptions doubled = plain;
  doubled.scaling = scaling::Yarn{.factor = 1, .original_length = 4096, .attention_factor = 2};
  const std::vector<std::int64_t> shape{1, 16};
  const auto once = testing::rotated(plain, x, shape, Positions::range(1, 9));
  const auto twice = testing::rotated(doubled, x, shape, Positions::range(1, 9));
  for (std::size_t i = 0; i < 16; ++i) CHECK(twice[i] == 2 * once[i]);
  const auto back = testing::rotated(doubled, twice, shape, Positions::range(1, 9), posenc::Direction::inverse);
  for (std::size_t i = 0; i < 16; ++i) CHECK(std::abs(back[i] - 4 * x[i]) < 3e-6);
}

TEST_CASE("scaling: rules go by name", "[scaling]") {
  const char* const names[]{"default",  "linear", "ntk",          "dynamic", "yarn",
                            "longrope", "llama3", "proportional", "given"};
  REQUIRE(std::size(names) == rule_count);
  for (std::size_t kind = 0; kind < rule_count; ++kind)
    CHECK(value_of(posenc::scaling_from_name(names[kind])).index() == kind);
  for (const char* wrong : {"", "Linear", "su", "ntk-aware"}) {
    const auto result = posenc::scaling_from_name(wrong);
    testing::require_error(result, "scaling.type", wrong);
    for (const char* name : names) CHECK(result.error().expected().find(name) != std::string::npos);
  }
}
