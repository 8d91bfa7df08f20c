#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/base/error.hpp"

namespace posenc {

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

  [[nodiscard]] std::size_t count() const { return count_; }

  /// Valid where `check` found nothing.
  [[nodiscard]] std::size_t operator[](std::size_t i) const {
    const auto id = listed_ ? std::int64_t{ids_[i]} : static_cast<std::int64_t>(i);
    return static_cast<std::size_t>(id + offset_);
  }

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
  std::size_t count_ = 0;
  bool listed_ = false;
};

}  // namespace posenc
