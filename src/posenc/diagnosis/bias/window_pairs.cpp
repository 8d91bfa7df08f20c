#include "posenc/diagnosis/bias/window_pairs.hpp"

#include <cstddef>
#include <utility>

namespace posenc::diagnosis {

WindowRows::WindowRows(WindowWay way) : way_(std::move(way)), strides_(way_.extents.size(), 1) {
  const std::size_t axes = way_.extents.size();
  const auto differences = [&](std::size_t axis) { return 2 * way_.extents[axis] - 1; };
  for (std::size_t k = 1; k < axes; ++k) {
    const std::size_t axis = way_.index == WindowIndex::reversed ? k : axes - 1 - k;
    const std::size_t faster = way_.index == WindowIndex::reversed ? axis - 1 : axis + 1;
    strides_[axis] = strides_[faster] * differences(way_.index == WindowIndex::own_width ? axis : faster);
  }
  const std::int64_t cells = way_.cells();
  for (std::int64_t cell = 0; cell < cells; ++cell) sums_.push_back(sum_of(cell));
  for (std::size_t axis = 0; axis < axes; ++axis) centre_ += (way_.extents[axis] - 1) * strides_[axis];
}

std::int64_t WindowRows::row(std::int64_t query, std::int64_t key) const {
  if (way_.class_token) {
    const std::int64_t token = way_.class_last ? way_.cells() : 0, patches = way_.rows() - 3;
    if (query == token || key == token) return patches + (query != token ? 1 : key != token ? 0 : 2);
    if (!way_.class_last) --query, --key;
  }
  return sums_[static_cast<std::size_t>(query)] - sums_[static_cast<std::size_t>(key)] + centre_;
}

std::int64_t WindowRows::sum_of(std::int64_t cell) const {
  std::int64_t sum = 0;
  const std::size_t axes = way_.extents.size();
  for (std::size_t k = 0; k < axes; ++k) {
    // The last two axes of a cell are the row and the column.
    const std::size_t axis = way_.by_columns && k < 2 ? axes - 2 + k : axes - 1 - k;
    sum += cell % way_.extents[axis] * strides_[axis];
    cell /= way_.extents[axis];
  }
  return sum;
}

std::vector<std::vector<std::int64_t>> other_windows(const WindowWay& right) {
  std::vector<std::vector<std::int64_t>> made;
  const std::int64_t depth = right.extents.size() > 2 ? right.extents[0] : 1, plane = right.cells() / depth;
  for (std::int64_t height = 1; height <= plane; ++height) {
    if (plane % height != 0) continue;
    made.push_back({height, plane / height});
    if (right.extents.size() > 2) made.back().insert(made.back().begin(), depth);
  }
  return made;
}

}  // namespace posenc::diagnosis
