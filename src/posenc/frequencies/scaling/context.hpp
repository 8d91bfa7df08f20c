#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/frequencies/frequencies.hpp"

namespace posenc::scaling {

/// The geometric progression scale * base^(-steps i / denominator), in radians per position.
struct Progression {
  DoubleDouble ln_base;
  double steps = 2;
  DoubleDouble denominator{1, 0};
  double scale = 1;

  /// The d of base^(-2i/d).
  [[nodiscard]] DoubleDouble dim() const { return denominator * DoubleDouble{2 / steps, 0}; }
};

/// Holds what a rule is applied to.
struct Context {
  Progression progression;  ///< the frequencies before scaling
  std::size_t count = 0;    ///< how many there are, at least 1
  double dim = 0;           ///< how many dimensions rotate
  double base = 0;
  std::optional<std::int64_t> length;
};

// For float32_frequency of each rule (rules.hpp).

inline float to_float(double x) { return static_cast<float>(x); }

/// base^(2i/d): the base and the exponent are rounded to float32, the power once more.
struct Float32Powers {
  DoubleDouble ln_base;
  float dim;

  explicit Float32Powers(const Progression& progression)
      : ln_base(log(static_cast<double>(to_float(exp(progression.ln_base).high)))),
        dim(to_float(progression.dim().high)) {}

  /// Before it is rounded: relative error 2^-90.
  [[nodiscard]] DoubleDouble exact(std::size_t i) const {
    const float exponent = static_cast<float>(2 * i) / dim;
    return exp(ln_base * DoubleDouble{exponent, 0});
  }

  [[nodiscard]] float operator()(std::size_t i) const { return to_float(exact(i).high); }
};

/// Errors unless the value is in [1e-6, 1e6].
[[nodiscard]] inline Expected<void> check_factor(std::string_view argument, double factor) {
  if (factor >= 1e-6 && factor <= 1e6) return {};
  return invalid_argument(argument, factor, expected::from_to, {"0.000001", 1000000});
}

/// Errors unless the value is in [2, 2^53].
[[nodiscard]] inline Expected<void> check_original_length(double length) {
  if (length >= 2 && length <= 9007199254740992.0) return {};
  return invalid_argument("scaling.originalLength", length, expected::from_to, {2, "2^53"});
}

/// Errors unless the value, where there is one, is in [0, 1e6].
[[nodiscard]] inline Expected<void> check_attention_factor(std::optional<double> factor) {
  if (!factor || (*factor >= 0 && *factor <= 1e6)) return {};
  return invalid_argument("scaling.attentionFactor", *factor, expected::from_to, {0, 1000000});
}

/// The plan's length, for a rule that depends on it.
[[nodiscard]] inline Expected<double> length_of(const Context& context, std::string_view rule) {
  if (context.length) return static_cast<double>(*context.length);
  return invalid_argument("length", "none", expected::length_for_rule, {rule});
}

/// The list holds one number a frequency.
[[nodiscard]] inline Expected<void> check_one_each(std::string_view argument, std::size_t size, std::size_t count) {
  if (size == count) return {};
  return invalid_argument(argument, decimal(size) + " values", expected::values, {count},
                          ", one for each rotated pair");
}

}  // namespace posenc::scaling
