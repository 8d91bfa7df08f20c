#include "posenc/learned/optimizer.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

/// Without momentum the buffer's size is 0.
val sgd(double lr, double momentum, double dampening, double weight_decay, bool nesterov, double step, Address gradient,
        std::size_t gradient_size, Address parameters, std::size_t size, Address buffer, std::size_t buffer_size) {
  return outcome(sgd_step({lr, momentum, dampening, weight_decay, nesterov, whole(step)},
                          values_at<const float>(gradient, gradient_size), values_at<float>(parameters, size),
                          values_at<float>(buffer, buffer_size)));
}

/// An empty name: none was given.
val adam(double lr, double beta1, double beta2, double eps, double weight_decay, const std::string& decay, double step,
         Address gradient, std::size_t gradient_size, Address parameters, std::size_t size, Address first,
         std::size_t first_size, Address second, std::size_t second_size) {
  const auto named = name_if_given(&weight_decay_from_name, decay);
  if (!named) return failure(named.error());
  return outcome(adam_step({lr, beta1, beta2, eps, weight_decay, named->value_or(WeightDecay::unnamed), whole(step)},
                           values_at<const float>(gradient, gradient_size), values_at<float>(parameters, size),
                           values_at<float>(first, first_size), values_at<float>(second, second_size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(optimizer) {
  emscripten::function("sgdStep", &sgd);
  emscripten::function("adamStep", &adam);
}

}  // namespace posenc::embind
