#include "posenc/attention/attention.hpp"

#include "calls.hpp"
#include "posenc/attention/add.hpp"
#include "posenc/attention/linear.hpp"

namespace posenc::embind {
namespace {

Expected<void> add_table(const calls::Add& in) {
  return posenc::add(in.x.values(), in.x.extent(2), in.x.extent(1), in.table.values(), in.out.as<float>());
}

Expected<void> linear(const calls::Linear& in) {
  return posenc::linear(in.x.values(), in.weight.values(), in.weight.extent(1), in.out.as<float>());
}

Expected<void> attention(const calls::Attention& in) {
  const AttentionShape shape{.queries = in.query.extent(2),
                             .keys = in.key.extent(2),
                             .dim = in.query.extent(1),
                             .value_dim = in.value.extent(1),
                             .heads = in.query.extent(3)};
  return posenc::attention(shape, in.scale.value_or(attention_scale(shape.dim)), in.query.values(), in.key.values(),
                           in.value.values(), in.out.weights.as<float>(), in.out.output.as<float>(),
                           {in.bias.values(), in.bias_scaled.value_or(false)});
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  expose<&add_table>();
  expose<&linear>();
  expose<&attention>();
}

}  // namespace posenc::embind
