#include "posenc/frequencies/frequencies.hpp"

#include <cmath>
#include <utility>
#include <variant>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/frequencies/progression.hpp"
#include "posenc/frequencies/scaling/context.hpp"
#include "posenc/frequencies/scaling/divided.hpp"
#include "posenc/frequencies/scaling/given.hpp"
#include "posenc/frequencies/scaling/llama3.hpp"
#include "posenc/frequencies/scaling/long_rope.hpp"
#include "posenc/frequencies/scaling/proportional.hpp"
#include "posenc/frequencies/scaling/yarn.hpp"

namespace posenc {
namespace {

constexpr Name exponent_names[]{
    {"paper", Exponent::paper},
    {"double-stepped", Exponent::double_stepped},
    {"half", Exponent::half},
};

Expected<void> check_given(std::span<const double> frequencies, double largest) {
  for (const double frequency : frequencies)
    if (!(std::fabs(frequency) <= largest))  // or NaN
      return wrong("frequencies", frequency, {"finite numbers of at most 2^53 radians per position"});
  return {};
}

}  // namespace

template <>
Expected<Exponent> from_name(std::string_view name) {
  return from_name<Exponent>(exponent_names, "exponent", name);
}

std::string_view name_of(Exponent exponent) { return name_of(exponent_names, exponent); }

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

/// What `prepare` of any rule gave, as one type: the work that all share is then compiled once.
struct Frequencies::Prepared {
  const Progression& progression;
  double attention_factor;
  const void* rule;
  DoubleDouble (*frequency)(const void* rule, std::size_t i, const DoubleDouble& term);

  template <class Rule>
  explicit Prepared(const Rule& prepared)
      : progression(prepared.progression),
        attention_factor(prepared.attention_factor),
        rule(&prepared),
        frequency([](const void* made, std::size_t i, const DoubleDouble& term) {
          return (*static_cast<const Rule*>(made))(i, term);
        }) {}
};

Expected<Frequencies> Frequencies::scaled(const Prepared& prepared, std::size_t count, double base) {
  auto made = zeros(count);
  if (!made) return made;
  auto terms = AlignedArray<DoubleDouble>::make_unfilled(count);
  if (!terms) return std::unexpected(terms.error());
  prepared.progression.terms(terms->span());
  for (std::size_t i = 0; i < count; ++i) made->set(i, prepared.frequency(prepared.rule, i, (*terms)[i]));
  if (!(made->largest() <= max_angle))
    return wrong("base", base, {"a base whose largest scaled frequency is at most 2^53"});
  made->attention_factor_ = prepared.attention_factor;
  return made;
}

void Frequencies::set(std::size_t i, const DoubleDouble& radians) {
  largest_ = std::fmax(largest_, std::fabs(radians.high));
  set_cycles(i, radians * cycles_per_radian);
}

void Frequencies::set_cycles(std::size_t i, const DoubleDouble& cycles) {
  const DoubleDouble halves = split(cycles.high);
  head_[i] = halves.high;
  mid_[i] = halves.low;
  tail_[i] = cycles.low;
}

Expected<Frequencies> Frequencies::make(const FrequencyOptions& options) { return make_scaled({options}); }

Expected<Frequencies> Frequencies::from_cycles(std::span<const double> cycles) {
  if (auto checked = check_given(cycles, max_angle * cycles_per_radian.high); !checked)
    return std::unexpected(checked.error());
  auto made = zeros(cycles.size());
  if (!made) return made;
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    made->largest_ = std::fmax(made->largest_, std::fabs(cycles[i]) * radians_per_cycle.high);
    made->set_cycles(i, {cycles[i], 0});
  }
  return made;
}

Expected<Frequencies> Frequencies::from_radians(std::span<const double> radians) {
  if (auto checked = check_given(radians, max_angle); !checked) return std::unexpected(checked.error());
  auto made = zeros(radians.size());
  if (!made) return made;
  for (std::size_t i = 0; i < radians.size(); ++i) made->set(i, {radians[i], 0});
  return made;
}

Expected<Frequencies> Frequencies::make_scaled(const FrequencyPlan& plan) {
  const auto context = scaling::context_of(plan);
  if (!context) return std::unexpected(context.error());
  return std::visit(
      [&](const auto& rule) -> Expected<Frequencies> {
        const auto prepared = prepare(rule, *context);
        if (!prepared) return std::unexpected(prepared.error());
        return scaled(Prepared(*prepared), context->count, plan.frequencies.base);
      },
      plan.scaling);
}

Expected<Frequencies> Frequencies::selected(std::span<const std::uint32_t> indices) const {
  auto made = zeros(indices.size());
  if (!made) return made;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    made->head_[i] = head_[indices[i]];
    made->mid_[i] = mid_[indices[i]];
    made->tail_[i] = tail_[indices[i]];
    made->largest_ = std::fmax(made->largest_, std::fabs(made->radians(i)));
  }
  made->attention_factor_ = attention_factor_;
  return made;
}

Expected<double> attention_factor(const FrequencyPlan& plan) {
  const auto context = scaling::context_of(plan);
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
  return (sum_exact_ordered(head_[i] + mid_[i], tail_[i]) * radians_per_cycle).high;
}

}  // namespace posenc
