#include "posenc/relative/kernels/position_term.hpp"

#include <algorithm>
#include <utility>

#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/attention/kernels/score_rows.hpp"
#include "posenc/attention/kernels/stored_product.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/kernels/row_steps.hpp"

namespace posenc {
namespace {

/// Panels are entered at multiples of their width.
constexpr std::size_t column_block = 64;

}  // namespace

template <class T>
Expected<PositionTerm<T>> PositionTerm<T>::make(const RelativePositions& positions, const TransformerXlInputs& inputs,
                                                std::size_t block_rows) {
  PositionTerm made(positions, inputs);
  made.stride_ = std::min(positions.distances(), positions.keys() + block_rows + column_block);
  POSENC_TRY(allocate({{made.relative_, panels_size<T>(inputs.dim, positions.distances())},
                       {made.content_, positions.keys()},
                       {made.bias_, inputs.dim},
                       {made.scratch_, stored_scratch<T>(inputs.dim)},
                       {made.shifted_, block_rows * inputs.dim},
                       {made.products_, block_rows * made.stride_}},
                      Fill::none));
  return made;
}

template <class T>
void PositionTerm<T>::set_head(std::size_t head) {
  if (std::exchange(head_, head) == head) return;
  const std::size_t dim = inputs_->dim, keys = positions_->keys(), distances = positions_->distances();
  pack_panels<T>(dim, distances, transposed(row_major(inputs_->relative.data() + head * distances * dim, dim)),
                 relative_.data());
  scale_values(inputs_->content_bias.data() + head * dim, inputs_->scale, dim, bias_.data());
  multiply_stored_columns<T>(1, keys, row_major<const T>(bias_.data(), dim),
                             {inputs_->key.data() + head * keys * dim, dim, dim}, content_.data(), keys, false,
                             scratch_.data());
  scale_values(inputs_->position_bias.data() + head * dim, inputs_->scale, dim, bias_.data());
}

template <class T>
void PositionTerm<T>::add_scores(const QueryBlock<T>& block, T* scores) {
  if (block.end == 0) return;
  set_head(block.head);
  const std::size_t dim = inputs_->dim;
  for (std::size_t r = 0; r < block.rows; ++r) {
    std::copy_n(block.queries + r * dim, dim, shifted_.data() + r * dim);
    add_row(bias_.data(), dim, shifted_.data() + r * dim);
  }
  // The last query's keys begin first.
  const std::size_t first = positions_->compact_row(block.first + block.rows - 1) / column_block * column_block;
  const std::size_t last = positions_->compact_row(block.first) + block.end;
  multiply_panels<T, T>(block.rows, dim, last - first, row_major<const T>(shifted_.data(), dim),
                        relative_.data() + first * dim, products_.data(), stride_, false);
  for (std::size_t r = 0; r < block.rows; ++r) {
    T* const row = scores + r * block.stride;
    add_row(content_.data(), block.end, row);
    add_row(products_.data() + r * stride_ + positions_->compact_row(block.first + r) - first, block.end, row);
  }
}

template class PositionTerm<float>;
template class PositionTerm<double>;

}  // namespace posenc
