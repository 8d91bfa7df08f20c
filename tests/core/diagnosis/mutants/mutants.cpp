#include "diagnosis/mutants/mutants.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <sstream>

#include "frequencies/scaling_reference.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

namespace mutants {
namespace {

using posenc::Mistake;
using posenc::RotaryOptions;
using posenc::diagnosis::AngleArithmetic;
using reference::Quad;
namespace scaling = posenc::scaling;

struct Alteration {
  Mistake mistake;
  std::string changes;  ///< a letter a part: two with a letter in common do not come together
  std::function<void(Recipe&)> apply;
};

double factor_of(const posenc::Scaling& rule) {
  return std::visit(
      [](const auto& chosen) {
        if constexpr (requires { chosen.factor; }) {
          return chosen.factor;
        } else {
          return 1.0;
        }
      },
      rule);
}

std::string key_of(const RotaryOptions& plan) {
  std::ostringstream key;
  key.precision(17);
  key << plan.dim << ' ' << plan.base << ' ' << plan.rotary_dim.value_or(0) << ' ' << plan.exponent_dim.value_or(0)
      << ' ' << plan.length.value_or(0) << ' ' << posenc::name_of(plan.scaling) << ' ' << factor_of(plan.scaling);
  if (const auto* yarn = std::get_if<scaling::Yarn>(&plan.scaling))
    key << ' ' << yarn->original_length << yarn->truncate << yarn->attention_factor.value_or(0) << ' '
        << yarn->mscale.value_or(0) << ' ' << yarn->mscale_all_dim.value_or(0);
  if (const auto* llama3 = std::get_if<scaling::Llama3>(&plan.scaling)) key << ' ' << llama3->original_length;
  if (const auto* given = std::get_if<scaling::Given>(&plan.scaling))
    for (const double frequency : given->frequencies) key << ' ' << frequency;
  if (const auto* longrope = std::get_if<scaling::Longrope>(&plan.scaling))
    key << ' ' << longrope->attention_factor.value_or(0);
  return key.str();
}

const reference::Scaled& scaled(const RotaryOptions& plan) {
  static std::map<std::string, reference::Scaled> seen;
  const std::string key = key_of(plan);
  const auto place = seen.find(key);
  if (place != seen.end()) return place->second;
  return seen[key] = reference::scaled(posenc::plan_of(plan));
}

posenc::Scaling standard(posenc::Scaling rule) {
  if (auto* yarn = std::get_if<scaling::Yarn>(&rule)) yarn->attention_factor = yarn->mscale = yarn->mscale_all_dim = {};
  if (auto* longrope = std::get_if<scaling::Longrope>(&rule)) longrope->attention_factor = {};
  return rule;
}

std::vector<Alteration> frequency_alterations(const Model& model) {
  std::vector<Alteration> made;
  const RotaryOptions& plan = model.plan;
  const std::int64_t dims = plan.rotary_dim.value_or(plan.dim), d = plan.exponent_dim.value_or(dims);
  const auto exponent = [&](Mistake mistake, std::int64_t denominator) {
    made.push_back({mistake, "e", [=](Recipe& recipe) { recipe.plan.exponent_dim = denominator; }});
  };
  exponent(Mistake::exponent_doubled, 2 * d);
  exponent(Mistake::exponent_halved, d / 2);
  exponent(Mistake::exponent_half_minus_one, d - 2);
  if (model.head_dim > dims && model.head_dim != 2 * d) exponent(Mistake::exponent_head_dim, model.head_dim);
  for (const double base : {10000.0, 500000.0, 1000000.0, 5000000.0, 150000.0})
    if (base != plan.base) made.push_back({Mistake::base, "b", [=](Recipe& recipe) { recipe.plan.base = base; }});
  for (const RotaryOptions& other : model.others) {
    made.push_back({Mistake::other_layers, "ebs", [=](Recipe& recipe) { recipe.plan = other; }});
    made.push_back({Mistake::other_layers, "b", [=](Recipe& recipe) { recipe.plan.base = other.base; }});
  }
  made.push_back({Mistake::reciprocal, "r", [](Recipe& recipe) { recipe.reciprocal = true; }});
  return made;
}

std::vector<Alteration> rule_alterations(const RotaryOptions& plan) {
  std::vector<Alteration> made;
  if (std::holds_alternative<scaling::Default>(plan.scaling)) return made;
  const double f = factor_of(plan.scaling);
  const auto rule = [&](Mistake mistake, const posenc::Scaling& other) {
    made.push_back({mistake, "s", [=](Recipe& recipe) { recipe.plan.scaling = other; }});
  };
  rule(Mistake::scaling_missing, scaling::Default{});
  const bool is_linear = std::holds_alternative<scaling::Linear>(plan.scaling);
  if (is_linear) {
    rule(Mistake::scaling_twice, scaling::Linear{f * f});
    rule(Mistake::scaling_other, scaling::Ntk{f});
  } else if (f != 1) {
    made.push_back({Mistake::scaling_twice, "sk", [=](Recipe& recipe) { recipe.position_scale = 1 / f; }});
    rule(Mistake::scaling_other, scaling::Linear{f});
  }
  if (auto* yarn = std::get_if<scaling::Yarn>(&plan.scaling)) {
    scaling::Yarn other = *yarn;
    other.truncate = !other.truncate;
    rule(Mistake::scaling_other, other);
  }
  if (auto* longrope = std::get_if<scaling::Longrope>(&plan.scaling)) {
    const std::int64_t side = static_cast<double>(*plan.length) > longrope->original_length ? 1024 : 131072;
    made.push_back({Mistake::scaling_other, "s", [=](Recipe& recipe) { recipe.plan.length = side; }});
  }
  return made;
}

std::vector<Alteration> other_alterations(const RotaryOptions& plan) {
  std::vector<Alteration> made;
  made.push_back({Mistake::factor_missing, "f", [](Recipe& recipe) { recipe.factor_power = 0; }});
  made.push_back({Mistake::factor_twice, "f", [](Recipe& recipe) { recipe.factor_power = 2; }});
  made.push_back({Mistake::factor_default, "f", [](Recipe& recipe) { recipe.standard_factor = true; }});
  made.push_back({Mistake::sign, "n", [](Recipe& recipe) { recipe.negative = true; }});
  made.push_back({Mistake::exchanged, "x", [](Recipe& recipe) { recipe.exchanged = true; }});
  for (const double first : {1.0, -1.0})
    made.push_back({Mistake::first_position, "p", [=](Recipe& recipe) { recipe.first_position = first; }});
  for (const double scale : {0.5, 0.25})
    made.push_back({Mistake::position_scale, "k", [=](Recipe& recipe) { recipe.position_scale = scale; }});
  using enum AngleArithmetic;
  for (const auto& [mistake, arithmetic] :
       {std::pair{Mistake::angles_float32, float32}, std::pair{Mistake::angles_float16, float16},
        std::pair{Mistake::angles_bfloat16, bfloat16}, std::pair{Mistake::angles_product, product}})
    made.push_back({mistake, "a", [=](Recipe& recipe) { recipe.arithmetic = arithmetic; }});
  const auto pairs = static_cast<std::size_t>(plan.rotary_dim.value_or(plan.dim) / 2);
  made.push_back({Mistake::not_rotated, "ebsrfnxpka",
                  [=](Recipe& recipe) { recipe.plan.scaling = scaling::Given{std::vector<double>(pairs, 0.0)}; }});
  return made;
}

Quad factor(const Recipe& recipe) {
  if (recipe.other_factor != 0) return recipe.other_factor;
  RotaryOptions plan = recipe.plan;
  if (recipe.standard_factor) plan.scaling = standard(plan.scaling);
  const Quad own = scaled(plan).attention_factor;
  return recipe.factor_power == 0 ? 1 : recipe.factor_power == 1 ? own : own * own;
}

/// Whether a recipe's numbers are those of another, whatever the angles.
bool changes_something(const Recipe& a, const Recipe& b) {
  if (a.reciprocal != b.reciprocal || a.negative != b.negative || a.exchanged != b.exchanged) return true;
  if (a.first_position != b.first_position || a.position_scale != b.position_scale) return true;
  if (a.arithmetic != b.arithmetic || std::fabs(static_cast<double>(factor(a) - factor(b))) > 1e-9) return true;
  const auto &first = scaled(a.plan).frequencies, &second = scaled(b.plan).frequencies;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (reference::magnitude(first[i] - second[i]) > 1e-12 * reference::magnitude(first[i])) return true;
  return false;
}

double as_bfloat16(double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  const std::uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
  return std::bit_cast<float>(rounded & 0xffff0000u);
}

double as_float16(double x) {
  if (x == 0) return 0;
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  const double step = std::ldexp(1, std::max(exponent, -13) - 11);
  return std::nearbyint(x / step) * step;
}

double as_float32(double x) { return static_cast<float>(x); }

/// Pairs that do not rotate have no wavelength: they stay still.
Quad inverse(Quad x) { return x == 0 ? x : 1 / x; }

/// Frequencies in float32 are the exact ones, rounded; those without a rule the reciprocals of rounded powers.
std::vector<double> rounded_frequencies(const Recipe& recipe) {
  std::vector<double> made;
  const bool has_rule = !std::holds_alternative<scaling::Default>(recipe.plan.scaling);
  for (const Quad frequency : scaled(recipe.plan).frequencies) {
    const double power = as_float32(static_cast<double>(1 / frequency));
    const double value = has_rule ? as_float32(static_cast<double>(frequency)) : as_float32(1 / power);
    made.push_back(recipe.reciprocal ? as_float32(static_cast<double>(inverse(value))) : value);
  }
  return made;
}

/// ggml: each angle is the one before it times a number; then the rule.
std::vector<double> product_angles(const Recipe& recipe, double position) {
  RotaryOptions plain = recipe.plan;
  plain.scaling = scaling::Default{};
  const auto& unscaled = scaled(plain).frequencies;
  const auto& frequencies = scaled(recipe.plan).frequencies;
  Quad ratio = unscaled.size() > 1 ? unscaled[1] : Quad{1};
  if (recipe.reciprocal) ratio = 1 / ratio;
  const auto step = static_cast<float>(static_cast<double>(ratio));
  std::vector<double> made;
  auto running = static_cast<float>(position);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    Quad rule = frequencies[i] / unscaled[i];
    if (recipe.reciprocal) rule = inverse(rule);
    const bool is_one = reference::magnitude(rule - 1) < 1e-12;
    made.push_back(is_one ? running : running * static_cast<float>(static_cast<double>(rule)));
    running *= step;
  }
  return made;
}

std::vector<double> rounded_angles(const Recipe& recipe, double position) {
  using enum AngleArithmetic;
  if (recipe.arithmetic == product) return product_angles(recipe, position);
  const auto round = [&](double x) {
    return recipe.arithmetic == float32 ? as_float32(x) : recipe.arithmetic == float16 ? as_float16(x) : as_bfloat16(x);
  };
  std::vector<double> made;
  for (const double frequency : rounded_frequencies(recipe)) made.push_back(round(round(position) * round(frequency)));
  return made;
}

struct Phase {
  double cosine, sine;
};
Phase phase(Quad angle) {
  static const Quad two_pi = 2 * reference::pi();
  const Quad rotations = angle / two_pi;
  const Quad whole = static_cast<Quad>(static_cast<std::int64_t>(rotations));
  const auto rest = static_cast<double>(angle - whole * two_pi);
  return {std::cos(rest), std::sin(rest)};
}

}  // namespace

posenc::Expectation expectation_of(const Model& model) {
  posenc::Expectation made;
  made.plan = model.plan;
  const std::int64_t rotary = model.plan.rotary_dim.value_or(model.plan.dim);
  if (model.head_dim > rotary) made.plan->dim = model.head_dim, made.plan->rotary_dim = rotary;
  for (posenc::RotaryOptions other : model.others) {
    other.dim = made.plan->dim;
    if (made.plan->rotary_dim) other.rotary_dim = rotary;
    made.others.push_back(other);
  }
  return made;
}

std::vector<double> positions_of(const Model& model) {
  if (model.length > 12007) return {0, 1, 2, 7, 45, 301, 2003, 12007};
  if (model.length > 2047) return {0, 1, 2, 7, 45, 301, 1003, 2003};
  return {0, 1, 2, 7, 31, 101, 211, 500};
}

std::vector<Mutant> mutants_of(const Model& model, bool pairs) {
  std::vector<Alteration> alterations = frequency_alterations(model);
  for (auto&& more : {rule_alterations(model.plan), other_alterations(model.plan)})
    alterations.insert(alterations.end(), more.begin(), more.end());
  const Recipe right{.plan = model.plan};
  std::vector<Mutant> made{{{}, right}};
  std::vector<std::pair<Recipe, bool>> singles;
  for (const Alteration& alteration : alterations) {
    Recipe recipe = right;
    alteration.apply(recipe);
    singles.emplace_back(recipe, changes_something(recipe, right));
    if (singles.back().second) made.push_back({{alteration.mistake}, recipe});
  }
  for (std::size_t a = 0; pairs && a < alterations.size(); ++a)
    for (std::size_t b = a + 1; b < alterations.size(); ++b) {
      if (alterations[a].changes.find_first_of(alterations[b].changes) != std::string::npos) continue;
      if (!singles[a].second || !singles[b].second) continue;
      Recipe recipe = right;
      alterations[a].apply(recipe), alterations[b].apply(recipe);
      if (changes_something(recipe, singles[a].first) && changes_something(recipe, singles[b].first))
        made.push_back({{alterations[a].mistake, alterations[b].mistake}, recipe});
    }
  return made;
}

Clean rotations_of(const Recipe& recipe, std::span<const double> positions) {
  Clean made;
  const auto scale = static_cast<double>(factor(recipe));
  const auto& frequencies = scaled(recipe.plan).frequencies;
  for (const double given : positions) {
    const double position = recipe.position_scale * given + recipe.first_position;
    std::vector<double> angles;
    if (recipe.arithmetic != AngleArithmetic::exact) angles = rounded_angles(recipe, position);
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      const Quad frequency = recipe.reciprocal ? inverse(frequencies[i]) : frequencies[i];
      const Quad angle = angles.empty() ? frequency * position : static_cast<Quad>(angles[i]);
      if (recipe.arithmetic == AngleArithmetic::float16 && reference::magnitude(angle) > 65504) return {};
      Phase rotation = phase(angle);
      if (recipe.negative) rotation.sine = -rotation.sine;
      if (recipe.exchanged) std::swap(rotation.cosine, rotation.sine);
      made.cosines.push_back(scale * rotation.cosine), made.sines.push_back(scale * rotation.sine);
    }
  }
  return made;
}

Vectors rotated(const Clean& clean, std::size_t tokens, std::size_t head_dim, Noise noise, std::uint32_t seed) {
  testing::Generator random(seed);
  const auto stored = [&](double value) { return noise == Noise::float32 ? as_float32(value) : as_bfloat16(value); };
  const std::size_t pairs = clean.cosines.size() / tokens;
  Vectors made;
  for (std::size_t i = 0; i < tokens * head_dim; ++i)
    made.before.push_back(stored(random.fraction() + 0.25 * random.fraction()));
  made.after = made.before;
  for (std::size_t at = 0; at < clean.cosines.size(); ++at) {
    const std::size_t first = at / pairs * head_dim + at % pairs, second = first + pairs;
    const double x = made.before[first], y = made.before[second];
    const double c = stored(clean.cosines[at]), s = stored(clean.sines[at]);
    made.after[first] = stored(stored(x * c) - stored(y * s));
    made.after[second] = stored(stored(x * s) + stored(y * c));
  }
  return made;
}

}  // namespace mutants
