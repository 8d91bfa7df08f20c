#include "posenc/attention/attention.hpp"

#include "modules.hpp"
#include "posenc/attention/add.hpp"
#include "posenc/attention/linear_attention.hpp"
#include "posenc/attention/multi_head.hpp"
#include "posenc/attention/softmax.hpp"

namespace posenc::embind {
namespace {

template <class Call>
AttentionShape shape_of(const Call& in) {
  return {.queries = in.query.extent(2),
          .keys = in.key.extent(2),
          .dim = in.query.extent(1),
          .value_dim = in.value.extent(1),
          .heads = in.query.extent(3)};
}

LinearExtents extents_of(const calls::ProductInputs& in) {
  return {in.x.batch(1), in.weight.extent(1), in.weight.extent(2)};
}

Expected<void> fill_dropout(Dropout& options, const calls::DropoutOptions& in) {
  set(options.first, in.offset);
  return fill<Handled<"offset">>(options, in);
}

PairShape pair_shape(const Tensor& of) { return {of.extent(4), of.extent(3), of.extent(2), of.extent(1)}; }

/// Reads the options of attention besides its tensors; `dim` is that of a head.
Expected<AttentionOptions> options_of(const calls::TermFields& in, std::size_t dim) {
  AttentionOptions options{.scale = attention_scale(dim), .bias_shape = pair_shape(in.bias)};
  // A compact bias has heads where a full one has queries.
  if (in.bias_form == "compact") std::swap(options.bias_shape.heads, options.bias_shape.queries);
  POSENC_TRY(fill<Handled<"mask", "key_mask", "mask_meaning", "causal", "query_offset", "dropout">>(options, in));
  AttentionMask& mask = options.mask;
  POSENC_TRY(set(mask.meaning, in.mask_meaning));
  set(mask.pairs, in.mask);
  mask.pairs_shape = pair_shape(in.mask);
  set(mask.keys, in.key_mask);
  set(mask.causal, in.causal);
  set(mask.query_offset, in.query_offset);
  if (in.dropout) POSENC_TRY(fill_dropout(options.dropout, *in.dropout));
  return options;
}

template <class Call>
AttentionInputs inputs_of(const Call& in) {
  return {in.query, in.key, in.value};
}

template <class Call>
BatchedAttentionShape batched_shape(const Call& in) {
  return {.batch = in.query.extent(4),
          .heads = in.query.extent(3),
          .kv_heads = in.key.extent(3),
          .queries = in.query.extent(2),
          .keys = in.key.extent(2),
          .dim = in.query.extent(1),
          .value_dim = in.value.extent(1)};
}

std::optional<std::span<const float>> given(const Tensor& input) {
  return input.is_given() ? std::optional(input.as<const float>()) : std::nullopt;
}

template <class Call>
MultiHeadInputs multi_head_inputs(const Call& in) {
  return {in.query, given(in.key), given(in.value)};
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

}  // namespace

Expected<void> run(const calls::Add& in) {
  POSENC_TRY_LET(shape, sequence_shape(in.x, in.seq_axis));
  return add(in.x, shape.sequence(), shape.dim(), in.table, in.out, shape.inner());
}

Expected<void> run(const calls::AddBackward& in) {
  POSENC_TRY_LET(shape, sequence_shape(in.gradient, in.seq_axis, "gradient.shape"));
  return add_backward(in.gradient, shape.sequence(), shape.dim(), in.out, shape.inner());
}

/// Calls a function whose options have one.
template <class Call>
Expected<SumPrecision> precision_of(const Call& in) {
  auto precision = SumPrecision::float32;
  POSENC_TRY(set(precision, in.precision));
  return precision;
}

// The small entry sums in float32 alone: doubles would be a sixteenth of it.

Expected<void> run(const calls::Linear& in) { return packed_linear(in.weight, extents_of(in), in.x, in.out); }

Expected<void> run(const calls::LinearLayer& in) {
  POSENC_TRY_LET(precision, precision_of(in));
  return linear({in.weight, in.bias}, extents_of(in), precision, in.x, in.out);
}

Expected<void> run(const calls::LinearBackward& in) {
  POSENC_TRY_LET(precision, precision_of(in));
  return linear_backward({in.weight}, extents_of(in), precision, in.x, in.gradient,
                         {in.out.x, in.out.weight, in.out.bias});
}

Expected<void> run(const calls::SplitHeads& in) {
  const auto heads = static_cast<std::size_t>(in.heads);
  return split_heads({in.x.batch(2), heads, in.x.extent(2), in.x.extent(1) / heads}, in.x, in.out);
}

Expected<void> run(const calls::MergeHeads& in) {
  return merge_heads({in.x.batch(3), in.x.extent(3), in.x.extent(2), in.x.extent(1)}, in.x, in.out);
}

Expected<void> run(const calls::Softmax& in) {
  POSENC_TRY_LET(precision, precision_of(in));
  return softmax(in.x.extent(1), precision, in.x, in.out);
}

Expected<void> run(const calls::SoftmaxBackward& in) {
  POSENC_TRY_LET(precision, precision_of(in));
  return softmax_backward(in.weights.extent(1), precision, in.weights, in.gradient, in.out);
}

Expected<void> run(const calls::Dropout& in) {
  Dropout options;
  POSENC_TRY(fill_dropout(options, in.dropout));
  return dropout(options, in.x, in.out);
}

/// The sum with a table, and dropout of it: all is checked before anything is written.
Expected<void> run(const calls::PositionalEncoding& in) {
  Dropout options;
  POSENC_TRY(fill_dropout(options, in.dropout));
  POSENC_TRY(dropout(options, {}, {}));
  POSENC_TRY_LET(shape, sequence_shape(in.x, in.seq_axis));
  POSENC_TRY(add(in.x, shape.sequence(), shape.dim(), in.table, in.out, shape.inner()));
  return dropout(options, in.out, in.out);
}

Expected<void> run(const calls::Attention& in) {
  const auto shape = shape_of(in);
  return attention(shape, in.scale.value_or(attention_scale(shape.dim)), in.query, in.key, in.value, in.out.weights,
                   in.out.output, {in.bias, in.bias_scaled.value_or(false)});
}

Expected<void> run(const calls::MaskedAttention& in) {
  POSENC_TRY_LET(options, options_of(in, in.query.extent(1)));
  POSENC_TRY_LET(key, in.key.values());
  POSENC_TRY_LET(value, in.value.values());
  BatchedAttentionShape shape = batched_shape(in);
  CachedAttentionInputs inputs{in.query, key, value, shape.keys};
  if (in.cache) {
    const auto axis = in.cache->seq_axis.value_or(-2);
    const auto rank = static_cast<std::int64_t>(in.key.shape.size());
    if (axis == -3 || axis + 3 == rank) {
      std::swap(shape.kv_heads, shape.keys);
      inputs.axes = CacheAxes::sequence_first;
      inputs.capacity = shape.keys;
    }
    set(shape.keys, in.cache->length);
  }
  return attention(shape, options, inputs, in.out.weights, in.out.output);
}

Expected<void> run(const calls::AttentionBackward& in) {
  POSENC_TRY_LET(options, options_of(in, in.query.extent(1)));
  return attention_backward(batched_shape(in), options, inputs_of(in), in.gradient,
                            {in.out.query, in.out.key, in.out.value, in.out.bias});
}

Expected<void> run(const calls::LinearAttention& in) {
  LinearAttentionOptions options{.shape = shape_of(in)};
  POSENC_TRY(fill<Handled<"rotary", "query", "key", "value", "query_positions", "key_positions">>(options, in));
  const auto offset = static_cast<double>(options.query_offset);
  return linear_attention(options, from_handle<KeptRotary>(in.rotary),
                          positions_of(in.query_positions, offset, options.shape.queries),
                          positions_of(in.key_positions, {}, options.shape.keys), in.query, in.key, in.value, in.out);
}

Expected<void> run(const calls::MultiHeadAttention& in) {
  const MultiHeadShape shape = multi_head_shape(in);
  POSENC_TRY_LET(options, options_of(in, shape.attention.dim));
  POSENC_TRY_LET(layers, filled<MultiHeadLayers>(in.layers));
  const auto& out = in.out;
  return multi_head_attention(shape, layers, options, multi_head_inputs(in),
                              {out.saved_query, out.saved_key, out.saved_value, out.saved_context}, out.weights,
                              out.output);
}

Expected<void> run(const calls::MultiHeadBackward& in) {
  const MultiHeadShape shape = multi_head_shape(in);
  POSENC_TRY_LET(options, options_of(in, shape.attention.dim));
  POSENC_TRY_LET(layers, filled<MultiHeadLayers>(in.layers));
  MultiHeadSaved<const float> saved;
  POSENC_TRY(fill(saved, in.saved));
  const auto& out = in.out;
  return multi_head_backward(shape, layers, options, multi_head_inputs(in), saved, in.gradient,
                             {.query_input = out.query,
                              .key_input = out.key,
                              .value_input = out.value,
                              .query = {out.layers_query_weight, out.layers_query_bias},
                              .key = {out.layers_key_weight, out.layers_key_bias},
                              .value = {out.layers_value_weight, out.layers_value_bias},
                              .out = {out.layers_out_weight, out.layers_out_bias},
                              .bias = out.bias});
}

}  // namespace posenc::embind
