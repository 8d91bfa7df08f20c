#include "posenc/attention/softmax.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/attention/kernels/row_sum.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/vector_maths.hpp"

namespace posenc {
namespace {

Expected<void> check_rows(std::string_view argument, std::size_t size, std::size_t width) {
  if (width == 0 ? size == 0 : size % width == 0) return {};
  return wrong(argument, static_cast<double>(size), {"a multiple of ", decimal(width), " values"});
}

/// How many values are summed at once.
constexpr std::size_t step = RowSum<float>::parts;

/// check_scores, by vectors: it names the first that is wrong once there is one.
Expected<void> check_all_scores(std::string_view argument, std::span<const float> scores) {
  using Batch = xsimd::batch<float>;
  const Batch most(std::numeric_limits<float>::max());
  std::size_t i = 0;
  for (; i + step <= scores.size(); i += step) {
    auto fine = Batch::load_unaligned(scores.data() + i) <= most;
    unrolled<step / Batch::size>(
        [&](auto v) { fine = fine & (Batch::load_unaligned(scores.data() + i + v * Batch::size) <= most); });
    if (!xsimd::all(fine)) break;
  }
  return check_scores(argument, scores.subspan(i));
}

float largest_of(std::span<const float> x) {
  using Batch = xsimd::batch<float>;
  Batch largest[step / Batch::size];
  std::ranges::fill(largest, Batch(-std::numeric_limits<float>::infinity()));
  std::size_t i = 0;
  for (; i + step <= x.size(); i += step)
    unrolled<step / Batch::size>(
        [&](auto v) { largest[v] = xsimd::max(largest[v], Batch::load_unaligned(x.data() + i + v * Batch::size)); });
  float lanes[step];
  for (std::size_t v = 0; v < step / Batch::size; ++v) largest[v].store_unaligned(lanes + v * Batch::size);
  const float most = *std::ranges::max_element(lanes);
  return i == x.size() ? most : std::max(most, *std::ranges::max_element(x.subspan(i)));
}

/// Calls use(x, weights, out) for sixteen values at a time, from their first; those that are missing in the last are
/// `filling` in x and 0 in the weights, and go nowhere. Weights or results may be null.
template <class X, class T, class Use>
void by_steps(std::size_t width, const X* x, X filling, const float* weights, T* out, const Use& use) {
  for (std::size_t i = 0; i < width; i += step) {
    const std::size_t count = std::min(step, width - i);
    const X* from = x + i;
    const float* by = weights == nullptr ? weights : weights + i;
    T* to = out == nullptr ? out : out + i;
    X some_x[step];
    float some_weights[step];
    T results[step];
    if (count < step) {
      std::ranges::fill(some_x, filling);
      std::ranges::fill(some_weights, 0.0f);
      std::copy_n(from, count, some_x);
      if (by != nullptr) std::copy_n(by, count, some_weights);
      from = some_x;
      by = some_weights;
      to = results;
    }
    use(from, by, to);
    if (count < step && out != nullptr) std::copy_n(results, count, out + i);
  }
}

void store_rounded_step(const xsimd::batch<float> (&values)[RowSum<float>::vectors], float* out) {
  unrolled<RowSum<float>::vectors>([&](auto v) { values[v].store_unaligned(out + v * xsimd::batch<float>::size); });
}

void store_rounded_step(const xsimd::batch<double> (&values)[RowSum<double>::vectors], float* out) {
  constexpr std::size_t n = xsimd::batch<double>::size;
  unrolled<RowSum<double>::vectors / 2>(
      [&](auto v) { store_rounded(values[2 * v], values[2 * v + 1], out + 2 * v * n); });
}

/// `terms` is room for a row; in float32 it is `out`.
template <class T>
void softmax_row(std::span<const float> x, T* terms, float* out) {
  using Batch = xsimd::batch<T>;
  const float largest = largest_of(x);
  if (largest == -std::numeric_limits<float>::infinity()) {
    std::fill_n(out, x.size(), 0.0f);
    return;
  }
  RowSum<T> sum;
  const Batch most(static_cast<T>(largest));
  by_steps(x.size(), x.data(), -std::numeric_limits<float>::infinity(), nullptr, terms,
           [&](const float* from, const float*, T* to) {
             unrolled<RowSum<T>::vectors>([&](auto v) {
               const Batch term = exponential<T>(load_as<T>(from + v * Batch::size) - most);
               sum.add(v, term);
               term.store_unaligned(to + v * Batch::size);
             });
           });
  const Batch total(sum.total());
  by_steps(x.size(), static_cast<const T*>(terms), T{0}, nullptr, out, [&](const T* from, const float*, float* to) {
    Batch weights[RowSum<T>::vectors];
    unrolled<RowSum<T>::vectors>([&](auto v) { weights[v] = Batch::load_unaligned(from + v * Batch::size) / total; });
    store_rounded_step(weights, to);
  });
}

template <class T>
void gradient_row(std::size_t width, const float* weights, const float* d_weights, float* dx) {
  using Batch = xsimd::batch<T>;
  RowSum<T> sum;
  by_steps(width, d_weights, 0.0f, weights, static_cast<float*>(nullptr), [&](const float* dw, const float* w, float*) {
    unrolled<RowSum<T>::vectors>(
        [&](auto v) { sum.add(v, load_as<T>(w + v * Batch::size) * load_as<T>(dw + v * Batch::size)); });
  });
  const Batch mean(sum.total());
  by_steps(width, d_weights, 0.0f, weights, dx, [&](const float* dw, const float* w, float* to) {
    Batch results[RowSum<T>::vectors];
    unrolled<RowSum<T>::vectors>([&](auto v) {
      results[v] = canonical(load_as<T>(w + v * Batch::size) * (load_as<T>(dw + v * Batch::size) - mean));
    });
    store_rounded_step(results, to);
  });
}

template <class T>
Expected<void> softmax_rows(std::size_t width, std::span<const float> x, std::span<float> out) {
  auto row = AlignedArray<T>::make_unfilled(std::is_same_v<T, float> ? 0 : width);
  if (!row) return error_of(row);
  for (std::size_t start = 0; start < x.size(); start += width) {
    T* terms = row->data();
    if constexpr (std::is_same_v<T, float>) terms = out.data() + start;
    softmax_row(x.subspan(start, width), terms, out.data() + start);
  }
  return {};
}

}  // namespace

Expected<void> softmax(std::size_t width, SumPrecision precision, std::span<const float> x, std::span<float> out) {
  if (auto checked = check_rows("x", x.size(), width); !checked) return checked;
  if (auto checked = check_size("out", out.size(), x.size()); !checked) return checked;
  if (auto checked = check_all_scores("x", x); !checked) return checked;
  return (precision == SumPrecision::exact ? softmax_rows<double> : softmax_rows<float>)(width, x, out);
}

Expected<void> softmax_backward(std::size_t width, SumPrecision precision, std::span<const float> weights,
                                std::span<const float> d_weights, std::span<float> dx) {
  if (auto checked = check_rows("weights", weights.size(), width); !checked) return checked;
  if (auto checked = check_size("gradient", d_weights.size(), weights.size()); !checked) return checked;
  if (auto checked = check_size("out", dx.size(), weights.size()); !checked) return checked;
  const auto row = precision == SumPrecision::exact ? gradient_row<double> : gradient_row<float>;
  for (std::size_t start = 0; start < weights.size(); start += width)
    row(width, weights.data() + start, d_weights.data() + start, dx.data() + start);
  return {};
}

}  // namespace posenc
