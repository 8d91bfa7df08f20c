#include "block.hpp"

#include <cmath>

namespace posenc::embind {

std::size_t Tensor::extent(std::size_t from_end) const {
  return from_end <= shape.size() ? static_cast<std::size_t>(shape[shape.size() - from_end]) : 1;
}

std::size_t Tensor::batch(std::size_t axes) const {
  double all = 1;
  for (std::size_t axis = 0; axis + axes < shape.size(); ++axis) all *= shape[axis];
  return static_cast<std::size_t>(all);
}

double Block::number() { return *next_++; }

std::int64_t Block::whole() { return static_cast<std::int64_t>(number()); }

bool Block::flag() { return number() != 0; }

std::optional<double> Block::number_if_given() {
  const double value = number();
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

std::optional<std::int64_t> Block::whole_if_given() {
  const auto value = number_if_given();
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

std::optional<bool> Block::flag_if_given() {
  const auto value = number_if_given();
  return value ? std::optional(*value != 0) : std::nullopt;
}

std::span<const double> Block::list() {
  const auto size = static_cast<std::size_t>(number());
  const double* const first = next_;
  next_ += size;
  return {first, size};
}

std::vector<std::int64_t> Block::extents() {
  std::vector<std::int64_t> extents;
  for (const double extent : list()) extents.push_back(static_cast<std::int64_t>(extent));
  return extents;
}

std::string Block::word() {
  std::string word;
  for (const double byte : list()) word.push_back(static_cast<char>(byte));
  return word;
}

Array Block::array() {
  const auto address = static_cast<Address>(number());
  return {address, static_cast<std::size_t>(number())};
}

Address Block::handle() { return static_cast<Address>(number()); }

Tensor Block::tensor() {
  const Array data = array();
  return {data, list()};
}

std::vector<Tensor> Block::tensors() {
  std::vector<Tensor> tensors(static_cast<std::size_t>(number()));
  for (Tensor& one : tensors) one = tensor();
  return tensors;
}

Stored Block::stored() {
  const Array data = array();
  return {data, word()};
}

PositionList Block::positions() {
  const Array data = array();
  return {data, whole_if_given()};
}

double& Block::answer() { return *next_++; }

}  // namespace posenc::embind
