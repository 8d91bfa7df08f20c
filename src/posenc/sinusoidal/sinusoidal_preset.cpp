#include "posenc/sinusoidal/sinusoidal_preset.hpp"

#include <cmath>
#include <iterator>

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr Name preset_names[]{
    {"paper", SinusoidPreset::paper},     {"tensor2tensor", SinusoidPreset::tensor2tensor},
    {"whisper", SinusoidPreset::whisper}, {"diffusers", SinusoidPreset::diffusers},
    {"ggml", SinusoidPreset::ggml},       {"mlx", SinusoidPreset::mlx},
};

struct Row {
  double shift;
  Exponent exponent;
  Order order;
  bool even_only = false;
  bool one_frequency_is_fine = false;  ///< its denominator is at least 1
  bool unit_length = false;            ///< times sqrt(2 / d): every row of even d then has length 1
};

/// In the order of SinusoidPreset.
constexpr Row rows[]{
    {.shift = 0, .exponent = Exponent::paper, .order = Order::interleaved},
    {.shift = 1, .exponent = Exponent::half, .order = Order::split, .one_frequency_is_fine = true},
    {.shift = 1, .exponent = Exponent::half, .order = Order::split, .even_only = true},
    {.shift = 1, .exponent = Exponent::half, .order = Order::split},
    {.shift = 0, .exponent = Exponent::half, .order = Order::cosines_first},
    {.shift = 1, .exponent = Exponent::half, .order = Order::split, .even_only = true, .unit_length = true},
};
static_assert(std::size(rows) == std::size(preset_names));

double shift_of(const Row& row, const SinusoidChoice& choice) {
  if (choice.exponent && *choice.exponent != row.exponent) return 0;
  return row.one_frequency_is_fine && choice.dim / 2 == 1 ? 0 : row.shift;
}

}  // namespace

Expected<SinusoidPreset> sinusoid_preset_from_name(std::string_view name) {
  return from_name<SinusoidPreset>(preset_names, "preset", name);
}

Expected<SinusoidOptions> resolve(const SinusoidChoice& choice) {
  const Row& row = rows[static_cast<std::size_t>(choice.preset)];
  if (row.even_only && choice.dim % 2 != 0)
    return wrong("dim", static_cast<double>(choice.dim), {"an even number, for this preset"});
  const double amplitude = row.unit_length && choice.dim > 0 ? std::sqrt(2 / static_cast<double>(choice.dim)) : 1;
  return SinusoidOptions{
      .frequencies = {.dim = choice.dim,
                      .base = choice.base.value_or(10000),
                      .exponent = choice.exponent.value_or(row.exponent),
                      .shift = choice.shift.value_or(shift_of(row, choice)),
                      .scale = choice.scale.value_or(1)},
      .order = choice.order.value_or(row.order),
      .amplitude = choice.amplitude.value_or(amplitude),
  };
}

}  // namespace posenc
