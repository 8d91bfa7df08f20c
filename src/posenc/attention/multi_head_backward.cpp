#include <algorithm>
#include <initializer_list>
#include <utility>

#include "posenc/attention/attention_row.hpp"
#include "posenc/attention/batched_attention.hpp"
#include "posenc/attention/multi_head_steps.hpp"
#include "posenc/attention/project.hpp"
#include "posenc/attention/swap_axes.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

using Floats = AlignedArray<float>;

Expected<void> check_gradients(const MultiHeadShape& shape, const MultiHeadInputs& inputs, const PairShape& bias_shape,
                               const MultiHeadGradients& gradients) {
  const LayerExtents extents(shape);
  const ResolvedInputs given(inputs);
  const auto& [query, key, value, out] = extents;
  if (auto checked =
          check_wanted({{"gradients.query", gradients.query_input.size(), {given.query.size()}},
                        {"gradients.key", gradients.key_input.size(), {inputs.key ? given.key.size() : 0}},
                        {"gradients.value", gradients.value_input.size(), {inputs.value ? given.value.size() : 0}},
                        {"gradients.layers.query.weight", gradients.query.weight.size(), {query.out, query.in}},
                        {"gradients.layers.query.bias", gradients.query.bias.size(), {query.out}},
                        {"gradients.layers.key.weight", gradients.key.weight.size(), {key.out, key.in}},
                        {"gradients.layers.key.bias", gradients.key.bias.size(), {key.out}},
                        {"gradients.layers.value.weight", gradients.value.weight.size(), {value.out, value.in}},
                        {"gradients.layers.value.bias", gradients.value.bias.size(), {value.out}},
                        {"gradients.layers.out.weight", gradients.out.weight.size(), {out.out, out.in}},
                        {"gradients.layers.out.bias", gradients.out.bias.size(), {out.out}}});
      !checked)
    return checked;
  return check_bias_gradient(shape.attention, bias_shape, gradients.bias.size());
}

/// Intermediate gradients: of the heads, [batch, heads, rows, dim], and merged, [batch, rows, heads * dim].
struct Between {
  Floats query, key, value, output;
  Floats merged_query, merged_key, merged_value, context;
  AlignedArray<double> row;

  static Expected<Between> make(const MultiHeadSaved<const float>& saved, std::size_t widest) {
    Between between;
    for (const auto& [array, size] :
         {std::pair(&between.query, saved.query.size()), std::pair(&between.key, saved.key.size()),
          std::pair(&between.value, saved.value.size()), std::pair(&between.output, saved.context.size()),
          std::pair(&between.merged_query, saved.query.size()), std::pair(&between.merged_key, saved.key.size()),
          std::pair(&between.merged_value, saved.value.size()), std::pair(&between.context, saved.context.size())}) {
      auto made = Floats::make(size);
      if (!made) return std::unexpected(made.error());
      *array = *std::move(made);
    }
    auto row = AlignedArray<double>::make(widest);
    if (!row) return std::unexpected(row.error());
    between.row = *std::move(row);
    return between;
  }
};

/// A layer's share of an input's gradient; none where another input stands for it.
struct Share {
  const LinearLayer* layer;
  std::size_t out;
  const float* dy;
};

/// The gradient of an input from every layer that reads it: one sum, one rounding.
void input_gradient(std::initializer_list<Share> shares, std::span<double> row, std::span<float> gradient) {
  for (std::size_t r = 0; r * row.size() < gradient.size(); ++r) {
    std::ranges::fill(row, 0.0);
    for (const Share& share : shares) add_input_gradient(*share.layer, share.out, share.dy + r * share.out, row);
    round_to(row, gradient.data() + r * row.size());
  }
}

}  // namespace

Expected<void> multi_head_backward(const MultiHeadShape& shape, const MultiHeadLayers& layers,
                                   const ScaledDotProductOptions& options, const MultiHeadInputs& inputs,
                                   const MultiHeadSaved<const float>& saved, std::span<const float> d_output,
                                   const MultiHeadGradients& gradients) {
  if (auto checked = check_multi_head(shape, layers, inputs,
                                      {saved.query.size(), saved.key.size(), saved.value.size(), saved.weights.size(),
                                       saved.context.size(), d_output.size()});
      !checked)
    return checked;
  const auto& at = shape.attention;
  const AttentionInputs heads{saved.query, saved.key, saved.value};
  if (auto checked = check_backward(at, options, heads, saved.weights.size(), saved.context.size()); !checked)
    return checked;
  if (auto checked = check_gradients(shape, inputs, options.bias_shape, gradients); !checked) return checked;
  const LayerExtents extents(shape);
  auto made =
      Between::make(saved, std::max({shape.query_width, shape.key_width, shape.value_width, at.heads * at.value_dim}));
  if (!made) return std::unexpected(made.error());
  auto sums = BackwardSums::make(at, saved.weights.size(), gradients.bias.size());
  if (!sums) return std::unexpected(sums.error());
  Between& d = *made;
  const auto row = [&](std::size_t width) { return d.row.span().first(width); };

  // W^O, then the heads, then the other layers.
  layer_gradients(extents.out, saved.context.data(), d_output.data(), row(extents.out.in), gradients.out.weight,
                  gradients.out.bias);
  input_gradient({{&layers.out, extents.out.out, d_output.data()}}, row(extents.out.in), d.context.span());
  swap_axes(at.queries, at.heads, at.value_dim, d.context.span(), d.output.span());
  attend_backward(at, options, heads, *sums, saved.weights, d.output.span(),
                  {d.query.span(), d.key.span(), d.value.span(), gradients.bias});
  swap_axes(at.heads, at.queries, at.dim, d.query.span(), d.merged_query.span());
  swap_axes(at.kv_heads, at.keys, at.dim, d.key.span(), d.merged_key.span());
  swap_axes(at.kv_heads, at.keys, at.value_dim, d.value.span(), d.merged_value.span());

  const ResolvedInputs given(inputs);
  layer_gradients(extents.query, given.query.data(), d.merged_query.data(), row(extents.query.in),
                  gradients.query.weight, gradients.query.bias);
  layer_gradients(extents.key, given.key.data(), d.merged_key.data(), row(extents.key.in), gradients.key.weight,
                  gradients.key.bias);
  layer_gradients(extents.value, given.value.data(), d.merged_value.data(), row(extents.value.in),
                  gradients.value.weight, gradients.value.bias);

  const Share query{&layers.query, extents.query.out, d.merged_query.data()};
  const Share key{&layers.key, extents.key.out, d.merged_key.data()};
  const Share value{&layers.value, extents.value.out, d.merged_value.data()};
  const Share none{&layers.query, 0, nullptr};
  input_gradient({query, inputs.key ? none : key, inputs.key || inputs.value ? none : value}, row(extents.query.in),
                 gradients.query_input);
  input_gradient({key, inputs.value ? none : value}, row(extents.key.in), gradients.key_input);
  input_gradient({value}, row(extents.value.in), gradients.value_input);
  return {};
}

}  // namespace posenc
