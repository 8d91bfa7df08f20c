#include "posenc/relative/perceptron.hpp"

#include "posenc/base/check.hpp"

namespace posenc {

Expected<void> Perceptron::check(std::size_t inputs, std::size_t outputs) const {
  if (bias1.empty()) return invalid_argument("bias1", 0.0, expected::any_value);
  for (auto&& checked : {check_extents("weight1", weight1.size(), {bias1.size(), inputs}),
                         check_extents("weight2", weight2.size(), {outputs, bias1.size()}),
                         check_size("bias2", bias2.size(), bias2.empty() ? 0 : outputs)})
    if (!checked) return checked;
  return {};
}

}  // namespace posenc
