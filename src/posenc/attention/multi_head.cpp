#include "posenc/attention/multi_head.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "posenc/attention/kernels/batched_attention.hpp"
#include "posenc/attention/kernels/batched_backward.hpp"
#include "posenc/attention/kernels/linear_steps.hpp"
#include "posenc/attention/kernels/rounded_product.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

Expected<void> check_heads(const HeadsShape& shape, std::size_t x, std::size_t out) {
  POSENC_TRY(check_extents("x", x, {shape.batch, shape.heads, shape.rows, shape.dim}));
  return check_size("out", out, x);
}

/// The three inputs; keys default to queries, values to keys.
struct ResolvedInputs {
  explicit ResolvedInputs(const MultiHeadInputs& inputs)
      : query(inputs.query), key(inputs.key.value_or(query)), value(inputs.value.value_or(key)) {}

  std::span<const float> query, key, value;
};

/// How many values each step has.
struct MultiHeadSizes {
  std::size_t query, key, value, context, output;
};

/// The extents of each layer, over a whole batch.
struct LayerExtents {
  explicit LayerExtents(const MultiHeadShape& shape)
      : query{shape.attention.batch * shape.attention.queries, shape.query_width,
              shape.attention.heads * shape.attention.dim},
        key{shape.attention.batch * shape.attention.keys, shape.key_width,
            shape.attention.kv_heads * shape.attention.dim},
        value{shape.attention.batch * shape.attention.keys, shape.value_width,
              shape.attention.kv_heads * shape.attention.value_dim},
        out{shape.attention.batch * shape.attention.queries, shape.attention.heads * shape.attention.value_dim,
            shape.out_width} {}

  LinearExtents query, key, value, out;
};

Expected<void> check_shared(const MultiHeadShape& shape, const MultiHeadInputs& inputs) {
  const auto differs = [](std::string_view name, std::size_t value, std::size_t other, std::string_view whose) {
    return invalid_argument(name, static_cast<double>(value),
                            {decimal(other), ", that of ", whose, ", which is taken for it"});
  };
  if (!inputs.key && shape.attention.keys != shape.attention.queries)
    return differs("keys", shape.attention.keys, shape.attention.queries, "query");
  if (!inputs.key && shape.key_width != shape.query_width)
    return differs("keyWidth", shape.key_width, shape.query_width, "query");
  if (!inputs.value && shape.value_width != shape.key_width)
    return differs("valueWidth", shape.value_width, shape.key_width, "key");
  return {};
}

Expected<void> check_layers(const MultiHeadShape& shape, const MultiHeadLayers& layers) {
  const auto& at = shape.attention;
  for (const auto& [name, heads] : {std::pair("heads", at.heads), std::pair("kvHeads", at.kv_heads)})
    for (const std::size_t dim : {at.dim, at.value_dim})
      if (dim != 0 && heads > SIZE_MAX / dim)
        return invalid_argument(name, static_cast<double>(heads), {"so many that heads * dim fits into memory"});
  const LayerExtents extents(shape);
  const auto check = [](const LinearLayer& layer, const LinearExtents& of, std::string_view weight,
                        std::string_view bias) { return check_layer(layer, of.in, of.out, weight, bias); };
  POSENC_TRY(check(layers.query, extents.query, "layers.query.weight", "layers.query.bias"));
  POSENC_TRY(check(layers.key, extents.key, "layers.key.weight", "layers.key.bias"));
  POSENC_TRY(check(layers.value, extents.value, "layers.value.weight", "layers.value.bias"));
  return check(layers.out, extents.out, "layers.out.weight", "layers.out.bias");
}

/// The checks that forward and backward share. After them no product of extents overflows.
Expected<void> check_multi_head(const MultiHeadShape& shape, const MultiHeadLayers& layers,
                                const MultiHeadInputs& inputs, const MultiHeadSizes& sizes) {
  const auto& [batch, heads, kv_heads, queries, keys, dim, value_dim] = shape.attention;
  POSENC_TRY(check_shared(shape, inputs));
  const ResolvedInputs given(inputs);
  POSENC_TRY(check_arrays({{"query", given.query.size(), {batch, queries, shape.query_width}},
                           {"key", given.key.size(), {batch, keys, shape.key_width}},
                           {"value", given.value.size(), {batch, keys, shape.value_width}},
                           {"saved.query", sizes.query, {batch, heads, queries, dim}},
                           {"saved.key", sizes.key, {batch, kv_heads, keys, dim}},
                           {"saved.value", sizes.value, {batch, kv_heads, keys, value_dim}},
                           {"saved.context", sizes.context, {batch, queries, heads, value_dim}},
                           {"output", sizes.output, {batch, queries, shape.out_width}}}));
  return check_layers(shape, layers);
}

Expected<void> check_gradients(const MultiHeadShape& shape, const MultiHeadInputs& inputs,
                               const AttentionOptions& options, const MultiHeadGradients& gradients) {
  const LayerExtents extents(shape);
  const ResolvedInputs given(inputs);
  const auto& [query, key, value, out] = extents;
  POSENC_TRY(check_wanted({{"gradients.query", gradients.query_input.size(), {given.query.size()}},
                           {"gradients.key", gradients.key_input.size(), {inputs.key ? given.key.size() : 0}},
                           {"gradients.value", gradients.value_input.size(), {inputs.value ? given.value.size() : 0}},
                           {"gradients.layers.query.weight", gradients.query.weight.size(), {query.out, query.in}},
                           {"gradients.layers.query.bias", gradients.query.bias.size(), {query.out}},
                           {"gradients.layers.key.weight", gradients.key.weight.size(), {key.out, key.in}},
                           {"gradients.layers.key.bias", gradients.key.bias.size(), {key.out}},
                           {"gradients.layers.value.weight", gradients.value.weight.size(), {value.out, value.in}},
                           {"gradients.layers.value.bias", gradients.value.bias.size(), {value.out}},
                           {"gradients.layers.out.weight", gradients.out.weight.size(), {out.out, out.in}},
                           {"gradients.layers.out.bias", gradients.out.bias.size(), {out.out}}}));
  return check_bias_gradient(shape.attention, options, gradients.bias.size());
}

/// Intermediate gradients: of the heads, [batch, heads, rows, dim], and merged, [batch, rows, heads * dim].
struct Between {
  AlignedArray<float> query, key, value, output;
  AlignedArray<float> merged_query, merged_key, merged_value, context;

  static Expected<Between> make(const MultiHeadSaved<const float>& saved) {
    Between between;
    POSENC_TRY(allocate({{between.query, saved.query.size()},
                         {between.key, saved.key.size()},
                         {between.value, saved.value.size()},
                         {between.output, saved.context.size()},
                         {between.merged_query, saved.query.size()},
                         {between.merged_key, saved.key.size()},
                         {between.merged_value, saved.value.size()},
                         {between.context, saved.context.size()}}));
    return between;
  }
};

/// A layer's share of an input's gradient.
struct Share {
  const LinearLayer* layer;
  const LinearExtents* extents;
  const float* dy;
};

/// The gradient of an input from every layer that reads it: one sum, one rounding.
template <class T>
void input_gradient(RoundedProduct<T>& product, std::span<const Share> shares, std::span<float> gradient) {
  if (gradient.empty()) return;
  const auto& [rows, in, out] = *shares[0].extents;
  typename RoundedProduct<T>::Term terms[3];
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const std::size_t depth = shares[k].extents->out;
    terms[k] = {depth, row_major(shares[k].dy, depth), row_major(shares[k].layer->weight.data(), in)};
  }
  product(rows, in, std::span(terms).first(shares.size()), nullptr, gradient.data(), in);
}

/// Forward after all checks: it fails only for memory. T is the type of sums.
template <class T>
Expected<void> forward_as(const MultiHeadShape& shape, const MultiHeadLayers& layers, const AttentionOptions& options,
                          const MultiHeadInputs& inputs, const MultiHeadSaved<float>& saved, std::span<float> weights,
                          std::span<float> output) {
  const auto& at = shape.attention;
  const AttentionInputs heads{saved.query, saved.key, saved.value};
  POSENC_TRY_LET(heads_output, AlignedArray<float>::make(saved.context.size()));
  // Without results products of extents may overflow.
  const bool attends = !weights.empty() || !saved.context.empty();
  POSENC_TRY_LET(memory, attends ? ForwardMemory<T>::make(at) : ForwardMemory<T>());
  const ResolvedInputs given(inputs);
  const LayerExtents extents(shape);
  const auto extents_of = [](const LinearExtents& of) {
    return typename RoundedProduct<T>::Extents{of.rows, of.in, of.out};
  };
  POSENC_TRY_LET(product, RoundedProduct<T>::make({extents_of(extents.query), extents_of(extents.key),
                                                   extents_of(extents.value), extents_of(extents.out)}));

  project(product, layers.query, at.batch, at.heads, {at.queries, extents.query.in, extents.query.out},
          given.query.data(), saved.query.data());
  project(product, layers.key, at.batch, at.kv_heads, {at.keys, extents.key.in, extents.key.out}, given.key.data(),
          saved.key.data());
  project(product, layers.value, at.batch, at.kv_heads, {at.keys, extents.value.in, extents.value.out},
          given.value.data(), saved.value.data());
  attend<T>(at, options, heads, memory, weights, heads_output.span());
  swap_axes(at.heads, at.queries, at.value_dim, heads_output.span(), saved.context);
  project(product, layers.out, 1, 1, extents.out, saved.context.data(), output.data());
  return {};
}

template <class T>
Expected<void> backward_as(const MultiHeadShape& shape, const MultiHeadLayers& layers, const AttentionOptions& options,
                           const MultiHeadInputs& inputs, const MultiHeadSaved<const float>& saved,
                           std::span<const float> d_output, const MultiHeadGradients& gradients) {
  const auto& at = shape.attention;
  const AttentionInputs heads{saved.query, saved.key, saved.value};
  const LayerExtents extents(shape);
  POSENC_TRY_LET(d, Between::make(saved));
  POSENC_TRY_LET(memory,
                 saved.context.empty() ? BackwardMemory<T>() : BackwardMemory<T>::make(at, gradients.bias.size()));
  // Largest of all: rows, inputs and outputs of a layer take turns as rows, depth and columns.
  LinearExtents largest;
  for (const LinearExtents& of : {extents.query, extents.key, extents.value, extents.out})
    largest = {std::max(largest.rows, of.rows), std::max(largest.in, of.in), std::max(largest.out, of.out)};
  const auto& [rows, in, out] = largest;
  POSENC_TRY_LET(product, RoundedProduct<T>::make({{rows, out, in}, {out, rows, in}, {1, rows, out}}));

  // W^O, then the heads, then the other layers.
  layer_gradients(product, extents.out, saved.context.data(), d_output.data(), gradients.out.weight,
                  gradients.out.bias);
  const Share of_out{&layers.out, &extents.out, d_output.data()};
  input_gradient(product, std::span(&of_out, 1), d.context.span());
  swap_axes(at.queries, at.heads, at.value_dim, d.context.span(), d.output.span());
  attend_backward<T>(at, options, heads, memory, d.output.span(),
                     {d.query.span(), d.key.span(), d.value.span(), gradients.bias});
  swap_axes(at.heads, at.queries, at.dim, d.query.span(), d.merged_query.span());
  swap_axes(at.kv_heads, at.keys, at.dim, d.key.span(), d.merged_key.span());
  swap_axes(at.kv_heads, at.keys, at.value_dim, d.value.span(), d.merged_value.span());

  const ResolvedInputs given(inputs);
  layer_gradients(product, extents.query, given.query.data(), d.merged_query.data(), gradients.query.weight,
                  gradients.query.bias);
  layer_gradients(product, extents.key, given.key.data(), d.merged_key.data(), gradients.key.weight,
                  gradients.key.bias);
  layer_gradients(product, extents.value, given.value.data(), d.merged_value.data(), gradients.value.weight,
                  gradients.value.bias);

  // An input takes the shares of the inputs that it is taken for.
  const Share shares[] = {{&layers.query, &extents.query, d.merged_query.data()},
                          {&layers.key, &extents.key, d.merged_key.data()},
                          {&layers.value, &extents.value, d.merged_value.data()}};
  const std::span all(shares);
  input_gradient(product, all.first(inputs.key ? 1 : inputs.value ? 2 : 3), gradients.query_input);
  input_gradient(product, all.subspan(1, inputs.value ? 1 : 2), gradients.key_input);
  input_gradient(product, all.subspan(2), gradients.value_input);
  return {};
}

}  // namespace

Expected<void> split_heads(const HeadsShape& shape, std::span<const float> x, std::span<float> out) {
  POSENC_TRY(check_heads(shape, x.size(), out.size()));
  swap_axes(shape.rows, shape.heads, shape.dim, x, out);
  return {};
}

Expected<void> merge_heads(const HeadsShape& shape, std::span<const float> x, std::span<float> out) {
  POSENC_TRY(check_heads(shape, x.size(), out.size()));
  swap_axes(shape.heads, shape.rows, shape.dim, x, out);
  return {};
}

Expected<void> multi_head_attention(const MultiHeadShape& shape, const MultiHeadLayers& layers,
                                    const AttentionOptions& options, const MultiHeadInputs& inputs,
                                    const MultiHeadSaved<float>& saved, std::span<float> weights,
                                    std::span<float> output) {
  POSENC_TRY(check_multi_head(
      shape, layers, inputs,
      {saved.query.size(), saved.key.size(), saved.value.size(), saved.context.size(), output.size()}));
  const auto& at = shape.attention;
  const AttentionInputs heads{saved.query, saved.key, saved.value};
  POSENC_TRY(check_forward(at, options, heads, weights.size(), saved.context.size()));
  return options.precision == SumPrecision::exact
             ? forward_as<double>(shape, layers, options, inputs, saved, weights, output)
             : forward_as<float>(shape, layers, options, inputs, saved, weights, output);
}

Expected<void> multi_head_backward(const MultiHeadShape& shape, const MultiHeadLayers& layers,
                                   const AttentionOptions& options, const MultiHeadInputs& inputs,
                                   const MultiHeadSaved<const float>& saved, std::span<const float> d_output,
                                   const MultiHeadGradients& gradients) {
  POSENC_TRY(check_multi_head(
      shape, layers, inputs,
      {saved.query.size(), saved.key.size(), saved.value.size(), saved.context.size(), d_output.size()}));
  const auto& at = shape.attention;
  const AttentionInputs heads{saved.query, saved.key, saved.value};
  POSENC_TRY(check_forward(at, options, heads, 0, saved.context.size()));
  POSENC_TRY(check_gradients(shape, inputs, options, gradients));
  return options.precision == SumPrecision::exact
             ? backward_as<double>(shape, layers, options, inputs, saved, d_output, gradients)
             : backward_as<float>(shape, layers, options, inputs, saved, d_output, gradients);
}

}  // namespace posenc
