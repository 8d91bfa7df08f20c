#include "posenc/rotary/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/range.hpp"
#include "posenc/base/round16.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/rotary/certificate/certified_angles.hpp"
#include "posenc/rotary/certificate/rounding_error.hpp"

namespace posenc {
namespace {

class Certifier {
 public:
  Certifier(const Rotary& rotary, const CertifiedAngles& angles, const CertificateOptions& options)
      : rotary_(rotary), angles_(angles), options_(options), activations_(rounding_of(options.dtype)) {}

  /// The bounds for positions up to this one.
  [[nodiscard]] Certificate at(double last) const;

 private:
  /// How far cosines and sines are from those of their computed angle.
  [[nodiscard]] Upper sine_error() const;
  /// The type of the rotation, to which cosines and sines are rounded.
  [[nodiscard]] Rounding rotation() const {
    return options_.arithmetic == ArithmeticPreset::transformers ? activations_ : Rounding::float32;
  }
  [[nodiscard]] Upper attention_factor() const { return Upper{rotary_.attention_factor()} * Upper{next_above}; }

  const Rotary& rotary_;
  const CertifiedAngles& angles_;
  const CertificateOptions& options_;
  Rounding activations_;
};

Upper Certifier::sine_error() const {
  const Upper factor = attention_factor();
  Upper most{1};
  Upper error = unit_of(Rounding::float32) * Upper{options_.arithmetic == ArithmeticPreset::exact ? 0.501 : 1.0};
  if (rotary_.attention_factor() != 1) {
    const Upper of_factor = rounding_error(Rounding::float32, factor) + factor * Upper{0x1p-52};
    most = factor + of_factor;
    error = error * most + of_factor + rounding_error(Rounding::float32, most);
  }
  if (rotation() != Rounding::float32) error = error + rounding_error(rotation(), most);
  return error;
}

Certificate Certifier::at(double last) const {
  const auto& [angle, difference] = angles_.at(last);
  // A pair of norm 1 is rotated by (factor cos, factor sin), which has the norm `rotated` at most.
  const auto rotated_by = [](Upper error) { return Upper{std::min(error.value, 2.0)}; };
  const Upper factor = attention_factor();
  const Upper of_sines = sine_error();
  const Upper moved_by = factor * rotated_by(angle.error);

  const Upper rotated = factor + sqrt_2 * of_sines;
  const Upper of_inputs = unit_of(activations_), of_products = unit_of(rotation());
  const Upper of_outputs = rotation() != activations_ ? of_inputs : Upper{};
  const Upper norm = rotated * (Upper{1} + of_inputs);
  // In one dimension both products' roundings are below one of the pair's norm; in both below sqrt(2) of it.
  const auto of_rotation = [&](Upper products) {
    const Upper sum = norm * (Upper{1} + products);
    return sqrt_2 * of_sines + rotated * of_inputs + norm * products + sum * of_products +
           sum * (Upper{1} + of_products) * of_outputs;
  };

  const Upper side = of_rotation(sqrt_2 * of_products);
  Upper score = factor * factor * rotated_by(difference.error) + Upper{2} * factor * side + side * side;
  // Dimensions that do not rotate are rounded when they are read, and not multiplied by the factor.
  if (rotary_.rotary_dim() < rotary_.dim())
    score.value = std::max(score.value, (of_inputs * (Upper{2} + of_inputs)).value);
  const Upper scale = options_.scale ? Upper{std::fabs(*options_.scale)}
                                     : Upper{1 / std::sqrt(static_cast<double>(rotary_.dim()))} * Upper{next_above};
  const Upper norms = Upper{options_.query_norm} * Upper{options_.key_norm};
  return {.angle = {angle.error.value, angle.pair},
          .cosine = {(moved_by + of_sines).value, angle.pair},
          .dimension = {(moved_by + of_rotation(of_products)).value, angle.pair},
          .score = {(score * scale * norms).value, difference.pair}};
}

Expected<void> check_numbers(const CertificateOptions& options) {
  static constexpr OptionRange limits = from(0);
  POSENC_TRY(check_ranges(options));
  const auto& [angle, cosine, dimension, score] = options.exceeds;
  for (const auto& [argument, limit] : {std::pair("exceeds.angle", angle), std::pair("exceeds.cosine", cosine),
                                        std::pair("exceeds.dimension", dimension), std::pair("exceeds.score", score)})
    if (limit && !contains(limits, *limit)) return std::unexpected(out_of_range(argument, *limit, limits));
  return {};
}

/// Cosines and sines are at most the attention factor, which float16 may not hold.
Expected<void> check_plan(const Rotary& rotary, const CertificateOptions& options) {
  const double last = static_cast<double>(options.length - 1);
  if (!has_exact_angles(last, rotary.frequencies().largest()))
    return invalid_argument("length", last + 1, expected::exact_angle, {"position"});
  if (options.arithmetic != ArithmeticPreset::transformers || options.dtype == DType::float32) return {};
  return check_holds(options.dtype, "scaling.attentionFactor", rotary.attention_factor());
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

Expected<Certificate> certify(RotaryOptions plan, const CertificateOptions& options) {
  POSENC_TRY(check_numbers(options));
  plan.layout = Layout::half;
  if (!plan.length) plan.length = options.length;
  POSENC_TRY_LET(rotary, Rotary::make(plan));
  POSENC_TRY_LET(angles, CertifiedAngles::make(rotary, plan, options.arithmetic));
  POSENC_TRY(check_plan(rotary, options));

  const Certifier certifier(rotary, angles, options);
  const std::int64_t last = options.length - 1;
  Certificate made = certifier.at(static_cast<double>(last));
  const auto& limits = options.exceeds;
  const auto search = [&](CertifiedBound Certificate::* bound, std::optional<double> limit) {
    if (limit && (made.*bound).bound > *limit) (made.*bound).from = first_above(certifier, bound, *limit, last);
  };
  search(&Certificate::angle, limits.angle);
  search(&Certificate::cosine, limits.cosine);
  search(&Certificate::dimension, limits.dimension);
  search(&Certificate::score, limits.score);
  return made;
}

}  // namespace posenc
