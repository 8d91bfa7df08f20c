#pragma once

#include <cstddef>
#include <type_traits>
#include <variant>

#include "posenc/base/function_ref.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/scaling/context.hpp"
#include "posenc/frequencies/scaling/divided.hpp"
#include "posenc/frequencies/scaling/given.hpp"
#include "posenc/frequencies/scaling/llama3.hpp"
#include "posenc/frequencies/scaling/longrope.hpp"
#include "posenc/frequencies/scaling/proportional.hpp"
#include "posenc/frequencies/scaling/yarn.hpp"

namespace posenc::scaling {

/// Returns what `use` makes of a prepared rule, or the Error of its options.
///
/// Each rule has a `prepare`, which checks its options and gives something that carries a
/// `progression` and the `attention_factor`, and that, called with an index and that term of the progression, returns a
/// frequency, both in radians per position. float32_frequency gives the same frequency, from base^(2i/d) as
/// Float32Powers has it, with the operations of modeling_rope_utils.py, in their order, each of them one of float32; a
/// number of the configuration is rounded when it meets a tensor.
template <class Result, class Use>
[[nodiscard]] Expected<Result> with_rule(const Scaling& rule, const Context& context, const Use& use) {
  return std::visit(
      [&](const auto& chosen) -> Expected<Result> {
        POSENC_TRY_LET(prepared, prepare(chosen, context));
        return use(prepared);
      },
      rule);
}

/// A prepared rule, for what takes its frequencies in float32: one type for all of them, whose users are compiled once.
struct Float32Rule {
  const Progression& progression;
  const YarnBlend* yarn;  ///< null for another rule
  /// Frequency i, from a power that Float32Powers has, or one near it.
  FunctionRef<float(std::size_t i, float power)> frequency;
};

/// Calls use(rule) with the plan's rule, and gives its errors, or those of the rule's options.
[[nodiscard]] inline Expected<void> with_float32_rule(const Scaling& scaling, const Context& context,
                                                      FunctionRef<Expected<void>(const Float32Rule&)> use) {
  return with_rule<void>(scaling, context, [&]<class Rule>(const Rule& rule) {
    const YarnBlend* yarn = nullptr;
    if constexpr (std::is_same_v<Rule, YarnBlend>) yarn = &rule;
    const auto frequency = [&](std::size_t i, float power) { return float32_frequency(rule, i, power); };
    return use({rule.progression, yarn, frequency});
  });
}

}  // namespace posenc::scaling
