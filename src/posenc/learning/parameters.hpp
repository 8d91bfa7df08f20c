#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/learned/table_init.hpp"

namespace posenc::learning {

/// What a parameter is before the first step.
struct Initial {
  float value = 0;       ///< the mean
  double deviation = 0;  ///< of a normal distribution, or how far a uniform one reaches; 0: the value itself
  TableDistribution distribution = TableDistribution::normal;
};

/// One learned array of a model.
struct Parameter {
  std::string name;                   ///< "layers.0.query_key_value": what a checkpoint calls it
  std::size_t rows = 0, columns = 0;  ///< its shape, row-major
  Initial initial;
  std::size_t first = 0;  ///< where it begins among all values

  [[nodiscard]] std::size_t size() const { return rows * columns; }
};

/// The learned arrays of a model, one after the other in one array of floats; their gradients and moments are arrays of
/// the same size.
class ParameterList {
 public:
  /// Adds one, unless one of this name is there; the index of its first value.
  std::size_t add(std::string name, std::size_t rows, std::size_t columns, Initial initial);

  [[nodiscard]] std::span<const Parameter> all() const { return all_; }
  [[nodiscard]] const Parameter* find(std::string_view name) const;
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::vector<Parameter> all_;
  std::size_t size_ = 0;
};

}  // namespace posenc::learning
