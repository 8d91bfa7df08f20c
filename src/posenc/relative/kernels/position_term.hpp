#pragma once

#include <cstddef>

#include "posenc/attention/kernels/query_block.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/relative/transformer_xl.hpp"

namespace posenc {

/// Adds Transformer-XL's terms to the scores q_i k_j: u k_j, once for each key of a head, and (q_i + v) r, for every
/// relative vector that a block of queries needs; each query's keys take a slice of these. T is the type of sums.
template <class T>
class PositionTerm final : public AttentionTerm<T> {
 public:
  /// Takes checked inputs, which must outlive this; blocks have at most so many rows. Errors: memory.
  [[nodiscard]] static Expected<PositionTerm> make(const RelativePositions& positions,
                                                   const TransformerXlInputs& inputs, std::size_t block_rows);

  void add_scores(const QueryBlock<T>& block, T* scores) override;

 private:
  PositionTerm(const RelativePositions& positions, const TransformerXlInputs& inputs)
      : positions_(&positions), inputs_(&inputs) {}

  void set_head(std::size_t head);

  const RelativePositions* positions_;
  const TransformerXlInputs* inputs_;
  AlignedArray<T> relative_;     ///< the head's relative vectors, [dim, distances], as panels
  AlignedArray<T> content_;      ///< scale u k_j, [keys]
  AlignedArray<T> bias_;         ///< scale u or scale v
  AlignedArray<T> scratch_;      ///< of the products with keys
  AlignedArray<T> shifted_;      ///< scale (q + v) of a block
  AlignedArray<T> products_;     ///< and its products
  std::size_t stride_ = 0;       ///< of their rows
  std::size_t head_ = SIZE_MAX;  ///< whose vectors these are
};

}  // namespace posenc
