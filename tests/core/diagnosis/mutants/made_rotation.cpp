#include "diagnosis/mutants/made_rotation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <variant>

#include "testing/testing.hpp"

namespace testing {
namespace {

using posenc::Layout;
using posenc::Mistake;
using posenc::RotaryOptions;
namespace scaling = posenc::scaling;

constexpr long double two_pi = 2 * std::numbers::pi_v<long double>;

/// Rounds to so many significant bits, or to a multiple of `least`.
double rounded_to(double value, int digits, double least) {
  if (value == 0) return value;
  int exponent = 0;
  (void)std::frexp(value, &exponent);
  const double step = std::max(std::ldexp(1.0, exponent - digits), least);
  return std::nearbyint(value / step) * step;
}

/// The plan in plain numbers, which mistakes change.
struct Numbers {
  std::size_t dims, first, count;
  long double base, denominator;
  posenc::Scaling rule;
  bool reciprocal = false;
};

long double own_factor(const posenc::Scaling& rule) {
  if (const auto* yarn = std::get_if<scaling::Yarn>(&rule)) {
    if (yarn->attention_factor) return *yarn->attention_factor;
    const auto g = [&](double m) { return 0.1L * m * std::log(static_cast<long double>(yarn->factor)) + 1; };
    if (yarn->mscale && yarn->mscale_all_dim) return g(*yarn->mscale) / g(*yarn->mscale_all_dim);
    return g(1);
  }
  if (const auto* longrope = std::get_if<scaling::Longrope>(&rule)) {
    if (longrope->attention_factor) return *longrope->attention_factor;
    return std::sqrt(1 + std::log(static_cast<long double>(longrope->factor)) /
                             std::log(static_cast<long double>(longrope->original_length)));
  }
  return 1;
}

long double yarn_ramp(const Numbers& numbers, const scaling::Yarn& yarn, long double i) {
  const auto index = [&](double cycles) {
    return numbers.denominator * std::log(yarn.original_length / (two_pi * cycles)) / (2 * std::log(numbers.base));
  };
  const long double low = std::max(std::floor(index(yarn.beta_fast)), 0.0L);
  const long double high = std::min(std::ceil(index(yarn.beta_slow)), numbers.denominator - 1);
  return std::clamp((i - low) / (high - low), 0.0L, 1.0L);
}

long double scaled(const Numbers& numbers, std::size_t i, long double frequency) {
  const posenc::Scaling& rule = numbers.rule;
  if (const auto* linear = std::get_if<scaling::Linear>(&rule)) return frequency / linear->factor;
  if (const auto* yarn = std::get_if<scaling::Yarn>(&rule)) {
    const long double ramp = yarn_ramp(numbers, *yarn, static_cast<long double>(i));
    return frequency / yarn->factor * ramp + frequency * (1 - ramp);
  }
  if (const auto* longrope = std::get_if<scaling::Longrope>(&rule)) return frequency / longrope->long_factor[i];
  if (const auto* llama3 = std::get_if<scaling::Llama3>(&rule)) {
    const long double cycles = llama3->original_length * frequency / two_pi;
    const long double low = llama3->low_frequency_factor, high = llama3->high_frequency_factor;
    const long double smooth = std::clamp((cycles - low) / (high - low), 0.0L, 1.0L);
    return (1 - smooth) * frequency / llama3->factor + smooth * frequency;
  }
  if (const auto* proportional = std::get_if<scaling::Proportional>(&rule)) {
    const auto kept = static_cast<std::size_t>(proportional->fraction * static_cast<double>(numbers.count) / 2);
    return i < kept ? frequency / proportional->factor : 0;
  }
  return frequency;
}

std::vector<long double> frequencies_of(const Numbers& numbers) {
  long double base = numbers.base;
  if (const auto* ntk = std::get_if<scaling::Ntk>(&numbers.rule))
    base *= std::pow(static_cast<long double>(ntk->factor), numbers.denominator / (numbers.denominator - 2));
  std::vector<long double> made;
  for (std::size_t i = 0; i < numbers.count / 2; ++i) {
    const long double plain = std::pow(base, -2 * static_cast<long double>(i) / numbers.denominator);
    const long double frequency = scaled(numbers, i, plain);
    made.push_back(numbers.reciprocal && frequency != 0 ? 1 / frequency : frequency);
  }
  return made;
}

/// Applies a mistake to the plan's numbers and of what is done with them; whether it can be made, and shows.
bool make_mistake(Mistake mistake, const posenc::Expectation& expected, Numbers& numbers, MadeRotation& made,
                  int& factor_power) {
  // All dimensions in place of some: which exponents these have is a part of that mistake.
  const bool is_whole = numbers.count == numbers.dims && expected.plan->rotary_dim;
  const bool is_default = std::holds_alternative<scaling::Default>(numbers.rule);
  switch (mistake) {
    case Mistake::layout:
      made.reads_halves = !made.reads_halves;
      made.writes_halves = !made.writes_halves;
      return true;
    case Mistake::permuted:
      made.writes_halves = !made.writes_halves;
      return true;
    case Mistake::first_dim:
      numbers.first = numbers.first == 0 ? numbers.dims - numbers.count : 0;
      return numbers.count < numbers.dims;
    case Mistake::rotary_dim:
      if (numbers.count == numbers.dims || std::holds_alternative<scaling::Longrope>(numbers.rule)) return false;
      numbers.first = 0;
      numbers.count = numbers.dims;
      numbers.denominator = static_cast<long double>(numbers.dims);
      return true;
    case Mistake::exponent_doubled:
      numbers.denominator *= 2;
      // Which is that of the head, where half of its dimensions rotate.
      return 2 * numbers.count != numbers.dims && !is_whole;
    case Mistake::exponent_halved:
      numbers.denominator /= 2;
      return !is_whole;
    case Mistake::exponent_half_minus_one:
      numbers.denominator -= 2;
      return !is_whole;
    case Mistake::exponent_head_dim:
      numbers.denominator = static_cast<long double>(numbers.dims);
      return numbers.dims != numbers.count;
    case Mistake::reciprocal:
      numbers.reciprocal = true;
      return true;
    case Mistake::base:
      numbers.base = numbers.base == 500000 ? 10000 : 500000;
      return true;
    case Mistake::other_layers:
      if (expected.others.empty()) return false;
      numbers.base = expected.others[0].base;
      numbers.rule = expected.others[0].scaling;
      return true;
    case Mistake::scaling_missing:
      numbers.rule = scaling::Default{};
      return !is_default;
    case Mistake::factor_missing:
      factor_power = 0;
      return own_factor(numbers.rule) != 1;
    case Mistake::factor_twice:
      factor_power = 2;
      return own_factor(numbers.rule) != 1;
    case Mistake::sign:
      made.back = !made.back;
      return true;
    case Mistake::exchanged:
      made.exchanged = true;
      return true;
    case Mistake::first_position:
      made.first_position = 1;
      return true;
    case Mistake::position_scale:
      made.position_scale = 0.5L;
      return true;
    case Mistake::angles_float32:
      made.float32_angles = true;
      return true;
    default:
      return false;
  }
}

posenc::Expectation expectation(std::int64_t dim, Layout layout, double base, std::optional<std::int64_t> rotary_dim,
                                posenc::Scaling rule, std::int64_t first_dim = 0) {
  posenc::Expectation made;
  made.plan = RotaryOptions{.dim = dim, .layout = layout, .base = base, .rotary_dim = rotary_dim};
  made.plan->scaling = std::move(rule);
  made.first_dim = first_dim;
  return made;
}

posenc::Expectation longrope_expectation() {
  scaling::Longrope rule{.factor = 32, .original_length = 4096, .short_factor = {}, .long_factor = {}};
  for (int i = 0; i < 48; ++i) {
    rule.short_factor.push_back(1 + 0.02 * i);
    rule.long_factor.push_back(1.05 + 0.02 * i * i);
  }
  posenc::Expectation made = expectation(96, Layout::half, 10000, {}, rule);
  made.plan->length = 131072;
  return made;
}

posenc::Expectation of_two_plans() {
  posenc::Expectation made = expectation(128, Layout::half, 1000000, {}, scaling::Linear{8});
  made.others.push_back({.dim = 128, .layout = Layout::half, .base = 10000});
  return made;
}

}  // namespace

double rounded(double value, Stored stored) {
  if (stored == Stored::float64) return value;
  if (stored == Stored::float32) return static_cast<float>(value);
  return stored == Stored::float16 ? rounded_to(value, 11, 0x1p-24) : rounded_to(value, 8, 0x1p-133);
}

std::vector<KnownPlan> known_plans() {
  using enum Layout;
  const scaling::Yarn long_yarn{.factor = 40, .original_length = 4096};
  return {
      {"Llama 2", expectation(128, half, 10000, {}, scaling::Default{})},
      {"Llama 3.1", expectation(128, half, 500000, {}, scaling::Llama3{.factor = 8, .original_length = 8192})},
      {"Qwen 2.5", expectation(128, half, 1000000, {}, scaling::Default{})},
      {"Qwen 2.5, YaRN", expectation(128, half, 1000000, {}, scaling::Yarn{.factor = 4, .original_length = 32768})},
      {"DeepSeek", expectation(192, interleaved, 10000, 64, long_yarn, 128)},
      {"GPT-J", expectation(256, interleaved, 10000, 64, scaling::Default{})},
      {"Pythia", expectation(128, half, 10000, 32, scaling::Default{})},
      {"Gemma 3", of_two_plans()},
      {"Phi 3", longrope_expectation()},
      {"p-RoPE", expectation(128, half, 1000000, {}, scaling::Proportional{.fraction = 0.25})},
      {"NTK", expectation(64, half, 10000, {}, scaling::Ntk{4})},
      {"GLM 4", expectation(128, interleaved, 10000, 64, scaling::Default{})},
  };
}

std::optional<MadeRotation> make_rotation(const posenc::Expectation& expected, std::span<const Mistake> mistakes) {
  const RotaryOptions& plan = *expected.plan;
  const auto dims = static_cast<std::size_t>(plan.dim);
  const auto count = static_cast<std::size_t>(plan.rotary_dim.value_or(plan.dim));
  Numbers numbers{.dims = dims,
                  .first = static_cast<std::size_t>(expected.first_dim),
                  .count = count,
                  .base = plan.base,
                  .denominator = static_cast<long double>(plan.exponent_dim.value_or(static_cast<std::int64_t>(count))),
                  .rule = plan.scaling};
  MadeRotation made;
  made.count = 1;
  made.back = expected.inverse;
  made.reads_halves = made.writes_halves = plan.layout == Layout::half;
  int factor_power = 1;
  for (const Mistake mistake : mistakes)
    if (!make_mistake(mistake, expected, numbers, made, factor_power)) return std::nullopt;
  made.dims = numbers.dims;
  made.first = numbers.first;
  made.count = made.count == 0 ? 0 : numbers.count;
  made.frequencies = frequencies_of(numbers);
  made.factor = std::pow(own_factor(numbers.rule), static_cast<long double>(factor_power));
  return made;
}

PairRotation rotation_of(const MadeRotation& made, std::size_t pair, double position) {
  long double angle = 0;
  if (made.float32_angles) {
    const auto at = static_cast<float>(position * made.position_scale + made.first_position);
    angle = at * static_cast<float>(made.frequencies[pair]);
  } else {
    angle = (position * made.position_scale + made.first_position) * made.frequencies[pair];
  }
  if (made.back) angle = -angle;
  const long double cosine = made.factor * std::cos(angle), sine = made.factor * std::sin(angle);
  return made.exchanged ? PairRotation{sine, cosine} : PairRotation{cosine, sine};
}

std::vector<double> rotate(const MadeRotation& made, std::span<const double> vectors, std::size_t heads,
                           std::span<const double> positions, Stored stored) {
  std::vector<double> out(vectors.begin(), vectors.end());
  const std::size_t pairs = made.count / 2;
  const auto dimension = [&](bool halves, std::size_t pair, std::size_t part) {
    return made.first + (halves ? pair + part * pairs : 2 * pair + part);
  };
  for (std::size_t token = 0; token < positions.size(); ++token)
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const PairRotation rotation = rotation_of(made, pair, positions[token]);
      for (std::size_t head = 0; head < heads; ++head) {
        const std::size_t start = (token * heads + head) * made.dims;
        const double a = vectors[start + dimension(made.reads_halves, pair, 0)];
        const double b = vectors[start + dimension(made.reads_halves, pair, 1)];
        double& to_a = out[start + dimension(made.writes_halves, pair, 0)];
        double& to_b = out[start + dimension(made.writes_halves, pair, 1)];
        if (stored == Stored::float64) {
          to_a = static_cast<double>(a * rotation.cosine - b * rotation.sine);
          to_b = static_cast<double>(a * rotation.sine + b * rotation.cosine);
          continue;
        }
        const auto x = static_cast<float>(a), y = static_cast<float>(b);
        const auto c = static_cast<float>(rotation.cosine), s = static_cast<float>(rotation.sine);
        const float xc = x * c, ys = y * s, xs = x * s, yc = y * c;
        to_a = rounded(xc - ys, stored);
        to_b = rounded(xs + yc, stored);
      }
    }
  return out;
}

std::string names_of(std::span<const posenc::Mistake> mistakes) {
  std::vector<std::string> names;
  for (const posenc::Mistake mistake : mistakes) names.emplace_back(posenc::name_of(mistake));
  std::ranges::sort(names);
  std::string made;
  for (const std::string& name : names) made += (made.empty() ? "" : " + ") + name;
  return made.empty() ? "none" : made;
}

std::vector<double> random_vectors(std::size_t count, std::uint32_t seed, Stored stored) {
  Generator generator(seed);
  std::vector<double> made(count);
  for (double& value : made) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += generator.fraction();
    value = rounded(sum, stored == Stored::float64 ? Stored::float64 : stored);
  }
  return made;
}

Permuted permuted(std::span<const double> values, std::span<const std::int64_t> shape,
                  std::span<const std::size_t> order) {
  Permuted made{.values = {}, .shape = {}};
  std::vector<std::size_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size() - 1; axis-- > 0;)
    strides[axis] = strides[axis + 1] * static_cast<std::size_t>(shape[axis + 1]);
  for (const std::size_t axis : order) made.shape.push_back(shape[axis]);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t rest = i, from = 0;
    for (std::size_t axis = order.size(); axis-- > 0;) {
      const auto extent = static_cast<std::size_t>(made.shape[axis]);
      from += rest % extent * strides[order[axis]];
      rest /= extent;
    }
    made.values.push_back(values[from]);
  }
  return made;
}

}  // namespace testing
