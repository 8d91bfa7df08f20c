#include "posenc/learned/learned_table.hpp"

#include <string>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/frequencies.hpp"

namespace posenc {
namespace {

/// How many rows a table of this many values has.
Expected<std::size_t> rows_of(std::string_view argument, std::size_t size, std::int64_t dim) {
  POSENC_TRY(check_whole("dim", dim, 1, max_dim));
  const auto dims = static_cast<std::size_t>(dim);
  if (size % dims != 0 || size / dims > static_cast<std::size_t>(max_rows))
    return invalid_argument(argument, static_cast<double>(size),
                            {"a multiple of ", decimal(dim), " values, at most ", decimal(max_rows), " rows"});
  return size / dims;
}

}  // namespace

std::size_t TableRows::operator[](std::size_t index) const {
  const std::size_t i = index / times_;
  const auto id = listed_ ? std::int64_t{ids_[i]} : static_cast<std::int64_t>(i);
  return static_cast<std::size_t>(id + offset_);
}

Expected<void> TableRows::check(std::size_t rows) const {
  POSENC_TRY(check_whole("offset", offset_, -max_rows, max_rows));
  const auto end = static_cast<std::int64_t>(rows);
  if (!listed_) {
    POSENC_TRY(check_whole("offset", offset_, 0, end));
    if (count_ <= static_cast<std::size_t>(end - offset_)) return {};
    return invalid_argument("length", static_cast<double>(count_),
                            {"at most ", decimal(end - offset_), ": the table has ", decimal(rows), " rows"});
  }
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    const std::int64_t row = ids_[i] + offset_;
    if (row >= 0 && row < end) continue;
    std::string argument = "ids[";
    argument += decimal(i);
    argument += "]";
    if (end == 0) return invalid_argument(argument, ids_[i], {"no id: the table has no rows"});
    return check_whole(argument, ids_[i], -offset_, end - 1 - offset_);
  }
  return {};
}

Expected<void> TableRows::check_batches(std::string_view argument, std::size_t size, std::size_t dim) const {
  const bool fits = count() == 0 ? size == 0 : size % dim == 0 && size / dim % count() == 0;
  if (fits) return {};
  return invalid_argument(argument, static_cast<double>(size),
                          {"a multiple of ", decimal(count()), " * ", decimal(dim), " values"});
}

Expected<void> lookup_rows(std::span<const float> table, std::int64_t dim, const TableRows& rows,
                           std::span<float> out) {
  POSENC_TRY_LET(table_rows, rows_of("table", table.size(), dim));
  const auto dims = static_cast<std::size_t>(dim);
  POSENC_TRY(rows.check(table_rows));
  POSENC_TRY(check_size("out", out.size(), rows.count(), dims));
  for (std::size_t i = 0; i < rows.count(); ++i) copy_row(table.data() + rows[i] * dims, dims, out.data() + i * dims);
  return {};
}

Expected<void> add_rows(std::span<const float> x, std::int64_t dim, std::span<const float> table, const TableRows& rows,
                        std::span<float> out) {
  POSENC_TRY_LET(table_rows, rows_of("table", table.size(), dim));
  const auto dims = static_cast<std::size_t>(dim);
  POSENC_TRY(rows.check_batches("x", x.size(), dims));
  POSENC_TRY(rows.check(table_rows));
  POSENC_TRY(check_size("out", out.size(), x.size()));
  for (std::size_t start = 0; start < x.size(); start += rows.count() * dims)
    for (std::size_t i = 0; i < rows.count(); ++i) {
      const std::size_t at = start + i * dims;
      add_values(dims, x.data() + at, table.data() + rows[i] * dims, out.data() + at);
    }
  return {};
}

Expected<void> rows_gradient(std::span<const float> gradient, std::int64_t dim, const TableRows& rows,
                             std::optional<std::int64_t> padding_row, std::span<float> out) {
  POSENC_TRY_LET(table_rows, rows_of("out", out.size(), dim));
  const auto dims = static_cast<std::size_t>(dim);
  POSENC_TRY(rows.check_batches("gradient", gradient.size(), dims));
  POSENC_TRY(rows.check(table_rows));
  if (padding_row) {
    POSENC_TRY(check_whole("paddingIdx", *padding_row, 0, static_cast<std::int64_t>(table_rows) - 1));
  }
  POSENC_TRY_LET(sums, AlignedArray<double>::make(out.size()));
  for (std::size_t start = 0; start < gradient.size(); start += rows.count() * dims)
    for (std::size_t i = 0; i < rows.count(); ++i) {
      const std::size_t row = rows[i];
      if (padding_row && row == static_cast<std::size_t>(*padding_row)) continue;
      add_to_sums(dims, gradient.data() + start + i * dims, sums.data() + row * dims);
    }
  round_values(out.size(), sums.data(), out.data());
  return {};
}

Expected<void> padded_positions(std::span<const std::int32_t> mask, std::size_t sequence, std::int64_t padding_idx,
                                std::int64_t past, std::span<std::int32_t> out) {
  POSENC_TRY(check_whole("paddingIdx", padding_idx, 0, max_rows));
  POSENC_TRY(check_whole("past", past, 0, max_rows));
  if (sequence > static_cast<std::size_t>(max_rows))
    return invalid_argument("sequence", static_cast<double>(sequence), expected::at_most, {max_rows});
  if (sequence == 0 ? !mask.empty() : mask.size() % sequence != 0)
    return invalid_argument("mask", static_cast<double>(mask.size()), expected::multiple_of_values, {sequence});
  POSENC_TRY(check_size("out", out.size(), mask.size()));
  const auto padding = static_cast<std::int32_t>(padding_idx);
  for (std::size_t start = 0; start < mask.size(); start += sequence) {
    auto last = static_cast<std::int32_t>(padding_idx + past);
    for (std::size_t i = start; i < start + sequence; ++i) {
      const bool is_token = mask[i] != 0;
      last += is_token ? 1 : 0;
      out[i] = is_token ? last : padding;
    }
  }
  return {};
}

}  // namespace posenc
