#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "posenc/base/error.hpp"

namespace posenc {

/// Which positions to encode: consecutive ones, or any list. A view: a list is not copied.
class Positions {
 public:
  /// offset, offset + 1, ... offset + count - 1, each sum rounded to double. An offset may be negative or fractional.
  [[nodiscard]] static Positions range(std::size_t count, double offset = 0) { return {{}, offset, 1, count, {}}; }

  /// Makes the same position, `count` times.
  [[nodiscard]] static Positions repeat(std::size_t count, double position) { return {{}, position, 0, count, {}}; }

  /// Any positions in any order, fractional and negative ones too.
  [[nodiscard]] static Positions list(std::span<const double> positions) {
    return {positions, 0, 1, positions.size(), {}};
  }

  /// `batch` lists, one after another, [batch, positions.size() / batch]: one for each row of a batch.
  [[nodiscard]] static Positions lists(std::span<const double> positions, std::size_t batch) {
    return {positions, 0, 1, positions.size(), batch};
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  /// How many lists, where each row of a batch has its own.
  [[nodiscard]] std::optional<std::size_t> batch() const { return batch_; }
  [[nodiscard]] double operator[](std::size_t i) const {
    return list_.data() != nullptr ? list_[i] : offset_ + step_ * static_cast<double>(i);
  }

  /// Where these are consecutive whole numbers of magnitude 2^44 at most: the first of them.
  [[nodiscard]] std::optional<double> first_whole() const;

  /// An Error unless every position is at most 2^990 and its largest angle, |position| * `largest_frequency` (radians
  /// per position), at most max_angle.
  [[nodiscard]] Expected<void> check(double largest_frequency) const;

 private:
  Positions(std::span<const double> list, double offset, double step, std::size_t count,
            std::optional<std::size_t> batch)
      : list_(list), offset_(offset), step_(step), count_(count), batch_(batch) {}

  std::span<const double> list_;
  double offset_ = 0;
  double step_ = 1;
  std::size_t count_ = 0;
  std::optional<std::size_t> batch_;
};

}  // namespace posenc
