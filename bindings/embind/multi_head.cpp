#include "posenc/attention/multi_head.hpp"

#include "arguments.hpp"

namespace posenc::embind {
namespace {

/// Everything that forward and backward are given alike, in this order.
struct Given {
  MultiHeadShape shape;
  ScaledDotProductOptions options;
  MultiHeadLayers layers;
  MultiHeadInputs inputs;

  Given(Arguments& in, MaskMeaning meaning)
      : shape{batched_shape(in), in.size(), in.size(), in.size(), in.size()},
        options(attention_options(in, meaning)),
        layers{layer(in), layer(in), layer(in), layer(in)},
        inputs{in.array<const float>(), input(in), input(in)} {}

  static LinearLayer layer(Arguments& in) { return {in.array<const float>(), in.array<const float>()}; }

  /// Address 0 for one that is left out.
  static std::optional<std::span<const float>> input(Arguments& in) {
    const auto values = in.array<const float>();
    return values.data() == nullptr ? std::nullopt : std::optional(values);
  }
};

template <class T>
MultiHeadSaved<T> saved(Arguments& in) {
  return {in.array<T>(), in.array<T>(), in.array<T>(), in.array<T>(), in.array<T>()};
}

LayerGradients layer_gradients(Arguments& in) { return {in.array<float>(), in.array<float>()}; }

/// Then what is saved, and the output.
val forward(Address list, const std::string& mask_meaning) {
  const auto meaning = mask_meaning_from_name(mask_meaning);
  if (!meaning) return failure(meaning.error());
  Arguments in(list);
  const Given given(in, *meaning);
  const auto kept = saved<float>(in);
  return outcome(multi_head_attention(given.shape, given.layers, given.options, given.inputs, kept, in.array<float>()));
}

/// Then what is saved, the output's gradient, and the gradients of inputs, layers and bias.
val backward(Address list) {
  Arguments in(list);
  const Given given(in, MaskMeaning::attend);
  const auto kept = saved<const float>(in);
  const auto d_output = in.array<const float>();
  const MultiHeadGradients gradients{in.array<float>(),   in.array<float>(),   in.array<float>(),   layer_gradients(in),
                                     layer_gradients(in), layer_gradients(in), layer_gradients(in), in.array<float>()};
  return outcome(
      multi_head_backward(given.shape, given.layers, given.options, given.inputs, kept, d_output, gradients));
}

}  // namespace

EMSCRIPTEN_BINDINGS(multi_head) {
  emscripten::function("multiHead", &forward);
  emscripten::function("multiHeadBackward", &backward);
}

}  // namespace posenc::embind
