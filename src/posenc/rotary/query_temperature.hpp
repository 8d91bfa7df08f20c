#pragma once

#include <cstddef>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/frequencies/positions.hpp"
#include "posenc/rotary/sequence_shape.hpp"

namespace posenc {

/// Queries far into a text are made longer, so that attention over more keys stays as sharp: the one at position p is
/// multiplied by 1 + slope ln(1 + floor((p + shift) / period)).
///
/// Llama 4 has it with shift 1 in layers that do not rotate, Ministral 3 with shift 0 in all (`get_llama_4_attn_scale`
/// in modeling_ministral3.py of Hugging Face transformers 5).
struct QueryTemperature {
  double slope = 0.1;
  double shift = 0;
  double period = 8192;

  static constexpr std::tuple ranges{
      ranged("slope", &QueryTemperature::slope, any_finite()),
      ranged("shift", &QueryTemperature::shift, any_finite()),
      ranged("period", &QueryTemperature::period, above(0)),
  };
};

/// Multiplies the queries `x` (size: shape.size()) in place. The factor is rounded to float32 once, and so is each
/// product. Largest error of the factor: 0.501 ulp.
/// Errors: a slope or shift that is not finite, a period that is not finite and > 0; an x of another size; positions of
/// another count, and such for which floor((p + shift) / period) is not a finite number >= 0. `x` is then unchanged.
[[nodiscard]] Expected<void> scale_queries(const QueryTemperature& temperature, std::span<float> x,
                                           const SequenceShape& shape, const Positions& positions);

/// The Error that scale_queries would return for these arguments; if none, whether each row of the batch has its own
/// positions.
[[nodiscard]] Expected<bool> check_queries(const QueryTemperature& temperature, std::size_t size,
                                           const SequenceShape& shape, const Positions& positions);

}  // namespace posenc
