#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posenc::learning {

/// The normal distribution of a parameter before the first step.
struct Initial {
  float value = 0;       ///< the mean
  double deviation = 0;  ///< the standard deviation; 0: the value itself
};

/// One learned array of a model.
struct Parameter {
  std::string name;                   ///< such as "layers.0.query_key_value"
  std::size_t rows = 0, columns = 0;  ///< its shape, row-major
  Initial initial;
  std::size_t first = 0;  ///< index of its first value among all values

  [[nodiscard]] std::size_t size() const { return rows * columns; }
};

/// The name of a layer's own parameter, such as "layers.3.shaw.keys".
[[nodiscard]] std::string layer_name(std::size_t layer, std::string_view name);

/// The learned arrays of a model, one after the other in one array of floats; their gradients and moments are arrays of
/// the same size.
class ParameterList {
 public:
  /// Adds a parameter, unless there is one of this name. Returns the index of its first value.
  std::size_t declare(std::string name, std::size_t rows, std::size_t columns, Initial initial);

  [[nodiscard]] std::span<const Parameter> parameters() const { return parameters_; }
  [[nodiscard]] const Parameter* find(std::string_view name) const;
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::vector<Parameter> parameters_;
  std::size_t size_ = 0;
};

}  // namespace posenc::learning
