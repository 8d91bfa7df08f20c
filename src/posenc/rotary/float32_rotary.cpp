#include "posenc/rotary/float32_rotary.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>
#include <variant>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/frequencies/phase.hpp"
#include "posenc/frequencies/scaling/context.hpp"
#include "posenc/frequencies/scaling/divided.hpp"
#include "posenc/frequencies/scaling/given.hpp"
#include "posenc/frequencies/scaling/llama3.hpp"
#include "posenc/frequencies/scaling/long_rope.hpp"
#include "posenc/frequencies/scaling/proportional.hpp"
#include "posenc/frequencies/scaling/yarn.hpp"

namespace posenc {
namespace {

constexpr Name precision_names[]{
    {"exact", RotaryPrecision::exact},
    {"float32", RotaryPrecision::float32},
};

float to_float(double x) { return static_cast<float>(x); }

/// base^(2i/d): the base and the exponent are rounded to float32, the power once more.
struct Powers {
  DoubleDouble ln_base;
  float dim;

  explicit Powers(const Progression& progression)
      : ln_base(log(static_cast<double>(to_float(exp(progression.ln_base).high)))),
        dim(to_float(progression.dim().high)) {}

  [[nodiscard]] float operator()(std::size_t i) const {
    const float exponent = static_cast<float>(2 * i) / dim;
    return to_float(exp(ln_base * DoubleDouble{exponent, 0}).high);
  }
};

// Frequency i of each prepared rule. Every operation below is one of float32, in the order of modeling_rope_utils.py;
// a number of the configuration is rounded when it meets a tensor.

float frequency(const scaling::Divided& rule, std::size_t i) {
  return 1.0f / Powers(rule.progression)(i) / to_float(rule.divisor);
}

float frequency(const scaling::Beginning& rule, std::size_t i) {
  return i < rule.rotating ? frequency(rule.divided, i) : 0.0f;
}

float frequency(const scaling::YarnBlend& rule, std::size_t i) {
  const float power = Powers(rule.progression)(i);
  const float unchanged = 1.0f / power;
  const float divided = 1.0f / (to_float(rule.factor) * power);
  const float ramp = (static_cast<float>(i) - to_float(rule.low.high)) / to_float(rule.width.high);
  const float kept = 1.0f - std::clamp(ramp, 0.0f, 1.0f);
  return divided * (1.0f - kept) + unchanged * kept;
}

float frequency(const scaling::DividedEach& rule, std::size_t i) {
  return 1.0f / (to_float(rule.divisors[i]) * Powers(rule.progression)(i));
}

float frequency(const scaling::Llama3Blend& blend, std::size_t i) {
  const scaling::Llama3& rule = blend.rule;
  const float unchanged = 1.0f / Powers(blend.progression)(i);
  const float wavelength = 1.0f / unchanged * to_float(radians_per_cycle.high);
  const bool is_long = wavelength > to_float(rule.original_length / rule.low_frequency_factor);
  const bool is_short = wavelength < to_float(rule.original_length / rule.high_frequency_factor);
  const float changed = is_long ? unchanged / to_float(rule.factor) : unchanged;
  const double width = rule.high_frequency_factor - rule.low_frequency_factor;
  if (is_long || is_short || width == 0) return changed;
  const float cycles = 1.0f / wavelength * to_float(rule.original_length);
  const float smooth = (cycles - to_float(rule.low_frequency_factor)) / to_float(width);
  return (1.0f - smooth) * changed / to_float(rule.factor) + smooth * changed;
}

float frequency(const scaling::Listed& rule, std::size_t i) { return to_float(rule.frequencies[i]); }

/// x less its nearest whole number, for |x| < 2^51: exact.
double fraction(double x) {
  constexpr double shifter = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves no bits for a fraction
  return x - ((x + shifter) - shifter);
}

/// An angle of at most 2^53 radians in cycles, less whole ones. Both products with a half of 1 / (2 pi) are exact.
double cycles(float radians) {
  const DoubleDouble halves = split(cycles_per_radian.high);
  const double angle = radians;
  return fraction(angle * halves.high) + (fraction(angle * halves.low) + angle * cycles_per_radian.low);
}

class Float32Angles final : public AngleSource {
 public:
  Float32Angles(AlignedArray<float> frequencies, std::size_t padded_count)
      : frequencies_(std::move(frequencies)), padded_count_(padded_count) {}

  void write(double position, double* sines, double* cosines) const override {
    for (std::size_t i = 0; i < frequencies_.size(); ++i)
      sines[i] = cycles(frequencies_[i] * static_cast<float>(position));
    sines_and_cosines(sines, padded_count_, sines, cosines);
  }

  [[nodiscard]] std::span<const float> frequencies() const override { return frequencies_.span(); }

 private:
  AlignedArray<float> frequencies_;
  std::size_t padded_count_;
};

}  // namespace

template <>
Expected<RotaryPrecision> from_name(std::string_view name) {
  return from_name<RotaryPrecision>(precision_names, "precision", name);
}

Expected<Rotary> make_float32_rotary(const RotaryOptions& options) {
  if (options.exponent != Exponent::paper)
    return wrong("exponent", "another", {"\"paper\", with the precision \"float32\""});
  auto made = Rotary::make(options);
  if (!made) return made;
  const FrequencyPlan plan = plan_of(options);
  const auto context = scaling::context_of(plan);
  if (!context) return std::unexpected(context.error());
  auto frequencies = AlignedArray<float>::make(context->count);
  if (!frequencies) return std::unexpected(frequencies.error());
  std::visit(
      [&](const auto& rule) {
        const auto prepared = prepare(rule, *context);
        for (std::size_t i = 0; prepared && i < context->count; ++i) (*frequencies)[i] = frequency(*prepared, i);
      },
      plan.scaling);
  const std::size_t padded_count = made->frequencies().padded_count();
  std::unique_ptr<const AngleSource> angles(new (std::nothrow) Float32Angles(std::move(*frequencies), padded_count));
  if (!angles) return std::unexpected(out_of_memory(sizeof(Float32Angles)));
  return std::move(*made).with_angles(std::move(angles));
}

}  // namespace posenc
