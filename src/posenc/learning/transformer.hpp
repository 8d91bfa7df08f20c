#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/layers/attention.hpp"
#include "posenc/learning/layers/rows.hpp"
#include "posenc/learning/model_options.hpp"
#include "posenc/learning/parameters.hpp"
#include "posenc/learning/product.hpp"
#include "posenc/learning/task.hpp"

namespace posenc::learning {

/// Tokens of a pass, [sequences, length], and their positions.
struct TokenBatch {
  std::size_t sequences = 0, length = 0;
  std::span<const std::int32_t> tokens, positions;
  bool shares_positions = true;
  /// The elements that dropout drops are a function of the seed and of a sequence's index in the batch.
  std::uint64_t dropout_seed = 0, first_sequence = 0;
};

/// Indices of the first values of a layer's parameters.
struct LayerOffsets {
  std::size_t attention_gain, query_key_value, attention_output, mlp_gain, up, up_bias, down, down_bias;
};

/// A decoder-only transformer: embedding; layers of x += attention(norm(x)), x += mlp(norm(x)) with root mean square
/// norms before each (Xiong et al. 2020) and GELU; a last norm; logits. Matrices are [out, in], as torch.nn.Linear has
/// them; only the MLP has biases. Encoding has what a positional encoding adds.
class Transformer {
 public:
  /// Errors: an option out of range (model_options.hpp); those of make_encoding.
  [[nodiscard]] static Expected<Transformer> make(std::size_t vocabulary, const ModelOptions& options,
                                                  const EncodingOptions& encoding);

  [[nodiscard]] const ParameterList& parameters() const { return list_; }
  /// The number of values of parameters that are not the encoding's: they come first.
  [[nodiscard]] std::size_t size_without_encoding() const { return size_without_encoding_; }
  [[nodiscard]] const ModelOptions& options() const { return options_; }
  [[nodiscard]] std::size_t vocabulary() const { return vocabulary_; }

  /// Makes the same model with another encoding, for tests, which declares no new parameter. Errors: those of
  /// make_encoding; a parameter that this one does not have, or has in another shape.
  [[nodiscard]] Expected<Transformer> with_encoding(const EncodingOptions& encoding) const;

  /// Allocates for passes of so many tokens, sequences * length, of at most this length, and positions up to
  /// `largest`, with gradients or for the result alone. Errors: memory; positions that the encoding does not reach.
  [[nodiscard]] Expected<void> reserve(std::size_t sequences, std::size_t length, std::int32_t largest,
                                       bool with_gradients);

  /// Runs the tokens; `targets` has what follows each, or not_asked. Logits and losses are computed where a target is
  /// asked. The gradient of their sum is written to `gradients`, unless that is empty; it has the size of all
  /// parameters. Errors: NaN or infinity in scores ("x") or logits ("loss").
  [[nodiscard]] Expected<LossSums> run(const TokenBatch& batch, std::span<const std::int32_t> targets,
                                       std::span<const float> values, std::span<float> gradients = {});

  /// Runs the tokens and writes the logits after the last of each sequence, [sequences, vocabulary]. Errors: those of
  /// `run`.
  [[nodiscard]] Expected<void> next(const TokenBatch& batch, std::span<const float> values, std::span<float> logits);

  /// Weights of attention in the last pass, [layers, sequences, heads, length, length].
  [[nodiscard]] std::span<const float> weights() const { return weights_.span(); }

 private:
  /// Results of a layer in a pass, which the gradient reads.
  struct LayerBuffers {
    AlignedArray<float> x, normed, inverses, query_key_value, attended, middle, mlp_normed, mlp_inverses, up, gate,
        activated;

    [[nodiscard]] Expected<void> make(std::size_t rows, std::size_t width, std::size_t hidden);
    [[nodiscard]] LayerRows rows(std::size_t width);
  };

  /// The branches of a layer that dropout acts on.
  enum class Branch : std::uint8_t { attention, mlp };

  [[nodiscard]] Pass pass_of(const TokenBatch& batch, std::span<const float> values) const;
  [[nodiscard]] LayerBuffers& buffers_of(std::size_t layer) { return buffers_[buffers_.size() == 1 ? 0 : layer]; }
  void drop(const TokenBatch& batch, std::size_t layer, Branch branch, std::span<float> rows) const;
  /// Computes normed_ from the tokens.
  [[nodiscard]] Expected<void> forward(const Pass& pass, const TokenBatch& batch);
  [[nodiscard]] Expected<void> forward_layer(const Pass& pass, const TokenBatch& batch, std::size_t layer, float* out);
  /// Computes the gradients of all parameters but the output's from d_rows_.
  [[nodiscard]] Expected<void> backward(const Pass& pass, const TokenBatch& batch, float* gradients);
  [[nodiscard]] Expected<void> backward_layer(const Pass& pass, const TokenBatch& batch, std::size_t layer,
                                              float* gradients);
  /// y = x W^T. The gradient adds to d_weight and overwrites d_x.
  void project(std::size_t rows, std::size_t in, std::size_t out, const float* x, const float* weight, float* y);
  void project_gradient(std::size_t rows, std::size_t in, std::size_t out, const float* x, const float* weight,
                        const float* d_y, float* d_weight, float* d_x);

  ModelOptions options_;
  std::size_t vocabulary_ = 0, size_without_encoding_ = 0;
  ParameterList list_;
  std::unique_ptr<Encoding> encoding_;
  std::size_t embedding_ = 0, last_gain_ = 0, output_ = 0;
  std::vector<LayerOffsets> layers_;

  Product product_;
  std::vector<LayerBuffers> buffers_;
  AlignedArray<float> x_, normed_, inverses_, weights_, scores_, asked_rows_, logits_;
  AlignedArray<float> d_x_, d_rows_, d_wide_, d_asked_;
  AlignedArray<std::uint32_t> asked_;  ///< indices of the rows that are asked
  AlignedArray<std::int32_t> asked_targets_;
};

}  // namespace posenc::learning
