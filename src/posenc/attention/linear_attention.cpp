#include "posenc/attention/linear_attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/base/array_maths.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"
#include "posenc/rotary/kernels/rotary_angles.hpp"
#include "posenc/rotary/kernels/rotate.hpp"

namespace posenc {
namespace {

/// elu(x) + 1 of each dimension.
void write_features(const float* x, std::size_t dims, double* out) {
  for (std::size_t dimension = 0; dimension < dims; ++dimension)
    out[dimension] = std::min(static_cast<double>(x[dimension]), 0.0);
  exponentials(std::span(out, dims));
  for (std::size_t dimension = 0; dimension < dims; ++dimension)
    if (!(x[dimension] <= 0)) out[dimension] = static_cast<double>(x[dimension]) + 1;
}

/// How many tokens' features are kept at once.
constexpr std::size_t chunk = 64;

Expected<void> check_inputs(const LinearAttentionOptions& options, const Rotary& rotary, std::size_t query,
                            std::size_t key, std::size_t value, std::size_t output) {
  const AttentionShape& shape = options.shape;
  if (shape.dim != rotary.dim())
    return invalid_argument("dim", static_cast<double>(shape.dim), {"that of the rotary, ", decimal(rotary.dim())});
  for (auto&& checked : {check_extents("query", query, {shape.heads, shape.queries, shape.dim}),
                         check_extents("key", key, {shape.heads, shape.keys, shape.dim}),
                         check_extents("value", value, {shape.heads, shape.keys, shape.value_dim}),
                         check_extents("output", output, {shape.heads, shape.queries, shape.value_dim})})
    if (!checked) return checked;
  return check_ranges(options);
}

Expected<void> check_positions(std::string_view argument, const Positions& positions, std::size_t count,
                               const Rotary& rotary) {
  POSENC_TRY(check_size(argument, positions.count(), count));
  auto checked = positions.check(rotary.frequencies().largest());
  if (!checked) checked.error().argument = argument;
  return checked;
}

/// The features of some tokens, as they are and rotated. Layouts that read the same pairs differ in where they write
/// them, which changes no sum over all dimensions.
class Features {
 public:
  static Expected<Features> make(const Rotary& rotary) {
    POSENC_TRY_LET(angles, RotaryAngles::make(rotary.frequencies(), rotary.angle_source()));
    POSENC_TRY_LET(dims, AlignedArray<double>::make_unfilled(2 * chunk * rotary.dim()));
    return Features(rotary, std::move(angles), std::move(dims));
  }

  /// Computes the features of tokens first ... first + count - 1 of the rows x.
  void set_tokens(const float* x, const Positions& positions, std::size_t first, std::size_t count) {
    const std::size_t dim = rotary_->dim();
    for (std::size_t t = 0; t < count; ++t) {
      write_features(x + (first + t) * dim, dim, plain(t));
      std::copy_n(plain(t), dim, rotated(t));
      angles_.set(positions[first + t]);
      if (rotary_->layout() == Layout::half)
        rotate(HalfPairs{rotary_->rotary_dim() / 2}, rotated(t));
      else
        rotate(InterleavedPairs{rotary_->rotary_dim() / 2}, rotated(t));
    }
  }

  [[nodiscard]] double* plain(std::size_t t) { return dims_.data() + t * rotary_->dim(); }
  [[nodiscard]] double* rotated(std::size_t t) { return plain(chunk + t); }

 private:
  Features(const Rotary& rotary, RotaryAngles angles, AlignedArray<double> dims)
      : rotary_(&rotary), angles_(std::move(angles)), dims_(std::move(dims)) {}

  template <class Pairs>
  void rotate(Pairs at, double* dims) {
    const double factor = rotary_->attention_factor();
    for (std::size_t i = 0; i < at.pairs; ++i) {
      const double a = dims[at.first(i)];
      const double b = dims[at.second(i)];
      const double cosine = angles_.cosines()[i] * factor;
      const double sine = angles_.sines()[i] * factor;
      dims[at.first(i)] = a * cosine - b * sine;
      dims[at.second(i)] = a * sine + b * cosine;
    }
  }

  const Rotary* rotary_;
  RotaryAngles angles_;
  AlignedArray<double> dims_;
};

/// The state of the keys seen so far: the sum of their features and, for each dimension, of their values; and the sums
/// of some queries that read it. Every sum is one chain, over keys or over dimensions, however many come at once.
class State {
 public:
  static Expected<State> make(std::size_t dim, std::size_t width) {
    State made;
    made.dim_ = dim;
    made.width_ = width;
    POSENC_TRY(allocate({{made.features_, dim},
                         {made.values_, dim * width},
                         {made.sums_, chunk * width},
                         {made.panels_, panels_size<double>(std::max(chunk, dim), width)}}));
    return made;
  }

  void clear() {
    std::ranges::fill(features_.span(), 0.0);
    std::ranges::fill(values_.span(), 0.0);
  }

  void add_keys(Features& keys, std::size_t count, const float* values) {
    for (std::size_t t = 0; t < count; ++t) add_plain(keys.plain(t));
    pack_panels<double>(count, width_, Strided<const float>{values, width_, 1}, panels_.data());
    multiply_panels<double>(dim_, count, width_, Strided<const double>{keys.rotated(0), 1, dim_}, panels_.data(),
                            values_.data(), width_, true);
  }

  /// Writes the outputs of queries that see the same keys.
  void write_outputs(Features& queries, std::size_t count, float* out) {
    pack_panels<double>(dim_, width_, Strided<const double>{values_.data(), width_, 1}, panels_.data());
    multiply_panels<double>(count, dim_, width_, Strided<const double>{queries.rotated(0), dim_, 1}, panels_.data(),
                            sums_.data(), width_, false);
    for (std::size_t t = 0; t < count; ++t) divide(queries.plain(t), t, out);
  }

  /// Writes the outputs of queries of which each sees one key more than the one before it: those of `keys`, from the
  /// second query on.
  void write_causal_outputs(Features& queries, std::size_t count, Features& keys, const float* values, float* out) {
    std::ranges::fill(sums_.span().first(count * width_), 0.0);
    constexpr std::size_t together = 4;
    std::size_t dimension = 0;
    for (; dimension + together <= dim_; dimension += together)
      add_dims<together>(dimension, queries, count, keys, values);
    for (; dimension < dim_; ++dimension) add_dims<1>(dimension, queries, count, keys, values);
    for (std::size_t t = 0; t < count; ++t) {
      if (t > 0) add_plain(keys.plain(t - 1));
      divide(queries.plain(t), t, out);
    }
  }

 private:
  void add_plain(const double* key) {
    for (std::size_t dimension = 0; dimension < dim_; ++dimension) features_[dimension] += key[dimension];
  }

  /// Adds `dims` rows of the state to the sums of all queries; the rows stay in registers while keys are added.
  template <std::size_t dims>
  void add_dims(std::size_t dimension, Features& queries, std::size_t count, Features& keys, const float* values) {
    using Batch = xsimd::batch<double>;
    std::size_t j = 0;
    for (; j + Batch::size <= width_; j += Batch::size) {
      Batch rows[dims];
      unrolled<dims>([&](auto k) { rows[k] = Batch::load_unaligned(values_.data() + (dimension + k) * width_ + j); });
      for (std::size_t t = 0; t < count; ++t) {
        if (t > 0) {
          const Batch value = load_widened(values + (t - 1) * width_ + j);
          unrolled<dims>([&](auto k) { rows[k] = rows[k] + Batch(keys.rotated(t - 1)[dimension + k]) * value; });
        }
        Batch sum = Batch::load_unaligned(sums_.data() + t * width_ + j);
        unrolled<dims>([&](auto k) { sum = sum + Batch(queries.rotated(t)[dimension + k]) * rows[k]; });
        sum.store_unaligned(sums_.data() + t * width_ + j);
      }
      unrolled<dims>([&](auto k) { rows[k].store_unaligned(values_.data() + (dimension + k) * width_ + j); });
    }
    for (; j < width_; ++j)
      for (std::size_t k = dimension; k < dimension + dims; ++k) {
        double& row = values_[k * width_ + j];
        for (std::size_t t = 0; t < count; ++t) {
          if (t > 0) row += keys.rotated(t - 1)[k] * static_cast<double>(values[(t - 1) * width_ + j]);
          sums_[t * width_ + j] += queries.rotated(t)[k] * row;
        }
      }
  }

  void divide(const double* query, std::size_t t, float* out) {
    double denominator = 0;
    for (std::size_t dimension = 0; dimension < dim_; ++dimension)
      denominator += query[dimension] * features_[dimension];
    for (std::size_t v = t * width_; v < (t + 1) * width_; ++v) {
      const auto result = static_cast<float>(sums_[v] / denominator);
      out[v] = denominator == 0 ? 0.0f : std::isnan(result) ? std::numeric_limits<float>::quiet_NaN() : result;
    }
  }

  std::size_t dim_ = 0, width_ = 0;
  AlignedArray<double> features_;  ///< [dim]
  AlignedArray<double> values_;    ///< [dim, width]
  AlignedArray<double> sums_;      ///< [chunk, width]
  AlignedArray<double> panels_;
};

/// How many keys query i sees.
std::size_t seen(const LinearAttentionOptions& options, std::size_t i) {
  const std::size_t keys = options.shape.keys;
  if (!options.causal) return keys;
  const double last = static_cast<double>(i) + static_cast<double>(options.query_offset) + 1;
  return last <= 0 ? 0 : last >= static_cast<double>(keys) ? keys : static_cast<std::size_t>(last);
}

}  // namespace

Expected<void> linear_attention(const LinearAttentionOptions& options, const Rotary& rotary,
                                const Positions& query_positions, const Positions& key_positions,
                                std::span<const float> query, std::span<const float> key, std::span<const float> value,
                                std::span<float> output) {
  const auto& [queries, keys, dim, value_dim, heads] = options.shape;
  POSENC_TRY(check_inputs(options, rotary, query.size(), key.size(), value.size(), output.size()));
  POSENC_TRY(check_positions("queryPositions", query_positions, queries, rotary));
  POSENC_TRY(check_positions("keyPositions", key_positions, keys, rotary));
  if (value_dim > static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(double) / (dim + 1))
    return std::unexpected(out_of_memory(value_dim));
  POSENC_TRY_LET(made_keys, Features::make(rotary));
  POSENC_TRY_LET(made_queries, Features::make(rotary));
  POSENC_TRY_LET(state, State::make(dim, value_dim));

  for (std::size_t head = 0; head < heads; ++head) {
    const float* const head_keys = key.data() + head * keys * dim;
    const float* const head_values = value.data() + head * keys * value_dim;
    state.clear();
    std::size_t next = 0, count = 0;
    for (std::size_t i = 0; i < queries; i += count) {
      // All up to the last key of the first query.
      for (const std::size_t end = seen(options, i); next < end;) {
        const std::size_t some = std::min(chunk, end - next);
        made_keys.set_tokens(head_keys, key_positions, next, some);
        state.add_keys(made_keys, some, head_values + next * value_dim);
        next += some;
      }
      const std::size_t most = std::min(chunk, queries - i);
      const bool walks = most > 1 && seen(options, i + 1) > next;
      for (count = 1; count < most && seen(options, i + count) == next + (walks ? count : 0);) ++count;
      made_queries.set_tokens(query.data() + head * queries * dim, query_positions, i, count);
      float* const out = output.data() + (head * queries + i) * value_dim;
      if (!walks) {
        state.write_outputs(made_queries, count, out);
        continue;
      }
      made_keys.set_tokens(head_keys, key_positions, next, count - 1);
      state.write_causal_outputs(made_queries, count, made_keys, head_values + next * value_dim, out);
      next += count - 1;
    }
  }
  return {};
}

}  // namespace posenc
