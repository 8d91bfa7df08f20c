#include "posenc/learning/layers/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "posenc/attention/kernels/row_sum.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/vector_maths.hpp"

namespace posenc::learning {
namespace {

using Floats = xsimd::batch<float>;

constexpr std::size_t step = RowSum<float>::parts;
constexpr float norm_epsilon = 1e-6f;

Floats floats_at(const float* from) { return Floats::load_unaligned(from); }

/// The sum over a row of terms(vectors of the arrays ...); each array is one row.
template <class Terms, class... Arrays>
float row_total(std::size_t width, const Terms& terms, Arrays... arrays) {
  RowSum<float> sum;
  const std::size_t whole = width / step * step;
  for (std::size_t i = 0; i < whole; i += step)
    unrolled<RowSum<float>::vectors>(
        [&](std::size_t v) { sum.add(v, terms(floats_at(arrays + i + v * Floats::size)...)); });
  if (whole == width) return sum.total();
  // The last sixteen are filled up with zeros, whose terms are 0.
  const auto use_rest = [&](auto... rest) {
    unrolled<RowSum<float>::vectors>(
        [&](std::size_t v) { sum.add(v, terms(floats_at(rest.data() + v * Floats::size)...)); });
  };
  const auto padded = [&](const float* from) {
    std::array<float, step> rest{};
    std::copy(from + whole, from + width, rest.begin());
    return rest;
  };
  use_rest(padded(arrays)...);
  return sum.total();
}

/// The factor of x + 0.044715 x^3 in GELU's gate, sqrt(8 / pi), and the cubic coefficient.
constexpr float gate_factor = 1.5957691216057308f, gate_cubic = 0.044715f;

}  // namespace

void rms_norm(std::size_t rows, std::size_t width, const float* x, const float* gain, float* y, float* inverses) {
  for (std::size_t row = 0; row < rows; ++row, x += width, y += width) {
    const float squares = row_total(width, [](const Floats& of) { return of * of; }, x);
    const float inverse = 1 / std::sqrt(squares / static_cast<float>(width) + norm_epsilon);
    inverses[row] = inverse;
    const Floats factor(inverse);
    for_pieces(
        width,
        [&](const float* from, const float* by, float* to) {
          (floats_at(by) * (floats_at(from) * factor)).store_unaligned(to);
        },
        x, gain, y);
  }
}

void rms_norm_gradient(std::size_t rows, std::size_t width, const float* x, const float* gain, const float* inverses,
                       const float* d_y, float* d_x, float* d_gain) {
  for (std::size_t row = 0; row < rows; ++row, x += width, d_y += width, d_x += width) {
    const float inverse = inverses[row];
    const float sum =
        row_total(width, [](const Floats& of, const Floats& by, const Floats& d) { return of * by * d; }, x, gain, d_y);
    const Floats factor(inverse), back(sum / static_cast<float>(width) * inverse * inverse * inverse);
    for_pieces(
        width,
        [&](const float* from, const float* by, const float* slopes, float* to, float* to_gain) {
          const Floats value = floats_at(from), slope = floats_at(slopes);
          (floats_at(to) + (floats_at(by) * slope * factor - value * back)).store_unaligned(to);
          (floats_at(to_gain) + slope * (value * factor)).store_unaligned(to_gain);
        },
        x, gain, d_y, d_x, d_gain);
  }
}

void add_bias(std::size_t rows, std::size_t width, const float* bias, float* x) {
  for (std::size_t row = 0; row < rows; ++row, x += width) add_values(width, x, bias, x);
}

void bias_gradient(std::size_t rows, std::size_t width, const float* d_x, float* d_bias) {
  for (std::size_t row = 0; row < rows; ++row, d_x += width) add_values(width, d_bias, d_x, d_bias);
}

void gelu(std::span<const float> x, float* gate, float* y) {
  for_pieces(
      x.size(),
      [](const float* from, float* to_gate, float* to) {
        const Floats value = floats_at(from);
        const Floats inner = value + Floats(gate_cubic) * (value * value * value);
        const Floats open = sigmoid<float>(Floats(gate_factor) * inner);
        open.store_unaligned(to_gate);
        (value * open).store_unaligned(to);
      },
      x.data(), gate, y);
}

void gelu_gradient(std::span<const float> x, const float* gate, const float* d_y, float* d_x) {
  for_pieces(
      x.size(),
      [](const float* from, const float* of_gate, const float* slopes, float* to) {
        const Floats value = floats_at(from), open = floats_at(of_gate), slope = floats_at(slopes);
        const Floats inner = Floats(gate_factor) * (Floats(1) + Floats(3 * gate_cubic) * (value * value));
        (slope * (open + value * (open * (Floats(1) - open) * inner))).store_unaligned(to);
      },
      x.data(), gate, d_y, d_x);
}

void add_rows(std::span<const float> x, float* out) { add_values(x.size(), out, x.data(), out); }

void scale_values(float factor, std::span<float> values) {
  const Floats by(factor);
  for_pieces(values.size(), [&](float* value) { (floats_at(value) * by).store_unaligned(value); }, values.data());
}

double add_arrays(std::span<const float* const> arrays, std::span<float> out) {
  constexpr std::size_t block = 4096, vectors = 8, group = vectors * Floats::size;
  const auto add = [&](std::size_t i) {
    Floats sums[vectors];
    unrolled<vectors>([&](std::size_t v) { sums[v] = floats_at(arrays[0] + i + v * Floats::size); });
    for (const float* const array : arrays.subspan(1))
      unrolled<vectors>([&](std::size_t v) { sums[v] = sums[v] + floats_at(array + i + v * Floats::size); });
    unrolled<vectors>([&](std::size_t v) { sums[v].store_unaligned(out.data() + i + v * Floats::size); });
  };
  double squares = 0;
  for (std::size_t first = 0; first < out.size(); first += block) {
    const std::size_t size = std::min(block, out.size() - first), end = first + size;
    std::size_t i = first;
    for (; i + group <= end; i += group) add(i);
    for (; i < end; ++i) {
      float sum = arrays[0][i];
      for (const float* const array : arrays.subspan(1)) sum += array[i];
      out[i] = sum;
    }
    const float* const added = out.data() + first;
    squares += static_cast<double>(row_total(size, [](const Floats& of) { return of * of; }, added));
  }
  return squares;
}

LossSums cross_entropy(std::size_t width, std::span<const std::int32_t> targets, float* logits) {
  LossSums sums;
  for (const std::int32_t target : targets) {
    const auto asked = static_cast<std::size_t>(target);
    const float largest = *std::max_element(logits, logits + width);
    if (std::ranges::find(logits, logits + width, largest) == logits + asked) ++sums.correct;
    const double of_target = static_cast<double>(logits[asked]) - static_cast<double>(largest);
    const Floats most(largest);
    for_pieces(
        width, [&](float* value) { exponential<float>(floats_at(value) - most).store_unaligned(value); }, logits);
    const float total = row_total(width, [](const Floats& of) { return of; }, static_cast<const float*>(logits));
    scale_values(1 / total, {logits, width});
    float logarithm_of[Floats::size];
    logarithm<float>(Floats(total)).store_unaligned(logarithm_of);
    sums.loss += static_cast<double>(logarithm_of[0]) - of_target;
    logits[asked] -= 1;
    ++sums.asked;
    logits += width;
  }
  return sums;
}

}  // namespace posenc::learning
