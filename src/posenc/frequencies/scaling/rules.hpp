#pragma once

#include <variant>

#include "posenc/frequencies/scaling/context.hpp"
#include "posenc/frequencies/scaling/divided.hpp"
#include "posenc/frequencies/scaling/given.hpp"
#include "posenc/frequencies/scaling/llama3.hpp"
#include "posenc/frequencies/scaling/longrope.hpp"
#include "posenc/frequencies/scaling/proportional.hpp"
#include "posenc/frequencies/scaling/yarn.hpp"

namespace posenc::scaling {

/// What `use` makes of a prepared rule, or the Error of its options.
///
/// Each rule has a `prepare`, which checks its options and gives something that carries a `progression` and the
/// `attention_factor`, and that, called with an index and that term of the progression, returns a frequency, both in
/// radians per position. float32_frequency gives the same frequency with the operations of modeling_rope_utils.py, in
/// their order, each of them one of float32; a number of the configuration is rounded when it meets a tensor.
template <class Result, class Use>
[[nodiscard]] Expected<Result> with_rule(const Scaling& rule, const Context& context, const Use& use) {
  return std::visit(
      [&](const auto& chosen) -> Expected<Result> {
        const auto prepared = prepare(chosen, context);
        if (!prepared) return error_of(prepared);
        return use(*prepared);
      },
      rule);
}

}  // namespace posenc::scaling
