#include "posenc/learning/parameters.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/check.hpp"

namespace posenc::learning {

std::string layer_name(std::size_t layer, std::string_view name) {
  return "layers." + decimal(layer) + "." + std::string(name);
}

std::size_t ParameterList::declare(std::string name, std::size_t rows, std::size_t columns, Initial initial) {
  if (const Parameter* known = find(name)) return known->first;
  parameters_.push_back({std::move(name), rows, columns, initial, size_});
  size_ += rows * columns;
  return parameters_.back().first;
}

const Parameter* ParameterList::find(std::string_view name) const {
  const auto found = std::ranges::find(parameters_, name, &Parameter::name);
  return found == parameters_.end() ? nullptr : &*found;
}

}  // namespace posenc::learning
