#include "posenc/learning/layers/attention.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "posenc/attention/softmax.hpp"
#include "posenc/learning/layers/rows.hpp"

namespace posenc::learning {
namespace {

/// Where a head's rows begin among those of a layer.
template <class T>
Strided<T> head_of(const Strided<T>& rows, const PassShape& shape, const HeadPlace& place) {
  return rows.from(place.sequence * shape.length, place.head * shape.dims());
}

Strided<const float> constant(const Strided<float>& rows) { return {rows.data, rows.row_stride, rows.column_stride}; }

HeadRows head_rows(const LayerRows& rows, const PassShape& shape, const HeadPlace& place) {
  return {constant(head_of(rows.query, shape, place)), constant(head_of(rows.key, shape, place)),
          constant(head_of(rows.value, shape, place))};
}

/// Above the diagonal, where a query would see a later key.
void fill_upper(std::size_t length, float value, float* matrix) {
  for (std::size_t i = 0; i < length; ++i) std::fill_n(matrix + i * length + i + 1, length - i - 1, value);
}

template <class Use>
[[nodiscard]] Expected<void> for_heads(const PassShape& shape, std::size_t layer, const Use& use) {
  for (std::size_t sequence = 0; sequence < shape.sequences; ++sequence)
    for (std::size_t head = 0; head < shape.heads; ++head)
      if (auto used = use(HeadPlace{layer, sequence, head}); !used) return used;
  return {};
}

}  // namespace

Expected<void> attend(const Pass& pass, Encoding& encoding, std::size_t layer, const LayerRows& rows, Product& product,
                      float* weights, float* output) {
  const PassShape& shape = pass.shape;
  const std::size_t length = shape.length, dims = shape.dims(), size = length * length;
  const auto causal = [&](Spared spared) { return pass.is_causal ? spared : Spared::nothing; };
  return for_heads(shape, layer, [&](const HeadPlace& place) -> Expected<void> {
    const HeadRows head = head_rows(rows, shape, place);
    float* const scores = weights + place.in_layer(shape) * size;
    product.set(length, dims, length, head.query, transposed(head.key), scores, length, causal(Spared::result));
    if (pass.is_causal) fill_upper(length, 0, scores);
    scale_values(pass.scale, {scores, size});
    encoding.add_scores(pass, place, head, scores);
    if (pass.is_causal) fill_upper(length, -std::numeric_limits<float>::infinity(), scores);
    if (auto done = softmax(length, SumPrecision::float32, {scores, size}, {scores, size}); !done) return done;
    const Strided<float> out = head_of(row_major(output, shape.width), shape, place);
    product.set(length, length, dims, row_major<const float>(scores, length), head.value, out.data, out.row_stride,
                causal(Spared::upper));
    encoding.add_values(pass, place, scores, out);
    return {};
  });
}

Expected<void> attend_gradient(const Pass& pass, Encoding& encoding, std::size_t layer, const LayerRows& rows,
                               const float* weights, const float* d_output, Product& product, float* d_scores,
                               const LayerRows& d_rows, float* gradients) {
  const PassShape& shape = pass.shape;
  const std::size_t length = shape.length, dims = shape.dims(), size = length * length;
  const auto causal = [&](Spared spared) { return pass.is_causal ? spared : Spared::nothing; };
  return for_heads(shape, layer, [&](const HeadPlace& place) -> Expected<void> {
    const HeadRows head = head_rows(rows, shape, place);
    const HeadGradients d_head{head_of(d_rows.query, shape, place), head_of(d_rows.key, shape, place),
                               head_of(d_rows.value, shape, place)};
    const float* const of_head = weights + place.in_layer(shape) * size;
    const Strided<const float> weight = row_major(of_head, length);
    const Strided<const float> d_out = head_of(row_major(d_output, shape.width), shape, place);
    float* const d_weights = d_scores + size;
    product.set(length, length, dims, transposed(weight), d_out, d_head.value.data, d_head.value.row_stride,
                causal(Spared::lower));
    product.set(length, dims, length, d_out, transposed(head.value), d_weights, length, causal(Spared::result));
    if (pass.is_causal) fill_upper(length, 0, d_weights);
    encoding.values_gradient(pass, place, of_head, d_out, d_weights, gradients);
    if (auto done =
            softmax_backward(length, SumPrecision::float32, {of_head, size}, {d_weights, size}, {d_scores, size});
        !done)
      return done;
    // Encodings add to these, and may change the gradient of the scores, from which the products are then added.
    for (std::size_t row = 0; row < length; ++row) {
      std::fill_n(d_head.query.at(row, 0), dims, 0.0f);
      std::fill_n(d_head.key.at(row, 0), dims, 0.0f);
    }
    encoding.scores_gradient(pass, place, head, d_scores, d_head, gradients);
    scale_values(pass.scale, {d_scores, size});
    const Strided<const float> d_score = row_major<const float>(d_scores, length);
    product.add(length, length, dims, d_score, head.key, d_head.query.data, d_head.query.row_stride,
                causal(Spared::upper));
    product.add(length, length, dims, transposed(d_score), head.query, d_head.key.data, d_head.key.row_stride,
                causal(Spared::lower));
    return {};
  });
}

}  // namespace posenc::learning
