#include "posenc/learned/optimizer.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

Expected<void> check(const SgdOptions& options) {
  POSENC_TRY(check_ranges(options));
  if (options.nesterov && options.momentum == 0)
    return invalid_argument("momentum", options.momentum, expected::above, {0}, " with nesterov");
  if (options.nesterov && options.dampening != 0)
    return invalid_argument("dampening", options.dampening, expected::exactly, {0}, " with nesterov");
  return options.momentum == 0 ? Expected<void>() : check_whole("step", options.step, 1, max_steps);
}

Expected<void> check(const AdamOptions& options) {
  POSENC_TRY(check_ranges(options));
  if (options.weight_decay == 0 || options.decay != WeightDecay::unnamed) return {};
  return invalid_argument("decay", std::string("none"), {"\"coupled\" or \"decoupled\" where there is a weightDecay"});
}

/// 1 - base^exponent for 0 <= base < 1, by squaring. Relative error 2^-49.
double one_less_power(double base, std::int64_t exponent) {
  DoubleDouble result{1, 0};
  for (DoubleDouble square{base, 0}; exponent > 0; exponent /= 2, square = square * square)
    if (exponent % 2 == 1) result = result * square;
  return (DoubleDouble{1, 0} - result).high;
}

}  // namespace

Expected<void> sgd_step(const SgdOptions& options, std::span<const float> gradient, std::span<float> parameters,
                        std::span<float> buffer) {
  POSENC_TRY(check(options));
  const bool has_momentum = options.momentum != 0;
  POSENC_TRY(check_arrays({{"gradient", gradient.size(), {parameters.size()}},
                           {"buffer", buffer.size(), {has_momentum ? parameters.size() : 0}}}));

  const auto step = [&](const float* slopes, float* values, float* momenta) {
    const Doubles parameter = Doubles::load(values);
    Doubles change = Doubles::load(slopes);
    if (options.weight_decay != 0) change = change + options.weight_decay * parameter;
    if (momenta != nullptr) {
      Doubles momentum = change;
      if (options.step != 1) momentum = options.momentum * Doubles::load(momenta) + (1 - options.dampening) * change;
      momentum.store(momenta);
      change = options.nesterov ? change + options.momentum * momentum : momentum;
    }
    (parameter - options.lr * change).store(values);
  };
  if (has_momentum)
    for_pieces(parameters.size(), step, gradient.data(), parameters.data(), buffer.data());
  else
    for_pieces(
        parameters.size(), [&](const float* slopes, float* values) { step(slopes, values, nullptr); }, gradient.data(),
        parameters.data());
  return {};
}

Expected<void> adam_step(const AdamOptions& options, std::span<const float> gradient, std::span<float> parameters,
                         std::span<float> first_moment, std::span<float> second_moment) {
  POSENC_TRY(check(options));
  POSENC_TRY(check_arrays({{"gradient", gradient.size(), {parameters.size()}},
                           {"firstMoment", first_moment.size(), {parameters.size()}},
                           {"secondMoment", second_moment.size(), {parameters.size()}}}));
  // Means of squares are not negative.
  const auto wrong = std::ranges::find_if(second_moment, [](float mean) { return mean < 0; });
  if (wrong != second_moment.end())
    return invalid_argument("secondMoment[" + decimal(std::int64_t{wrong - second_moment.begin()}) + "]",
                            double{*wrong}, expected::at_least, {0});

  // The two divisions of the formula in one: m / (sqrt(v) / c + eps) = c m / (sqrt(v) + c eps).
  const double correction = std::sqrt(one_less_power(options.beta2, options.step));
  const double rate = options.lr / one_less_power(options.beta1, options.step) * correction;
  const double eps = correction * options.eps;
  const double added = options.decay == WeightDecay::coupled ? options.weight_decay : 0;
  const double kept = options.decay == WeightDecay::decoupled ? 1 - options.lr * options.weight_decay : 1;
  const auto step = [&](const float* slopes, float* values, float* firsts, float* seconds) {
    const Doubles parameter = Doubles::load(values);
    Doubles slope = Doubles::load(slopes);
    if (added != 0) slope = slope + added * parameter;
    const Doubles first = options.beta1 * Doubles::load(firsts) + (1 - options.beta1) * slope;
    const Doubles second = options.beta2 * Doubles::load(seconds) + (1 - options.beta2) * slope * slope;
    first.store(firsts);
    second.store(seconds);
    const Doubles below{xsimd::sqrt(second.low) + Doubles::Batch(eps), xsimd::sqrt(second.high) + Doubles::Batch(eps)};
    (kept * parameter - rate * (first / below)).store(values);
  };
  for_pieces(parameters.size(), step, gradient.data(), parameters.data(), first_moment.data(), second_moment.data());
  return {};
}

}  // namespace posenc
