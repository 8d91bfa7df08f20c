#include "posenc/relative/kernels/table_term.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/attention/kernels/score_rows.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/kernels/row_steps.hpp"

namespace posenc {

template <class T>
Expected<TableTerm<T>> TableTerm<T>::make(const RelativePositions& positions, const ShawInputs& inputs,
                                          std::size_t block_rows, const ShawGradients* gradients) {
  const bool is_backward = gradients != nullptr;
  TableTerm made(positions, inputs.max_distance);
  POSENC_TRY(made.set_table(made.key_, inputs.key_table, inputs.dim, is_backward && !gradients->key_table.empty()));
  POSENC_TRY(made.set_table(made.value_, inputs.value_table, inputs.value_dim,
                            is_backward && !gradients->value_table.empty()));
  // A block needs a row for each of its keys and one for each further query, in whole blocks.
  made.stride_ = std::min(made.ids(), positions.keys() + block_rows + 2 * id_block);
  const std::size_t widest = std::max(inputs.dim, inputs.value_dim);
  POSENC_TRY(allocate({{made.compact_, block_rows * made.stride_},
                       {made.d_outputs_, is_backward ? block_rows * inputs.value_dim : 0},
                       {made.vectors_, is_backward ? panels_size<T>(block_rows, widest) : 0}},
                      Fill::none));
  return made;
}

template <class T>
Expected<void> TableTerm<T>::set_table(Table& table, std::span<const float> values, std::size_t dim, bool sums) {
  if (values.empty()) return {};
  table.values = values.data();
  table.dim = dim;
  table.is_finite = all_finite(values.data(), values.size());
  POSENC_TRY(allocate({{table.columns, panels_size<T>(dim, ids())},
                       {table.rows, panels_size<T>(ids(), dim)},
                       {table.sums, sums ? values.size() : 0}}));
  const Strided<const float> rows{values.data(), dim, 1};
  pack_panels<T>(dim, ids(), transposed(rows), table.columns.data());
  for (std::size_t first = 0; first < ids(); first += id_block)
    pack_panels<T>(std::min(id_block, ids() - first), dim, rows.from(first, 0),
                   table.rows.data() + panels_size<T>(first, dim));
  return {};
}

template <class T>
std::size_t TableTerm<T>::id(std::size_t query, std::size_t key) const {
  const std::int64_t distance = positions_->distance(positions_->compact_row(query) + key);
  return static_cast<std::size_t>(std::clamp(distance, -max_distance_, max_distance_) + max_distance_);
}

template <class T>
typename TableTerm<T>::Ids TableTerm<T>::ids_of(const QueryBlock<T>& block) const {
  const std::size_t last = id(block.first, block.end - 1) / id_block * id_block + id_block;
  return {id(block.first + block.rows - 1, 0) / id_block * id_block, std::min(ids(), last)};
}

template <class T>
typename TableTerm<T>::Ends TableTerm<T>::ends_of(std::size_t query, std::size_t end) const {
  const std::int64_t position = positions_->query_position(query);
  const auto keys_before = [&](std::int64_t distance) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(position + distance, 0, static_cast<std::int64_t>(end)));
  };
  const std::size_t left = keys_before(1 - max_distance_);
  return {left, std::max(left, keys_before(max_distance_)), left < end ? id(query, left) : 0};
}

/// scores += what vectors of the queries, `table.dim` each, make with the rows of a table.
template <class T>
void TableTerm<T>::add_products(const QueryBlock<T>& block, const Table& table, const T* vectors, T* scores) {
  if (table.values == nullptr || block.end == 0) return;
  const Ids needed = ids_of(block);
  multiply_panels<T, T>(block.rows, table.dim, needed.last - needed.first, row_major(vectors, table.dim),
                        table.columns.data() + needed.first * table.dim, compact_.data(), stride_, false);
  for (std::size_t r = 0; r < block.rows; ++r) {
    const auto [left, right, middle] = ends_of(block.first + r, block.end);
    const T* const row = compact_.data() + r * stride_;
    T* const to = scores + r * block.stride;
    if (left > 0) add_value(row[0], left, to);
    if (right > left) add_row(row + middle - needed.first, right - left, to + left);
    if (right < block.end) add_value(row[ids() - 1 - needed.first], block.end - right, to + right);
  }
}

/// compact_ = the sums of weights over the keys that share a row of a table.
template <class T>
void TableTerm<T>::gather(const QueryBlock<T>& block, const Ids& needed, const T* weights) {
  for (std::size_t r = 0; r < block.rows; ++r) {
    const auto [left, right, middle] = ends_of(block.first + r, block.end);
    const T* const from = weights + r * block.stride;
    T* const row = compact_.data() + r * stride_;
    std::fill_n(row, needed.last - needed.first, T{0});
    if (left > 0) row[0] = sum_of_row(from, left);
    if (right > left) std::copy(from + left, from + right, row + middle - needed.first);
    if (right < block.end) row[ids() - 1 - needed.first] += sum_of_row(from + right, block.end - right);
  }
}

/// outputs [rows, table.dim] += compact_ times the table. A row without weight leaves no trace, whatever it holds.
template <class T>
void TableTerm<T>::add_rows(const QueryBlock<T>& block, const Ids& needed, const Table& table, T* outputs) const {
  if (!table.is_finite) {
    for (std::size_t r = 0; r < block.rows; ++r)
      for (std::size_t k = needed.first; k < needed.last; ++k)
        if (const T weight = compact_[r * stride_ + k - needed.first]; weight != 0)
          for (std::size_t i = 0; i < table.dim; ++i)
            outputs[r * table.dim + i] += weight * static_cast<T>(table.values[k * table.dim + i]);
    return;
  }
  for (std::size_t first = needed.first; first < needed.last; first += id_block)
    multiply_panels<T, T>(block.rows, std::min(id_block, needed.last - first), table.dim,
                          {compact_.data() + first - needed.first, stride_, 1},
                          table.rows.data() + panels_size<T>(first, table.dim), outputs, table.dim, true);
}

/// The table's sums += compact_^T vectors [rows, table.dim].
template <class T>
void TableTerm<T>::add_table_gradient(const QueryBlock<T>& block, const Ids& needed, const T* vectors, Table& table) {
  const std::size_t dim = table.dim;
  T* const sums = table.sums.data() + needed.first * dim;
  if (!all_finite(vectors, block.rows * dim)) {
    for (std::size_t r = 0; r < block.rows; ++r)
      for (std::size_t k = 0; k < needed.last - needed.first; ++k)
        if (const T weight = compact_[r * stride_ + k]; weight != 0)
          for (std::size_t i = 0; i < dim; ++i) sums[k * dim + i] += weight * vectors[r * dim + i];
    return;
  }
  pack_panels<T>(block.rows, dim, row_major(vectors, dim), vectors_.data());
  multiply_panels<T, T>(needed.last - needed.first, block.rows, dim, {compact_.data(), 1, stride_}, vectors_.data(),
                        sums, dim, true);
}

template <class T>
void TableTerm<T>::add_scores(const QueryBlock<T>& block, T* scores) {
  add_products(block, key_, block.queries, scores);
}

template <class T>
void TableTerm<T>::add_outputs(const QueryBlock<T>& block, const T* weights, T* outputs) {
  if (value_.values == nullptr || block.end == 0) return;
  const Ids needed = ids_of(block);
  gather(block, needed, weights);
  add_rows(block, needed, value_, outputs);
}

template <class T>
void TableTerm<T>::add_weight_gradients(const QueryBlock<T>& block, const float* d_outputs, T* d_weights) {
  if (value_.values == nullptr) return;
  // They are there for add_gradients, too.
  scale_values(d_outputs, 1, block.rows * value_.dim, d_outputs_.data());
  add_products(block, value_, d_outputs_.data(), d_weights);
}

template <class T>
void TableTerm<T>::add_gradients(const QueryBlock<T>& block, const T* weights, const T* d_scores,
                                 const float* /* d_outputs */, T* d_queries) {
  if (block.end == 0) return;
  const Ids needed = ids_of(block);
  if (value_.sums.size() != 0) {
    gather(block, needed, weights);
    add_table_gradient(block, needed, d_outputs_.data(), value_);
  }
  if (key_.values == nullptr) return;
  gather(block, needed, d_scores);
  add_rows(block, needed, key_, d_queries);
  if (key_.sums.size() != 0) add_table_gradient(block, needed, block.queries, key_);
}

template <class T>
void TableTerm<T>::write_gradients(const ShawGradients& gradients) const {
  if (!gradients.key_table.empty())
    write_quotients(key_.sums.data(), T{1}, key_.sums.size(), gradients.key_table.data());
  if (!gradients.value_table.empty())
    write_quotients(value_.sums.data(), T{1}, value_.sums.size(), gradients.value_table.data());
}

template class TableTerm<float>;
template class TableTerm<double>;

}  // namespace posenc
