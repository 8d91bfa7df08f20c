#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/kernels/query_block.hpp"
#include "posenc/attention/kernels/score_rows.hpp"
#include "posenc/base/aligned_array.hpp"

namespace posenc {

// scaled_dot_product in three steps: checks, then memory, then work that cannot fail. Multi-head attention writes
// between them, and needs them apart.
//
// A block of queries meets all keys at once: its scores, [rows, keys], stay in a near cache, and each row has its true
// maximum before any power is taken. So an output is one chain over the keys in order, whatever the block.

/// All that forward checks. Without weights these are not wanted.
[[nodiscard]] Expected<void> check_forward(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options,
                                           const AttentionInputs& inputs, std::size_t weights, std::size_t output);

/// How many queries that share keys make a block: their scores of type T, for this many keys, are few enough.
template <class T>
[[nodiscard]] std::size_t block_rows(const BatchedAttentionShape& shape);

/// Memory of forward, where T is the type of sums: keys and values as panels, unless so few queries share them that it
/// is better to read them where they stand; and what one block needs.
template <class T>
struct ForwardMemory {
  AlignedArray<T> keys, values, queries, scores, outputs, sums;
  AlignedArray<KeyRun> runs;
  std::size_t rows = 0, stride = 0;
  bool is_packed = false;

  [[nodiscard]] static Expected<ForwardMemory> make(const BatchedAttentionShape& shape);
};

/// Weights, unless they are empty, and outputs; `term` may be null. T is float or double.
template <class T>
void attend(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options, const AttentionInputs& inputs,
            ForwardMemory<T>& memory, std::span<float> weights, std::span<float> output,
            AttentionTerm<T>* term = nullptr);

// What backward shares with it.

/// Calls use(block, first row of the block among these) for each head that rows of [batch, heads, queries] belong to.
template <class T, class Use>
void for_each_head(const BatchedAttentionShape& shape, std::size_t row, std::size_t rows, std::size_t end,
                   std::size_t stride, const T* queries, const Use& use) {
  for (std::size_t r = 0; r < rows;) {
    const std::size_t first = (row + r) % shape.queries;
    const std::size_t count = std::min(rows - r, shape.queries - first);
    const std::size_t head = (row + r) / shape.queries;
    use(QueryBlock<T>{head / shape.heads, head % shape.heads, first, count, end, stride, queries + r * shape.dim}, r);
    r += count;
  }
}

}  // namespace posenc
