#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/learning/encoding.hpp"
#include "posenc/learning/product.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc::learning {

/// Which row of a table a pair of a query and a key takes: that of their distance.
struct DistanceRule {
  RelativeSign sign = RelativeSign::key_minus_query;
  bool is_of_keys = false;           ///< keys are multiplied by rows of the table, not queries
  std::int32_t least = 0, most = 0;  ///< distances beyond these are taken as these; least <= 0 <= most
};

/// Products of the tokens of a head with the rows of a table that their distances ask for. A token's product with each
/// row is computed once, and every pair looks its own up; on the way back, what the pairs of a token have is summed up
/// over those that share a row before it is multiplied. Of the table, a pass needs the rows of the distances that it
/// has: in a causal one, where no key comes after its query, about half.
class RelativeRows {
 public:
  explicit RelativeRows(const DistanceRule& rule) : rule_(rule) {}

  [[nodiscard]] bool is_of_keys() const { return rule_.is_of_keys; }

  /// Room for all passes up to this one. Errors: memory.
  [[nodiscard]] Expected<void> reserve(const Reach& reach);
  /// The most rows that such a pass needs.
  [[nodiscard]] std::size_t rows_up_to(const Reach& reach) const;

  /// Finds the distances of a pass. What is called `table` below is the rows of these alone: so many, from this one on
  /// of a table with a row for each distance from the rule's least to its most.
  void begin(const Pass& pass);
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t first_row() const { return static_cast<std::size_t>(std::int64_t{first_} - rule_.least); }

  /// scores, [length, length], += factor * tokens times the row of each pair; tokens: [length, dimensions], the
  /// queries, or the keys; table: [count(), dimensions].
  void add_to_pairs(const Pass& pass, std::size_t sequence, float factor, const Strided<const float>& tokens,
                    const Strided<const float>& table, float* scores);

  /// For the two below: factor * pairs, [length, length], summed up over the pairs of a token that share a row.
  void sum_pairs(const Pass& pass, std::size_t sequence, float factor, const float* pairs);
  /// tokens, [length, dimensions], += the sums times the table's rows.
  void add_to_tokens(const Pass& pass, const Strided<const float>& table, const Strided<float>& tokens);
  /// table, [count(), dimensions], += the sums times the tokens.
  void add_to_table(const Pass& pass, const Strided<const float>& tokens, const Strided<float>& table);

 private:
  template <class Use>
  void for_pairs(const Pass& pass, std::size_t sequence, const Use& use) const;

  DistanceRule rule_;
  std::int32_t first_ = 0;  ///< the smallest distance
  std::size_t count_ = 0;
  AlignedArray<float> products_;  ///< [length, count_]: of tokens and rows, or the sums
  Product product_;
};

}  // namespace posenc::learning
