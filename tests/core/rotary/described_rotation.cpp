#include "rotary/described_rotation.hpp"

#include <algorithm>
#include <cmath>

#include "frequencies/scaling_reference.hpp"

namespace reference {
namespace {

using posenc::ArithmeticPreset;
using posenc::Rounding;
namespace scaling = posenc::scaling;

float to_float32(Quad x) { return static_cast<float>(static_cast<double>(x)); }

/// A float32 that a library within 1 ulp may give.
float by_library(Quad exact, Library library) {
  const float nearest = to_float32(exact);
  if (library == Library::nearest || static_cast<Quad>(nearest) == exact) return nearest;
  const bool is_above = static_cast<Quad>(nearest) > exact;
  if (is_above == (library == Library::above)) return nearest;
  return std::nextafter(nearest, library == Library::above ? 2 * std::fabs(nearest) : -2 * std::fabs(nearest));
}

float float32_power(Quad base, float exponent, Library library) {
  const Quad exact = power(to_float32(base), exponent);
  return exponent == 0 ? 1.0f : by_library(exact, library);
}

/// The rule in float32, from base^(2i/d).
float described_frequency(const posenc::Scaling& rule, float power) {
  const float inverse = 1.0f / power;
  if (const auto* linear = std::get_if<scaling::Linear>(&rule)) return inverse / static_cast<float>(linear->factor);
  if (const auto* llama3 = std::get_if<scaling::Llama3>(&rule)) {
    const auto factor = static_cast<float>(llama3->factor);
    const float wavelength = 1.0f / inverse * 6.283185307179586f;
    const auto length = static_cast<float>(llama3->original_length);
    if (wavelength > length / static_cast<float>(llama3->low_frequency_factor)) return inverse / factor;
    if (wavelength < length / static_cast<float>(llama3->high_frequency_factor)) return inverse;
    const float smooth = (1.0f / wavelength * length - static_cast<float>(llama3->low_frequency_factor)) /
                         static_cast<float>(llama3->high_frequency_factor - llama3->low_frequency_factor);
    return (1.0f - smooth) * inverse / factor + smooth * inverse;
  }
  return inverse;
}

float yarn_kept(const posenc::RotaryOptions& plan, const scaling::Yarn& rule, int i) {
  const auto index = [&](double cycles) {
    return static_cast<double>(plan.dim) * std::log(rule.original_length / (cycles * 2 * M_PI)) /
           (2 * std::log(plan.base));
  };
  const double low = std::max(std::floor(index(rule.beta_fast)), 0.0);
  const double high = std::min(std::ceil(index(rule.beta_slow)), static_cast<double>(plan.dim - 1));
  const float ramp = (static_cast<float>(i) - static_cast<float>(low)) / static_cast<float>(high - low);
  return 1.0f - std::clamp(ramp, 0.0f, 1.0f);
}

}  // namespace

double in_type(Rounding type, double x) {
  if (type == Rounding::float32) return static_cast<double>(static_cast<float>(x));
  if (type == Rounding::exact || x == 0) return x;
  const bool is_half = type == Rounding::float16;
  const int exponent = std::max(std::ilogb(x), is_half ? -14 : -126);
  const double place = std::ldexp(1, exponent - (is_half ? 10 : 7));
  return std::nearbyint(x / place) * place;
}

DescribedRotation::DescribedRotation(const posenc::RotaryOptions& plan, ArithmeticPreset preset, posenc::DType dtype,
                                     Library powers, Library sines)
    : plan_(plan),
      preset_(preset),
      activations_(posenc::rounding_of(dtype)),
      rotation_(preset == ArithmeticPreset::transformers ? activations_ : Rounding::float32),
      sines_(sines) {
  const Scaled truth = scaled(posenc::plan_of(plan));
  true_ = truth.frequencies;
  attention_factor_ = truth.attention_factor;
  const auto d = static_cast<float>(plan.rotary_dim.value_or(plan.dim));
  const auto* yarn = std::get_if<scaling::Yarn>(&plan.scaling);
  for (std::size_t i = 0; i < true_.size(); ++i) {
    if (yarn != nullptr) kept_.push_back(yarn_kept(plan, *yarn, static_cast<int>(i)));
    const float power = float32_power(plan.base, static_cast<float>(2 * i) / d, powers);
    float made = described_frequency(plan.scaling, power);
    if (yarn != nullptr)
      made = 1.0f / (static_cast<float>(yarn->factor) * power) * (1.0f - kept_[i]) + 1.0f / power * kept_[i];
    frequencies_.push_back(made);
  }
  step_ = float32_power(plan.base, -2.0f / d, powers);
}

double DescribedRotation::interpolated(double product, std::size_t pair) const {
  const auto theta = static_cast<float>(product);
  if (const auto* linear = std::get_if<scaling::Linear>(&plan_.scaling))
    return 1.0f / static_cast<float>(linear->factor) * theta;
  if (const auto* yarn = std::get_if<scaling::Yarn>(&plan_.scaling)) {
    const float inner = 1.0f / static_cast<float>(yarn->factor) * theta;
    return inner * (1.0f - kept_[pair]) + theta * kept_[pair];
  }
  if (std::holds_alternative<scaling::Default>(plan_.scaling)) return theta;
  const Quad unscaled = power(plan_.base, -2 * static_cast<Quad>(pair) / static_cast<Quad>(plan_.dim));
  return theta / to_float32(unscaled / true_[pair]);
}

double DescribedRotation::angle(double position, std::size_t pair, double* error) const {
  const Quad truth = static_cast<Quad>(position) * true_[pair];
  *error = 0;
  if (preset_ == ArithmeticPreset::exact) return static_cast<double>(truth);
  const auto rounded = static_cast<float>(position);
  double made = rounded * frequencies_[pair];
  if (preset_ == ArithmeticPreset::ggml) {
    float product = rounded;
    for (std::size_t i = 0; i < pair; ++i) product *= step_;
    made = interpolated(product, pair);
  }
  *error = static_cast<double>(static_cast<Quad>(made) - truth);
  return made;
}

DescribedRotation::Factors DescribedRotation::factors(double position, std::size_t pair) const {
  Factors made;
  const double computed = angle(position, pair, &made.error);
  const Quad truth = static_cast<Quad>(position) * true_[pair];
  const Phase exact = phase(truth);
  const Phase seen = preset_ == ArithmeticPreset::exact ? exact : phase(static_cast<Quad>(computed));
  made.true_cosine = static_cast<double>(exact.cosine * attention_factor_);
  made.true_sine = static_cast<double>(exact.sine * attention_factor_);
  const Library library = preset_ == ArithmeticPreset::exact ? Library::nearest : sines_;
  const auto kept = [&](Quad value) {
    const float found = std::clamp(by_library(value, library), -1.0f, 1.0f);
    return in_type(rotation_, static_cast<double>(found * to_float32(attention_factor_)));
  };
  made.cosine = kept(seen.cosine);
  made.sine = kept(seen.sine);
  return made;
}

DescribedRotation::Rotated DescribedRotation::rotate(const Factors& factors, double a, double b) const {
  // Products of float32 are exact in double, and sums rounded to it first have bits enough to be rounded again.
  const double x = in_type(activations_, a), y = in_type(activations_, b);
  const auto product = [&](double value, double by) { return in_type(rotation_, value * by); };
  const auto sum = [&](double value, double other) { return in_type(activations_, in_type(rotation_, value + other)); };
  return {sum(product(x, factors.cosine), -product(y, factors.sine)),
          sum(product(x, factors.sine), product(y, factors.cosine)), a * factors.true_cosine - b * factors.true_sine,
          a * factors.true_sine + b * factors.true_cosine};
}

}  // namespace reference
