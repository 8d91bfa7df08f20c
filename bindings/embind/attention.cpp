#include "posenc/attention/attention.hpp"

#include <algorithm>

#include "modules.hpp"
#include "posenc/attention/add.hpp"
#include "posenc/attention/key_cache_rows.hpp"
#include "posenc/attention/linear_attention.hpp"
#include "posenc/attention/multi_head.hpp"
#include "posenc/attention/softmax.hpp"
#include "posenc/base/error_code.hpp"

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

/// Reads the options of attention besides its tensors that every entry has; `dim` is that of a head.
Expected<AttentionOptions> options_of(const calls::ScoreFields& in, std::size_t dim) {
  AttentionOptions options{.scale = attention_scale(dim), .bias_shape = pair_shape(in.bias)};
  POSENC_TRY(fill<Handled<"key_mask", "causal", "query_offset", "window">>(options, in));
  AttentionMask& mask = options.mask;
  set(mask.keys, in.key_mask);
  set(mask.causal, in.causal);
  set(mask.window, in.window);
  if (in.query_offset.size() == 1)
    mask.query_offset = in.query_offset[0];
  else
    mask.query_offsets = in.query_offset;
  return options;
}

/// Reads those of the full entry.
template <class Call>
Expected<AttentionOptions> full_options_of(const Call& in, std::size_t dim) {
  POSENC_TRY_LET(options, options_of(in, dim));
  const calls::FullFields& more = in;
  // A compact bias has heads where a full one has queries.
  if (more.bias_form == "compact") std::swap(options.bias_shape.heads, options.bias_shape.queries);
  POSENC_TRY(fill<Handled<"mask", "mask_meaning", "dropout">>(options, more));
  POSENC_TRY(set(options.mask.meaning, more.mask_meaning));
  set(options.mask.pairs, more.mask);
  options.mask.pairs_shape = pair_shape(more.mask);
  if (more.dropout) POSENC_TRY(fill_dropout(options.dropout, *more.dropout));
  return options;
}

CacheAxes axes_of(std::int64_t seq_axis, std::size_t rank) {
  return seq_axis == -3 || seq_axis + 3 == static_cast<std::int64_t>(rank) ? CacheAxes::sequence_first
                                                                           : CacheAxes::heads_first;
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

/// Attention in sums of one kind or of both: `attend` is one of the core's.
template <class Call>
Expected<void> attend(const Call& in, AttentionOptions options, decltype(float32_attention) attend) {
  POSENC_TRY_LET(key, in.key.values());
  POSENC_TRY_LET(value, in.value.values());
  BatchedAttentionShape shape = batched_shape(in);
  CachedAttentionInputs inputs{in.query, key, value, shape.keys};
  const auto axis = in.seq_axis.value_or(-2);
  inputs.query_axes = axes_of(axis, in.query.shape.size());
  inputs.axes = axes_of(in.cache ? in.cache->seq_axis.value_or(axis) : axis, in.key.shape.size());
  if (inputs.query_axes == CacheAxes::sequence_first) std::swap(shape.heads, shape.queries);
  if (inputs.axes == CacheAxes::sequence_first) std::swap(shape.kv_heads, shape.keys);
  inputs.capacity = shape.keys;
  if (in.cache) {
    inputs.sequences = in.cache->sequences;
    inputs.cache_batch = in.key.extent(4);
    if (const auto lengths = in.cache->length; !lengths.empty()) {
      shape.keys = static_cast<std::size_t>(std::ranges::max(lengths));
      if (lengths.size() > 1) options.mask.lengths = lengths;
    }
  }
  return attend(shape, options, inputs, in.out.weights, in.out.output);
}

// The small entry's sums are in float32.

Expected<void> run(const calls::Attention& in) {
  POSENC_TRY_LET(options, options_of(in, in.query.extent(1)));
  return attend(in, options, float32_attention);
}

Expected<void> run(const calls::MaskedAttention& in) {
  POSENC_TRY_LET(options, full_options_of(in, in.query.extent(1)));
  return attend(in, options, attention);
}

namespace {

/// The axes of a key cache's tensors, of which there are four.
Expected<CacheAxes> cache_axes(std::optional<std::int64_t> seq_axis) {
  if (seq_axis == 2 || seq_axis == -2) return CacheAxes::heads_first;
  if (seq_axis == 1 || seq_axis == -3) return CacheAxes::sequence_first;
  const auto value = seq_axis ? ErrorValue(static_cast<double>(*seq_axis)) : ErrorValue("none");
  return std::unexpected(Error("seqAxis", value, expected::other,
                               {"1, as in [batch, seq, heads, dim], or 2, as in [batch, heads, seq, dim]"}));
}

}  // namespace

/// Whether a cache can be made so: its memory is JavaScript's.
Expected<void> run(const calls::KvCache& in) {
  auto dtype = DType::float32;
  POSENC_TRY(set(dtype, in.dtype));
  POSENC_TRY(cache_axes(in.seq_axis));
  if (in.rope == 0) return {};
  const auto dim = static_cast<std::int64_t>(from_handle<KeptRotary>(in.rope).dim());
  if (dim == in.dim) return {};
  return std::unexpected(Error("rope", static_cast<double>(dim), expected::same_rotary, {"dim", in.dim}));
}

Expected<void> run(const calls::AppendKeys& in) {
  const auto extent = [&](std::size_t axis) { return static_cast<std::size_t>(in.cache[axis]); };
  POSENC_TRY_LET(dtype, from_name<DType>(in.keys.dtype));
  POSENC_TRY_LET(axes, cache_axes(in.cache[5]));
  POSENC_TRY_LET(key, in.key.values());
  POSENC_TRY_LET(value, in.value.values());
  const KeyCacheMemory cache{.sequences = extent(0),
                             .heads = extent(1),
                             .capacity = extent(2),
                             .dim = extent(3),
                             .value_dim = extent(4),
                             .dtype = dtype,
                             .keys = in.keys.as<std::byte>().data(),
                             .values = in.values.as<std::byte>().data()};
  const std::size_t tokens = in.key.extent(1);
  RotaryStep* step = nullptr;
  if (in.rope != 0) {
    POSENC_TRY_LET(made, step_of(from_handle<KeptRotary>(in.rope)));
    step = made;
  }
  return append_keys(cache, {key, value, tokens, axes, in.sequences, in.lengths}, step,
                     positions_of(in.positions, {}, tokens));
}

Expected<void> run(const calls::AttentionBackward& in) {
  POSENC_TRY_LET(options, full_options_of(in, in.query.extent(1)));
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
  POSENC_TRY_LET(options, full_options_of(in, shape.attention.dim));
  POSENC_TRY_LET(layers, filled<MultiHeadLayers>(in.layers));
  const auto& out = in.out;
  return multi_head_attention(shape, layers, options, multi_head_inputs(in),
                              {out.saved_query, out.saved_key, out.saved_value, out.saved_context}, out.weights,
                              out.output);
}

Expected<void> run(const calls::MultiHeadBackward& in) {
  const MultiHeadShape shape = multi_head_shape(in);
  POSENC_TRY_LET(options, full_options_of(in, shape.attention.dim));
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
