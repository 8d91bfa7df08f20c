#include "posenc/attention/scaled_dot_product.hpp"

#include "arguments.hpp"

namespace posenc::embind {
namespace {

AttentionInputs inputs(Arguments& in) {
  return {in.array<const float>(), in.array<const float>(), in.array<const float>()};
}

/// Shape, options, query, key, value, weights, output.
val forward(Address list, const std::string& mask_meaning) {
  const auto meaning = mask_meaning_from_name(mask_meaning);
  if (!meaning) return failure(meaning.error());
  Arguments in(list);
  const auto shape = batched_shape(in);
  const auto options = attention_options(in, *meaning);
  const auto given = inputs(in);
  const auto weights = in.array<float>();
  return outcome(scaled_dot_product(shape, options, given, weights, in.array<float>()));
}

/// Shape, options, query, key, value, weights, the output's gradient; the gradients of query, key, value, bias.
val backward(Address list) {
  Arguments in(list);
  const auto shape = batched_shape(in);
  const auto options = attention_options(in, MaskMeaning::attend);
  const auto given = inputs(in);
  const auto weights = in.array<const float>();
  const auto d_output = in.array<const float>();
  return outcome(
      scaled_dot_product_backward(shape, options, given, weights, d_output,
                                  {in.array<float>(), in.array<float>(), in.array<float>(), in.array<float>()}));
}

}  // namespace

EMSCRIPTEN_BINDINGS(scaled_dot_product) {
  emscripten::function("scaledDotProduct", &forward);
  emscripten::function("scaledDotProductBackward", &backward);
}

}  // namespace posenc::embind
