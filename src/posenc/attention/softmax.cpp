#include "posenc/attention/softmax.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <type_traits>

#include "posenc/attention/kernels/check_scores.hpp"
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

/// How many values are summed at once, in vectors of floats or of T.
constexpr std::size_t chunk = RowSum<float>::parts, vectors = RowSum<float>::vectors;
template <class T>
constexpr std::size_t parts = RowSum<T>::vectors / vectors;

/// The largest score; an Error unless all are finite or -infinity. By vectors: check_scores finds which is wrong.
Expected<float> largest_of(std::string_view argument, std::span<const float> x) {
  using Batch = xsimd::batch<float>;
  constexpr float least = -std::numeric_limits<float>::infinity();
  const Batch most(std::numeric_limits<float>::max());
  Batch largest(least);
  auto fine = largest <= most;
  std::size_t i = 0;
  for (; i + chunk <= x.size(); i += chunk)
    unrolled<vectors>([&](std::size_t v) {
      const Batch scores = Batch::load_unaligned(x.data() + i + v * piece_size);
      largest = xsimd::max(largest, scores);
      fine = fine & (scores <= most);
    });
  POSENC_TRY(check_scores(argument, xsimd::all(fine) ? x.subspan(i) : x));
  float found = xsimd::reduce_max(largest);
  for (; i < x.size(); ++i) found = std::max(found, x[i]);
  return found;
}

/// Calls use(v, x, weights, out) for a vector of floats at a time, number v of its chunk; those that are missing in the
/// last chunk are `filling` in x and 0 in the weights, and go nowhere; nor do results without an `out`. A chunk is
/// written out where sums are floats: in double it would be more code than all else here, for little.
template <class Sum, class X, class T, class Use>
void by_vectors(std::size_t width, const X* x, X filling, const float* weights, T* out, const Use& use) {
  X last_x[chunk];
  float last_weights[chunk] = {};
  T results[chunk];
  for (std::size_t i = 0; i < width; i += chunk) {
    const X* from = x + i;
    const float* by = weights + i;
    const std::size_t left = width - i;
    T* const to = out == nullptr || left < chunk ? results : out + i;
    if (left < chunk) {
      std::fill(std::copy_n(from, left, last_x), last_x + chunk, filling);
      from = last_x;
      std::copy_n(by, left, last_weights);
      by = last_weights;
    }
    const auto use_vector = [&] [[gnu::always_inline]] (std::size_t v) {
      const std::size_t at = v * piece_size;
      use(v, from + at, by + at, to + at);
    };
    if constexpr (std::is_same_v<Sum, float>)
      unrolled<vectors>(use_vector);
    else
      for (std::size_t v = 0; v < vectors; ++v) use_vector(v);
    if (out != nullptr && to == results) std::copy_n(results, left, out + i);
  }
}

/// `terms` is a buffer for a row; in float32 it is `out`.
template <class T>
void softmax_row(std::span<const float> x, float largest, T* terms, float* out) {
  using Batch = xsimd::batch<T>;
  if (largest == -std::numeric_limits<float>::infinity()) {
    std::fill_n(out, x.size(), 0.0f);
    return;
  }
  RowSum<T> sum;
  const Batch most(static_cast<T>(largest));
  by_vectors<T>(x.size(), x.data(), -std::numeric_limits<float>::infinity(), x.data(), terms,
                [&] [[gnu::always_inline]] (std::size_t v, const float* from, const float*, T* to) {
                  unrolled<parts<T>>([&](std::size_t p) {
                    const Batch term = exponential_to_one<T>(load_as<T>(from + p * Batch::size) - most);
                    sum.add(parts<T> * v + p, term);
                    term.store_unaligned(to + p * Batch::size);
                  });
                });
  const Batch total(sum.total());
  by_vectors<T>(
      x.size(), static_cast<const T*>(terms), T{0}, x.data(), out,
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
  // All rows are checked before the first is written. What is found of few takes no memory: a training has none to ask.
  float few[512];
  const std::size_t rows = width == 0 ? 0 : x.size() / width;
  POSENC_TRY_LET(many, AlignedArray<float>::make_unfilled(rows > std::size(few) ? rows : 0));
  float* const largest = rows > std::size(few) ? many.data() : few;
  for (std::size_t row = 0; row < rows; ++row) {
    POSENC_TRY_LET(found, largest_of("x", x.subspan(row * width, width)));
    largest[row] = found;
  }
  POSENC_TRY_LET(buffer, AlignedArray<T>::make_unfilled(std::is_same_v<T, float> ? 0 : width));
  for (std::size_t row = 0; row < rows; ++row) {
    float* const to = out.data() + row * width;
    T* terms = buffer.data();
    if constexpr (std::is_same_v<T, float>) terms = to;
    softmax_row(x.subspan(row * width, width), largest[row], terms, to);
  }
  return {};
}

}  // namespace

Expected<void> softmax(std::size_t width, SumPrecision precision, std::span<const float> x, std::span<float> out) {
  POSENC_TRY(check_rows("x", x.size(), width));
  POSENC_TRY(check_size("out", out.size(), x.size()));
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
