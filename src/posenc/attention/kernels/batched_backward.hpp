#pragma once

#include <cstddef>
#include <span>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/kernels/query_block.hpp"
#include "posenc/attention/kernels/score_rows.hpp"
#include "posenc/base/aligned_array.hpp"

namespace posenc {

// attention_backward in three steps, as forward (batched_attention.hpp). It computes the weights again, block
// by block: nothing has the size of queries times keys.

/// An Error unless the bias's gradient, where it is wanted, has the bias's shape, and that fits.
[[nodiscard]] Expected<void> check_bias_gradient(const BatchedAttentionShape& shape, const AttentionOptions& options,
                                                 std::size_t size);

/// Memory of backward, where T is the type of sums.
template <class T>
struct BackwardMemory {
  AlignedArray<T> all;
  T *keys = nullptr, *values = nullptr, *key_rows = nullptr;         ///< K^T and V^T as panels, and K by blocks of keys
  T *queries = nullptr, *d_queries = nullptr, *d_outputs = nullptr;  ///< of a block, in T
  T *scores = nullptr, *d_scores = nullptr, *panels = nullptr;       ///< of a block, and its queries or d_outputs
  T *d_keys = nullptr, *d_values = nullptr, *d_bias = nullptr;       ///< sums that are not kept in the gradients
  AlignedArray<KeyRun> runs;
  std::size_t rows = 0, stride = 0;

  [[nodiscard]] static Expected<BackwardMemory> make(const BatchedAttentionShape& shape, std::size_t bias);
};

/// `term` may be null. T is float or double.
template <class T>
void attend_backward(const BatchedAttentionShape& shape, const AttentionOptions& options, const AttentionInputs& inputs,
                     BackwardMemory<T>& memory, std::span<const float> d_output, const AttentionGradients& gradients,
                     AttentionTerm<T>* term = nullptr);

}  // namespace posenc
