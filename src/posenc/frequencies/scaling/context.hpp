#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "posenc/base/double_double.hpp"
#include "posenc/base/error.hpp"
#include "posenc/frequencies/frequency_plan.hpp"
#include "posenc/frequencies/progression.hpp"

namespace posenc::scaling {

/// What a rule is applied to. Each rule is a struct of posenc/scaling.hpp and here a `prepare` of it, which checks its
/// options and gives something that carries a `progression` and the `attention_factor`, and that, called with an index
/// and that term of the progression, returns a frequency, both in radians per position.
struct Context {
  Progression progression;  ///< the frequencies before scaling
  std::size_t count = 0;    ///< how many there are, at least 1
  double dim = 0;           ///< how many lanes rotate
  double base = 0;
  std::optional<std::int64_t> length;
};

/// What the plan's rule is applied to. Errors: all of the plan's but those of its rule.
[[nodiscard]] Expected<Context> context_of(const FrequencyPlan& plan);

/// Errors unless the value is in [1e-6, 1e6].
[[nodiscard]] Expected<void> check_factor(std::string_view argument, double factor);

/// Errors unless the value is in [2, 2^53].
[[nodiscard]] Expected<void> check_original_length(double length);

/// Errors unless the value, where there is one, is in [0, 1e6].
[[nodiscard]] Expected<void> check_attention_factor(std::optional<double> factor);

/// The plan's length, for a rule that depends on it.
[[nodiscard]] Expected<double> length_of(const Context& context, std::string_view rule);

/// The list holds one number a frequency.
[[nodiscard]] Expected<void> check_one_each(std::string_view argument, std::size_t size, std::size_t count);

}  // namespace posenc::scaling
