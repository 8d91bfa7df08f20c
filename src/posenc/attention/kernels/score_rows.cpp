#include "posenc/attention/kernels/score_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "posenc/attention/alibi_slope.hpp"
#include "posenc/attention/kernels/row_sum.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/base/vector_maths.hpp"

namespace posenc {
namespace {

template <class T>
constexpr T masked = -std::numeric_limits<T>::infinity();

/// Whether eight bytes are all the same as far as a mask goes: `attends` or not.
bool is_open(const std::uint8_t* bytes, bool attends) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, 8);
  constexpr std::uint64_t ones = 0x0101010101010101;
  return attends ? ((word - ones) & ~word & (ones << 7)) == 0 : word == 0;
}

/// Masks what one row's bytes, `stride` apart, do not let through.
template <class T>
void hide(const std::uint8_t* bytes, std::size_t stride, bool attends, const KeyRun& run, T* scores) {
  for (std::size_t k = run.first; k < run.last; ++k) {
    if (stride == 1 && k % 8 == 0 && k + 8 <= run.last && is_open(bytes + k, attends)) {
      k += 7;
      continue;
    }
    if ((bytes[k * stride] != 0) != attends) scores[k] = masked<T>;
  }
}

bool any_open(const std::uint8_t* bytes, std::size_t count, bool attends) {
  return std::any_of(bytes, bytes + count, [&](std::uint8_t byte) { return (byte != 0) == attends; });
}

/// The share of a bias; masked pairs stay masked whatever the factor and the score.
template <class T>
void add_bias(const float* bias, std::size_t stride, T factor, const KeyRun& run, T* scores) {
  std::size_t k = run.first;
  if constexpr (std::is_same_v<T, float>) {
    using Batch = xsimd::batch<float>;
    const Batch factors(factor), hidden(masked<float>);
    for (; stride == 1 && k + Batch::size <= run.last; k += Batch::size) {
      const auto added = Batch::load_unaligned(bias + k);
      const auto sum = Batch::load_unaligned(scores + k) + factors * added;
      xsimd::select(added == hidden, hidden, sum).store_unaligned(scores + k);
    }
  }
  for (; k < run.last; ++k) {
    const float added = bias[k * stride];
    scores[k] = added == masked<float> ? masked<T> : scores[k] + factor * static_cast<T>(added);
  }
}

/// ALiBi's share, rounded as a bias of float32 is.
template <class T>
void add_distances(double slope, std::int64_t query, const KeyRun& run, T* scores) {
  for (std::size_t k = run.first; k < run.last; ++k) {
    const std::int64_t distance = static_cast<std::int64_t>(k) - query;
    const auto down = static_cast<double>(distance < 0 ? distance : -distance);
    scores[k] += static_cast<T>(static_cast<float>(slope * down));
  }
}

}  // namespace

PairTerms::PairTerms(const BatchedAttentionShape& shape, const AttentionOptions& options)
    : shape_(&shape),
      options_(&options),
      bias_(options.bias_shape),
      mask_(options.mask.pairs_shape),
      factors_(options.dropout),
      attends_(options.mask.meaning == MaskMeaning::attend) {}

std::size_t PairTerms::seen_keys(std::size_t row) const {
  const AttentionMask& mask = options_->mask;
  const std::size_t b = row / shape_->queries / shape_->heads;
  const std::int64_t keys = mask.lengths.empty() ? static_cast<std::int64_t>(shape_->keys) : mask.lengths[b];
  if (!mask.causal) return static_cast<std::size_t>(keys);
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(mask.offset(b) + static_cast<std::int64_t>(row % shape_->queries) + 1, 0, keys));
}

std::size_t PairTerms::first_key(std::size_t row) const {
  const AttentionMask& mask = options_->mask;
  const std::size_t b = row / shape_->queries / shape_->heads;
  const std::int64_t index = mask.offset(b) + static_cast<std::int64_t>(row % shape_->queries);
  return mask.window > 0 && index >= mask.window ? static_cast<std::size_t>(index - mask.window + 1) : 0;
}

PairTerms::Row PairTerms::row_of(std::size_t row) const {
  const std::size_t i = row % shape_->queries;
  const std::size_t h = row / shape_->queries % shape_->heads;
  const std::size_t b = row / shape_->queries / shape_->heads;
  const AttentionMask& mask = options_->mask;
  const std::int64_t index = mask.offset(b) + static_cast<std::int64_t>(i);
  Row found;
  found.end = seen_keys(row);
  found.index = index;
  found.first = first_key(row);
  found.bias_at =
      options_->bias_form == BiasForm::compact ? bias_.heads * h + shape_->queries - 1 - i : bias_.row(b, h, i);
  if (!options_->bias.empty()) found.bias = options_->bias.data() + found.bias_at;
  if (options_->alibi) found.slope = alibi_slope(h, shape_->heads);
  if (!mask.pairs.empty()) found.pairs = mask.pairs.data() + mask_.row(b, h, i);
  if (!mask.keys.empty()) found.keys = mask.keys.data() + b * shape_->keys;
  return found;
}

bool PairTerms::may_see(const Row& row, std::size_t first, std::size_t count) const {
  if (first >= row.end || first + count <= row.first) return false;
  const auto part = [&](std::size_t stride) { return stride == 0 ? 1 : count; };
  if (row.keys != nullptr && !any_open(row.keys + first, count, attends_)) return false;
  if (row.pairs != nullptr && !any_open(row.pairs + first * mask_.keys, part(mask_.keys), attends_)) return false;
  if (row.bias == nullptr) return true;
  const float* const bias = row.bias + first * bias_.keys;
  return std::any_of(bias, bias + part(bias_.keys), [](float x) { return x != masked<float>; });
}

std::span<const KeyRun> PairTerms::visible_runs(std::size_t row, std::size_t rows, std::size_t end,
                                                KeyRun* runs) const {
  if (end == 0) return {};
  const AttentionMask& mask = options_->mask;
  if (options_->bias.empty() && mask.pairs.empty() && mask.keys.empty() && mask.window == 0) {
    runs[0] = {0, end};
    return {runs, 1};
  }
  std::size_t count = 0;
  for (std::size_t first = 0; first < end; first += key_block) {
    const std::size_t last = std::min(first + key_block, end);
    bool is_seen = false;
    for (std::size_t r = 0; r < rows && !is_seen; ++r) is_seen = may_see(row_of(row + r), first, last - first);
    if (!is_seen) continue;
    if (count > 0 && runs[count - 1].last == first)
      runs[count - 1].last = last;
    else
      runs[count++] = {first, last};
  }
  return {runs, count};
}

template <class T>
void PairTerms::apply(std::size_t row, std::span<const KeyRun> runs, T* scores) const {
  const Row own = row_of(row);
  for (const KeyRun& run : runs) {
    const std::size_t last = std::clamp(own.end, run.first, run.last);
    const KeyRun seen{std::clamp(own.first, run.first, last), last};
    std::fill(scores + run.first, scores + seen.first, masked<T>);
    if (own.bias != nullptr)
      add_bias(own.bias, bias_.keys, options_->bias_scaled ? static_cast<T>(options_->scale) : T{1}, seen, scores);
    if (own.slope != 0) add_distances(own.slope, own.index, seen, scores);
    if (own.pairs != nullptr) hide(own.pairs, mask_.keys, attends_, seen, scores);
    if (own.keys != nullptr) hide(own.keys, 1, attends_, seen, scores);
    std::fill(scores + last, scores + padded_keys(run.last), masked<T>);
  }
}

template <class T>
void PairTerms::drop(std::size_t row, std::span<const KeyRun> runs, T* weights) {
  const auto first = static_cast<std::uint64_t>(row) * shape_->keys;
  for (const KeyRun& run : runs)
    for (std::size_t k = run.first; k < run.last; ++k)
      weights[k] = static_cast<T>(factors_.apply(static_cast<double>(weights[k]), first + k));
}

template <class T>
void PairTerms::add_bias_gradient(std::size_t row, std::span<const KeyRun> runs, const T* d_scores, T* d_bias) const {
  const T factor = options_->bias_scaled ? static_cast<T>(options_->scale) : T{1};
  T* const own = d_bias + row_of(row).bias_at;
  for (const KeyRun& run : runs)
    for (std::size_t k = run.first; k < run.last; ++k)
      if (d_scores[k] != 0) own[k * bias_.keys] += factor * d_scores[k];
}

template <class T>
T exponentials(std::span<const KeyRun> runs, T* scores) {
  using Batch = xsimd::batch<T>;
  const Batch most(std::numeric_limits<T>::max());
  Batch tops(masked<T>);
  xsimd::batch_bool<T> is_good(true);
  for (const KeyRun& run : runs)
    for (std::size_t k = run.first; k < padded_keys(run.last); k += Batch::size) {
      const auto score = Batch::load_unaligned(scores + k);
      is_good = is_good & (score <= most);
      tops = xsimd::max(tops, score);
    }
  const T top = xsimd::reduce_max(tops);
  if (!xsimd::all(is_good) || top == masked<T>) {
    for (const KeyRun& run : runs)
      for (std::size_t k = run.first; k < padded_keys(run.last); ++k)
        scores[k] = scores[k] == masked<T> ? 0 : std::numeric_limits<T>::quiet_NaN();
    return 1;
  }
  const Batch largest(top);
  RowSum<T> sum;
  for (const KeyRun& run : runs)
    for (std::size_t k = run.first; k < padded_keys(run.last); k += Batch::size) {
      const Batch power = exponential(Batch::load_unaligned(scores + k) - largest);
      power.store_unaligned(scores + k);
      sum.add(k / Batch::size % RowSum<T>::vectors, power);
    }
  return sum.total();
}

template <class T>
void divide(std::span<const KeyRun> runs, T divisor, T* values) {
  using Batch = xsimd::batch<T>;
  const Batch divisors(divisor);
  for (const KeyRun& run : runs)
    for (std::size_t k = run.first; k < padded_keys(run.last); k += Batch::size)
      (Batch::load_unaligned(values + k) / divisors).store_unaligned(values + k);
}

template <class T>
void clear_others(std::span<const KeyRun> runs, std::size_t end, T* values) {
  std::size_t k = 0;
  for (const KeyRun& run : runs) {
    std::fill(values + k, values + run.first, T{0});
    k = run.last;
  }
  std::fill(values + k, values + std::max(k, end), T{0});
}

template <class T>
void softmax_gradient(std::span<const KeyRun> runs, const T* weights, T* d_weights) {
  using Batch = xsimd::batch<T>;
  const Batch zero(T{0});
  Batch mean = zero;
  for (const bool is_sum : {true, false}) {
    RowSum<T> sum;
    for (const KeyRun& run : runs)
      for (std::size_t k = run.first; k < padded_keys(run.last); k += Batch::size) {
        const auto weight = Batch::load_unaligned(weights + k);
        const auto moved = weight * (Batch::load_unaligned(d_weights + k) - mean);
        const auto seen = xsimd::select(weight == zero, zero, moved);
        if (is_sum)
          sum.add(k / Batch::size % RowSum<T>::vectors, seen);
        else
          seen.store_unaligned(d_weights + k);
      }
    if (is_sum) mean = Batch(sum.total());
  }
}

template <class T>
void scale_values(const float* values, double factor, std::size_t size, T* out) {
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<T>(factor * static_cast<double>(values[i]));
}

template <class T>
bool all_finite(const T* values, std::size_t size) {
  // NaN and infinities times 0 are NaN.
  T sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += values[i] * 0;
  return sum == 0;
}

template <class T>
void add_seen_rows(std::span<const KeyRun> runs, const T* weights, const StoredRows& values, T* output, T* scratch) {
  std::fill_n(output, values.width, T{0});
  for (const KeyRun& run : runs)
    for (std::size_t k = run.first; k < run.last; ++k) {
      if (weights[k] == 0) continue;
      read_rows(values, k, 1, scratch);
      for (std::size_t v = 0; v < values.width; ++v) output[v] += weights[k] * scratch[v];
    }
}

template <class T>
void write_quotients(const T* values, T divisor, std::size_t size, float* out) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t width = xsimd::batch<float>::size;
  const Batch divisors(divisor);
  std::size_t at = 0;
  for (; at + width <= size; at += width) {
    Batch quotients[width / Batch::size];
    for (std::size_t v = 0; v < width / Batch::size; ++v)
      quotients[v] = canonical(Batch::load_unaligned(values + at + v * Batch::size) / divisors);
    store_rounded(quotients, out + at);
  }
  for (; at < size; ++at) {
    const T quotient = values[at] / divisor;
    out[at] = std::isnan(quotient) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(quotient);
  }
}

template void PairTerms::apply(std::size_t, std::span<const KeyRun>, float*) const;
template void PairTerms::apply(std::size_t, std::span<const KeyRun>, double*) const;
template void PairTerms::drop(std::size_t, std::span<const KeyRun>, float*);
template void PairTerms::drop(std::size_t, std::span<const KeyRun>, double*);
template void divide(std::span<const KeyRun>, float, float*);
template void divide(std::span<const KeyRun>, double, double*);
template void clear_others(std::span<const KeyRun>, std::size_t, float*);
template void clear_others(std::span<const KeyRun>, std::size_t, double*);
template void PairTerms::add_bias_gradient(std::size_t, std::span<const KeyRun>, const float*, float*) const;
template void PairTerms::add_bias_gradient(std::size_t, std::span<const KeyRun>, const double*, double*) const;
template float exponentials(std::span<const KeyRun>, float*);
template double exponentials(std::span<const KeyRun>, double*);
template void softmax_gradient(std::span<const KeyRun>, const float*, float*);
template void softmax_gradient(std::span<const KeyRun>, const double*, double*);
template void scale_values(const float*, double, std::size_t, float*);
template void scale_values(const float*, double, std::size_t, double*);
template bool all_finite(const float*, std::size_t);
template bool all_finite(const double*, std::size_t);
template void add_seen_rows(std::span<const KeyRun>, const float*, const StoredRows&, float*, float*);
template void add_seen_rows(std::span<const KeyRun>, const double*, const StoredRows&, double*, double*);
template void write_quotients(const float*, float, std::size_t, float*);
template void write_quotients(const double*, double, std::size_t, float*);

}  // namespace posenc
