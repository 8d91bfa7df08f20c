#include "posenc/attention/multi_head.hpp"

#include <cstdint>
#include <utility>

#include "posenc/attention/batched_attention.hpp"
#include "posenc/attention/multi_head_steps.hpp"
#include "posenc/attention/project.hpp"
#include "posenc/attention/swap_axes.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

Expected<void> check_shared(const MultiHeadShape& shape, const MultiHeadInputs& inputs) {
  const auto differs = [](std::string_view name, std::size_t value, std::size_t other, std::string_view whose) {
    return wrong(name, static_cast<double>(value), {decimal(other), ", that of ", whose, ", which stands for it"});
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
        return wrong(name, static_cast<double>(heads), {"so many that heads * dim fits into memory"});
  const LayerExtents extents(shape);
  const auto check = [](const LinearLayer& layer, const LinearExtents& of, std::string_view weight,
                        std::string_view bias) { return check_layer(layer, of.in, of.out, weight, bias); };
  if (auto checked = check(layers.query, extents.query, "layers.query.weight", "layers.query.bias"); !checked)
    return checked;
  if (auto checked = check(layers.key, extents.key, "layers.key.weight", "layers.key.bias"); !checked) return checked;
  if (auto checked = check(layers.value, extents.value, "layers.value.weight", "layers.value.bias"); !checked)
    return checked;
  return check(layers.out, extents.out, "layers.out.weight", "layers.out.bias");
}

}  // namespace

Expected<void> check_multi_head(const MultiHeadShape& shape, const MultiHeadLayers& layers,
                                const MultiHeadInputs& inputs, const MultiHeadSizes& sizes) {
  const auto& [batch, heads, kv_heads, queries, keys, dim, value_dim] = shape.attention;
  if (auto checked = check_shared(shape, inputs); !checked) return checked;
  const ResolvedInputs given(inputs);
  if (auto checked = check_arrays({{"query", given.query.size(), {batch, queries, shape.query_width}},
                                   {"key", given.key.size(), {batch, keys, shape.key_width}},
                                   {"value", given.value.size(), {batch, keys, shape.value_width}},
                                   {"saved.query", sizes.query, {batch, heads, queries, dim}},
                                   {"saved.key", sizes.key, {batch, kv_heads, keys, dim}},
                                   {"saved.value", sizes.value, {batch, kv_heads, keys, value_dim}},
                                   {"saved.weights", sizes.weights, {batch, heads, queries, keys}},
                                   {"saved.context", sizes.context, {batch, queries, heads, value_dim}},
                                   {"output", sizes.output, {batch, queries, shape.out_width}}});
      !checked)
    return checked;
  return check_layers(shape, layers);
}

Expected<void> multi_head_attention(const MultiHeadShape& shape, const MultiHeadLayers& layers,
                                    const ScaledDotProductOptions& options, const MultiHeadInputs& inputs,
                                    const MultiHeadSaved<float>& saved, std::span<float> output) {
  if (auto checked = check_multi_head(shape, layers, inputs,
                                      {saved.query.size(), saved.key.size(), saved.value.size(), saved.weights.size(),
                                       saved.context.size(), output.size()});
      !checked)
    return checked;
  const auto& at = shape.attention;
  const AttentionInputs heads{saved.query, saved.key, saved.value};
  if (auto checked = check_forward(at, options, heads, saved.weights.size(), saved.context.size()); !checked)
    return checked;
  auto heads_output = AlignedArray<float>::make(saved.context.size());
  if (!heads_output) return std::unexpected(heads_output.error());
  auto sums = ForwardSums::make(at);
  if (!sums) return std::unexpected(sums.error());

  const ResolvedInputs given(inputs);
  const LayerExtents extents(shape);
  project(layers.query, at.batch, at.heads, {at.queries, extents.query.in, extents.query.out}, given.query.data(),
          saved.query.data());
  project(layers.key, at.batch, at.kv_heads, {at.keys, extents.key.in, extents.key.out}, given.key.data(),
          saved.key.data());
  project(layers.value, at.batch, at.kv_heads, {at.keys, extents.value.in, extents.value.out}, given.value.data(),
          saved.value.data());
  attend(at, options, heads, *sums, saved.weights, heads_output->span());
  swap_axes(at.heads, at.queries, at.value_dim, heads_output->span(), saved.context);
  project(layers.out, 1, 1, extents.out, saved.context.data(), output.data());
  return {};
}

}  // namespace posenc
