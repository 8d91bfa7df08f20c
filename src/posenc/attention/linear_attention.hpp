#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "posenc/attention/attention.hpp"
#include "posenc/base/error.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

struct LinearAttentionOptions {
  AttentionShape shape;  ///< its dim is that of the rotary
  bool causal = false;   ///< query i sees keys 0 ... i + query_offset alone
  std::int64_t query_offset = 0;

  static constexpr std::tuple ranges{
      ranged("queryOffset", &LinearAttentionOptions::query_offset, whole_from(-max_position, max_position)),
  };
};

/// Linear attention with rotated features (Su et al. 2021, "RoFormer", section 3.3): for query m at position p and keys
/// n at positions p_n, with R the rotation and f(x) = elu(x) + 1 of every dimension,
///
///   output_m = sum_n (R_p f(q_m)) . (R_p_n f(k_n)) v_n / sum_n f(q_m) . f(k_n).
///
/// The denominator is not rotated: it is then always positive, which the numerator's weights need not be, nor do these
/// sum up to 1. Time and memory grow with queries + keys, not with their product. An attention factor multiplies
/// the dimensions that rotate, of queries and of keys.
///
/// Shapes as in `attention`. positions: of the queries, [queries], and of the keys, [keys]. A query that sees no key
/// gets 0. Everything is in double, sums in the order of the keys; one rounding.
/// Errors: a shape whose dim is not the rotary's; sizes that do not fit; those of Positions::check; memory.
/// Largest error: 2^-24 of the result + 3e-14 * dim * (sum of |weights| |v|) / the denominator.
[[nodiscard]] Expected<void> linear_attention(const LinearAttentionOptions& options, const Rotary& rotary,
                                              const Positions& query_positions, const Positions& key_positions,
                                              std::span<const float> query, std::span<const float> key,
                                              std::span<const float> value, std::span<float> output);

}  // namespace posenc
