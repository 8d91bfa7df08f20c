#include "arguments.hpp"
#include "posenc/attention/add.hpp"
#include "posenc/attention/linear.hpp"
#include "posenc/attention/split_heads.hpp"

namespace posenc::embind {
namespace {

LinearExtents extents(Arguments& in) { return {in.size(), in.size(), in.size()}; }

/// Rows, in, out; x, weight, bias, y.
val forward(Address list) {
  Arguments in(list);
  const auto sizes = extents(in);
  const auto x = in.array<const float>();
  const LinearLayer layer{in.array<const float>(), in.array<const float>()};
  return outcome(posenc::linear(layer, sizes, x, in.array<float>()));
}

/// Rows, in, out; x, weight, the gradient of y; the gradients of x, weight, bias.
val backward(Address list) {
  Arguments in(list);
  const auto sizes = extents(in);
  const auto x = in.array<const float>();
  const LinearLayer layer{in.array<const float>(), {}};
  const auto dy = in.array<const float>();
  return outcome(linear_backward(layer, sizes, x, dy, {in.array<float>(), in.array<float>(), in.array<float>()}));
}

/// Rows, dim; the gradient of the sum, that of the table.
val add_backward(Address list) {
  Arguments in(list);
  const std::size_t rows = in.size();
  const std::size_t dim = in.size();
  const auto gradient = in.array<const float>();
  return outcome(add_absolute_backward(gradient, rows, dim, in.array<float>()));
}

/// Batch, heads, rows, dim; x, out.
val heads(Address list, bool merge) {
  Arguments in(list);
  const HeadsShape shape{in.size(), in.size(), in.size(), in.size()};
  const auto x = in.array<const float>();
  return outcome((merge ? merge_heads : split_heads)(shape, x, in.array<float>()));
}

}  // namespace

EMSCRIPTEN_BINDINGS(linear_layer) {
  emscripten::function("linearLayer", &forward);
  emscripten::function("linearBackward", &backward);
  emscripten::function("absoluteBackward", &add_backward);
  emscripten::function("splitHeads", &heads);
}

}  // namespace posenc::embind
