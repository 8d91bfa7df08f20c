#pragma once

#include <span>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/kernels/batched_attention.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

// Attention with relative positions as plain attention sees it: a batch of one, each head with keys of its own.

template <class Inputs>
BatchedAttentionShape shape_of(const RelativePositions& positions, const Inputs& in) {
  const std::size_t heads = positions.heads();
  return {1, heads, heads, positions.queries(), positions.keys(), in.dim, in.value_dim};
}

template <class Inputs>
AttentionOptions options_of(const RelativePositions& positions, const Inputs& in) {
  AttentionOptions options;
  options.scale = in.scale;
  options.precision = in.precision;
  options.mask.causal = in.future == Future::mask;
  options.mask.query_offset = positions.query_position(0);
  return options;
}

/// Takes checked inputs; `make_term` makes what is added, for blocks of at most so many rows. T is the type of sums.
template <class T, class Inputs, class MakeTerm>
[[nodiscard]] Expected<void> attend_relative(const RelativePositions& positions, const Inputs& in,
                                             std::span<float> weights, std::span<float> output,
                                             const MakeTerm& make_term) {
  // Without results nothing says that extents' products fit.
  if (weights.empty() && output.empty()) return {};
  const BatchedAttentionShape shape = shape_of(positions, in);
  POSENC_TRY_LET(memory, ForwardMemory<T>::make(shape));
  POSENC_TRY_LET(term, make_term(memory.rows));
  attend<T>(shape, options_of(positions, in), {in.query, in.key, in.value}, memory, weights, output, &term);
  return {};
}

}  // namespace posenc
