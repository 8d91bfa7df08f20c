#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/array_maths.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/array_size.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/pair_perceptron.hpp"

namespace posenc::learning {
namespace {

constexpr double fire_epsilon = 1e-6;

/// Indices of a sequence's pairs that are not masked: those of a query are contiguous, query by query; zeros fill up
/// to a multiple of PairPerceptron::together.
class FirePairs {
 public:
  explicit FirePairs(const Pass& pass) : length_(pass.shape.length), is_causal_(pass.is_causal) {}

  [[nodiscard]] std::size_t first_of(std::size_t query) const {
    return is_causal_ ? query * (query + 1) / 2 : query * length_;
  }
  [[nodiscard]] std::size_t count() const { return first_of(length_); }
  [[nodiscard]] std::size_t padded() const { return padded(count()); }

  [[nodiscard]] static std::size_t padded(std::size_t count) {
    constexpr std::size_t together = PairPerceptron::together;
    return (count + together - 1) / together * together;
  }

 private:
  std::size_t length_;
  bool is_causal_;
};

/// FIRE (Li et al. 2024): perceptron(ln(|c d| + 1) / (ln(|c max(i, L)| + 1) + epsilon)) for distance d, whatever its
/// sign, and query position i. c, L and the perceptron are the same in all layers: the bias is computed once a pass,
/// and its gradient goes through the perceptron once, for all heads and layers.
class FireBias final : public Encoding {
 public:
  explicit FireBias(std::size_t hidden) : hidden_(hidden) {}

  void declare(const PassShape& model, ParameterList& list) override {
    const std::size_t heads = model.heads;
    c_ = list.declare("fire.c", 1, 1, {.value = 0.1f});
    // The authors begin with 512 and train on sequences of 2048 tokens; models here are trained on tens. A threshold
    // far beyond all queries, as 512 would be, makes their positions ineffective and x small.
    threshold_ = list.declare("fire.threshold", 1, 1, {.value = 32});
    weight1_ = list.declare("fire.weight1", hidden_, 1, {.deviation = 1});
    bias1_ = list.declare("fire.bias1", 1, hidden_, {.deviation = 1});
    weight2_ = list.declare("fire.weight2", heads, hidden_, {.deviation = 1 / std::sqrt(static_cast<double>(hidden_))});
    bias2_ = list.declare("fire.bias2", 1, heads, {});
  }

  Expected<void> reserve(const Reach& reach) override;
  void begin_pass(const Pass& pass) override;
  void add_scores(const Pass& pass, const HeadIndex& index, const HeadRows& rows, float* scores) override;
  void scores_gradient(const Pass& pass, const HeadIndex& index, const HeadRows& rows, float* d_scores,
                       const HeadGradients& d_rows, float* gradients) override;
  void finish_gradient(const Pass& pass, float* gradients) override;

 private:
  /// The numbers that normalise the distances of a query.
  struct Ruler {
    double length;   ///< max(i, |L|)
    double divisor;  ///< ln(|c| length + 1) + epsilon
  };
  [[nodiscard]] Ruler ruler_of(const Pass& pass, std::int32_t position) const {
    const double threshold = std::fabs(parameter(pass, threshold_));
    const double length = position > threshold ? position : threshold;
    return {length, logarithm_1p(std::fabs(parameter(pass, c_)) * length) + fire_epsilon};
  }

  static double parameter(const Pass& pass, std::size_t at) { return static_cast<double>(pass.parameters[at]); }
  template <class T>
  [[nodiscard]] PairPerceptron::Arrays<T> arrays(T* parameters) const {
    return {parameters + weight1_, parameters + bias1_, parameters + weight2_, parameters + bias2_};
  }
  /// A head's part of `bias_` or `d_bias_`.
  [[nodiscard]] float* pairs_of(AlignedArray<float>& values, const Pass& pass, const HeadIndex& index) const {
    const std::size_t sequence = pass.shares_positions ? 0 : index.sequence;
    return values.data() + (sequence * pass.shape.heads + index.head) * stride_;
  }
  /// Calls use(key, |distance|) for the keys that a query sees.
  template <class Use>
  static void for_sizes(const Pass& pass, std::size_t sequence, std::size_t query, const Use& use) {
    const auto positions = pass.positions_of(sequence);
    for (std::size_t key = 0; key < pass.keys_of(query); ++key)
      use(key, static_cast<std::size_t>(std::abs(positions[key] - positions[query])));
  }

  std::size_t hidden_, stride_ = 0;
  std::size_t c_ = 0, threshold_ = 0, weight1_ = 0, bias1_ = 0, weight2_ = 0, bias2_ = 0;
  PairPerceptron perceptron_;
  AlignedArray<double> logarithms_;  ///< ln(|c d| + 1) for |d| = 0, 1, ...
  AlignedArray<double> rates_;       ///< their derivatives with respect to |c|
  AlignedArray<float> x_;            ///< inputs of the perceptron, [sequences, stride]
  AlignedArray<float> d_x_;          ///< gradient of one sequence's inputs
  AlignedArray<float> bias_;         ///< [sequences, heads, stride]
  AlignedArray<float> d_bias_;       ///< summed over layers, and over sequences that share positions
};

Expected<void> FireBias::reserve(const Reach& reach) {
  const auto& [sequences, length, layers, heads, width] = reach.shape;
  const std::size_t sizes = static_cast<std::size_t>(reach.position) + 1;
  stride_ = array_size({length, FirePairs::padded(length)});
  POSENC_TRY_LET(perceptron, PairPerceptron::make(hidden_, heads));
  perceptron_ = std::move(perceptron);
  const std::size_t all = array_size({sequences, heads, stride_});
  return allocate({{logarithms_, sizes},
                   {rates_, sizes},
                   {x_, array_size({sequences, stride_})},
                   {d_x_, stride_},
                   {bias_, all},
                   {d_bias_, all}},
                  Fill::none);
}

void FireBias::begin_pass(const Pass& pass) {
  const FirePairs pairs(pass);
  const double c = std::fabs(parameter(pass, c_));
  const auto logarithms = logarithms_.span().first(static_cast<std::size_t>(pass.largest_distance()) + 1);
  for (std::size_t size = 0; size < logarithms.size(); ++size) logarithms[size] = c * static_cast<double>(size);
  logarithms_1p(logarithms);
  for (std::size_t sequence = 0; sequence < pass.different_sequences(); ++sequence) {
    const auto x = x_.span().subspan(sequence * stride_, pairs.padded());
    for (std::size_t query = 0; query < pass.shape.length; ++query) {
      const double divisor = ruler_of(pass, pass.positions_of(sequence)[query]).divisor;
      float* const row = x.data() + pairs.first_of(query);
      for_sizes(pass, sequence, query,
                [&](std::size_t key, std::size_t size) { row[key] = static_cast<float>(logarithms[size] / divisor); });
    }
    std::ranges::fill(x.subspan(pairs.count()), 0.0f);
    const HeadIndex first{.sequence = sequence};
    perceptron_.write(arrays(pass.parameters), x, pairs_of(bias_, pass, first), stride_);
    for (std::size_t head = 0; head < pass.shape.heads; ++head)
      std::fill_n(pairs_of(d_bias_, pass, {.sequence = sequence, .head = head}), x.size(), 0.0f);
  }
}

void FireBias::add_scores(const Pass& pass, const HeadIndex& index, const HeadRows& /*rows*/, float* scores) {
  const float* const bias = pairs_of(bias_, pass, index);
  for (std::size_t query = 0; query < pass.shape.length; ++query) {
    float* const row = scores + query * pass.shape.length;
    posenc::add_values(pass.keys_of(query), row, bias + FirePairs(pass).first_of(query), row);
  }
}

void FireBias::scores_gradient(const Pass& pass, const HeadIndex& index, const HeadRows& /*rows*/, float* d_scores,
                               const HeadGradients& /*d_rows*/, float* /*gradients*/) {
  float* const d_bias = pairs_of(d_bias_, pass, index);
  for (std::size_t query = 0; query < pass.shape.length; ++query) {
    float* const row = d_bias + FirePairs(pass).first_of(query);
    posenc::add_values(pass.keys_of(query), row, d_scores + query * pass.shape.length, row);
  }
}

void FireBias::finish_gradient(const Pass& pass, float* gradients) {
  const FirePairs pairs(pass);
  const double c = parameter(pass, c_), threshold = parameter(pass, threshold_), size_of_c = std::fabs(c);
  const auto rates = rates_.span().first(static_cast<std::size_t>(pass.largest_distance()) + 1);
  for (std::size_t size = 0; size < rates.size(); ++size)
    rates[size] = static_cast<double>(size) / (1 + size_of_c * static_cast<double>(size));
  double d_c = 0, d_threshold = 0;
  for (std::size_t sequence = 0; sequence < pass.different_sequences(); ++sequence) {
    const auto x = x_.span().subspan(sequence * stride_, pairs.padded());
    perceptron_.gather(arrays(pass.parameters), x, pairs_of(d_bias_, pass, {.sequence = sequence}), stride_,
                       d_x_.data());
    for (std::size_t query = 0; query < pass.shape.length; ++query) {
      const std::size_t first = pairs.first_of(query);
      const std::int32_t position = pass.positions_of(sequence)[query];
      // x = logarithm / divisor: its gradient through the logarithms, and through the divisor.
      double by_logarithms = 0, by_divisor = 0;
      for_sizes(pass, sequence, query, [&](std::size_t key, std::size_t size) {
        const auto d_x = static_cast<double>(d_x_[first + key]);
        by_logarithms += d_x * rates[size];
        by_divisor -= d_x * static_cast<double>(x[first + key]);
      });
      const auto [length, divisor] = ruler_of(pass, position);
      const double by_product = by_divisor / (divisor * (1 + size_of_c * length));
      d_c += by_logarithms / divisor + by_product * length;
      if (std::fabs(threshold) > static_cast<double>(position)) d_threshold += by_product * size_of_c;
    }
  }
  const auto sign = [](double value) { return value > 0 ? 1.0 : value < 0 ? -1.0 : 0.0; };
  gradients[c_] += static_cast<float>(sign(c) * d_c);
  gradients[threshold_] += static_cast<float>(sign(threshold) * d_threshold);
  perceptron_.add_gathered(arrays(gradients));
}

}  // namespace

Expected<std::unique_ptr<Encoding>> make_fire(const EncodingOptions& options) {
  POSENC_TRY(check_whole("encoding.hidden", options.hidden, 1, 4096));
  return std::make_unique<FireBias>(static_cast<std::size_t>(options.hidden));
}

}  // namespace posenc::learning
