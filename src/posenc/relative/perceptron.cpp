#include "posenc/relative/perceptron.hpp"

#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/base/check.hpp"

namespace posenc {

Expected<void> Perceptron::check(std::size_t inputs, std::size_t outputs) const {
  if (bias1.empty()) return wrong("bias1", 0.0, {"at least one value"});
  for (auto&& checked : {check_extents("weight1", weight1.size(), {bias1.size(), inputs}),
                         check_extents("weight2", weight2.size(), {outputs, bias1.size()}),
                         check_size("bias2", bias2.size(), bias2.empty() ? 0 : outputs)})
    if (!checked) return checked;
  return {};
}

void Perceptron::activate(std::span<const double> x, std::span<double> hidden) const {
  for (std::size_t n = 0; n < hidden.size(); ++n) {
    const double sum = weighted_sum(x, weight1.data(), n * x.size(), 1) + static_cast<double>(bias1[n]);
    hidden[n] = sum > 0 ? sum : 0;
  }
}

double Perceptron::output(std::span<const double> hidden, std::size_t o) const {
  return weighted_sum(hidden, weight2.data(), o * hidden.size(), 1) +
         (bias2.empty() ? 0 : static_cast<double>(bias2[o]));
}

}  // namespace posenc
