#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "posenc/base/error.hpp"

namespace posenc {

// Learned positions: a table [rows, dim] of parameters, row-major, in the caller's memory (Gehring et al. 2017; BERT,
// GPT-2; torch.nn.Embedding). table_init.hpp fills one, optimizer.hpp trains it, resize.hpp makes it longer. dim is
// 1 ... max_dim everywhere.

/// The most rows a table may have.
inline constexpr std::int64_t max_rows = std::int64_t{1} << 29;

/// Which rows of a table are looked up: consecutive ones, or those of position ids. A view: a list is not copied.
class TableRows {
 public:
  /// offset, offset + 1, ... offset + count - 1.
  [[nodiscard]] static TableRows range(std::size_t count, std::int64_t offset = 0) {
    return {{}, offset, count, false};
  }

  /// id + offset for each id, in any order, some perhaps twice. BART and OPT have an offset of 2, fairseq's tables one
  /// of padding_idx + 1 for ids that count from 0.
  [[nodiscard]] static TableRows list(std::span<const std::int32_t> ids, std::int64_t offset = 0) {
    return {ids, offset, ids.size(), true};
  }

  /// Each row so many times in a row: for tokens [..., count, times, dim].
  [[nodiscard]] TableRows each(std::size_t times) const {
    TableRows made = *this;
    made.times_ = times;
    return made;
  }

  [[nodiscard]] std::size_t count() const { return count_ * times_; }

  /// Valid where `check` found nothing.
  [[nodiscard]] std::size_t operator[](std::size_t index) const;

  /// An Error unless every row is one of 0 ... rows - 1; it names the id and its index ("ids[3]"), "length" or
  /// "offset".
  [[nodiscard]] Expected<void> check(std::size_t rows) const;

  /// An Error unless `size` values are [batch, count(), dim], whatever the batch.
  [[nodiscard]] Expected<void> check_batches(std::string_view argument, std::size_t size, std::size_t dim) const;

 private:
  TableRows(std::span<const std::int32_t> ids, std::int64_t offset, std::size_t count, bool listed)
      : ids_(ids), offset_(offset), count_(count), listed_(listed) {}

  std::span<const std::int32_t> ids_;
  std::int64_t offset_ = 0;
  std::size_t count_ = 0, times_ = 1;
  bool listed_ = false;
};

/// out[i, :] = table[rows[i], :]. out: [rows.count(), dim].
/// Errors: dim; sizes that do not fit; those of TableRows::check.
[[nodiscard]] Expected<void> lookup_rows(std::span<const float> table, std::int64_t dim, const TableRows& rows,
                                         std::span<float> out);

/// out[b, i, :] = x[b, i, :] + table[rows[i], :]. x and out: [batch, rows.count(), dim]; they may be the same memory.
/// Errors: those of lookup_rows. Largest error: 0.5 ulp.
[[nodiscard]] Expected<void> add_rows(std::span<const float> x, std::int64_t dim, std::span<const float> table,
                                      const TableRows& rows, std::span<float> out);

/// The gradient of the table for both: out[r, :] = sum of gradient[b, i, :] over all b and i with rows[i] = r.
/// gradient: [batch, rows.count(), dim]; out: [table rows, dim], overwritten. The row `padding_row` gets 0, as with
/// torch.nn.Embedding's padding_idx.
/// In double, in the order of `gradient`, each sum rounded once. Largest error: 0.501 ulp + 2^-53 * (terms - 1) * the
/// sum of their magnitudes. Errors: those of lookup_rows; a padding_row ("paddingIdx") that is no row; memory.
[[nodiscard]] Expected<void> rows_gradient(std::span<const float> gradient, std::int64_t dim, const TableRows& rows,
                                           std::optional<std::int64_t> padding_row, std::span<float> out);

/// Position ids of sequences that are padded on either side (fairseq, RoBERTa): padding_idx where `mask` is 0, and for
/// token k = 1, 2, ... of its sequence past + padding_idx + k. mask and out: [batch, sequence].
/// Errors: padding_idx ("paddingIdx") or past outside 0 ... max_rows; a sequence longer than that; sizes that do not
/// fit.
[[nodiscard]] Expected<void> padded_positions(std::span<const std::int32_t> mask, std::size_t sequence,
                                              std::int64_t padding_idx, std::int64_t past, std::span<std::int32_t> out);

}  // namespace posenc
