// Attention and what is trained with it, as the full entry has them.

#include "calls.hpp"
#include "posenc/attention/add.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/attention/linear_attention.hpp"
#include "posenc/attention/multi_head.hpp"
#include "posenc/attention/softmax.hpp"
#include "posenc/attention/split_heads.hpp"
#include "rotary.hpp"

namespace posenc::embind {
namespace {

Dropout dropout_of(const calls::DropoutOptions& in) {
  Dropout options{.p = in.p};
  if (in.seed) options.seed = static_cast<std::uint64_t>(*in.seed);
  if (in.offset) options.first = static_cast<std::uint64_t>(*in.offset);
  set(options.training, in.training);
  return options;
}

template <class Call>
LinearExtents extents(const Call& in) {
  return {in.x.batch(1), in.weight.extent(1), in.weight.extent(2)};
}

Expected<void> linear(const calls::LinearLayer& in) {
  const LinearLayer layer{in.weight.values(), in.bias.values()};
  return posenc::linear(layer, extents(in), in.x.values(), in.out.as<float>());
}

Expected<void> linear_backward(const calls::LinearBackward& in) {
  return posenc::linear_backward({in.weight.values()}, extents(in), in.x.values(), in.gradient.values(),
                                 {in.out.x.as<float>(), in.out.weight.as<float>(), in.out.bias.as<float>()});
}

Expected<void> add_backward(const calls::AddBackward& in) {
  return posenc::add_backward(in.gradient.values(), in.gradient.extent(2), in.gradient.extent(1), in.out.as<float>());
}

Expected<void> split_heads(const calls::SplitHeads& in) {
  const auto heads = static_cast<std::size_t>(in.heads);
  return posenc::split_heads({in.x.batch(2), heads, in.x.extent(2), in.x.extent(1) / heads}, in.x.values(),
                             in.out.as<float>());
}

Expected<void> merge_heads(const calls::MergeHeads& in) {
  return posenc::merge_heads({in.x.batch(3), in.x.extent(3), in.x.extent(2), in.x.extent(1)}, in.x.values(),
                             in.out.as<float>());
}

Expected<void> softmax(const calls::Softmax& in) {
  return posenc::softmax(in.x.extent(1), in.x.values(), in.out.as<float>());
}

Expected<void> softmax_backward(const calls::SoftmaxBackward& in) {
  return posenc::softmax_backward(in.weights.extent(1), in.weights.values(), in.gradient.values(), in.out.as<float>());
}

Expected<void> dropout(const calls::Dropout& in) {
  return posenc::dropout(dropout_of(in.dropout), in.x.values(), in.out.as<float>());
}

/// The sum with a table, and dropout of it: what is wrong with that is said before anything is written.
Expected<void> positional_encoding(const calls::PositionalEncoding& in) {
  const Dropout options = dropout_of(in.dropout);
  const auto out = in.out.as<float>();
  POSENC_TRY(posenc::dropout(options, {}, {}));
  POSENC_TRY(add(in.x.values(), in.x.extent(2), in.x.extent(1), in.table.values(), out));
  return posenc::dropout(options, out, out);
}

PairShape pair_shape(const Tensor& of) { return {of.extent(4), of.extent(3), of.extent(2), of.extent(1)}; }

/// What attention takes beside its tensors; `dim` is that of a head.
template <class Call>
Expected<ScaledDotProductOptions> attention_options(const Call& in, std::size_t dim) {
  ScaledDotProductOptions options{.scale = in.scale.value_or(attention_scale(dim)),
                                  .bias = in.bias.values(),
                                  .bias_shape = pair_shape(in.bias),
                                  .bias_scaled = in.bias_scaled.value_or(false)};
  AttentionMask& mask = options.mask;
  POSENC_TRY(set(mask.meaning, in.mask_meaning, from_name<MaskMeaning>));
  mask.pairs = in.mask.data.template as<const std::uint8_t>();
  mask.pairs_shape = pair_shape(in.mask);
  mask.keys = in.key_mask.data.template as<const std::uint8_t>();
  set(mask.causal, in.causal);
  set(mask.query_offset, in.query_offset);
  if (in.dropout) options.dropout = dropout_of(*in.dropout);
  return options;
}

template <class Call>
AttentionInputs attention_inputs(const Call& in) {
  return {in.query.values(), in.key.values(), in.value.values()};
}

template <class Call>
BatchedAttentionShape attention_shape(const Call& in) {
  return {.batch = in.query.extent(4),
          .heads = in.query.extent(3),
          .kv_heads = in.key.extent(3),
          .queries = in.query.extent(2),
          .keys = in.key.extent(2),
          .dim = in.query.extent(1),
          .value_dim = in.value.extent(1)};
}

Expected<void> attention(const calls::MaskedAttention& in) {
  POSENC_TRY_LET(options, attention_options(in, in.query.extent(1)));
  return scaled_dot_product(attention_shape(in), options, attention_inputs(in), in.out.weights.as<float>(),
                            in.out.output.as<float>());
}

Expected<void> attention_backward(const calls::AttentionBackward& in) {
  POSENC_TRY_LET(options, attention_options(in, in.query.extent(1)));
  return scaled_dot_product_backward(
      attention_shape(in), options, attention_inputs(in), in.weights.values(), in.gradient.values(),
      {in.out.query.as<float>(), in.out.key.as<float>(), in.out.value.as<float>(), in.out.bias.as<float>()});
}

Expected<void> linear_attention(const calls::LinearAttention& in) {
  const AttentionShape shape{.queries = in.query.extent(2),
                             .keys = in.key.extent(2),
                             .dim = in.query.extent(1),
                             .value_dim = in.value.extent(1),
                             .heads = in.query.extent(3)};
  LinearAttentionOptions options{.shape = shape};
  set(options.causal, in.causal);
  set(options.query_offset, in.query_offset);
  const auto offset = static_cast<double>(options.query_offset);
  return posenc::linear_attention(options, held<KeptRotary>(in.rotary),
                                  positions_of(in.query_positions, offset, shape.queries),
                                  positions_of(in.key_positions, {}, shape.keys), in.query.values(), in.key.values(),
                                  in.value.values(), in.out.as<float>());
}

LinearLayer layer_of(const calls::Layer& in) { return {in.weight.values(), in.bias.values()}; }

MultiHeadLayers layers_of(const calls::Layers& in) {
  return {layer_of(in.query), layer_of(in.key), layer_of(in.value), layer_of(in.out)};
}

std::optional<std::span<const float>> given(const Tensor& input) {
  return input.is_given() ? std::optional(input.values()) : std::nullopt;
}

template <class Call>
MultiHeadInputs multi_head_inputs(const Call& in) {
  return {in.query.values(), given(in.key), given(in.value)};
}

template <class Call>
MultiHeadShape multi_head_shape(const Call& in) {
  const calls::Layers& layers = in.layers;
  const auto heads = static_cast<std::size_t>(in.heads);
  const auto kv_heads = static_cast<std::size_t>(in.kv_heads.value_or(in.heads));
  return {.attention = {.batch = in.query.extent(3),
                        .heads = heads,
                        .kv_heads = kv_heads,
                        .queries = in.query.extent(2),
                        .keys = (in.key.is_given() ? in.key : in.query).extent(2),
                        .dim = layers.query.weight.extent(2) / heads,
                        .value_dim = layers.value.weight.extent(2) / kv_heads},
          .query_width = layers.query.weight.extent(1),
          .key_width = layers.key.weight.extent(1),
          .value_width = layers.value.weight.extent(1),
          .out_width = layers.out.weight.extent(2)};
}

Expected<void> multi_head_attention(const calls::MultiHeadAttention& in) {
  const MultiHeadShape shape = multi_head_shape(in);
  POSENC_TRY_LET(options, attention_options(in, shape.attention.dim));
  const auto& out = in.out;
  return posenc::multi_head_attention(
      shape, layers_of(in.layers), options, multi_head_inputs(in),
      {out.saved_query.as<float>(), out.saved_key.as<float>(), out.saved_value.as<float>(), out.weights.as<float>(),
       out.saved_context.as<float>()},
      out.output.as<float>());
}

Expected<void> multi_head_backward(const calls::MultiHeadBackward& in) {
  const MultiHeadShape shape = multi_head_shape(in);
  POSENC_TRY_LET(options, attention_options(in, shape.attention.dim));
  const auto& saved = in.saved;
  const auto& out = in.out;
  return posenc::multi_head_backward(
      shape, layers_of(in.layers), options, multi_head_inputs(in),
      {saved.query.values(), saved.key.values(), saved.value.values(), saved.weights.values(), saved.context.values()},
      in.gradient.values(),
      {.query_input = out.query.as<float>(),
       .key_input = out.key.as<float>(),
       .value_input = out.value.as<float>(),
       .query = {out.layers_query_weight.as<float>(), out.layers_query_bias.as<float>()},
       .key = {out.layers_key_weight.as<float>(), out.layers_key_bias.as<float>()},
       .value = {out.layers_value_weight.as<float>(), out.layers_value_bias.as<float>()},
       .out = {out.layers_out_weight.as<float>(), out.layers_out_bias.as<float>()},
       .bias = out.bias.as<float>()});
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention_full) {
  expose<&linear>();
  expose<&linear_backward>();
  expose<&add_backward>();
  expose<&split_heads>();
  expose<&merge_heads>();
  expose<&softmax>();
  expose<&softmax_backward>();
  expose<&dropout>();
  expose<&positional_encoding>();
  expose<&attention>();
  expose<&attention_backward>();
  expose<&linear_attention>();
  expose<&multi_head_attention>();
  expose<&multi_head_backward>();
}

}  // namespace posenc::embind
