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
};

Expected<void> check_base(double base) {
  if (std::isfinite(base) && base > 0) return {};
  return wrong("base", base, {"a finite number > 0"});
}

double steps_per_index(Exponent exponent) { return exponent == Exponent::paper ? 2 : 4; }

/// base^(-steps * i / dim), in radians per position.
DoubleDouble frequency(DoubleDouble ln_base, const FrequencyOptions& options, std::size_t i) {
  const double numerator = -steps_per_index(options.exponent) * static_cast<double>(i);
  return exp(ln_base * DoubleDouble{numerator, 0} / DoubleDouble{static_cast<double>(options.dim), 0});
}

}  // namespace

Expected<Exponent> exponent_from_name(std::string_view name) {
  return from_name<Exponent>(exponent_names, "exponent", name);
}

Expected<Frequencies> Frequencies::make(const FrequencyOptions& options) {
  if (auto checked = check_whole("dim", options.dim, 1, max_dim); !checked) return std::unexpected(checked.error());
  if (auto checked = check_base(options.base); !checked) return std::unexpected(checked.error());

  const auto count = (static_cast<std::size_t>(options.dim) + 1) / 2;
  const DoubleDouble ln_base = log(options.base);
  // The progression is monotone: its largest term is the first, 1, or the last.
  const double ln_largest = -ln_base.high * steps_per_index(options.exponent) * static_cast<double>(count - 1) /
                            static_cast<double>(options.dim);
  if (ln_largest > 36.7368)  // ln 2^53
    return wrong("base", options.base, {"a base whose largest frequency is at most 2^53"});

  const std::size_t padded = (count + lane_block - 1) / lane_block * lane_block;
  auto head = AlignedArray<double>::make(padded);
  auto mid = AlignedArray<double>::make(padded);
  auto tail = AlignedArray<double>::make(padded);
  for (const auto* array : {&head, &mid, &tail})
    if (!*array) return std::unexpected(array->error());

  Frequencies made;
  made.count_ = count;
  for (std::size_t i = 0; i < count; ++i) {
    const DoubleDouble radians = frequency(ln_base, options, i);
    made.largest_ = std::fmax(made.largest_, radians.high);
    const DoubleDouble turns = radians * turns_per_radian;
    const DoubleDouble halves = split(turns.high);
    (*head)[i] = halves.high;
    (*mid)[i] = halves.low;
    (*tail)[i] = turns.low;
  }
  made.head_ = std::move(*head);
  made.mid_ = std::move(*mid);
  made.tail_ = std::move(*tail);
  return made;
}

double Frequencies::radians(std::size_t i) const {
  return (sum_exact_ordered(head_[i] + mid_[i], tail_[i]) * radians_per_turn).high;
}

}  // namespace posenc
