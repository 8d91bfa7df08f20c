#include "posenc/attention/softmax.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/attention/kernels/row_sum.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/try.hpp"
#include "posenc/base/vector_maths.hpp"

namespace posenc {
namespace {

Expected<void> check_rows(std::string_view argument, std::size_t size, std::size_t width) {
  if (width == 0 ? size == 0 : size % width == 0) return {};
  return invalid_argument(argument, static_cast<double>(size), expected::multiple_of_values, {width});
}

/// How many values are summed at once.
constexpr std::size_t chunk = RowSum<float>::parts;

/// check_scores, by vectors: it names the first that is wrong once there is one.
Expected<void> check_all_scores(std::string_view argument, std::span<const float> scores) {
  using Batch = xsimd::batch<float>;
  const Batch most(std::numeric_limits<float>::max());
  std::size_t i = 0;
  for (; i + chunk <= scores.size(); i += chunk) {
    auto fine = Batch::load_unaligned(scores.data() + i) <= most;
    unrolled<chunk / Batch::size>(
        [&](auto v) { fine = fine & (Batch::load_unaligned(scores.data() + i + v * Batch::size) <= most); });
    if (!xsimd::all(fine)) break;
  }
  return check_scores(argument, scores.subspan(i));
}

/// Vectors of floats that make a chunk, and vectors of T that hold as many values as one of these.
constexpr std::size_t vectors = RowSum<float>::vectors;
template <class T>
constexpr std::size_t parts = RowSum<T>::vectors / vectors;

/// The first `count` values, then what fills the vector. None is copied by a loop, for which compilers call a function.
template <class T>
void load_some(const T* from, std::size_t count, T filling, T (&some)[piece_size]) {
  unrolled<piece_size>([&](std::size_t k) { some[k] = k < count ? from[k] : filling; });
}

/// Calls use(v, x, weights, out) for a vector of floats at a time, number v of its chunk; those that are missing in the
/// last are `filling` in x and 0 in the weights, and go nowhere. Weights or results may be null. A chunk is written out
/// where sums are floats: in double it would be more code than all else here, for little.
template <class Sum, class X, class T, class Use>
void by_vectors(std::size_t width, const X* x, X filling, const float* weights, T* out, const Use& use) {
  std::size_t left = width;
  const auto is_done = [&] [[gnu::always_inline]] (std::size_t v) {
    if (left == 0) return true;
    if (left < piece_size) {
      X some_x[piece_size] = {};
      float some_weights[piece_size] = {};
      T results[piece_size] = {};
      load_some(x, left, filling, some_x);
      if (weights != nullptr) load_some(weights, left, 0.0f, some_weights);
      use(v, some_x, some_weights, results);
      if (out != nullptr)
        unrolled<piece_size>([&](std::size_t k) {
          if (k < left) out[k] = results[k];
        });
      return true;
    }
    use(v, x, weights, out);
    left -= piece_size;
    x += piece_size;
    if (weights != nullptr) weights += piece_size;
    if (out != nullptr) out += piece_size;
    return false;
  };
  if constexpr (std::is_same_v<Sum, float>)
    while (!unrolled_until<vectors>(is_done)) continue;
  else
    for (std::size_t v = 0; !is_done(v);) v = (v + 1) % vectors;
}

float largest_of(std::span<const float> x) {
  using Batch = xsimd::batch<float>;
  constexpr float least = -std::numeric_limits<float>::infinity();
  Batch largest(least);
  by_vectors<float>(x.size(), x.data(), least, nullptr, static_cast<float*>(nullptr),
                    [&] [[gnu::always_inline]] (std::size_t, const float* from, const float*, float*) {
                      largest = xsimd::max(largest, Batch::load_unaligned(from));
                    });
  return xsimd::reduce_max(largest);
}

/// `terms` is a buffer for a row; in float32 it is `out`.
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
  by_vectors<T>(x.size(), x.data(), -std::numeric_limits<float>::infinity(), nullptr, terms,
                [&] [[gnu::always_inline]] (std::size_t v, const float* from, const float*, T* to) {
                  unrolled<parts<T>>([&](std::size_t p) {
                    const Batch term = exponential_to_one<T>(load_as<T>(from + p * Batch::size) - most);
                    sum.add(parts<T> * v + p, term);
                    term.store_unaligned(to + p * Batch::size);
                  });
                });
  const Batch total(sum.total());
  by_vectors<T>(
      x.size(), static_cast<const T*>(terms), T{0}, nullptr, out,
      [&] [[gnu::always_inline]] (std::size_t, const T* from, const float*, float* to) {
        Batch weights[parts<T>];
        unrolled<parts<T>>([&](std::size_t p) { weights[p] = Batch::load_unaligned(from + p * Batch::size) / total; });
        store_rounded(weights, to);
      });
}

template <class T>
void gradient_row(std::size_t width, const float* weights, const float* d_weights, float* dx) {
  using Batch = xsimd::batch<T>;
  RowSum<T> sum;
  by_vectors<T>(width, d_weights, 0.0f, weights, static_cast<float*>(nullptr),
                [&] [[gnu::always_inline]] (std::size_t v, const float* dw, const float* w, float*) {
                  unrolled<parts<T>>([&](std::size_t p) {
                    sum.add(parts<T> * v + p, load_as<T>(w + p * Batch::size) * load_as<T>(dw + p * Batch::size));
                  });
                });
  const Batch mean(sum.total());
  by_vectors<T>(width, d_weights, 0.0f, weights, dx,
                [&] [[gnu::always_inline]] (std::size_t, const float* dw, const float* w, float* to) {
                  Batch results[parts<T>];
                  unrolled<parts<T>>([&](std::size_t p) {
                    results[p] = canonical(load_as<T>(w + p * Batch::size) * (load_as<T>(dw + p * Batch::size) - mean));
                  });
                  store_rounded(results, to);
                });
}

template <class T>
Expected<void> softmax_rows(std::size_t width, std::span<const float> x, std::span<float> out) {
  POSENC_TRY_LET(row, AlignedArray<T>::make_unfilled(std::is_same_v<T, float> ? 0 : width));
  for (std::size_t start = 0; start < x.size(); start += width) {
    T* terms = row.data();
    if constexpr (std::is_same_v<T, float>) terms = out.data() + start;
    softmax_row(x.subspan(start, width), terms, out.data() + start);
  }
  return {};
}

}  // namespace

Expected<void> softmax(std::size_t width, SumPrecision precision, std::span<const float> x, std::span<float> out) {
  POSENC_TRY(check_rows("x", x.size(), width));
  POSENC_TRY(check_size("out", out.size(), x.size()));
  POSENC_TRY(check_all_scores("x", x));
  return (precision == SumPrecision::exact ? softmax_rows<double> : softmax_rows<float>)(width, x, out);
}

Expected<void> softmax_backward(std::size_t width, SumPrecision precision, std::span<const float> weights,
                                std::span<const float> d_weights, std::span<float> dx) {
  POSENC_TRY(check_rows("weights", weights.size(), width));
  POSENC_TRY(check_size("gradient", d_weights.size(), weights.size()));
  POSENC_TRY(check_size("out", dx.size(), weights.size()));
  const auto row = precision == SumPrecision::exact ? gradient_row<double> : gradient_row<float>;
  for (std::size_t start = 0; start < weights.size(); start += width)
    row(width, weights.data() + start, d_weights.data() + start, dx.data() + start);
  return {};
}

}  // namespace posenc
