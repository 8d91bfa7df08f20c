#include "posenc/learning/encodings/pair_perceptron.hpp"

#include <algorithm>

#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/array_size.hpp"

namespace posenc::learning {
namespace {

using PairBatch = xsimd::batch<float>;
constexpr std::size_t pair_vectors = PairPerceptron::together / PairBatch::size;
static_assert(pair_vectors * PairBatch::size == PairPerceptron::together);

/// A value of each of the inputs that are taken together.
struct PairValues {
  PairBatch parts[pair_vectors];

  template <class Make>
  static PairValues each(const Make& make) {
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
      return PairValues{{make(k)...}};
    }(std::make_index_sequence<pair_vectors>());
  }
  static PairValues load(const float* from) {
    return each([&](std::size_t k) { return PairBatch::load_unaligned(from + k * PairBatch::size); });
  }
  static PairValues broadcast(float value) {
    return each([&](std::size_t) { return PairBatch(value); });
  }
  void store(float* to) const {
    for (std::size_t k = 0; k < pair_vectors; ++k) parts[k].store_unaligned(to + k * PairBatch::size);
  }
  void add_to(float* sums) const { (load(sums) + *this).store(sums); }

  /// `other` where this is > 0 or NaN, else 0.
  [[nodiscard]] PairValues where_positive(const PairValues& other) const {
    return each([&](std::size_t k) { return xsimd::select(parts[k] <= PairBatch(0), PairBatch(0), other.parts[k]); });
  }

  friend PairValues operator+(const PairValues& a, const PairValues& b) {
    return each([&](std::size_t k) { return a.parts[k] + b.parts[k]; });
  }
  friend PairValues operator*(float factor, const PairValues& a) {
    return each([&](std::size_t k) { return PairBatch(factor) * a.parts[k]; });
  }
  friend PairValues operator*(const PairValues& a, const PairValues& b) {
    return each([&](std::size_t k) { return a.parts[k] * b.parts[k]; });
  }
};

}  // namespace

Expected<PairPerceptron> PairPerceptron::make(std::size_t hidden, std::size_t outputs) {
  PairPerceptron made;
  made.hidden_ = hidden;
  made.outputs_ = outputs;
  POSENC_TRY(allocate(
      {{made.units_, array_size({hidden, together})}, {made.sums_, array_size({hidden + 1, outputs + 2, together})}}));
  return made;
}

void PairPerceptron::write(const Arrays<const float>& parameters, std::span<const float> x, float* out,
                           std::size_t stride) {
  const auto [weight1, bias1, weight2, bias2] = parameters;
  for (std::size_t at = 0; at < x.size(); at += together) {
    const PairValues inputs = PairValues::load(x.data() + at);
    for (std::size_t unit = 0; unit < hidden_; ++unit) {
      const PairValues before = weight1[unit] * inputs + PairValues::broadcast(bias1[unit]);
      before.where_positive(before).store(units_.data() + unit * together);
    }
    for (std::size_t output = 0; output < outputs_; ++output) {
      PairValues sum = PairValues::broadcast(bias2[output]);
      for (std::size_t unit = 0; unit < hidden_; ++unit)
        sum = sum + weight2[output * hidden_ + unit] * PairValues::load(units_.data() + unit * together);
      sum.store(out + output * stride + at);
    }
  }
}

void PairPerceptron::gather(const Arrays<const float>& parameters, std::span<const float> x, const float* d_out,
                            std::size_t stride, float* d_x) {
  const auto [weight1, bias1, weight2, bias2] = parameters;
  float* const d_weight1 = sums_.data();
  float* const d_bias1 = d_weight1 + hidden_ * together;
  float* const d_weight2 = d_bias1 + hidden_ * together;
  float* const d_bias2 = d_weight2 + outputs_ * hidden_ * together;
  for (std::size_t at = 0; at < x.size(); at += together) {
    const PairValues inputs = PairValues::load(x.data() + at);
    PairValues d_inputs = PairValues::broadcast(0);
    for (std::size_t unit = 0; unit < hidden_; ++unit) {
      const PairValues before = weight1[unit] * inputs + PairValues::broadcast(bias1[unit]);
      const PairValues after = before.where_positive(before);
      PairValues d_after = PairValues::broadcast(0);
      for (std::size_t output = 0; output < outputs_; ++output) {
        const std::size_t weight = output * hidden_ + unit;
        const PairValues d_output = PairValues::load(d_out + output * stride + at);
        d_after = d_after + weight2[weight] * d_output;
        (d_output * after).add_to(d_weight2 + weight * together);
      }
      const PairValues d_before = before.where_positive(d_after);
      (d_before * inputs).add_to(d_weight1 + unit * together);
      d_before.add_to(d_bias1 + unit * together);
      d_inputs = d_inputs + weight1[unit] * d_before;
    }
    d_inputs.store(d_x + at);
    for (std::size_t output = 0; output < outputs_; ++output)
      PairValues::load(d_out + output * stride + at).add_to(d_bias2 + output * together);
  }
}

void PairPerceptron::add_gathered(const Arrays<float>& gradients) {
  const float* sums = sums_.data();
  const auto add = [&](float* gradient, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i, sums += together) {
      double sum = 0;
      for (std::size_t k = 0; k < together; ++k) sum += static_cast<double>(sums[k]);
      gradient[i] += static_cast<float>(sum);
    }
  };
  add(gradients.weight1, hidden_);
  add(gradients.bias1, hidden_);
  add(gradients.weight2, outputs_ * hidden_);
  add(gradients.bias2, outputs_);
  std::ranges::fill(sums_.span(), 0.0f);
}

}  // namespace posenc::learning
