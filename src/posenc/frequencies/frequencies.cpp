#include "posenc/frequencies/frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/function_ref.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/cycles.hpp"
#include "posenc/frequencies/scaling/rules.hpp"

namespace posenc {
namespace {

bool is_half(const FrequencyOptions& options) { return options.exponent == Exponent::half; }

std::size_t count_of(const FrequencyOptions& options) {
  return static_cast<std::size_t>(is_half(options) ? options.dim / 2 : (options.dim + 1) / 2);
}

std::int64_t denominator_of(const FrequencyPlan& plan) { return plan.exponent_dim.value_or(plan.frequencies.dim); }

scaling::Progression progression_of(const FrequencyPlan& plan) {
  const FrequencyOptions& options = plan.frequencies;
  const DoubleDouble ln_base = log(options.base);
  const auto d = static_cast<double>(denominator_of(plan));
  if (is_half(options)) return {ln_base, 1, sum_exact(std::floor(d / 2), -options.shift), options.scale};
  return {ln_base, options.exponent == Exponent::paper ? 2.0 : 4.0, {d, 0}, options.scale};
}

Expected<void> check_base(double base) {
  if (std::isfinite(base) && base > 0) return {};
  return invalid_argument("base", base, expected::finite_above, {0});
}

Expected<void> check_dims(const FrequencyPlan& plan) {
  const std::int64_t least = is_half(plan.frequencies) ? 2 : 1;
  POSENC_TRY(check_whole("dim", plan.frequencies.dim, least, max_dim));
  return check_whole("exponentDim", denominator_of(plan), least, max_dim);
}

Expected<void> check_shift(const FrequencyOptions& options, std::int64_t half) {
  if (!is_half(options)) {
    if (options.shift == 0) return {};
    return invalid_argument("shift", options.shift, expected::exactly, {0}, ", for an exponent other than \"half\"");
  }
  if (std::fabs(options.shift) <= max_angle && options.shift != static_cast<double>(half)) return {};
  return invalid_argument("shift", options.shift, expected::shift, {half});
}

/// Scaling rules are defined for the paper's progression alone.
Expected<void> check_rule_fits(const FrequencyPlan& plan) {
  if (std::holds_alternative<scaling::Default>(plan.scaling) || plan.frequencies.scale == 1) return {};
  return invalid_argument("scale", plan.frequencies.scale, expected::exactly, {1}, ", with a scaling rule");
}

Expected<void> check_length(std::optional<std::int64_t> length) {
  return length ? check_whole("length", *length, 0, std::int64_t{1} << 53) : Expected<void>();
}

constexpr double largest_ln = 460;

/// Term i of a progression before its scale. Relative error 2^-92; 0 where it is below e^-1400, 1e200 where it is above
/// e^460, which is of no use as a frequency but overflows nowhere.
DoubleDouble power(const scaling::Progression& progression, std::size_t i) {
  const auto& [ln_base, steps, denominator, scale] = progression;
  const DoubleDouble exponent = ln_base * DoubleDouble{-steps * static_cast<double>(i), 0} / denominator;
  if (exponent.high < -1400) return {};
  return exponent.high > largest_ln ? DoubleDouble{1e200, 0} : exp(exponent);
}

DoubleDouble term(const scaling::Progression& progression, std::size_t i) {
  const DoubleDouble made = power(progression, i);
  return progression.scale == 1 ? made : made * DoubleDouble{progression.scale, 0};
}

/// The logarithm of the largest power of `count`. They are monotone: that is the first, 1, or the last.
double ln_largest_power(const scaling::Progression& progression, std::size_t count) {
  const double last = static_cast<double>(count - 1);
  return std::max(-progression.ln_base.high * progression.steps * last / progression.denominator.high, 0.0);
}

/// 1, x, x^2, ...: powers at most 16, each a product.
void write_powers(DoubleDouble x, std::size_t count, DoubleDouble* out) {
  DoubleDouble power{1, 0};
  for (std::size_t i = 0; i < count; ++i, power = power * x) out[i] = power;
}

/// The terms of a progression. Most are the product of three powers rather than an exponential of their own: relative
/// error 2^-90.
class Terms {
 public:
  static constexpr std::size_t step = Frequencies::dim_block, together = step * step;

  Terms(const scaling::Progression& progression, std::size_t count)
      : progression_(progression), overflows_(ln_largest_power(progression, count) > largest_ln) {
    if (overflows_) return;
    DoubleDouble ones[step];
    write_powers(power(progression, 1), step, ones);
    write_powers(power(progression, step), step, sixteens_);
    for (std::size_t i = 0; i < step; ++i) highs_[i] = ones[i].high, lows_[i] = ones[i].low;
  }

  /// Terms start, start + 1, ... start + size - 1: `start` a multiple of `together`, size at most that. There is room
  /// for whole blocks.
  void write(std::size_t start, std::size_t size, DoubleDoubles<double> out) const {
    if (overflows_) {  // products would
      for (std::size_t i = 0; i < size; ++i) {
        const DoubleDouble made = term(progression_, start + i);
        out.high[i] = made.high, out.low[i] = made.low;
      }
      return;
    }
    const DoubleDouble first = term(progression_, start);
    for (std::size_t i = 0; i < size; i += step)
      multiply(step, {highs_, lows_}, i == 0 ? first : first * sixteens_[i / step], {out.high + i, out.low + i});
  }

 private:
  const scaling::Progression& progression_;
  bool overflows_;
  DoubleDouble sixteens_[step];
  alignas(64) double highs_[step] = {}, lows_[step] = {};
};

Expected<void> check_largest(const scaling::Progression& progression, const FrequencyOptions& options) {
  const double ln_largest = ln_largest_power(progression, count_of(options));
  if (ln_largest > 36.7368)  // ln 2^53
    return invalid_argument(options.base < 1 ? "base" : "shift", options.base < 1 ? options.base : options.shift,
                            expected::exact_frequency, {options.base < 1 ? "base" : "shift"});
  const double largest = ln_largest == 0 ? 1 : exp({ln_largest, 0}).high;
  if (std::isfinite(options.scale) && std::fabs(options.scale) * largest <= max_angle) return {};
  return invalid_argument("scale", options.scale, expected::exact_scale);
}

Expected<void> check_given(std::span<const double> frequencies, double largest) {
  for (const double frequency : frequencies)
    if (!(std::fabs(frequency) <= largest))  // or NaN
      return invalid_argument("frequencies", frequency, expected::finite_at_most, {"2^53"}, " radians per position");
  return {};
}

}  // namespace

Expected<scaling::Context> context_of(const FrequencyPlan& plan) {
  const FrequencyOptions& options = plan.frequencies;
  POSENC_TRY(check_dims(plan));
  POSENC_TRY(check_base(options.base));
  const scaling::Progression progression = progression_of(plan);
  POSENC_TRY(check_shift(options, denominator_of(plan) / 2));
  POSENC_TRY(check_largest(progression, options));
  POSENC_TRY(check_rule_fits(plan));
  POSENC_TRY(check_length(plan.length));
  return scaling::Context{progression, count_of(options), static_cast<double>(options.dim), options.base, plan.length};
}

Expected<Frequencies> Frequencies::zeros(std::size_t count) {
  const std::size_t padded = (count + dim_block - 1) / dim_block * dim_block;
  POSENC_TRY_LET(parts, AlignedArray<double>::make(3 * padded));
  Frequencies made;
  made.count_ = count;
  made.parts_ = std::move(parts);
  return made;
}

/// Holds what `prepare` of any rule gave, as one type: the work that all share is then compiled once.
struct Frequencies::Prepared {
  const scaling::Progression& progression;
  double attention_factor;
  FunctionRef<DoubleDouble(std::size_t i, const DoubleDouble& term)> frequency;
};

Expected<Frequencies> Frequencies::scaled(const Prepared& prepared, std::size_t count, double base) {
  POSENC_TRY_LET(made, zeros(count));
  const Terms terms(prepared.progression, count);
  for (std::size_t start = 0; start < count; start += Terms::together) {
    alignas(64) double highs[Terms::together], lows[Terms::together];
    const std::size_t size = std::min(Terms::together, count - start);
    const std::size_t padded = std::min(Terms::together, made.padded_count() - start);
    terms.write(start, size, {highs, lows});
    for (std::size_t i = 0; i < size; ++i) {
      const DoubleDouble scaled = prepared.frequency(start + i, {highs[i], lows[i]});
      highs[i] = scaled.high, lows[i] = scaled.low;
      if (std::fabs(highs[i]) > made.largest_) made.largest_ = std::fabs(highs[i]);
    }
    for (std::size_t i = size; i < padded; ++i) highs[i] = lows[i] = 0;
    double* const head = made.parts_.data() + start;
    double* const mid = head + made.padded_count();
    write_cycles(padded, {highs, lows}, head, mid, mid + made.padded_count());
  }
  if (!(made.largest() <= max_angle)) return invalid_argument("base", base, expected::exact_frequency, {"base"});
  made.attention_factor_ = prepared.attention_factor;
  return std::move(made);
}

void Frequencies::set(std::size_t i, const DoubleDouble& radians) {
  largest_ = std::max(largest_, std::fabs(radians.high));
  set_cycles(i, radians * cycles_per_radian);
}

void Frequencies::set_cycles(std::size_t i, const DoubleDouble& cycles) {
  const DoubleDouble halves = split(cycles.high);
  set_parts(i, halves.high, halves.low, cycles.low);
}

void Frequencies::set_parts(std::size_t i, double head, double mid, double tail) {
  parts_[i] = head;
  parts_[i + padded_count()] = mid;
  parts_[i + 2 * padded_count()] = tail;
}

Expected<Frequencies> Frequencies::make(const FrequencyOptions& options) { return make_scaled({options}); }

Expected<Frequencies> Frequencies::from_cycles(std::span<const double> cycles) {
  POSENC_TRY(check_given(cycles, max_angle * cycles_per_radian.high));
  POSENC_TRY_LET(made, zeros(cycles.size()));
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    made.largest_ = std::max(made.largest_, std::fabs(cycles[i]) * radians_per_cycle.high);
    made.set_cycles(i, {cycles[i], 0});
  }
  return std::move(made);
}

Expected<Frequencies> Frequencies::from_radians(std::span<const double> radians) {
  POSENC_TRY(check_given(radians, max_angle));
  POSENC_TRY_LET(made, zeros(radians.size()));
  for (std::size_t i = 0; i < radians.size(); ++i) made.set(i, {radians[i], 0});
  return std::move(made);
}

Expected<Frequencies> Frequencies::make_scaled(const FrequencyPlan& plan) {
  POSENC_TRY_LET(context, context_of(plan));
  if (std::holds_alternative<scaling::Default>(plan.scaling))
    return scaled({context.progression, 1, [](std::size_t, const DoubleDouble& term) { return term; }}, context.count,
                  plan.frequencies.base);
  return scaling::with_rule<Frequencies>(plan.scaling, context, [&](const auto& rule) {
    return scaled({rule.progression, rule.attention_factor, rule}, context.count, plan.frequencies.base);
  });
}

Expected<Frequencies> Frequencies::selected(std::span<const std::uint32_t> indices) const {
  POSENC_TRY_LET(made, zeros(indices.size()));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    made.set_parts(i, head()[indices[i]], mid()[indices[i]], tail()[indices[i]]);
    made.largest_ = std::max(made.largest_, std::fabs(made.radians(i)));
  }
  made.attention_factor_ = attention_factor_;
  return std::move(made);
}

Expected<double> attention_factor(const FrequencyPlan& plan) {
  POSENC_TRY_LET(context, context_of(plan));
  return scaling::with_rule<double>(plan.scaling, context, [](const auto& rule) { return rule.attention_factor; });
}

double Frequencies::radians(std::size_t i) const {
  return (sum_exact_ordered(head()[i] + mid()[i], tail()[i]) * radians_per_cycle).high;
}

void Frequencies::write_radians(std::span<double> out) const {
  const std::size_t whole = out.size() / dim_block * dim_block;
  posenc::write_radians(whole, head().data(), mid().data(), tail().data(), out.data());
  for (std::size_t i = whole; i < out.size(); ++i) out[i] = radians(i);
}

}  // namespace posenc
