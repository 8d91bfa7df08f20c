#include "frequencies/scaling_reference.hpp"

#include <algorithm>

namespace reference {
namespace {

using posenc::FrequencyPlan;
namespace scaling = posenc::scaling;

Quad denominator_of(const FrequencyPlan& plan) {
  return static_cast<Quad>(plan.exponent_dim.value_or(plan.frequencies.dim));
}

/// 1 / base^(2i/d).
std::vector<Quad> inverse(const FrequencyPlan& plan, Quad base) {
  const int step = plan.frequencies.exponent == posenc::Exponent::paper ? 2 : 4;
  std::vector<Quad> values;
  for (std::int64_t i = 0; 2 * i < plan.frequencies.dim; ++i)
    values.push_back(1 / power(base, static_cast<Quad>(step * i) / denominator_of(plan)));
  return values;
}

Scaled by_rule(const scaling::Default&, const FrequencyPlan& plan) { return {inverse(plan, plan.frequencies.base)}; }

Scaled by_rule(const scaling::Linear& rule, const FrequencyPlan& plan) {
  Scaled result{inverse(plan, plan.frequencies.base)};
  for (Quad& value : result.frequencies) value /= rule.factor;
  return result;
}

Scaled with_base_times(Quad growth, const FrequencyPlan& plan) {
  const Quad d = denominator_of(plan);
  return {inverse(plan, plan.frequencies.base * power(growth, d / (d - 2)))};
}

Scaled by_rule(const scaling::Ntk& rule, const FrequencyPlan& plan) { return with_base_times(rule.factor, plan); }

Scaled by_rule(const scaling::Dynamic& rule, const FrequencyPlan& plan) {
  const Quad f = rule.factor;
  const Quad length = std::max(static_cast<Quad>(*plan.length), static_cast<Quad>(rule.original_length));
  return with_base_times(f * length / rule.original_length - (f - 1), plan);
}

Quad scale_of(Quad factor, Quad m) { return factor <= 1 ? static_cast<Quad>(1) : m * logarithm(factor) / 10 + 1; }

Quad yarn_attention_factor(const scaling::Yarn& rule) {
  if (rule.attention_factor) return *rule.attention_factor;
  if (rule.mscale && *rule.mscale != 0 && rule.mscale_all_dim && *rule.mscale_all_dim != 0)
    return scale_of(rule.factor, *rule.mscale) / scale_of(rule.factor, *rule.mscale_all_dim);
  return scale_of(rule.factor, 1);
}

Scaled by_rule(const scaling::Yarn& rule, const FrequencyPlan& plan) {
  const Quad d = denominator_of(plan);
  const auto correction = [&](Quad rotations) {
    return d * logarithm(rule.original_length / (2 * pi() * rotations)) / (2 * logarithm(plan.frequencies.base));
  };
  Quad low = correction(rule.beta_fast);
  Quad high = correction(rule.beta_slow);
  if (rule.truncate) {
    low = floor(low);
    high = -floor(-high);
  }
  low = std::max(low, static_cast<Quad>(0));
  high = std::min(high, d - 1);
  if (low == high) high += 0.001;
  Scaled result{inverse(plan, plan.frequencies.base), yarn_attention_factor(rule)};
  for (std::size_t i = 0; i < result.frequencies.size(); ++i) {
    const Quad ramp =
        std::clamp((static_cast<Quad>(i) - low) / (high - low), static_cast<Quad>(0), static_cast<Quad>(1));
    const Quad e = 1 - ramp;
    result.frequencies[i] = result.frequencies[i] / rule.factor * (1 - e) + result.frequencies[i] * e;
  }
  return result;
}

Scaled by_rule(const scaling::Longrope& rule, const FrequencyPlan& plan) {
  const bool is_long = static_cast<double>(*plan.length) > rule.original_length;
  Scaled result{inverse(plan, plan.frequencies.base)};
  for (std::size_t i = 0; i < result.frequencies.size(); ++i)
    result.frequencies[i] /= is_long ? rule.long_factor[i] : rule.short_factor[i];
  if (rule.attention_factor)
    result.attention_factor = *rule.attention_factor;
  else if (rule.factor > 1)
    result.attention_factor = square_root(1 + logarithm(rule.factor) / logarithm(rule.original_length));
  return result;
}

Scaled by_rule(const scaling::Llama3& rule, const FrequencyPlan& plan) {
  Scaled result{inverse(plan, plan.frequencies.base)};
  const Quad low = rule.low_frequency_factor;
  const Quad high = rule.high_frequency_factor;
  for (Quad& inv : result.frequencies) {
    const Quad wavelength = 2 * pi() / inv;
    if (wavelength > rule.original_length / low) {
      inv /= rule.factor;
    } else if (wavelength >= rule.original_length / high) {
      const Quad s = (rule.original_length / wavelength - low) / (high - low);
      inv *= (1 - s) / rule.factor + s;
    }
  }
  return result;
}

Scaled by_rule(const scaling::Proportional& rule, const FrequencyPlan& plan) {
  Scaled result{inverse(plan, plan.frequencies.base)};
  const Quad pairs = floor(rule.fraction * static_cast<double>(plan.frequencies.dim) / 2);
  for (std::size_t i = 0; i < result.frequencies.size(); ++i)
    result.frequencies[i] = static_cast<Quad>(i) < pairs ? result.frequencies[i] / rule.factor : 0;
  return result;
}

Scaled by_rule(const scaling::Given& rule, const FrequencyPlan&) {
  return {{rule.frequencies.begin(), rule.frequencies.end()}, rule.attention_factor};
}

}  // namespace

Quad floor(Quad x) {
  Quad whole = static_cast<Quad>(static_cast<std::int64_t>(x));
  return whole > x ? whole - 1 : whole;
}

Scaled scaled(const FrequencyPlan& plan) {
  return std::visit([&](const auto& rule) { return by_rule(rule, plan); }, plan.scaling);
}

}  // namespace reference
