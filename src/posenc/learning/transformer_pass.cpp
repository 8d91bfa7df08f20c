#include <algorithm>
#include <cmath>
#include <limits>

#include "posenc/attention/dropout.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/transformer.hpp"

namespace posenc::learning {

Pass Transformer::pass_of(const TokenBatch& batch, std::span<const float> values) const {
  const auto heads = static_cast<std::size_t>(options_.heads), width = static_cast<std::size_t>(options_.width);
  const PassShape shape{batch.sequences, batch.length, layers_.size(), heads, width};
  const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(shape.dims())));
  return {shape, batch.positions, batch.shares_positions, options_.causal, scale, values.data()};
}

void Transformer::drop(const TokenBatch& batch, std::size_t layer, Branch branch, std::span<float> rows) const {
  if (options_.dropout == 0) return;
  // No pass has 2^32 elements: the counters of branches do not overlap.
  const std::uint64_t branch_start = (2 * std::uint64_t{layer} + (branch == Branch::mlp ? 1 : 0)) << 32;
  const std::uint64_t first =
      std::uint64_t{batch.first_sequence} * batch.length * static_cast<std::uint64_t>(options_.width);
  static_cast<void>(dropout({options_.dropout, batch.dropout_seed, branch_start + first, true}, rows, rows));
}

void Transformer::project(std::size_t rows, std::size_t in, std::size_t out, const float* x, const float* weight,
                          float* y) {
  product_.multiply(rows, in, out, row_major(x, in), transposed(row_major(weight, in)), y, out);
}

void Transformer::project_gradient(std::size_t rows, std::size_t in, std::size_t out, const float* x,
                                   const float* weight, const float* d_y, float* d_weight, float* d_x) {
  const Strided<const float> slopes = row_major(d_y, out);
  product_.multiply_add(out, rows, in, transposed(slopes), row_major(x, in), d_weight, in);
  product_.multiply(rows, out, in, slopes, row_major(weight, in), d_x, in);
}

Expected<void> Transformer::forward_layer(const Pass& pass, const TokenBatch& batch, std::size_t layer, float* out) {
  const std::size_t rows = pass.shape.rows(), width = pass.shape.width;
  const auto hidden = static_cast<std::size_t>(options_.hidden);
  const LayerOffsets& at = layers_[layer];
  const float* const values = pass.parameters;
  LayerBuffers& buffers = buffers_of(layer);
  rms_norm(rows, width, buffers.x.data(), values + at.attention_gain, buffers.normed.data(), buffers.inverses.data());
  project(rows, width, 3 * width, buffers.normed.data(), values + at.query_key_value, buffers.query_key_value.data());
  const LayerRows heads = buffers.rows(width);
  encoding_->read_rows(pass, layer, buffers.normed.data());
  encoding_->rotate(pass, heads.query, heads.key);
  const std::size_t pairs = pass.shape.length * pass.shape.length;
  float* const weights = weights_.data() + layer * pass.shape.sequences * pass.shape.heads * pairs;
  POSENC_TRY(attend(pass, *encoding_, layer, heads, product_, weights, buffers.attended.data()));
  float* const middle = buffers.middle.data();
  project(rows, width, width, buffers.attended.data(), values + at.attention_output, middle);
  drop(batch, layer, Branch::attention, {middle, rows * width});
  add_rows({buffers.x.data(), rows * width}, middle);

  rms_norm(rows, width, middle, values + at.mlp_gain, buffers.mlp_normed.data(), buffers.mlp_inverses.data());
  project(rows, width, hidden, buffers.mlp_normed.data(), values + at.up, buffers.up.data());
  add_bias(rows, hidden, values + at.up_bias, buffers.up.data());
  gelu({buffers.up.data(), rows * hidden}, buffers.gate.data(), buffers.activated.data());
  // `out` may be the layer's own x, which is not read from here on.
  project(rows, hidden, width, buffers.activated.data(), values + at.down, out);
  add_bias(rows, width, values + at.down_bias, out);
  drop(batch, layer, Branch::mlp, {out, rows * width});
  add_rows({middle, rows * width}, out);
  return {};
}

Expected<void> Transformer::forward(const Pass& pass, const TokenBatch& batch) {
  const std::size_t rows = pass.shape.rows(), width = pass.shape.width;
  encoding_->begin_pass(pass);
  float* const x = buffers_of(0).x.data();
  for (std::size_t row = 0; row < rows; ++row)
    std::copy_n(pass.parameters + embedding_ + static_cast<std::size_t>(batch.tokens[row]) * width, width,
                x + row * width);
  encoding_->encode_input(pass, x);
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    float* const out = layer + 1 == layers_.size() ? x_.data() : buffers_of(layer + 1).x.data();
    POSENC_TRY(forward_layer(pass, batch, layer, out));
  }
  rms_norm(rows, width, x_.data(), pass.parameters + last_gain_, normed_.data(), inverses_.data());
  return {};
}

Expected<LossSums> Transformer::run(const TokenBatch& batch, std::span<const std::int32_t> targets,
                                    std::span<const float> values, std::span<float> gradients) {
  const Pass pass = pass_of(batch, values);
  POSENC_TRY(forward(pass, batch));
  const std::size_t width = pass.shape.width;
  std::size_t asked = 0;
  for (std::size_t row = 0; row < pass.shape.rows(); ++row) {
    if (targets[row] == not_asked) continue;
    std::copy_n(normed_.data() + row * width, width, asked_rows_.data() + asked * width);
    asked_[asked] = static_cast<std::uint32_t>(row);
    asked_targets_[asked++] = targets[row];
  }
  project(asked, width, vocabulary_, asked_rows_.data(), values.data() + output_, logits_.data());
  const LossSums sums = cross_entropy(vocabulary_, {asked_targets_.data(), asked}, logits_.data());
  if (!std::isfinite(sums.loss))
    return invalid_argument("loss", sums.loss, expected::finite, {}, ": the rate may be too high");
  if (gradients.empty()) return sums;
  clear(gradients);
  project_gradient(asked, width, vocabulary_, asked_rows_.data(), values.data() + output_, logits_.data(),
                   gradients.data() + output_, d_asked_.data());
  float* const d_normed = d_rows_.data();
  clear({d_normed, pass.shape.rows() * width});
  for (std::size_t i = 0; i < asked; ++i) std::copy_n(d_asked_.data() + i * width, width, d_normed + asked_[i] * width);
  POSENC_TRY(backward(pass, batch, gradients.data()));
  return sums;
}

Expected<void> Transformer::next(const TokenBatch& batch, std::span<const float> values, std::span<float> logits) {
  const Pass pass = pass_of(batch, values);
  POSENC_TRY(forward(pass, batch));
  const std::size_t width = pass.shape.width;
  for (std::size_t sequence = 0; sequence < batch.sequences; ++sequence)
    std::copy_n(normed_.data() + ((sequence + 1) * batch.length - 1) * width, width,
                asked_rows_.data() + sequence * width);
  project(batch.sequences, width, vocabulary_, asked_rows_.data(), values.data() + output_, logits.data());
  return {};
}

Expected<void> Transformer::backward_layer(const Pass& pass, const TokenBatch& batch, std::size_t layer,
                                           float* gradients) {
  const std::size_t rows = pass.shape.rows(), width = pass.shape.width, size = rows * width;
  const auto hidden = static_cast<std::size_t>(options_.hidden);
  const LayerOffsets& at = layers_[layer];
  const float* const values = pass.parameters;
  LayerBuffers& buffers = buffers_of(layer);
  float *const d_x = d_x_.data(), *const d_branch = d_rows_.data(), *const d_normed = d_branch + size;
  float* const d_wide = d_wide_.data();

  std::copy_n(d_x, size, d_branch);
  drop(batch, layer, Branch::mlp, {d_branch, size});
  bias_gradient(rows, width, d_branch, gradients + at.down_bias);
  project_gradient(rows, hidden, width, buffers.activated.data(), values + at.down, d_branch, gradients + at.down,
                   d_wide);
  gelu_gradient({buffers.up.data(), rows * hidden}, buffers.gate.data(), d_wide, d_wide);
  bias_gradient(rows, hidden, d_wide, gradients + at.up_bias);
  project_gradient(rows, width, hidden, buffers.mlp_normed.data(), values + at.up, d_wide, gradients + at.up, d_normed);
  rms_norm_gradient(rows, width, buffers.middle.data(), values + at.mlp_gain, buffers.mlp_inverses.data(), d_normed,
                    d_x, gradients + at.mlp_gain);

  std::copy_n(d_x, size, d_branch);
  drop(batch, layer, Branch::attention, {d_branch, size});
  project_gradient(rows, width, width, buffers.attended.data(), values + at.attention_output, d_branch,
                   gradients + at.attention_output, d_normed);
  const std::size_t pairs = pass.shape.length * pass.shape.length;
  const LayerRows heads = buffers.rows(width);
  const LayerRows d_heads{row_major(d_wide, 3 * width), row_major(d_wide + width, 3 * width),
                          row_major(d_wide + 2 * width, 3 * width)};
  const float* const weights = weights_.data() + layer * pass.shape.sequences * pass.shape.heads * pairs;
  POSENC_TRY(
      attend_gradient(pass, *encoding_, layer, heads, weights, d_normed, product_, scores_.data(), d_heads, gradients));
  encoding_->rotate_gradient(pass, d_heads.query, d_heads.key);
  project_gradient(rows, width, 3 * width, buffers.normed.data(), values + at.query_key_value, d_wide,
                   gradients + at.query_key_value, d_normed);
  encoding_->read_gradient(pass, layer, buffers.normed.data(), d_normed, gradients);
  rms_norm_gradient(rows, width, buffers.x.data(), values + at.attention_gain, buffers.inverses.data(), d_normed, d_x,
                    gradients + at.attention_gain);
  return {};
}

Expected<void> Transformer::backward(const Pass& pass, const TokenBatch& batch, float* gradients) {
  const std::size_t rows = pass.shape.rows(), width = pass.shape.width;
  clear({d_x_.data(), rows * width});
  rms_norm_gradient(rows, width, x_.data(), pass.parameters + last_gain_, inverses_.data(), d_rows_.data(), d_x_.data(),
                    gradients + last_gain_);
  for (std::size_t layer = layers_.size(); layer-- > 0;) POSENC_TRY(backward_layer(pass, batch, layer, gradients));
  encoding_->input_gradient(pass, d_x_.data(), gradients);
  float* const d_embedding = gradients + embedding_;
  for (std::size_t row = 0; row < rows; ++row) {
    float* const of_token = d_embedding + static_cast<std::size_t>(batch.tokens[row]) * width;
    add_rows({d_x_.data() + row * width, width}, of_token);
  }
  encoding_->finish_gradient(pass, gradients);
  return {};
}

}  // namespace posenc::learning
