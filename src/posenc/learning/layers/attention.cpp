#include "posenc/learning/layers/attention.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "posenc/attention/softmax.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/layers/rows.hpp"

namespace posenc::learning {
namespace {

/// The rows of a head among those of a layer.
template <class T>
Strided<T> head_of(const Strided<T>& rows, const PassShape& shape, const HeadIndex& index) {
  return rows.from(index.sequence * shape.length, index.head * shape.dims());
}

Strided<const float> constant(const Strided<float>& rows) { return {rows.data, rows.row_stride, rows.column_stride}; }

HeadRows head_rows(const LayerRows& rows, const PassShape& shape, const HeadIndex& index) {
  return {constant(head_of(rows.query, shape, index)), constant(head_of(rows.key, shape, index)),
          constant(head_of(rows.value, shape, index))};
}

/// Fills a matrix above its diagonal, where a query would see a later key.
void fill_upper(std::size_t length, float value, float* matrix) {
  for (std::size_t i = 0; i < length; ++i) std::fill_n(matrix + i * length + i + 1, length - i - 1, value);
}

template <class Use>
[[nodiscard]] Expected<void> for_heads(const PassShape& shape, std::size_t layer, const Use& use) {
  for (std::size_t sequence = 0; sequence < shape.sequences; ++sequence)
    for (std::size_t head = 0; head < shape.heads; ++head) POSENC_TRY(use(HeadIndex{layer, sequence, head}));
  return {};
}

}  // namespace

Expected<void> attend(const Pass& pass, Encoding& encoding, std::size_t layer, const LayerRows& rows, Product& product,
                      float* weights, float* output) {
  const PassShape& shape = pass.shape;
  const std::size_t length = shape.length, dims = shape.dims(), size = length * length;
  const auto if_causal = [&](SkippedTriangle skipped) { return pass.is_causal ? skipped : SkippedTriangle::none; };
  return for_heads(shape, layer, [&](const HeadIndex& index) -> Expected<void> {
    const HeadRows head = head_rows(rows, shape, index);
    float* const scores = weights + index.in_layer(shape) * size;
    product.multiply(length, dims, length, head.query, transposed(head.key), scores, length,
                     if_causal(SkippedTriangle::result));
    if (pass.is_causal) fill_upper(length, 0, scores);
    scale_values(pass.scale, {scores, size});
    encoding.add_scores(pass, index, head, scores);
    if (pass.is_causal) fill_upper(length, -std::numeric_limits<float>::infinity(), scores);
    POSENC_TRY(softmax(length, SumPrecision::float32, {scores, size}, {scores, size}));
    const Strided<float> out = head_of(row_major(output, shape.width), shape, index);
    product.multiply(length, length, dims, row_major<const float>(scores, length), head.value, out.data, out.row_stride,
                     if_causal(SkippedTriangle::upper));
    encoding.add_values(pass, index, scores, out);
    return {};
  });
}

Expected<void> attend_gradient(const Pass& pass, Encoding& encoding, std::size_t layer, const LayerRows& rows,
                               const float* weights, const float* d_output, Product& product, float* d_scores,
                               const LayerRows& d_rows, float* gradients) {
  const PassShape& shape = pass.shape;
  const std::size_t length = shape.length, dims = shape.dims(), size = length * length;
  const auto if_causal = [&](SkippedTriangle skipped) { return pass.is_causal ? skipped : SkippedTriangle::none; };
  return for_heads(shape, layer, [&](const HeadIndex& index) -> Expected<void> {
    const HeadRows head = head_rows(rows, shape, index);
    const HeadGradients d_head{head_of(d_rows.query, shape, index), head_of(d_rows.key, shape, index),
                               head_of(d_rows.value, shape, index)};
    const float* const of_head = weights + index.in_layer(shape) * size;
    const Strided<const float> weight = row_major(of_head, length);
    const Strided<const float> d_out = head_of(row_major(d_output, shape.width), shape, index);
    float* const d_weights = d_scores + size;
    product.multiply(length, length, dims, transposed(weight), d_out, d_head.value.data, d_head.value.row_stride,
                     if_causal(SkippedTriangle::lower));
    product.multiply(length, dims, length, d_out, transposed(head.value), d_weights, length,
                     if_causal(SkippedTriangle::result));
    if (pass.is_causal) fill_upper(length, 0, d_weights);
    encoding.values_gradient(pass, index, of_head, d_out, d_weights, gradients);
    POSENC_TRY(softmax_backward(length, SumPrecision::float32, {of_head, size}, {d_weights, size}, {d_scores, size}));
    // The encoding adds to these, and may change the gradient of the scores, which the products below read.
    for (std::size_t row = 0; row < length; ++row) {
      std::fill_n(d_head.query.at(row, 0), dims, 0.0f);
      std::fill_n(d_head.key.at(row, 0), dims, 0.0f);
    }
    encoding.scores_gradient(pass, index, head, d_scores, d_head, gradients);
    scale_values(pass.scale, {d_scores, size});
    const Strided<const float> d_score = row_major<const float>(d_scores, length);
    product.multiply_add(length, length, dims, d_score, head.key, d_head.query.data, d_head.query.row_stride,
                         if_causal(SkippedTriangle::upper));
    product.multiply_add(length, length, dims, transposed(d_score), head.query, d_head.key.data, d_head.key.row_stride,
                         if_causal(SkippedTriangle::lower));
    return {};
  });
}

}  // namespace posenc::learning
