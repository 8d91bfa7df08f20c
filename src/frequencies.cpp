#include "posenc/frequencies.hpp"

#include <cmath>
#include <utility>

#include "check.hpp"
#include "double_double.hpp"

namespace posenc {
namespace {

constexpr Name exponent_names[]{
    {"paper", Exponent::paper},
    {"double-stepped", Exponent::double_stepped},
    {"half", Exponent::half},
};

Expected<void> check_base(double base) {
  if (std::isfinite(base) && base > 0) return {};
  return wrong("base", base, {"a finite number > 0"});
}

/// base^(-steps * i / denominator), in radians per position.
struct Progression {
  DoubleDouble ln_base;
  double steps;
  DoubleDouble denominator;

  [[nodiscard]] double approximate_ln(std::size_t i) const {
    return -ln_base.high * steps * static_cast<double>(i) / denominator.high;
  }

  [[nodiscard]] DoubleDouble operator()(std::size_t i) const {
    if (approximate_ln(i) < -1400) return {};  // far below what a double holds
    return exp(ln_base * DoubleDouble{-steps * static_cast<double>(i), 0} / denominator);
  }
};

std::int64_t half_of(const FrequencyOptions& options) { return options.dim / 2; }

Progression progression_of(const FrequencyOptions& options) {
  const DoubleDouble ln_base = log(options.base);
  if (options.exponent == Exponent::half)
    return {ln_base, 1, sum_exact(static_cast<double>(half_of(options)), -options.shift)};
  return {ln_base, options.exponent == Exponent::paper ? 2.0 : 4.0, {static_cast<double>(options.dim), 0}};
}

Expected<void> check_shift(const FrequencyOptions& options) {
  if (options.exponent != Exponent::half) {
    if (options.shift == 0) return {};
    return wrong("shift", options.shift, {"0, for an exponent other than \"half\""});
  }
  if (std::isfinite(options.shift) && options.shift != static_cast<double>(half_of(options))) return {};
  return wrong(
      "shift", options.shift,
      {"a finite number other than half of dim (", decimal(half_of(options)), "), which would divide by zero"});
}

Expected<void> check_given(std::span<const double> frequencies, double largest) {
  for (const double frequency : frequencies)
    if (!(std::fabs(frequency) <= largest))  // or NaN
      return wrong("frequencies", frequency, {"finite numbers of at most 2^53 radians per position"});
  return {};
}

/// A progression is monotone: its largest term is the first, 1, or the last.
Expected<void> check_largest(const Progression& progression, std::size_t count, const FrequencyOptions& options) {
  const double ln_last = progression.approximate_ln(count - 1);
  if (ln_last > 36.7368)  // ln 2^53
    return wrong(options.base < 1 ? "base" : "shift", options.base < 1 ? options.base : options.shift,
                 {"a ", options.base < 1 ? "base" : "shift", " whose largest frequency is at most 2^53"});
  const double largest = exp({std::fmax(ln_last, 0), 0}).high;
  if (std::isfinite(options.scale) && std::fabs(options.scale) * largest <= max_angle) return {};
  return wrong("scale", options.scale, {"a finite number with which the largest frequency is at most 2^53"});
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

void Frequencies::set(std::size_t i, const DoubleDouble& radians) {
  largest_ = std::fmax(largest_, std::fabs(radians.high));
  set_turns(i, radians * turns_per_radian);
}

void Frequencies::set_turns(std::size_t i, const DoubleDouble& turns) {
  const DoubleDouble halves = split(turns.high);
  head_[i] = halves.high;
  mid_[i] = halves.low;
  tail_[i] = turns.low;
}

Expected<Frequencies> Frequencies::make(const FrequencyOptions& options) {
  const std::int64_t least = options.exponent == Exponent::half ? 2 : 1;
  if (auto checked = check_whole("dim", options.dim, least, max_dim); !checked) return std::unexpected(checked.error());
  if (auto checked = check_base(options.base); !checked) return std::unexpected(checked.error());
  if (auto checked = check_shift(options); !checked) return std::unexpected(checked.error());

  const std::int64_t count = options.exponent == Exponent::half ? half_of(options) : (options.dim + 1) / 2;
  const Progression progression = progression_of(options);
  if (auto checked = check_largest(progression, static_cast<std::size_t>(count), options); !checked)
    return std::unexpected(checked.error());
  auto made = zeros(static_cast<std::size_t>(count));
  if (!made) return made;
  for (std::size_t i = 0; i < made->count_; ++i)
    made->set(i, options.scale == 1 ? progression(i) : progression(i) * DoubleDouble{options.scale, 0});
  return made;
}

Expected<Frequencies> Frequencies::from_turns(std::span<const double> turns) {
  if (auto checked = check_given(turns, max_angle * turns_per_radian.high); !checked)
    return std::unexpected(checked.error());
  auto made = zeros(turns.size());
  if (!made) return made;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    made->largest_ = std::fmax(made->largest_, std::fabs(turns[i]) * radians_per_turn.high);
    made->set_turns(i, {turns[i], 0});
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

double Frequencies::radians(std::size_t i) const {
  return (sum_exact_ordered(head_[i] + mid_[i], tail_[i]) * radians_per_turn).high;
}

}  // namespace posenc
