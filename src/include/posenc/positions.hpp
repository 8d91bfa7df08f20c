#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "posenc/error.hpp"

namespace posenc {

/// Which positions to encode: consecutive ones, or any list. A view: a list is not copied.
class Positions {
 public:
  /// offset, offset + 1, ... offset + count - 1, each sum rounded to double. An offset may be negative or fractional.
  [[nodiscard]] static Positions range(std::size_t count, double offset = 0) { return {{}, offset, count}; }

  /// Any positions in any order, fractional and negative ones too.
  [[nodiscard]] static Positions list(std::span<const double> positions) { return {positions, 0, positions.size()}; }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double operator[](std::size_t i) const {
    return list_.data() != nullptr ? list_[i] : offset_ + static_cast<double>(i);
  }

  /// Where these are consecutive whole numbers of magnitude 2^44 at most: the first of them.
  [[nodiscard]] std::optional<double> first_whole() const;

  /// An Error unless every position is finite and its largest angle, |position| * `largest_frequency` (radians per
  /// position), at most max_angle.
  [[nodiscard]] Expected<void> check(double largest_frequency) const;

 private:
  Positions(std::span<const double> list, double offset, std::size_t count)
      : list_(list), offset_(offset), count_(count) {}

  std::span<const double> list_;
  double offset_ = 0;
  std::size_t count_ = 0;
};

}  // namespace posenc
