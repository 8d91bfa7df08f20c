#include "posenc/diagnosis/estimates/frequency_blend.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "posenc/diagnosis/estimates/line_fit.hpp"
#include "posenc/diagnosis/estimates/phase.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"

namespace posenc::diagnosis {
namespace {

/// Shares that are this near to 0 or 1 are not part of a blend.
constexpr double outside = 1e-9;

/// The ratio of two frequencies has the error of pow at least: some last bits of double.
constexpr double ratio_error = 0x1p-48;

/// Context lengths that a rule may have: whole numbers of tokens.
bool is_length(double length) { return length >= 2 && length <= 0x1p53; }

/// The share of each frequency that a rule divides, 0 ... 1, whatever its factor.
using Shares = std::vector<double>;

Shares shares_of(const scaling::Yarn& rule, const BlendSample& blend) {
  const auto index_of = [&](double rotations) {
    return blend.denominator * std::log(rule.original_length / (cycle * rotations)) / (2 * std::log(blend.base));
  };
  double low = index_of(rule.beta_fast), high = index_of(rule.beta_slow);
  if (rule.truncate) low = std::floor(low), high = std::ceil(high);
  low = std::max(low, 0.0), high = std::min(high, blend.denominator - 1);
  if (high == low) high += 0.001;
  Shares shares(blend.kept.size());
  for (std::size_t i = 0; i < shares.size(); ++i)
    shares[i] = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
  return shares;
}

Shares shares_of(const scaling::Llama3& rule, const BlendSample& blend) {
  Shares shares(blend.kept.size());
  const double width = rule.high_frequency_factor - rule.low_frequency_factor;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double cycles = rule.original_length * blend.unscaled[i] / cycle;
    shares[i] = std::clamp((rule.high_frequency_factor - cycles) / width, 0.0, 1.0);
  }
  return shares;
}

/// The factor with which these shares make what is left, and what it may be off by.
struct FittedFactor {
  double value, error;
};
std::optional<FittedFactor> fitted_factor(const BlendSample& blend, const Shares& shares) {
  LineFit line(true);
  bool keeps = false;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!std::isfinite(blend.errors[i])) continue;
    line.add(shares[i], 1 - blend.kept[i], blend.errors[i]);
    keeps |= shares[i] < 1;
  }
  if (!keeps || line.count() < 2 || !std::isfinite(line.slope()) || line.misfit() > explained_units) return {};
  const double left = 1 - line.slope();
  if (!(left > 0) || std::fabs(line.slope()) <= explained_units * line.slope_error()) return {};
  return FittedFactor{1 / left, line.slope_error() / (left * left)};
}

/// A factor near the fitted one, usual if that may be, and its cost.
LikelyNumber likely_factor(const FittedFactor& fitted, std::span<const LikelyNumber> factors) {
  const double reach = snapped_errors * fitted.error;
  for (const LikelyNumber& factor : factors)
    if (std::fabs(factor.value - fitted.value) <= reach) return factor;
  const double value = shortest_near(fitted.value, reach);
  return {value, bits_of_number(value)};
}

class BlendReader {
 public:
  BlendReader(const BlendSample& blend, std::span<const LikelyNumber> factors) : blend_(&blend), factors_(factors) {}

  template <class Rule>
  bool offer(Rule rule, double bits) {
    const auto fitted = fitted_factor(*blend_, shares_of(rule, *blend_));
    if (!fitted) return false;
    const LikelyNumber factor = likely_factor(*fitted, factors_);
    rule.factor = factor.value;
    fits_.push_back({rule, bits + factor.bits});
    return true;
  }

  void offer_lines() {
    // The last ones are divided, those before them blended.
    std::size_t last = blend_->kept.size();
    while (last > 0 && !std::isfinite(blend_->errors[last - 1])) --last;
    if (last == 0) return;
    const double divided = blend_->kept[last - 1];
    if (!(divided > 0)) return;
    LineFit by_index(false), by_frequency(false);
    for (std::size_t i = 0; i < last; ++i) {
      const double kept = blend_->kept[i], reach = explained_units * blend_->errors[i] + outside;
      const bool blends = std::fabs(kept - 1) > reach && std::fabs(kept - divided) > reach;
      if (!std::isfinite(blend_->errors[i]) || !blends) continue;
      by_index.add(static_cast<double>(i), kept, blend_->errors[i]);
      by_frequency.add(blend_->unscaled[i], kept, blend_->errors[i]);
    }
    offer_ramp(by_index, divided);
    offer_frequency_line(by_frequency, divided);
  }

  std::vector<BlendFit> take() { return std::move(fits_); }
  [[nodiscard]] bool found() const { return !fits_.empty(); }

 private:
  /// A blend that is linear in the index: YaRN's ramp, whose ends give the length.
  void offer_ramp(const LineFit& line, double divided) {
    if (line.count() < 2 || line.misfit() > explained_units) return;
    const double low = (1 - line.intercept()) / line.slope();
    const double high = (divided - line.intercept()) / line.slope();
    const double per_index = 2 * std::log(blend_->base) / blend_->denominator;
    scaling::Yarn rule{.factor = 1, .truncate = false};
    // One number decides both ends: the slower one, which is less cut off.
    const double error = explained_units * line.slope_error() / std::fabs(line.slope()) * (high - low);
    const double length = cycle * std::exp(per_index * high);
    rule.original_length = shortest_near(length, length * per_index * error);
    if (is_length(rule.original_length) && offer(rule, bits_of_number(rule.original_length))) return;
    // Whole ends leave a range of lengths.
    rule.truncate = true;
    const double shortest = std::max(cycle * std::exp(per_index * (std::nearbyint(high) - 1)),
                                     rule.beta_fast * cycle * std::exp(per_index * std::nearbyint(low)));
    const double longest = std::min(cycle * std::exp(per_index * std::nearbyint(high)),
                                    rule.beta_fast * cycle * std::exp(per_index * (std::nearbyint(low) + 1)));
    const double middle = (shortest + longest) / 2;
    rule.original_length = std::nearbyint(shortest_near(middle, (longest - shortest) / 2));
    if (shortest < longest && is_length(rule.original_length)) offer(rule, bits_of_number(rule.original_length));
  }

  /// A blend that is linear in the frequency: Llama 3's.
  void offer_frequency_line(const LineFit& line, double divided) {
    if (line.count() < 2 || line.misfit() > explained_units) return;
    scaling::Llama3 rule{.factor = 1};
    const double width = rule.high_frequency_factor - rule.low_frequency_factor;
    const double length = line.slope() * width * cycle / (1 - divided);
    rule.original_length =
        shortest_near(length, snapped_errors * std::fabs(length) * line.slope_error() / std::fabs(line.slope()));
    if (is_length(rule.original_length)) offer(rule, bits_of_number(rule.original_length));
  }

  const BlendSample* blend_;
  std::span<const LikelyNumber> factors_;
  std::vector<BlendFit> fits_;
};

}  // namespace

BlendSample blend_of(const FrequencySample& sample, double base, double denominator) {
  BlendSample made{base, denominator, {}, {}, {}};
  bool is_first = true, shrinks = base > 1;
  for (std::size_t i = 0; i < sample.radians.size(); ++i) {
    const double unscaled = std::pow(base, -2 * static_cast<double>(i) / denominator);
    const double kept = sample.radians[i] / unscaled;
    const double error = std::max(sample.errors[i] / unscaled, ratio_error);
    made.unscaled.push_back(unscaled), made.kept.push_back(kept), made.errors.push_back(error);
    if (!std::isfinite(error)) continue;
    shrinks = shrinks && kept <= 1 + explained_units * error;
    if (is_first) shrinks = shrinks && kept >= 1 - explained_units * error;
    is_first = false;
  }
  made.starts_whole = shrinks && !is_first;
  return made;
}

std::vector<BlendFit> fit_blend(const BlendSample& blend, std::span<const LikelyNumber> lengths,
                                std::span<const LikelyNumber> factors, std::span<const RotaryOptions> plans) {
  BlendReader reader(blend, factors);
  for (const RotaryOptions& plan : plans) {
    if (const auto* yarn = std::get_if<scaling::Yarn>(&plan.scaling)) reader.offer(*yarn, usual_number_bits);
    if (const auto* llama3 = std::get_if<scaling::Llama3>(&plan.scaling)) reader.offer(*llama3, usual_number_bits);
  }
  for (const LikelyNumber& length : lengths) {
    scaling::Yarn yarn{.factor = 1, .original_length = length.value};
    reader.offer(yarn, length.bits);
    yarn.truncate = false;
    reader.offer(yarn, length.bits + mistake_bits);
    reader.offer(scaling::Llama3{.factor = 1, .original_length = length.value}, length.bits);
  }
  if (!reader.found()) reader.offer_lines();
  return reader.take();
}

}  // namespace posenc::diagnosis
