#include "posenc/frequencies.hpp"

#include <cmath>
#include <utility>
#include <variant>

#include "check.hpp"
#include "double_double.hpp"
#include "progression.hpp"
#include "scaling/context.hpp"
#include "scaling/divided.hpp"
#include "scaling/given.hpp"
#include "scaling/llama3.hpp"
#include "scaling/long_rope.hpp"
#include "scaling/proportional.hpp"
#include "scaling/yarn.hpp"

namespace posenc {
namespace {

constexpr Name exponent_names[]{
    {"paper", Exponent::paper},
    {"double-stepped", Exponent::double_stepped},
};

Expected<void> check_base(double base) {
  if (std::isfinite(base) && base > 0) return {};
  return wrong("base", base, {"a finite number > 0"});
}

std::size_t count_of(const FrequencyOptions& options) { return (static_cast<std::size_t>(options.dim) + 1) / 2; }

Progression progression_of(const FrequencyOptions& options, std::int64_t denominator) {
  const double steps = options.exponent == Exponent::paper ? 2 : 4;
  return {log(options.base), steps, static_cast<double>(denominator)};
}

Expected<void> check_largest(const Progression& progression, std::size_t count, double base) {
  if (progression.ln_largest(count) <= 36.7368) return {};  // ln 2^53
  return wrong("base", base, {"a base whose largest frequency is at most 2^53"});
}

Expected<scaling::Context> context_of(const FrequencyPlan& plan) {
  const FrequencyOptions& options = plan.frequencies;
  if (auto checked = check_whole("dim", options.dim, 1, max_dim); !checked) return std::unexpected(checked.error());
  const std::int64_t denominator = plan.exponent_dim.value_or(options.dim);
  if (auto checked = check_whole("exponentDim", denominator, 1, max_dim); !checked)
    return std::unexpected(checked.error());
  if (auto checked = check_base(options.base); !checked) return std::unexpected(checked.error());
  if (plan.length)
    if (auto checked = check_whole("length", *plan.length, 0, std::int64_t{1} << 53); !checked)
      return std::unexpected(checked.error());
  const std::size_t count = count_of(options);
  const Progression progression = progression_of(options, denominator);
  if (auto checked = check_largest(progression, count, options.base); !checked) return std::unexpected(checked.error());
  return scaling::Context{progression, count, static_cast<double>(options.dim), options.base, plan.length};
}

}  // namespace

Expected<Exponent> exponent_from_name(std::string_view name) {
  return from_name<Exponent>(exponent_names, "exponent", name);
}

Expected<Frequencies> Frequencies::zeros(std::size_t count) {
  const std::size_t padded = (count + lane_block - 1) / lane_block * lane_block;
  auto head = AlignedArray<double>::make(padded);
  auto mid = AlignedArray<double>::make(padded);
  auto tail = AlignedArray<double>::make(padded);
  for (const auto* array : {&head, &mid, &tail})
    if (!*array) return std::unexpected(array->error());
  Frequencies made;
  made.count_ = count;
  made.head_ = std::move(*head);
  made.mid_ = std::move(*mid);
  made.tail_ = std::move(*tail);
  return made;
}

template <class Radians>
void Frequencies::fill(const Radians& radians) {
  for (std::size_t i = 0; i < count_; ++i) set(i, radians(i));
}

void Frequencies::set(std::size_t i, const DoubleDouble& radians) {
  largest_ = std::fmax(largest_, std::fabs(radians.high));
  const DoubleDouble turns = radians * turns_per_radian;
  const DoubleDouble halves = split(turns.high);
  head_[i] = halves.high;
  mid_[i] = halves.low;
  tail_[i] = turns.low;
}

Expected<Frequencies> Frequencies::make(const FrequencyOptions& options) {
  if (auto checked = check_whole("dim", options.dim, 1, max_dim); !checked) return std::unexpected(checked.error());
  if (auto checked = check_base(options.base); !checked) return std::unexpected(checked.error());
  const std::size_t count = count_of(options);
  const Progression progression = progression_of(options, options.dim);
  if (auto checked = check_largest(progression, count, options.base); !checked) return std::unexpected(checked.error());
  auto made = zeros(count);
  if (made) made->fill(progression);
  return made;
}

Expected<Frequencies> Frequencies::make_scaled(const FrequencyPlan& plan) {
  const auto context = context_of(plan);
  if (!context) return std::unexpected(context.error());
  return std::visit(
      [&](const auto& rule) -> Expected<Frequencies> {
        const auto prepared = prepare(rule, *context);
        if (!prepared) return std::unexpected(prepared.error());
        auto made = zeros(context->count);
        if (!made) return made;
        made->fill(*prepared);
        if (!(made->largest() <= max_angle))
          return wrong("base", plan.frequencies.base, {"a base whose largest scaled frequency is at most 2^53"});
        made->attention_factor_ = prepared->attention_factor;
        return made;
      },
      plan.scaling);
}

Expected<double> attention_factor(const FrequencyPlan& plan) {
  const auto context = context_of(plan);
  if (!context) return std::unexpected(context.error());
  return std::visit(
      [&](const auto& rule) -> Expected<double> {
        const auto prepared = prepare(rule, *context);
        if (!prepared) return std::unexpected(prepared.error());
        return prepared->attention_factor;
      },
      plan.scaling);
}

double Frequencies::radians(std::size_t i) const {
  return (sum_exact_ordered(head_[i] + mid_[i], tail_[i]) * radians_per_turn).high;
}

}  // namespace posenc
