#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace posenc::diagnosis {

/// The line nearest to points, each weighted by what it may be off by.
class LineFit {
 public:
  explicit LineFit(bool through_origin) : through_origin_(through_origin) {}

  void add(double x, double y, double error) {
    const double weight = 1 / (error * error);
    points_.push_back({x, y, error});
    weights_ += weight, x_ += weight * x, y_ += weight * y, xx_ += weight * x * x, xy_ += weight * x * y;
  }

  [[nodiscard]] std::size_t count() const { return points_.size(); }
  [[nodiscard]] double slope() const { return through_origin_ ? xy_ / xx_ : centred(xy_, x_ * y_) / squares(); }
  [[nodiscard]] double slope_error() const { return 1 / std::sqrt(through_origin_ ? xx_ : squares()); }
  /// The largest error of the slope where every point is off by its error: roundings may have all one sign.
  [[nodiscard]] double slope_reach() const { return slope_error() * std::sqrt(static_cast<double>(count())); }
  [[nodiscard]] double intercept() const { return through_origin_ ? 0 : intercept_of(slope()); }
  /// The intercept of the best line of this slope.
  [[nodiscard]] double intercept_of(double slope) const { return (y_ - slope * x_) / weights_; }
  [[nodiscard]] double error_at_centre() const { return 1 / std::sqrt(weights_); }
  [[nodiscard]] double intercept_error() const {
    const double centre = x_ / weights_;
    return std::sqrt(1 / weights_ + centre * centre / squares());
  }
  /// The largest residual, in errors.
  [[nodiscard]] double misfit() const {
    double most = 0;
    for (const Point& point : points_)
      most = std::max(most, std::fabs(point.y - intercept() - slope() * point.x) / point.error);
    return most;
  }

 private:
  struct Point {
    double x, y, error;
  };
  [[nodiscard]] double centred(double sum, double product) const { return sum - product / weights_; }
  [[nodiscard]] double squares() const { return centred(xx_, x_ * x_); }

  bool through_origin_;
  std::vector<Point> points_;
  double weights_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;
};

}  // namespace posenc::diagnosis
