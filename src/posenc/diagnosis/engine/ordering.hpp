#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace posenc::diagnosis {

/// Indices of keys from the smallest key to the largest; those of equal keys as they were.
std::vector<std::size_t> order_of(std::span<const double> keys);

/// Sorts values by a key, those of one key as they were. One sort of numbers serves all: each std::ranges::stable_sort
/// of another type would be 3 KB of the module.
template <class Value, class Key>
void sort_by(std::vector<Value>& values, const Key& key) {
  std::vector<double> keys;
  keys.reserve(values.size());
  for (const Value& value : values) keys.push_back(static_cast<double>(key(value)));
  std::vector<Value> sorted;
  sorted.reserve(values.size());
  for (const std::size_t from : order_of(keys)) sorted.push_back(std::move(values[from]));
  values = std::move(sorted);
}

}  // namespace posenc::diagnosis
