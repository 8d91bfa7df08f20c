#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/kernels/query_block.hpp"
#include "posenc/attention/kernels/score_rows.hpp"
#include "posenc/base/aligned_array.hpp"

namespace posenc {

// attention in three steps: checks, then memory, then work that cannot fail. Multi-head attention writes
// between them, and needs them apart.
//
// A block of queries meets all keys at once: its scores, [rows, keys], stay in a near cache, and each row has its true
// maximum before any power is taken. So an output is one chain over the keys in order, whatever the block.

/// Scale, heads and sizes. Without weights these are not wanted.
[[nodiscard]] Expected<void> check_inputs(const BatchedAttentionShape& shape, const AttentionOptions& options,
                                          const CachedAttentionInputs& inputs, std::size_t weights, std::size_t output);

/// All that forward checks.
[[nodiscard]] Expected<void> check_forward(const BatchedAttentionShape& shape, const AttentionOptions& options,
                                           const CachedAttentionInputs& inputs, std::size_t weights,
                                           std::size_t output);

/// All that float32_attention checks.
[[nodiscard]] Expected<void> check_lean(const BatchedAttentionShape& shape, const AttentionOptions& options,
                                        const CachedAttentionInputs& inputs, std::size_t weights, std::size_t output);

/// How many queries that share keys make a block: their scores of type T, for this many keys, are few enough.
template <class T>
[[nodiscard]] std::size_t block_rows(const BatchedAttentionShape& shape);

/// Memory of forward, where T is the type of sums: keys and values as panels, unless those queries that share them make
/// one block, which reads them where they are; and the buffers of one block.
template <class T>
struct ForwardMemory {
  AlignedArray<T> all;
  AlignedArray<KeyRun> runs;
  T *keys = nullptr, *values = nullptr, *queries = nullptr, *scores = nullptr, *outputs = nullptr, *sums = nullptr;
  T* scratch = nullptr;  ///< of products with stored rows; as large as key_block rows of keys and of values
  std::size_t rows = 0, stride = 0;
  bool is_packed = false;

  [[nodiscard]] static Expected<ForwardMemory> make(const BatchedAttentionShape& shape, bool may_pack = true);
};

/// Weights, unless they are empty, and outputs; `term` may be null. T is float or double; with LeanTerms there is no
/// term, memory is not packed, and T is float.
template <class T, class Terms = PairTerms>
void attend(const BatchedAttentionShape& shape, const AttentionOptions& options, const CachedAttentionInputs& inputs,
            ForwardMemory<T>& memory, std::span<float> weights, std::span<float> output,
            AttentionTerm<T>* term = nullptr);

// Functions that forward shares with backward.

/// An array of `size` values of T, and the pointer that is set to it.
template <class T>
struct Part {
  T** array;
  std::size_t size;
};

/// One piece of memory for all of them, each on a boundary of 64 bytes.
template <class T>
[[nodiscard]] Expected<void> allocate_parts(std::initializer_list<Part<T>> parts, AlignedArray<T>& all);

/// The number of rows of [batch, heads, queries] in the next block, at most `rows`: with a term those of one head.
inline std::size_t rows_of(const BatchedAttentionShape& shape, std::size_t row, std::size_t rows, bool has_term) {
  return has_term ? std::min(rows, shape.queries - row % shape.queries) : rows;
}

/// How many of the first keys the rows see, rounded up to whole blocks of keys, as some panels are.
inline std::size_t seen_keys(const PairTerms& terms, std::size_t row, std::size_t rows, std::size_t keys) {
  std::size_t end = 0;
  for (std::size_t r = 0; r < rows; ++r) end = std::max(end, terms.seen_keys(row + r));
  return std::min(keys, (end + key_block - 1) / key_block * key_block);
}

template <class T>
QueryBlock<T> block_of(const BatchedAttentionShape& shape, std::size_t row, std::size_t rows, std::size_t end,
                       std::size_t stride, const T* queries) {
  const std::size_t head = row / shape.queries;
  return {head / shape.heads, head % shape.heads, row % shape.queries, rows, end, stride, queries};
}

}  // namespace posenc
