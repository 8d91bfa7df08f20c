#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/learning/encoding.hpp"
#include "posenc/learning/product.hpp"

namespace posenc::learning {

/// Dot products of the queries of a head with the rows of a table [2 clip + 1, dimensions]: the row of a query and a
/// key is that of their clipped distance, key position - query position. A query's product with each row is computed
/// once, and every key looks its own up; the gradients of a query's keys are summed over those that share a row before
/// they are multiplied. A pass needs only the rows of the distances that it has: in a causal one, where no key comes
/// after its query, about half.
class RelativeRows {
 public:
  explicit RelativeRows(std::int32_t clip) : clip_(clip) {}

  /// Allocates for all passes up to this one. Errors: memory.
  [[nodiscard]] Expected<void> reserve(const Reach& reach);

  /// Finds the distances of a pass. Below, `table` means count() rows of the whole table, from first_row() on.
  void begin_pass(const Pass& pass);
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t first_row() const {
    const std::int32_t row = first_ + clip_;
    return static_cast<std::size_t>(row);
  }

  /// scores, [length, length], += factor * query times the row of each pair; query: [length, dimensions]; table:
  /// [count(), dimensions].
  void add_to_scores(const Pass& pass, std::size_t sequence, float factor, const Strided<const float>& query,
                     const Strided<const float>& table, float* scores);

  /// Sums factor * scores, [length, length], over the keys of a query that share a row, for the two functions below.
  void sum_scores(const Pass& pass, std::size_t sequence, float factor, const float* scores);
  /// query, [length, dimensions], += the sums times the table's rows.
  void add_to_query(const Pass& pass, const Strided<const float>& table, const Strided<float>& query);
  /// table, [count(), dimensions], += the sums times the queries.
  void add_to_table(const Pass& pass, const Strided<const float>& query, const Strided<float>& table);

 private:
  template <class Use>
  void for_pairs(const Pass& pass, std::size_t sequence, const Use& use) const;

  std::int32_t clip_;
  std::int32_t first_ = 0;  ///< the smallest distance
  std::size_t count_ = 0;
  AlignedArray<float> products_;  ///< [length, count_]: of queries and rows, or the sums
  Product product_;
};

}  // namespace posenc::learning
