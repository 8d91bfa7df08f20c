#include "posenc/attention/softmax.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

/// In place.
val forward(std::size_t width, Address x, std::size_t size) {
  return outcome(softmax(width, values_at<const float>(x, size), values_at<float>(x, size)));
}

/// `gradient` becomes that of the scores.
val backward(std::size_t width, Address weights, Address gradient, std::size_t size) {
  return outcome(softmax_backward(width, values_at<const float>(weights, size), values_at<const float>(gradient, size),
                                  values_at<float>(gradient, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(softmax) {
  emscripten::function("softmax", &forward);
  emscripten::function("softmaxBackward", &backward);
}

}  // namespace posenc::embind
