#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/attention/kernels/query_block.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/relative/shaw.hpp"

namespace posenc {

/// Adds what Shaw's tables do to attention. Products with a table are made once for each of its rows that a block of
/// queries needs; a query's keys take neighbouring ones, and those at either end share one. What belongs to rows of a
/// table, such as the weights of their keys, is summed up before it is multiplied. T is the type of sums.
template <class T>
class TableTerm final : public AttentionTerm<T> {
 public:
  /// Takes checked inputs, which must outlive this; blocks have at most so many rows. For backward, which gradients are
  /// wanted. Errors: memory.
  [[nodiscard]] static Expected<TableTerm> make(const RelativePositions& positions, const ShawInputs& inputs,
                                                std::size_t block_rows, const ShawGradients* gradients = nullptr);

  void add_scores(const QueryBlock<T>& block, T* scores) override;
  void add_outputs(const QueryBlock<T>& block, const T* weights, T* outputs) override;
  void add_weight_gradients(const QueryBlock<T>& block, const float* d_outputs, T* d_weights) override;
  void add_gradients(const QueryBlock<T>& block, const T* weights, const T* d_scores, const float* d_outputs,
                     T* d_queries) override;

  /// When all blocks are done: the tables' gradients, where they are wanted.
  void write_gradients(const ShawGradients& gradients) const;

 private:
  /// A table, both ways round; null where there is none.
  struct Table {
    const float* values = nullptr;
    std::size_t dim = 0;
    bool is_finite = true;
    AlignedArray<T> columns;  ///< [dim, ids] as panels: rows of the table are columns
    AlignedArray<T> rows;     ///< [ids, dim] as panels, by blocks of ids
    AlignedArray<T> sums;     ///< of its gradient, [ids, dim]; empty: not wanted
  };

  /// The rows of a table that a block of queries needs, in whole blocks of ids: `first` ... `last` - 1.
  struct Ids {
    std::size_t first, last;
  };

  /// Which keys of a query have the first row of the tables, and from which on they have the last.
  struct Ends {
    std::size_t left, right;
    std::size_t middle;  ///< the row of key `left`, where it is before `right`
  };

  static constexpr std::size_t id_block = 64;

  explicit TableTerm(const RelativePositions& positions, std::int64_t max_distance)
      : positions_(&positions), max_distance_(max_distance) {}

  [[nodiscard]] Expected<void> set_table(Table& table, std::span<const float> values, std::size_t dim, bool sums);
  [[nodiscard]] std::size_t ids() const { return 2 * static_cast<std::size_t>(max_distance_) + 1; }
  [[nodiscard]] std::size_t id(std::size_t query, std::size_t key) const;
  [[nodiscard]] Ids ids_of(const QueryBlock<T>& block) const;
  [[nodiscard]] Ends ends_of(std::size_t query, std::size_t end) const;

  void add_products(const QueryBlock<T>& block, const Table& table, const T* vectors, T* scores);
  void gather(const QueryBlock<T>& block, const Ids& needed, const T* weights);
  void add_rows(const QueryBlock<T>& block, const Ids& needed, const Table& table, T* outputs) const;
  void add_table_gradient(const QueryBlock<T>& block, const Ids& needed, const T* vectors, Table& table);

  const RelativePositions* positions_;
  std::int64_t max_distance_;
  Table key_, value_;
  AlignedArray<T> compact_;    ///< [block's rows, ids], `stride_` apart
  AlignedArray<T> d_outputs_;  ///< of a block
  AlignedArray<T> vectors_;    ///< these or its queries, as panels
  std::size_t stride_ = 0;
};

}  // namespace posenc
