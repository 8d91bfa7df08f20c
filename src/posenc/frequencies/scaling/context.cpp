#include "posenc/frequencies/scaling/context.hpp"

#include <cmath>
#include <utility>
#include <variant>

#include "posenc/base/check.hpp"

namespace posenc::scaling {
namespace {

Expected<void> check_base(double base) {
  if (std::isfinite(base) && base > 0) return {};
  return wrong("base", base, {"a finite number > 0"});
}

bool is_half(const FrequencyOptions& options) { return options.exponent == Exponent::half; }

std::size_t count_of(const FrequencyOptions& options) {
  return static_cast<std::size_t>(is_half(options) ? options.dim / 2 : (options.dim + 1) / 2);
}

std::int64_t denominator_of(const FrequencyPlan& plan) { return plan.exponent_dim.value_or(plan.frequencies.dim); }

Progression progression_of(const FrequencyPlan& plan) {
  const FrequencyOptions& options = plan.frequencies;
  const DoubleDouble ln_base = log(options.base);
  const auto d = static_cast<double>(denominator_of(plan));
  if (is_half(options)) return {ln_base, 1, sum_exact(std::floor(d / 2), -options.shift), options.scale};
  return {ln_base, options.exponent == Exponent::paper ? 2.0 : 4.0, {d, 0}, options.scale};
}

Expected<void> check_dims(const FrequencyPlan& plan) {
  const std::int64_t least = is_half(plan.frequencies) ? 2 : 1;
  if (auto checked = check_whole("dim", plan.frequencies.dim, least, max_dim); !checked) return checked;
  return check_whole("exponentDim", denominator_of(plan), least, max_dim);
}

Expected<void> check_shift(const FrequencyOptions& options, std::int64_t half) {
  if (!is_half(options)) {
    if (options.shift == 0) return {};
    return wrong("shift", options.shift, {"0, for an exponent other than \"half\""});
  }
  if (std::fabs(options.shift) <= max_angle && options.shift != static_cast<double>(half)) return {};
  return wrong("shift", options.shift,
               {"a number of at most 2^53 other than half of dim (", decimal(half), "), which would divide by zero"});
}

/// Scaling rules are defined for the paper's progression alone.
Expected<void> check_rule_fits(const FrequencyPlan& plan) {
  if (std::holds_alternative<Default>(plan.scaling) || plan.frequencies.scale == 1) return {};
  return wrong("scale", plan.frequencies.scale, {"1, with a scaling rule"});
}

Expected<void> check_length(std::optional<std::int64_t> length) {
  return length ? check_whole("length", *length, 0, std::int64_t{1} << 53) : Expected<void>();
}

Expected<void> check_largest(const Progression& progression, const FrequencyOptions& options) {
  const double ln_largest = progression.ln_largest(count_of(options));
  if (ln_largest > 36.7368)  // ln 2^53
    return wrong(options.base < 1 ? "base" : "shift", options.base < 1 ? options.base : options.shift,
                 {"a ", options.base < 1 ? "base" : "shift", " whose largest frequency is at most 2^53"});
  if (std::isfinite(options.scale) && std::fabs(options.scale) * exp({ln_largest, 0}).high <= max_angle) return {};
  return wrong("scale", options.scale, {"a finite number with which the largest frequency is at most 2^53"});
}

}  // namespace

Expected<Context> context_of(const FrequencyPlan& plan) {
  const FrequencyOptions& options = plan.frequencies;
  if (auto checked = check_dims(plan); !checked) return std::unexpected(checked.error());
  if (auto checked = check_base(options.base); !checked) return std::unexpected(checked.error());
  const Progression progression = progression_of(plan);
  for (auto&& checked : {check_shift(options, denominator_of(plan) / 2), check_largest(progression, options),
                         check_rule_fits(plan), check_length(plan.length)})
    if (!checked) return std::unexpected(checked.error());
  return Context{progression, count_of(options), static_cast<double>(options.dim), options.base, plan.length};
}

Expected<void> check_factor(std::string_view argument, double factor) {
  if (factor >= 1e-6 && factor <= 1e6) return {};
  return wrong(argument, factor, {"a number from 0.000001 to 1000000"});
}

Expected<void> check_original_length(double length) {
  if (length >= 2 && length <= 9007199254740992.0) return {};
  return wrong("scaling.originalLength", length, {"a number from 2 to 2^53"});
}

Expected<void> check_attention_factor(std::optional<double> factor) {
  if (!factor || (*factor >= 0 && *factor <= 1e6)) return {};
  return wrong("scaling.attentionFactor", *factor, {"a number from 0 to 1000000"});
}

Expected<double> length_of(const Context& context, std::string_view rule) {
  if (context.length) return static_cast<double>(*context.length);
  return wrong("length", "none", {"the number of positions, on which ", rule, " depends"});
}

Expected<void> check_one_each(std::string_view argument, std::size_t size, std::size_t count) {
  if (size == count) return {};
  return wrong(argument, decimal(size) + " values", {decimal(count), " values, one for each rotated pair"});
}

}  // namespace posenc::scaling
