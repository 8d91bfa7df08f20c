#include "posenc/diagnosis/estimates/frequency_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "posenc/diagnosis/estimates/frequency_blend.hpp"
#include "posenc/diagnosis/estimates/line_fit.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/mistake_changes.hpp"
#include "posenc/diagnosis/hypotheses/usual_numbers.hpp"

// Logarithms and powers of std:: only propose hypotheses, whose numbers come from Frequencies.

namespace posenc::diagnosis {
namespace {

/// A scaling rule costs so many bits, whichever it is.
constexpr double rule_bits = mistake_bits;

/// A line through fewer frequencies that stay as they are gives any base.
constexpr std::size_t least_kept = 3;

/// Zeros fill up a list whose base is likelier to be the commonest, by so many bits.
constexpr double commonest_bits = 2;

/// Frequencies that are this near those of a usual base, in errors, are not those of another.
constexpr double usual_misfit = 2;

/// Digits that a double holds for certain, of which a number that is stated has so many at most.
constexpr int all_digits = 15, stated_digits = 5;

/// Numbers that are this near, relatively, are the same decimal.
constexpr double same_decimal = 1e-12;

void add_number(std::vector<LikelyNumber>& numbers, double value, double bits) {
  for (const LikelyNumber& number : numbers)
    if (number.value == value) return;
  numbers.push_back({value, bits});
}

class Reader {
 public:
  Reader(const FrequencySample& sample, const FrequencyHints& hints)
      : sample_(&sample), hints_(&hints), dim_(2 * static_cast<std::int64_t>(sample.radians.size())) {
    add_numbers();
  }

  std::vector<FrequencyFit> read() {
    const std::size_t count = rotating();
    if (count == 0) {
      offer(plan_with(10000, dim_, scaling::Given{std::vector<double>(sample_->radians.size(), 0.0)}),
            usual_number_bits);
      return std::move(fits_);
    }
    fit_geometric(sample_->radians.size());
    if (fits_.empty() && count < sample_->radians.size()) fit_geometric(count);
    if (fits_.empty()) fit_blends();
    if (fits_.empty()) {
      const double cost = any_number_bits * static_cast<double>(sample_->radians.size());
      std::vector<double> frequencies = sample_->radians;
      for (std::size_t i = 0; i < frequencies.size(); ++i)
        if (!std::isfinite(sample_->errors[i])) frequencies[i] = 0;
      offer(plan_with(10000, dim_, scaling::Given{std::move(frequencies)}), cost);
    }
    std::stable_sort(fits_.begin(), fits_.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
    return std::move(fits_);
  }

 private:
  void add_numbers() {
    for (const RotaryOptions& plan : hints_->plans) {
      add_number(bases_, plan.base, usual_number_bits);
      if (const double factor = factor_of(plan.scaling); factor != 1) add_number(factors_, factor, usual_number_bits);
      std::visit(
          [&](const auto& rule) {
            if constexpr (requires { rule.original_length; })
              add_number(lengths_, rule.original_length, usual_number_bits);
          },
          plan.scaling);
    }
    for (const double base : usual_bases) add_number(bases_, base, usual_number_bits);
    for (const double factor : usual_factors) add_number(factors_, factor, usual_number_bits);
    for (const double length : usual_lengths) add_number(lengths_, length, usual_number_bits);

    const auto add = [&](std::int64_t denominator, double bits) {
      const auto is_same = [&](const LikelyDenominator& other) { return other.value == denominator; };
      if (denominator >= 2 && std::none_of(denominators_.begin(), denominators_.end(), is_same))
        denominators_.push_back({denominator, bits});
    };
    for (const RotaryOptions& plan : hints_->plans) add(plan.exponent_dim.value_or(dim_), 0);
    add(dim_, 0);
    if (hints_->head_dim > 0) add(hints_->head_dim, mistake_bits);
    add(2 * dim_, mistake_bits);
    if (dim_ % 4 == 0) add(dim_ / 2, mistake_bits);
    add(dim_ - 2, mistake_bits);
  }

  void fit_geometric(std::size_t count) {
    const LineFit free = line_of(count, false);
    if (free.count() == 0) return;
    const LineFit fixed = line_of(count, true);
    fit_unscaled(fixed, count);
    if (count == sample_->radians.size()) fit_ntk(fixed);
    if (!fits_.empty() || free.count() < 2) return;
    fit_linear(free, count);
  }

  void fit_unscaled(const LineFit& line, std::size_t count) {
    const auto per_index = [](double base, std::int64_t d) { return -2 * std::log(base) / static_cast<double>(d); };
    std::vector<LikelyDenominator> denominators = denominators_;
    // A list that zeros fill up may have the exponents of those that rotate: the commonest base is then the likelier.
    const bool is_filled = count > 0 && count < sample_->radians.size();
    if (is_filled) denominators.push_back({2 * static_cast<std::int64_t>(count), 0});
    for (const LikelyDenominator& denominator : denominators)
      for (const LikelyNumber& base : bases_)
        if (std::fabs(per_index(base.value, denominator.value) - line.slope()) <= explained_units * line.slope_reach())
          offer_beginning(
              plan_with(base.value, denominator.value),
              base.bits + denominator.bits - (is_filled && base.value == usual_bases[0] ? commonest_bits : 0), count);
    const auto is_near = [](const FrequencyFit& fit) { return fit.misfit <= usual_misfit; };
    const auto is_own = [&](const FrequencyFit& fit) {
      return is_near(fit) && fit.plan.exponent_dim.value_or(dim_) == denominators_.front().value;
    };
    const LikelyNumber base = base_of(line);
    // Beside another denominator a base counts that is short to state.
    if (std::ranges::any_of(fits_, is_own) || (base.bits == any_number_bits && std::ranges::any_of(fits_, is_near)))
      return;
    offer_beginning(plan_with(base.value, denominators_.front().value), base.bits, count);
  }

  void fit_ntk(const LineFit& line) {
    const auto d = static_cast<double>(dim_);
    if (dim_ <= 2) return;
    for (const LikelyNumber& base : bases_)
      for (const LikelyNumber& factor : factors_) {
        const double logarithm = std::log(base.value) + std::log(factor.value) * d / (d - 2);
        if (std::fabs(2 * logarithm / d + line.slope()) <= explained_units * line.slope_reach())
          offer(plan_with(base.value, dim_, scaling::Ntk{factor.value}), base.bits + factor.bits + rule_bits);
      }
  }

  void fit_linear(const LineFit& line, std::size_t count) {
    const auto divided = [&](double base, std::int64_t denominator, double cost, double intercept, double error) {
      double factor = std::exp(-intercept);
      double bits = any_number_bits;
      const double reach = snapped_errors * factor * error;
      for (const LikelyNumber& usual : factors_)
        if (std::fabs(usual.value - factor) <= reach && bits == any_number_bits)
          bits = usual.bits, factor = usual.value;
      if (bits == any_number_bits) factor = shortest_near(factor, reach), bits = bits_of_number(factor);
      return offer_beginning(plan_with(base, denominator, scaling::Linear{factor}), cost + rule_bits + bits, count);
    };
    bool is_usual = false;
    for (const LikelyDenominator& denominator : denominators_)
      for (const LikelyNumber& base : bases_) {
        const double slope = -2 * std::log(base.value) / static_cast<double>(denominator.value);
        if (std::fabs(slope - line.slope()) > explained_units * line.slope_reach()) continue;
        is_usual |= divided(base.value, denominator.value, base.bits + denominator.bits, line.intercept_of(slope),
                            line.error_at_centre());
      }
    if (is_usual) return;
    const LikelyNumber base = base_of(line);
    divided(base.value, denominators_.front().value, base.bits, line.intercept(), line.intercept_error());
  }

  void fit_blends() {
    for (const LikelyDenominator& denominator : denominators_)
      for (const LikelyNumber& base : bases_) fit_blends_of(base, denominator);
    if (!fits_.empty()) return;
    // The first frequencies stay as they are and give another base.
    for (std::size_t count = least_kept; count <= sample_->radians.size() / 2; count += 2) {
      const LineFit line = line_of(count, true);
      if (line.count() < least_kept || line.misfit() > explained_units) return;
      const LikelyNumber base = base_of(line);
      if (base.value > 1) fit_blends_of(base, denominators_.front());
      if (!fits_.empty()) return;
    }
  }

  void fit_blends_of(const LikelyNumber& base, const LikelyDenominator& denominator) {
    const BlendSample blend = blend_of(*sample_, base.value, static_cast<double>(denominator.value));
    if (!blend.starts_whole) return;
    for (const BlendFit& fit : fit_blend(blend, lengths_, factors_, hints_->plans))
      offer(plan_with(base.value, denominator.value, fit.scaling), base.bits + denominator.bits + rule_bits + fit.cost);
  }

  /// The number of frequencies before those that are 0 within their errors.
  [[nodiscard]] std::size_t rotating() const {
    std::size_t count = sample_->radians.size();
    while (count > 0 && !(sample_->radians[count - 1] > explained_units * sample_->errors[count - 1])) --count;
    return count;
  }

  [[nodiscard]] RotaryOptions plan_with(double base, std::int64_t denominator, Scaling scaling = {}) const {
    RotaryOptions plan{.dim = dim_, .layout = Layout::half, .base = base, .scaling = std::move(scaling)};
    if (denominator != dim_) plan.exponent_dim = denominator;
    return plan;
  }

  /// Keeps a plan if it fits; returns whether it does.
  bool offer(RotaryOptions plan, double cost) {
    const std::vector<double> radians = radians_of(plan);
    if (radians.size() != sample_->radians.size()) return false;
    double misfit = 0;
    for (std::size_t i = 0; i < radians.size(); ++i)
      if (std::isfinite(sample_->errors[i])) misfit = std::max(misfit, errors_off(*sample_, i, radians[i]));
    if (misfit > explained_units) return false;
    fits_.push_back({std::move(plan), cost, misfit});
    return true;
  }

  /// Keeps a plan that fits where only the first `count` frequencies are not 0.
  bool offer_beginning(RotaryOptions plan, double cost, std::size_t count) {
    if (count < sample_->radians.size()) {
      const auto* linear = std::get_if<scaling::Linear>(&plan.scaling);
      const double fraction = 2 * static_cast<double>(count) / static_cast<double>(dim_);
      plan.scaling = scaling::Proportional{fraction, linear != nullptr ? linear->factor : 1};
      cost += rule_bits + usual_number_bits;
    }
    return offer(std::move(plan), cost);
  }

  [[nodiscard]] double error_of_log(std::size_t i) const { return sample_->errors[i] / sample_->radians[i]; }

  /// The line of the first logarithms over their indices.
  [[nodiscard]] LineFit line_of(std::size_t count, bool through_origin) const {
    LineFit line(through_origin);
    for (std::size_t i = 0; i < count; ++i)
      if (std::isfinite(sample_->errors[i]) && sample_->radians[i] > 0)
        line.add(static_cast<double>(i), std::log(sample_->radians[i]), error_of_log(i));
    return line;
  }

  /// The base of a line of logarithms, by the likeliest denominator: that of what was expected.
  [[nodiscard]] LikelyNumber base_of(const LineFit& line) const {
    const double half = static_cast<double>(denominators_.front().value) / 2;
    const double base = std::exp(-line.slope() * half);
    const double snapped = shortest_near(base, snapped_errors * base * half * line.slope_error());
    return {snapped, bits_of_number(snapped)};
  }

  const FrequencySample* sample_;
  const FrequencyHints* hints_;
  std::int64_t dim_;
  std::vector<LikelyNumber> bases_, factors_, lengths_;
  std::vector<LikelyDenominator> denominators_;
  std::vector<FrequencyFit> fits_;
};

}  // namespace

std::vector<FrequencyFit> fit_frequencies(const FrequencySample& sample, const FrequencyHints& hints) {
  if (sample.radians.empty()) return {};
  return Reader(sample, hints).read();
}

double errors_off(const FrequencySample& sample, std::size_t i, double radians) {
  constexpr double of_double = 0x1p-52;
  return std::fabs(sample.radians[i] - radians) / std::max(sample.errors[i], of_double * std::fabs(radians));
}

std::vector<double> radians_of(const RotaryOptions& plan) {
  const auto frequencies = Frequencies::make_scaled(plan_of(plan));
  if (!frequencies) return {};
  std::vector<double> radians(frequencies->count());
  frequencies->write_radians(radians);
  return radians;
}

double shortest_near(double x, double reach) {
  if (!(x > 0) || !std::isfinite(x)) return x;
  const double magnitude = std::floor(std::log10(x));
  for (int digits = 1; digits <= all_digits; ++digits) {
    // Powers of ten beyond 1e22 are not exact, nor is what is divided by them: the decimal comes from a quotient.
    const double places = digits - 1 - magnitude;
    const double rounded = places >= 0 ? std::nearbyint(x * std::pow(10, places)) / std::pow(10, places)
                                       : std::nearbyint(x / std::pow(10, -places)) * std::pow(10, -places);
    if (std::fabs(rounded - x) <= reach) return rounded;
  }
  return x;
}

double bits_of_number(double x) {
  // Three and a third bits a digit, after those that a usual number costs.
  constexpr double digit_bits = 3.3219280948873623;
  for (int digits = 1; digits <= stated_digits; ++digits)
    if (std::fabs(shortest_near(x, 0.5 * std::pow(10, -digits) * x) - x) <= same_decimal * x)
      return std::min(any_number_bits, usual_number_bits + digit_bits * (digits - 1));
  return any_number_bits;
}

}  // namespace posenc::diagnosis
