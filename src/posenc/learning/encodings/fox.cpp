#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "posenc/base/array_maths.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/array_size.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/product.hpp"
#include "posenc/relative/kernels/row_steps.hpp"

namespace posenc::learning {
namespace {

/// Gates f = sigmoid(w row + b) of every token and head of a layer. To the score of query i and key j the sum of ln f
/// over the tokens after the earlier one, up to the later one, is added. The paper has causal attention alone.
class FoxEncoding final : public Encoding {
 public:
  void declare(const PassShape& model, ParameterList& list) override {
    parameters_.clear();
    for (std::size_t layer = 0; layer < model.layers; ++layer) {
      // sigmoid(3) = 0.95: at first a token is forgotten after some tens of others.
      parameters_.push_back({list.declare(layer_name(layer, "forget.weight"), model.heads, model.width, {0, 0.02}),
                             list.declare(layer_name(layer, "forget.bias"), model.heads, 1, {3, 0})});
    }
  }

  [[nodiscard]] Expected<void> reserve(const Reach& reach) override {
    const auto& [sequences, length, layers, heads, width] = reach.shape;
    const std::size_t gates = array_size({sequences, length, heads});
    POSENC_TRY(allocate(
        {{logarithms_, gates}, {d_logits_, gates}, {forgotten_, array_size({layers, gates})}, {row_, length}}));
    POSENC_TRY_LET(product, Product::make({{width, heads}, {heads, width}, {reach.shape.rows(), width}}));
    product_ = std::move(product);
    return {};
  }

  void read_rows(const Pass& pass, std::size_t layer, const float* rows) override {
    const auto& [weight, bias] = parameters_[layer];
    const std::size_t count = pass.shape.rows(), heads = pass.shape.heads, width = pass.shape.width;
    float* const logits = logarithms_.data();
    product_.multiply(count, width, heads, row_major(rows, width),
                      transposed(row_major(pass.parameters + weight, width)), logits, heads);
    // e^-|x|, of which neither function of the logit x overflows: ln f = min(x, 0) - ln(1 + e^-|x|).
    float* const powers = forgotten_of(pass, layer);
    for (std::size_t i = 0; i < count * heads; ++i) {
      logits[i] += pass.parameters[bias + i % heads];
      powers[i] = logits[i] < 0 ? logits[i] : -logits[i];
    }
    exponentials(std::span(powers, count * heads));
    float* const softened = d_logits_.data();  // free until there are gradients
    std::copy_n(powers, count * heads, softened);
    logarithms_1p(std::span(softened, count * heads));
    for (std::size_t i = 0; i < count * heads; ++i) {
      powers[i] = (logits[i] < 0 ? 1 : powers[i]) / (1 + powers[i]);
      logits[i] = std::min(logits[i], 0.0f) - softened[i];
    }
  }

  void read_gradient(const Pass& pass, std::size_t layer, const float* rows, float* d_rows, float* gradients) override {
    const auto& [weight, bias] = parameters_[layer];
    const std::size_t count = pass.shape.rows(), heads = pass.shape.heads, width = pass.shape.width;
    const float* const forgotten = forgotten_of(pass, layer);
    for (std::size_t i = 0; i < count * heads; ++i) {
      d_logits_[i] *= forgotten[i];
      gradients[bias + i % heads] += d_logits_[i];
    }
    const Strided<const float> d_logits = row_major<const float>(d_logits_.data(), heads);
    product_.multiply_add(count, heads, width, d_logits, row_major(pass.parameters + weight, width), d_rows, width);
    product_.multiply_add(heads, count, width, transposed(d_logits), row_major(rows, width), gradients + weight, width);
  }

  void add_scores(const Pass& pass, const HeadIndex& index, const HeadRows& /*rows*/, float* scores) override {
    const std::size_t length = pass.shape.length, heads = pass.shape.heads;
    const float* const logarithms = logarithms_.data() + first_gate(pass, index);
    // A query's sums are those of the query before it plus its own gate, not differences of sums from the start, which
    // would lose digits.
    float* const sums = row_.data();
    for (std::size_t i = 0; i < length; ++i) {
      add_value(logarithms[i * heads], i, sums);
      add_row(sums, i, scores + i * length);
      if (!pass.is_causal)
        for (std::size_t j = 0; j < i; ++j) scores[j * length + i] += sums[j];
      sums[i] = 0;
    }
  }

  void scores_gradient(const Pass& pass, const HeadIndex& index, const HeadRows& /*rows*/, float* d_scores,
                       const HeadGradients& /*d_rows*/, float* /*gradients*/) override {
    const std::size_t length = pass.shape.length, heads = pass.shape.heads;
    float* const d_logarithms = d_logits_.data() + first_gate(pass, index);
    // A gate is in the scores of all pairs with one token before it and one from it on. sums[j] is the gradient of key
    // j summed over the latter, which gain a token from gate to gate.
    float* const sums = row_.data();
    std::fill_n(sums, length, 0.0f);
    for (std::size_t i = length; i-- > 0;) {
      add_row(d_scores + i * length, i, sums);
      if (!pass.is_causal)
        for (std::size_t j = 0; j < i; ++j) sums[j] += d_scores[j * length + i];
      d_logarithms[i * heads] = sum_of_row(sums, i);
    }
  }

 private:
  /// Indices of a layer's first parameters.
  struct ForgetParameters {
    std::size_t weight, bias;
  };

  /// Index of a head's gate of its sequence's first token; that of the next token is `heads` further.
  static std::size_t first_gate(const Pass& pass, const HeadIndex& index) {
    return index.sequence * pass.shape.length * pass.shape.heads + index.head;
  }
  float* forgotten_of(const Pass& pass, std::size_t layer) {
    return forgotten_.data() + layer * pass.shape.rows() * pass.shape.heads;
  }

  std::vector<ForgetParameters> parameters_;  ///< of each layer
  AlignedArray<float> logarithms_;            ///< ln f of the layer that is computed, [sequences, length, heads]
  AlignedArray<float> d_logits_;              ///< the gradient of these, then of the logits in the sigmoid
  AlignedArray<float> forgotten_;             ///< 1 - f of all layers, the derivative of ln f
  AlignedArray<float> row_;                   ///< sums, [length]
  Product product_;
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_fox(const EncodingOptions& /*options*/) {
  return std::make_unique<FoxEncoding>();
}

}  // namespace posenc::learning
