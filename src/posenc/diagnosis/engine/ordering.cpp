#include "posenc/diagnosis/engine/ordering.hpp"

#include <algorithm>

namespace posenc::diagnosis {

std::vector<std::size_t> order_of(std::span<const double> keys) {
  std::vector<std::pair<double, std::size_t>> pairs;
  pairs.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) pairs.emplace_back(keys[i], i);
  std::ranges::sort(pairs);
  std::vector<std::size_t> order;
  order.reserve(keys.size());
  for (const auto& [key, index] : pairs) order.push_back(index);
  return order;
}

}  // namespace posenc::diagnosis
