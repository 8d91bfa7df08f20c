#pragma once

#include <cstdint>
#include <vector>

namespace posenc::diagnosis {

/// How the differences of two cells become one number.
enum class WindowIndex : std::uint8_t {
  plain,      ///< the last axis counts fastest, each axis by as many differences as it has
  reversed,   ///< the first axis counts fastest
  own_width,  ///< an axis is multiplied by the number of its own differences, not by those of the axes behind it
};

/// How the pairs of a window's tokens have rows of a table, or ids.
struct WindowWay {
  std::vector<std::int64_t> extents;
  bool class_token = false;
  bool by_columns = false;  ///< cells are numbered column by column
  WindowIndex index = WindowIndex::plain;
  bool class_last = false;
  bool operator==(const WindowWay&) const = default;

  [[nodiscard]] std::int64_t cells() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents) product *= extent;
    return product;
  }
  [[nodiscard]] std::int64_t tokens() const { return cells() + (class_token ? 1 : 0); }
  [[nodiscard]] std::int64_t rows() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents) product *= 2 * extent - 1;
    return product + (class_token ? 3 : 0);
  }
};

/// The rows, or ids, of all pairs.
class WindowRows {
 public:
  WindowRows() = default;
  explicit WindowRows(WindowWay way);

  [[nodiscard]] std::int64_t row(std::int64_t query, std::int64_t key) const;
  /// That of two tokens in one place.
  [[nodiscard]] std::int64_t centre() const { return centre_; }

 private:
  [[nodiscard]] std::int64_t sum_of(std::int64_t cell) const;

  WindowWay way_ = {};
  std::vector<std::int64_t> strides_, sums_;
  std::int64_t centre_ = 0;
};

/// All other shapes of as many cells: ids do not depend on the rows of a table.
[[nodiscard]] std::vector<std::vector<std::int64_t>> other_windows(const WindowWay& right);

}  // namespace posenc::diagnosis
