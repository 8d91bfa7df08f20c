#pragma once

#include <cstddef>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

struct CopeInputs {
  std::size_t dim = 0;               ///< of queries and embeddings
  Future future = Future::mask;      ///< mask: keys after the query open no gate, and their bias is -infinity
  std::span<const float> query;      ///< [heads, queries, dim]
  std::span<const float> logits;     ///< what attention scores are before this bias, [heads, queries, keys]; no NaN
  std::span<const float> embedding;  ///< [positions, dim], shared by the heads; the paper's pos_emb, transposed
};

/// Contextual position encoding (Golovneva et al. 2024, "Contextual Position Encoding: Learning to Count What's
/// Important"). A gate of each key is sigmoid(logit); the position of key j for query i is the sum of the gates from j
/// on, at most positions - 1; the bias is q_i times the embedding there, interpolated between its two neighbours.
///
/// bias and counts (the positions, before interpolation): [heads, queries, keys]. In double, each rounded once.
/// Largest error of a count: 0.5 ulp + keys * 1e-15; of a bias: 0.5 ulp + keys * dim * 1e-15 * the largest product.
/// Errors: sizes that do not fit; no embeddings; a logit that is NaN; memory.
[[nodiscard]] Expected<void> cope_bias(const RelativePositions& positions, const CopeInputs& inputs,
                                       std::span<float> bias, std::span<float> counts);

}  // namespace posenc
