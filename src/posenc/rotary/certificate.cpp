#include "posenc/rotary/certificate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/frequencies/scaling/rules.hpp"

namespace posenc {
namespace {

constexpr Name rounding_names[]{
    {"exact", Rounding::exact},     {"float64", Rounding::float64},   {"float32", Rounding::float32},
    {"float16", Rounding::float16}, {"bfloat16", Rounding::bfloat16},
};

constexpr Name steps_names[]{
    {"rounded", FrequencySteps::rounded},
    {"powers", FrequencySteps::powers},
    {"products", FrequencySteps::products},
};

enum class Preset : std::uint8_t { exact, transformers, ggml };

constexpr Name preset_names[]{
    {"exact", Preset::exact},
    {"transformers", Preset::transformers},
    {"ggml", Preset::ggml},
};

/// An upper bound >= 0: the result of each operation is at least the next double above what it is rounded to.
struct Upper {
  double value = 0;
};

constexpr double next_above = 1 + 0x1p-52;  // x times it, rounded, is more than x

constexpr Upper operator+(Upper a, Upper b) { return {(a.value + b.value) * next_above}; }

constexpr Upper operator*(Upper a, Upper b) {
  if (a.value == 0 || b.value == 0) return {};
  return {a.value * b.value * next_above + 0x1p-1074};
}

constexpr Upper sqrt_2{1.4142135623730952};

/// An upper bound of |x|.
Upper upper(const DoubleDouble& x) { return {std::fabs(x.high) * next_above}; }

/// Significant bits, exponent of the smallest normal value, and largest value.
struct Format {
  int digits;
  int least;
  double most;
};

constexpr int unrounded = 1024;

Format format_of(Rounding type) {
  constexpr Format formats[]{
      {unrounded, -1074, 0x1p1023}, {53, -1022, 0x1p1023}, {24, -126, 0x1p127}, {11, -14, 65504}, {8, -126, 0x1p127}};
  return formats[static_cast<std::size_t>(type)];
}

/// The largest relative error of a rounding.
Upper unit_of(Rounding type) {
  const int digits = format_of(type).digits;
  return {digits == unrounded ? 0 : std::ldexp(1, -digits)};
}

/// The exponent e of 2^(e-1) <= |x| < 2^e, where subnormal values have that of the smallest normal one.
int exponent_of(const Format& format, double x) {
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  return std::max(exponent, format.least + 1);
}

/// The largest error of rounding a value of magnitude `most` or less.
Upper rounding_error(Rounding type, Upper most) {
  const Format format = format_of(type);
  if (most.value == 0 || format.digits == unrounded) return {};
  int exponent = exponent_of(format, most.value);
  // The largest is a power of two, and has no error.
  if (most.value == std::ldexp(0.5, exponent) && exponent > format.least + 1) --exponent;
  return {std::ldexp(0.5, exponent - format.digits)};
}

/// The nearest value of a type.
double rounded_to(Rounding type, double x) {
  const Format format = format_of(type);
  if (format.digits >= 53) return x;
  const double shifter = std::ldexp(1.5, exponent_of(format, x) - format.digits + 52);
  return (x + shifter) - shifter;
}

/// The whole number that is left of |x| without its factors of two.
double odd_part(double x) {
  if (x == 0) return 0;
  int exponent = 0;
  const auto digits = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(x), &exponent), 53));
  return static_cast<double>(digits >> std::countr_zero(digits));
}

/// An upper bound of |computed - true|.
Upper distance(const DoubleDouble& computed, const DoubleDouble& truth) {
  return upper(computed - truth) + Upper{std::fabs(truth.high)} * Upper{0x1p-80};
}

DoubleDouble radians_of(const Frequencies& frequencies, std::size_t i) {
  return sum_exact_ordered(frequencies.head()[i] + frequencies.mid()[i], frequencies.tail()[i]) * radians_per_cycle;
}

/// Calls `use` with each float within `ulps` of the power.
template <class Use>
void each_float_near(const DoubleDouble& power, double ulps, const Use& use) {
  const float nearest = static_cast<float>(power.high);
  if (!(nearest > 0x1p-126f && nearest < 0x1p127f)) return use(nearest);
  const double place = std::ldexp(1, exponent_of(format_of(Rounding::float32), power.high) - 24);
  const auto bits = std::bit_cast<std::int32_t>(nearest);
  const auto reach = static_cast<std::int32_t>(ulps) + 1;
  for (std::int32_t i = -reach; i <= reach; ++i) {
    const auto candidate = std::bit_cast<float>(bits + i);
    const DoubleDouble apart = DoubleDouble{candidate, 0} - power;
    // A little more than what is permitted: a tie is either.
    if (i == 0 || std::fabs(apart.high) <= (ulps + 0x1p-20) * place) use(candidate);
  }
}

/// What is known of a pair's angles, whatever the position.
struct CertifiedPair {
  Upper slope;  ///< how far its computed frequency may be from the true one
  Upper size;   ///< the largest that it may be
  /// Its product with a position up to 2^digits / odd is exact.
  double odd = 0;
  // For a running product: the angle is interpolated * blended of it, plus kept of it.
  Upper interpolated{1}, blended{0}, kept{1};

  void add(const DoubleDouble& computed, const DoubleDouble& truth) {
    slope.value = std::max(slope.value, distance(computed, truth).value);
    size.value = std::max(size.value, upper(computed).value);
    odd = std::max(odd, odd_part(computed.high));
  }
};

class Certifier {
 public:
  static Expected<Certifier> make(const RotaryOptions& plan, const CertificateOptions& options);

  /// The bounds for positions up to this one.
  [[nodiscard]] Certificate at(double last) const;

  [[nodiscard]] Expected<void> check_range(double last) const;

 private:
  Certifier(Rotary rotary, const Scaling& scaling, const CertificateOptions& options)
      : rotary_(std::move(rotary)), scaling_(scaling), options_(options) {}

  [[nodiscard]] const Arithmetic& arithmetic() const { return options_.arithmetic; }
  void make_rounded();
  Expected<void> make_from(const scaling::Float32Rule& rule);
  void make_powers(const scaling::Float32Rule& rule);
  void make_products(const scaling::Float32Rule& rule);
  DoubleDouble settle_blend(const scaling::Float32Rule& rule, std::size_t i);

  /// The largest error of a pair's angle, but for its slope.
  [[nodiscard]] Upper blend_error(const CertifiedPair& pair, Upper product, Upper error) const;
  /// What cosines and sines are off from those of their computed angle.
  [[nodiscard]] Upper sine_error() const;
  [[nodiscard]] Upper attention_factor() const { return Upper{rotary_.attention_factor()} * Upper{next_above}; }

  Rotary rotary_;
  const Scaling& scaling_;
  const CertificateOptions& options_;
  AlignedArray<CertifiedPair> pairs_;
  Upper step_;  ///< of a running product, the largest
};

/// Those of float32 as computed, or as the type `frequencies` rounds them.
void Certifier::make_powers(const scaling::Float32Rule& rule) {
  const scaling::Float32Powers powers(rule.progression);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const DoubleDouble truth = radians_of(rotary_.frequencies(), i);
    each_float_near(powers.exact(i), i == 0 ? 0 : arithmetic().power_ulps, [&](float power) {
      pairs_[i].add({rounded_to(arithmetic().frequencies, static_cast<double>(rule.frequency(i, power))), 0}, truth);
    });
  }
}

void Certifier::make_rounded() {
  const Rounding type = arithmetic().frequencies;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const DoubleDouble truth = radians_of(rotary_.frequencies(), i);
    CertifiedPair& pair = pairs_[i];
    if (type == Rounding::exact) {
      pair.size = upper(truth), pair.odd = odd_part(truth.high);
      continue;
    }
    pair.add({rounded_to(type, truth.high), 0}, truth);
    if (arithmetic().power_ulps <= 0.5 || (i == 0 && !std::holds_alternative<scaling::Given>(scaling_))) continue;
    const Upper place = rounding_error(type, upper(truth)) * Upper{2};
    pair.slope = place * Upper{arithmetic().power_ulps} + Upper{pair.slope.value * 0x1p-20};
    pair.size = upper(truth) + pair.slope;
    pair.odd = 0x1p53;
  }
}

/// How ggml makes an angle of the running product; what it multiplies it by, in total.
DoubleDouble Certifier::settle_blend(const scaling::Float32Rule& rule, std::size_t i) {
  CertifiedPair& pair = pairs_[i];
  const auto* linear = std::get_if<scaling::Linear>(&scaling_);
  if (rule.yarn != nullptr || linear != nullptr) {
    const float interpolated = 1.0f / scaling::to_float(linear != nullptr ? linear->factor : rule.yarn->factor);
    const float kept = linear != nullptr ? 0.0f : float32_kept(*rule.yarn, i);
    const float blended = 1.0f - kept;
    pair.interpolated = {interpolated}, pair.blended = {blended}, pair.kept = {kept};
    return product_exact(interpolated, blended) + DoubleDouble{kept, 0};
  }
  // Other rules are numbers in a file, by which the product is divided.
  const scaling::Progression& terms = rule.progression;
  const DoubleDouble exponent =
      terms.ln_base * DoubleDouble{-terms.steps * static_cast<double>(i), 0} / terms.denominator;
  const DoubleDouble truth = radians_of(rotary_.frequencies(), i);
  if (truth.high == 0 || exponent.high < -600) {
    pair.kept = {};
    return {};
  }
  const DoubleDouble divisor = exp(exponent) / truth;
  if (std::fabs(divisor.high - 1) < 0x1p-40) return {1, 0};
  const double rounded = rounded_to(Rounding::float32, divisor.high);
  const DoubleDouble ratio = DoubleDouble{1, 0} / DoubleDouble{rounded, 0};
  pair.interpolated = upper(ratio), pair.blended = {1}, pair.kept = {};
  return ratio;
}

void Certifier::make_products(const scaling::Float32Rule& rule) {
  const double exponent = -2.0f / scaling::to_float(rule.progression.dim().high);
  const double base = scaling::to_float(exp(rule.progression.ln_base).high);
  AlignedArray<CertifiedPair>& pairs = pairs_;
  const std::size_t count = pairs.size();
  each_float_near(exp(log(base) * DoubleDouble{exponent, 0}), arithmetic().power_ulps, [&](float step) {
    step_.value = std::max(step_.value, static_cast<double>(step));
    DoubleDouble product{1, 0};
    for (std::size_t i = 0; i < count; ++i, product = product * DoubleDouble{step, 0})
      pairs[i].add(product * settle_blend(rule, i), radians_of(rotary_.frequencies(), i));
  });
}

Expected<void> Certifier::make_from(const scaling::Float32Rule& rule) {
  const double base = exp(rule.progression.ln_base).high;
  if (!(base > 0x1p-126 && base < 0x1p127))
    return wrong("base", base, {"a number that float32 holds, scaled as the rule scales it"});
  if (arithmetic().steps == FrequencySteps::powers) {
    make_powers(rule);
  } else {
    make_products(rule);
  }
  return {};
}

Expected<Certifier> Certifier::make(const RotaryOptions& plan, const CertificateOptions& options) {
  if (auto checked = check_whole("length", options.length, 1, std::int64_t{1} << 53); !checked)
    return error_of(checked);
  RotaryOptions complete = plan;
  complete.layout = Layout::half;
  if (!complete.length) complete.length = options.length;
  auto rotary = Rotary::make(complete);
  if (!rotary) return error_of(rotary);
  Certifier made(*std::move(rotary), plan.scaling, options);
  auto pairs = AlignedArray<CertifiedPair>::make_unfilled(made.rotary_.frequencies().count());
  if (!pairs) return error_of(pairs);
  std::fill(pairs->span().begin(), pairs->span().end(), CertifiedPair{});
  made.pairs_ = *std::move(pairs);
  if (options.arithmetic.steps == FrequencySteps::rounded) {
    made.make_rounded();
    return made;
  }
  const auto context = context_of(plan_of(complete));
  if (!context) return error_of(context);
  const auto written =
      scaling::with_float32_rule(plan.scaling, *context, &made, [](void* certifier, const scaling::Float32Rule& rule) {
        return static_cast<Certifier*>(certifier)->make_from(rule);
      });
  if (!written) return error_of(written);
  return made;
}

Upper Certifier::blend_error(const CertifiedPair& pair, Upper product, Upper error) const {
  const auto rounding = [&](Upper most) { return rounding_error(arithmetic().angles, most); };
  if (pair.blended.value == 0) return pair.kept * error;
  const Upper interpolated = product * pair.interpolated;
  const Upper first = pair.interpolated.value == 1 ? Upper{} : rounding(interpolated);
  const Upper own = pair.interpolated * pair.blended * error + pair.blended * first;
  if (pair.kept.value == 0) return own;
  const Upper blended = interpolated * pair.blended + first;
  const Upper kept = product * pair.kept;
  return own + pair.kept * error + rounding(blended) + rounding(kept) + rounding((blended + kept) * Upper{1 + 0x1p-7});
}

Upper Certifier::sine_error() const {
  const Arithmetic& steps = arithmetic();
  const Upper factor = attention_factor();
  Upper most{1};
  Upper error = unit_of(steps.sines) * Upper{steps.sine_ulps};
  if (rotary_.attention_factor() != 1) {
    const Upper of_factor = rounding_error(steps.sines, factor) + factor * Upper{0x1p-52};
    most = factor + of_factor;
    error = error * most + of_factor + rounding_error(steps.sines, most);
  }
  if (format_of(steps.cache).digits < format_of(steps.sines).digits) error = error + rounding_error(steps.cache, most);
  return error;
}

Certificate Certifier::at(double last) const {
  const Arithmetic& steps = arithmetic();
  const Format angles = format_of(steps.angles);
  const Upper moved = last <= std::ldexp(1, std::min(format_of(steps.positions).digits, 53))
                          ? Upper{}
                          : rounding_error(steps.positions, {last});
  const Upper position = Upper{last} + moved;

  Certificate made;
  Upper between;  // of the difference of two positions' angles
  Upper product = position, error = moved;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const CertifiedPair& pair = pairs_[i];
    Upper own;
    if (steps.steps == FrequencySteps::products) {
      if (i > 0) {
        const Upper rounding = rounding_error(steps.angles, product * step_);
        product = product * step_ + rounding;
        error = error * step_ + rounding;
      }
      own = blend_error(pair, product, error);
    } else {
      own = pair.size * moved;
      const bool is_exact = moved.value == 0 && pair.odd * last <= std::ldexp(1, std::min(angles.digits, 53));
      if (!is_exact) own = own + rounding_error(steps.angles, pair.size * position);
    }
    const Upper drift = pair.slope * Upper{last};
    const Upper angle = drift + own;
    if (angle.value > made.angle.bound) made.angle = {angle.value, i};
    if ((angle + own).value > between.value) between = angle + own, made.score.pair = i;
  }

  // A pair of norm 1 is rotated by (factor cos, factor sin), which has the norm `turned` at most.
  const auto turned_by = [](Upper angle) { return Upper{std::min(angle.value, 2.0)}; };
  const Upper factor = attention_factor();
  const Upper of_sines = sine_error();
  const Upper moved_by = factor * turned_by({made.angle.bound});
  made.cosine = {(moved_by + of_sines).value, made.angle.pair};
  const Upper turned = factor + sqrt_2 * of_sines;
  const Upper of_inputs = unit_of(steps.inputs), of_products = unit_of(steps.products);
  const Upper of_outputs =
      format_of(steps.outputs).digits < format_of(steps.products).digits ? unit_of(steps.outputs) : Upper{};
  const Upper norm = turned * (Upper{1} + of_inputs);
  // Of a lane: both products' roundings are below one of the pair's norm; of both lanes: below sqrt(2) of it.
  const auto of_rotation = [&](Upper products) {
    const Upper sum = norm * (Upper{1} + products);
    return sqrt_2 * of_sines + turned * of_inputs + norm * products + sum * of_products +
           sum * (Upper{1} + of_products) * of_outputs;
  };
  made.lane = {(moved_by + of_rotation(of_products)).value, made.angle.pair};

  const Upper side = of_rotation(sqrt_2 * of_products);
  Upper score = factor * factor * turned_by(between) + Upper{2} * factor * side + side * side;
  // Lanes that do not rotate are rounded when they are read, and not multiplied by the factor.
  if (rotary_.rotary_dim() < rotary_.dim())
    score.value = std::max(score.value, (of_inputs * (Upper{2} + of_inputs)).value);
  const Upper scale = options_.scale ? Upper{std::fabs(*options_.scale)}
                                     : Upper{1 / std::sqrt(static_cast<double>(rotary_.dim()))} * Upper{next_above};
  made.score.bound = (score * scale * Upper{options_.query_norm} * Upper{options_.key_norm}).value;
  return made;
}

/// Of the types that steps name, only float16 ends before what it may have to hold.
Expected<void> Certifier::check_range(double last) const {
  const Arithmetic& steps = arithmetic();
  if (!has_exact_angles(last, rotary_.frequencies().largest()))
    return wrong("length", last + 1, {"positions times the largest frequency of at most 2^53"});
  double largest = 0;
  for (const CertifiedPair& pair : pairs_.span()) largest = std::max(largest, pair.size.value);
  const double factor = rotary_.attention_factor();
  const struct {
    std::string_view argument;
    Rounding type;
    double most;
  } wanted[]{{"arithmetic.frequencies", steps.frequencies, rotary_.frequencies().largest()},
             {"arithmetic.positions", steps.positions, last},
             {"arithmetic.angles", steps.angles, std::max(last, last * largest)},
             {"arithmetic.sines", steps.sines, factor},
             {"arithmetic.cache", steps.cache, factor}};
  for (const auto& [argument, type, most] : wanted)
    if (!(most <= format_of(type).most))
      return wrong(argument, most, {"magnitudes that the type can hold: at most 65504 for float16"});
  return {};
}

Expected<void> check_norm(std::string_view argument, double norm) {
  if (norm == 0 || (norm >= 1e-30 && norm <= 1e30)) return {};
  return wrong(argument, norm, {"0, or a number from 1e-30 to 1e30"});
}

Expected<void> check_ulps(std::string_view argument, double ulps, double least, double most,
                          std::string_view expected) {
  if (ulps >= least && ulps <= most) return {};
  return wrong(argument, ulps, {expected});
}

Expected<void> check_numbers(const CertificateOptions& options) {
  const Arithmetic& steps = options.arithmetic;
  for (auto&& checked : {check_ulps("arithmetic.powerUlps", steps.power_ulps, 0.5, 64, "a number from 0.5 to 64"),
                         check_ulps("arithmetic.sineUlps", steps.sine_ulps, 0, 0x1p24, "a number from 0 to 2^24"),
                         check_norm("queryNorm", options.query_norm), check_norm("keyNorm", options.key_norm),
                         check_norm("scale", std::fabs(options.scale.value_or(0)))})
    if (!checked) return checked;
  const auto& [angle, cosine, lane, score] = options.exceeds;
  const std::pair<std::string_view, std::optional<double>> limits[]{
      {"exceeds.angle", angle}, {"exceeds.cosine", cosine}, {"exceeds.lane", lane}, {"exceeds.score", score}};
  for (const auto& [argument, limit] : limits)
    if (limit && !(*limit >= 0 && std::isfinite(*limit))) return wrong(argument, *limit, {"a finite number >= 0"});
  return {};
}

/// The first position whose bound is greater than the limit, where that of the last one is.
std::int64_t first_above(const Certifier& certifier, CertifiedBound Certificate::* bound, double limit,
                         std::int64_t last) {
  std::int64_t below = -1;
  while (last - below > 1) {
    const std::int64_t middle = below + (last - below) / 2;
    const bool is_above = (certifier.at(static_cast<double>(middle)).*bound).bound > limit;
    (is_above ? last : below) = middle;
  }
  return last;
}

}  // namespace

template <>
Expected<Rounding> from_name(std::string_view name) {
  return from_name<Rounding>(rounding_names, "arithmetic", name);
}

template <>
Expected<FrequencySteps> from_name(std::string_view name) {
  return from_name<FrequencySteps>(steps_names, "arithmetic.steps", name);
}

Expected<Arithmetic> arithmetic_from_name(std::string_view name, DType dtype) {
  const auto preset = from_name<Preset>(preset_names, "arithmetic", name);
  if (!preset) return error_of(preset);
  constexpr Rounding types[]{Rounding::float32, Rounding::float16, Rounding::bfloat16};
  Arithmetic made;
  made.inputs = made.outputs = types[static_cast<std::size_t>(dtype)];
  if (*preset == Preset::exact) return made;
  made.steps = *preset == Preset::ggml ? FrequencySteps::products : FrequencySteps::powers;
  made.power_ulps = made.sine_ulps = 1;
  made.frequencies = made.positions = made.angles = Rounding::float32;
  if (*preset == Preset::transformers) made.cache = made.products = made.inputs;
  return made;
}

Expected<Certificate> certify(const RotaryOptions& plan, const CertificateOptions& options) {
  if (auto checked = check_numbers(options); !checked) return error_of(checked);
  const auto certifier = Certifier::make(plan, options);
  if (!certifier) return error_of(certifier);
  const std::int64_t last = options.length - 1;
  if (auto checked = certifier->check_range(static_cast<double>(last)); !checked) return error_of(checked);
  Certificate made = certifier->at(static_cast<double>(last));
  const auto& limits = options.exceeds;
  const auto search = [&](CertifiedBound Certificate::* bound, std::optional<double> limit) {
    if (limit && (made.*bound).bound > *limit) (made.*bound).from = first_above(*certifier, bound, *limit, last);
  };
  search(&Certificate::angle, limits.angle);
  search(&Certificate::cosine, limits.cosine);
  search(&Certificate::lane, limits.lane);
  search(&Certificate::score, limits.score);
  return made;
}

}  // namespace posenc
