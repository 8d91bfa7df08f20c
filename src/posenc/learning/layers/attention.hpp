#pragma once

#include <cstddef>

#include "posenc/base/error.hpp"
#include "posenc/learning/encoding.hpp"
#include "posenc/learning/pass.hpp"
#include "posenc/learning/product.hpp"

namespace posenc::learning {

/// Rotated queries, keys and values of a layer, each [rows, width] with a head's dimensions contiguous.
struct LayerRows {
  Strided<float> query, key, value;
};

// The lab has an attention of its own beside attention, with the same panels and the same softmax, because of
// stored bits: attention scales queries before the dot product and divides by the softmax's sum after the
// product with values, so that 70 to 90 % of outputs differ, by up to 1.5e-7, and with them every stored training.
// Encodings also read and change all scores of a head in place, and rows come as the projection writes them. At the
// shapes that are trained, forward takes the same time within 15 %; its gradient, which computes weights again, takes 9
// to 39 % longer. At 256 tokens, where tests go, attention takes about half the time.

/// The attention of one layer's heads. `product` has buffers for [dimensions, length], [length, dimensions] and
/// [length, length].
///
/// output, [rows, width] = softmax(scale q k + encoding) v + encoding, where rows are row-major; weights: [sequences,
/// heads, length, length], kept for the gradient. Errors: a score that is NaN or infinite.
[[nodiscard]] Expected<void> attend(const Pass& pass, Encoding& encoding, std::size_t layer, const LayerRows& rows,
                                    Product& product, float* weights, float* output);

/// From the gradient of the output to those of queries, keys and values, which are written over, and of the encoding's
/// parameters, which are added to `gradients`. `d_scores`: a buffer of 2 * length * length values.
[[nodiscard]] Expected<void> attend_gradient(const Pass& pass, Encoding& encoding, std::size_t layer,
                                             const LayerRows& rows, const float* weights, const float* d_output,
                                             Product& product, float* d_scores, const LayerRows& d_rows,
                                             float* gradients);

}  // namespace posenc::learning
