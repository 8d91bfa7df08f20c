#include "posenc/rotary/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/rotary/certified_angles.hpp"
#include "posenc/rotary/rounding_error.hpp"

namespace posenc {
namespace {

class Certifier {
 public:
  Certifier(const Rotary& rotary, const CertifiedAngles& angles, const CertificateOptions& options)
      : rotary_(rotary), angles_(angles), options_(options) {}

  /// The bounds for positions up to this one.
  [[nodiscard]] Certificate at(double last) const;

  /// Errors where a type cannot hold what it has to.
  [[nodiscard]] Expected<void> check_range(double last) const;

 private:
  /// How far cosines and sines are from those of their computed angle.
  [[nodiscard]] Upper sine_error() const;
  [[nodiscard]] Upper attention_factor() const { return Upper{rotary_.attention_factor()} * Upper{next_above}; }

  const Rotary& rotary_;
  const CertifiedAngles& angles_;
  const CertificateOptions& options_;
};

Upper Certifier::sine_error() const {
  const Arithmetic& steps = options_.arithmetic;
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
  const Arithmetic& steps = options_.arithmetic;
  const auto& [angle, difference] = angles_.at(last);
  // A pair of norm 1 is rotated by (factor cos, factor sin), which has the norm `turned` at most.
  const auto turned_by = [](Upper error) { return Upper{std::min(error.value, 2.0)}; };
  const Upper factor = attention_factor();
  const Upper of_sines = sine_error();
  const Upper moved_by = factor * turned_by(angle.error);

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

  const Upper side = of_rotation(sqrt_2 * of_products);
  Upper score = factor * factor * turned_by(difference.error) + Upper{2} * factor * side + side * side;
  // Lanes that do not rotate are rounded when they are read, and not multiplied by the factor.
  if (rotary_.rotary_dim() < rotary_.dim())
    score.value = std::max(score.value, (of_inputs * (Upper{2} + of_inputs)).value);
  const Upper scale = options_.scale ? Upper{std::fabs(*options_.scale)}
                                     : Upper{1 / std::sqrt(static_cast<double>(rotary_.dim()))} * Upper{next_above};
  const Upper norms = Upper{options_.query_norm} * Upper{options_.key_norm};
  return {.angle = {angle.error.value, angle.pair},
          .cosine = {(moved_by + of_sines).value, angle.pair},
          .lane = {(moved_by + of_rotation(of_products)).value, angle.pair},
          .score = {(score * scale * norms).value, difference.pair}};
}

/// Of the types that steps name, only float16 ends before what it may have to hold.
Expected<void> Certifier::check_range(double last) const {
  const Arithmetic& steps = options_.arithmetic;
  if (!has_exact_angles(last, rotary_.frequencies().largest()))
    return wrong("length", last + 1, {"positions times the largest frequency of at most 2^53"});
  const double factor = rotary_.attention_factor();
  const struct {
    std::string_view argument;
    Rounding type;
    double most;
  } wanted[]{{"arithmetic.frequencies", steps.frequencies, rotary_.frequencies().largest()},
             {"arithmetic.positions", steps.positions, last},
             {"arithmetic.angles", steps.angles, last * angles_.largest_frequency().value},
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

Expected<Certificate> certify(const RotaryOptions& plan, const CertificateOptions& options) {
  if (auto checked = check_numbers(options); !checked) return error_of(checked);
  if (auto checked = check_whole("length", options.length, 1, std::int64_t{1} << 53); !checked)
    return error_of(checked);
  RotaryOptions complete = plan;
  complete.layout = Layout::half;
  if (!complete.length) complete.length = options.length;
  const auto rotary = Rotary::make(complete);
  if (!rotary) return error_of(rotary);
  const auto angles = CertifiedAngles::make(*rotary, complete, options.arithmetic);
  if (!angles) return error_of(angles);

  const Certifier certifier(*rotary, *angles, options);
  const std::int64_t last = options.length - 1;
  if (auto checked = certifier.check_range(static_cast<double>(last)); !checked) return error_of(checked);
  Certificate made = certifier.at(static_cast<double>(last));
  const auto& limits = options.exceeds;
  const auto search = [&](CertifiedBound Certificate::* bound, std::optional<double> limit) {
    if (limit && (made.*bound).bound > *limit) (made.*bound).from = first_above(certifier, bound, *limit, last);
  };
  search(&Certificate::angle, limits.angle);
  search(&Certificate::cosine, limits.cosine);
  search(&Certificate::lane, limits.lane);
  search(&Certificate::score, limits.score);
  return made;
}

}  // namespace posenc
