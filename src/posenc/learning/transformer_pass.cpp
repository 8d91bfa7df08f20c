#include <algorithm>
#include <cmath>
#include <limits>

#include "posenc/attention/dropout.hpp"
#include "posenc/base/check.hpp"
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
  // No pass has as many elements: branches do not overlap.
  const std::uint64_t place = (2 * std::uint64_t{layer} + (branch == Branch::mlp ? 1 : 0)) << 32;
  const std::uint64_t first =
      std::uint64_t{batch.first_sequence} * batch.length * static_cast<std::uint64_t>(options_.width);
  static_cast<void>(dropout({options_.dropout, batch.dropout_seed, place + first, true}, rows, rows));
}

void Transformer::project(std::size_t rows, std::size_t in, std::size_t out, const float* x, const float* weight,
                          float* y) {
  product_.set(rows, in, out, row_major(x, in), transposed(row_major(weight, in)), y, out);
}

void Transformer::project_gradient(std::size_t rows, std::size_t in, std::size_t out, const float* x,
                                   const float* weight, const float* d_y, float* d_weight, float* d_x) {
  const Strided<const float> slopes = row_major(d_y, out);
  product_.add(out, rows, in, transposed(slopes), row_major(x, in), d_weight, in);
  product_.set(rows, out, in, slopes, row_major(weight, in), d_x, in);
}

Expected<void> Transformer::forward_layer(const Pass& pass, const TokenBatch& batch, std::size_t layer, float* out) {
  const std::size_t rows = pass.shape.rows(), width = pass.shape.width;
  const auto hidden = static_cast<std::size_t>(options_.hidden);
  const LayerPlaces& at = layers_[layer];
  const float* const values = pass.parameters;
  LayerRoom& room = room_of(layer);
  rms_norm(rows, width, room.x.data(), values + at.attention_gain, room.normed.data(), room.inverses.data());
  project(rows, width, 3 * width, room.normed.data(), values + at.query_key_value, room.query_key_value.data());
  const LayerRows heads = room.rows(width);
  encoding_->read_rows(pass, layer, room.normed.data());
  encoding_->rotate(pass, heads.query, heads.key);
  const std::size_t pairs = pass.shape.length * pass.shape.length;
  float* const weights = weights_.data() + layer * pass.shape.sequences * pass.shape.heads * pairs;
  if (auto done = attend(pass, *encoding_, layer, heads, product_, weights, room.attended.data()); !done) return done;
  float* const middle = room.middle.data();
  project(rows, width, width, room.attended.data(), values + at.attention_output, middle);
  drop(batch, layer, Branch::attention, {middle, rows * width});
  add_rows({room.x.data(), rows * width}, middle);

  rms_norm(rows, width, middle, values + at.mlp_gain, room.mlp_normed.data(), room.mlp_inverses.data());
  project(rows, width, hidden, room.mlp_normed.data(), values + at.up, room.up.data());
  add_bias(rows, hidden, values + at.up_bias, room.up.data());
  gelu({room.up.data(), rows * hidden}, room.gate.data(), room.activated.data());
  // `out` may be the layer's own x, which is not read any more.
  project(rows, hidden, width, room.activated.data(), values + at.down, out);
  add_bias(rows, width, values + at.down_bias, out);
  drop(batch, layer, Branch::mlp, {out, rows * width});
  add_rows({middle, rows * width}, out);
  return {};
}

Expected<void> Transformer::forward(const Pass& pass, const TokenBatch& batch) {
  const std::size_t rows = pass.shape.rows(), width = pass.shape.width;
  encoding_->begin(pass);
  float* const x = room_of(0).x.data();
  for (std::size_t row = 0; row < rows; ++row)
    std::copy_n(pass.parameters + embedding_ + static_cast<std::size_t>(batch.tokens[row]) * width, width,
                x + row * width);
  encoding_->add_to_input(pass, x);
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    float* const out = layer + 1 == layers_.size() ? x_.data() : room_of(layer + 1).x.data();
    if (auto done = forward_layer(pass, batch, layer, out); !done) return done;
  }
  rms_norm(rows, width, x_.data(), pass.parameters + last_gain_, normed_.data(), inverses_.data());
  return {};
}

Expected<LossSums> Transformer::run(const TokenBatch& batch, std::span<const std::int32_t> targets,
                                    std::span<const float> values, std::span<float> gradients) {
  const Pass pass = pass_of(batch, values);
  if (auto done = forward(pass, batch); !done) return error_of(done);
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
    return invalid_argument("loss", sums.loss, {"a finite number: the rate may be too high"});
  if (gradients.empty()) return sums;
  clear(gradients);
  project_gradient(asked, width, vocabulary_, asked_rows_.data(), values.data() + output_, logits_.data(),
                   gradients.data() + output_, d_asked_.data());
  float* const d_normed = d_rows_.data();
  clear({d_normed, pass.shape.rows() * width});
  for (std::size_t i = 0; i < asked; ++i) std::copy_n(d_asked_.data() + i * width, width, d_normed + asked_[i] * width);
  if (auto done = backward(pass, batch, gradients.data()); !done) return error_of(done);
  return sums;
}

Expected<void> Transformer::next(const TokenBatch& batch, std::span<const float> values, std::span<float> logits) {
  const Pass pass = pass_of(batch, values);
  if (auto done = forward(pass, batch); !done) return done;
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
  const LayerPlaces& at = layers_[layer];
  const float* const values = pass.parameters;
  LayerRoom& room = room_of(layer);
  float *const d_x = d_x_.data(), *const d_branch = d_rows_.data(), *const d_normed = d_branch + size;
  float* const d_wide = d_wide_.data();

  std::copy_n(d_x, size, d_branch);
  drop(batch, layer, Branch::mlp, {d_branch, size});
  bias_gradient(rows, width, d_branch, gradients + at.down_bias);
  project_gradient(rows, hidden, width, room.activated.data(), values + at.down, d_branch, gradients + at.down, d_wide);
  gelu_gradient({room.up.data(), rows * hidden}, room.gate.data(), d_wide, d_wide);
  bias_gradient(rows, hidden, d_wide, gradients + at.up_bias);
  project_gradient(rows, width, hidden, room.mlp_normed.data(), values + at.up, d_wide, gradients + at.up, d_normed);
  rms_norm_gradient(rows, width, room.middle.data(), values + at.mlp_gain, room.mlp_inverses.data(), d_normed, d_x,
                    gradients + at.mlp_gain);

  std::copy_n(d_x, size, d_branch);
  drop(batch, layer, Branch::attention, {d_branch, size});
  project_gradient(rows, width, width, room.attended.data(), values + at.attention_output, d_branch,
                   gradients + at.attention_output, d_normed);
  const std::size_t pairs = pass.shape.length * pass.shape.length;
  const LayerRows heads = room.rows(width);
  const LayerRows d_heads{row_major(d_wide, 3 * width), row_major(d_wide + width, 3 * width),
                          row_major(d_wide + 2 * width, 3 * width)};
  const float* const weights = weights_.data() + layer * pass.shape.sequences * pass.shape.heads * pairs;
  if (auto done = attend_gradient(pass, *encoding_, layer, heads, weights, d_normed, product_, scores_.data(), d_heads,
                                  gradients);
      !done)
    return done;
  encoding_->rotate_gradient(pass, d_heads.query, d_heads.key);
  project_gradient(rows, width, 3 * width, room.normed.data(), values + at.query_key_value, d_wide,
                   gradients + at.query_key_value, d_normed);
  encoding_->read_gradient(pass, layer, room.normed.data(), d_normed, gradients);
  rms_norm_gradient(rows, width, room.x.data(), values + at.attention_gain, room.inverses.data(), d_normed, d_x,
                    gradients + at.attention_gain);
  return {};
}

Expected<void> Transformer::backward(const Pass& pass, const TokenBatch& batch, float* gradients) {
  const std::size_t rows = pass.shape.rows(), width = pass.shape.width;
  clear({d_x_.data(), rows * width});
  rms_norm_gradient(rows, width, x_.data(), pass.parameters + last_gain_, inverses_.data(), d_rows_.data(), d_x_.data(),
                    gradients + last_gain_);
  for (std::size_t layer = layers_.size(); layer-- > 0;)
    if (auto done = backward_layer(pass, batch, layer, gradients); !done) return done;
  encoding_->input_gradient(pass, d_x_.data(), gradients);
  float* const d_embedding = gradients + embedding_;
  for (std::size_t row = 0; row < rows; ++row) {
    float* const of_token = d_embedding + static_cast<std::size_t>(batch.tokens[row]) * width;
    add_rows({d_x_.data() + row * width, width}, of_token);
  }
  encoding_->end_gradient(pass, gradients);
  return {};
}

}  // namespace posenc::learning
