#include "arguments.hpp"
#include "posenc/learned/table_bias.hpp"

namespace posenc::embind {
namespace {

/// Heads; ids, table, out.
val forward(Address list) {
  Arguments in(list);
  const std::size_t heads = in.size();
  const auto ids = in.array<const std::int32_t>();
  const auto table = in.array<const float>();
  return outcome(bias_from_table(ids, heads, table, in.array<float>()));
}

/// Heads; ids, the bias's gradient, that of the table.
val backward(Address list) {
  Arguments in(list);
  const std::size_t heads = in.size();
  const auto ids = in.array<const std::int32_t>();
  const auto gradient = in.array<const float>();
  return outcome(bias_table_backward(ids, heads, gradient, in.array<float>()));
}

}  // namespace

EMSCRIPTEN_BINDINGS(bias_table) {
  emscripten::function("biasFromTable", &forward);
  emscripten::function("biasTableBackward", &backward);
}

}  // namespace posenc::embind
