#include "posenc/attention/kernels/batched_backward.hpp"

#include <algorithm>
#include <type_traits>

#include "posenc/attention/kernels/batched_attention.hpp"
#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// The buffer for sums of type T: the gradient itself, if that has this type.
template <class T>
T* sums_of(std::span<float> gradient, T* sums) {
  if constexpr (std::is_same_v<T, float>)
    return gradient.data();
  else
    return sums;
}

/// Backward of one call: what all its blocks read.
template <class T>
class Backward {
 public:
  Backward(const BatchedAttentionShape& shape, const AttentionOptions& options, const AttentionInputs& inputs,
           BackwardMemory<T>& memory, std::span<const float> d_output, const AttentionGradients& gradients,
           AttentionTerm<T>* term)
      : shape_(shape),
        options_(options),
        inputs_(inputs),
        memory_(memory),
        d_output_(d_output.data()),
        gradients_(gradients),
        term_(term),
        terms_(shape, options) {}

  /// Keys and values that heads share; their gradients start from 0.
  void set_group(std::size_t group) {
    const auto& [batch, heads, kv_heads, queries, keys, dim, value_dim] = shape_;
    key_ = inputs_.key.data() + group * keys * dim;
    pack_panels<T>(dim, keys, transposed(row_major(key_, dim)), memory_.keys);
    pack_panels<T>(value_dim, keys, transposed(row_major(inputs_.value.data() + group * keys * value_dim, value_dim)),
                   memory_.values);
    for (std::size_t first = 0; first < keys; first += key_block)
      pack_panels<T>(std::min(key_block, keys - first), dim, row_major(key_ + first * dim, dim), key_rows(first));
    d_keys_ = start_sums(gradients_.key, group * keys * dim, keys * dim, memory_.d_keys);
    d_values_ = start_sums(gradients_.value, group * keys * value_dim, keys * value_dim, memory_.d_values);
  }

  /// The gradients of what set_group set are complete.
  void finish_group(std::size_t group) const {
    const auto finish = [&](std::span<float> gradient, const T* sums, std::size_t size) {
      if (!gradient.empty()) write_quotients(sums, T{1}, size, gradient.data() + group * size);
    };
    finish(gradients_.key, d_keys_, shape_.keys * shape_.dim);
    finish(gradients_.value, d_values_, shape_.keys * shape_.value_dim);
  }

  void add_rows(std::size_t row, std::size_t rows) {
    const auto& [batch, heads, kv_heads, queries, keys, dim, value_dim] = shape_;
    T* const scaled = memory_.queries;
    const float* const d_output = d_output_ + row * value_dim;
    T* const d_outputs = memory_.d_outputs;
    scale_values(inputs_.query.data() + row * dim, options_.scale, rows * dim, scaled);
    scale_values(d_output, 1, rows * value_dim, d_outputs);
    const std::size_t end = seen_keys(terms_, row, rows, keys);
    runs_ = terms_.visible_runs(row, rows, end, memory_.runs.data());
    const auto block = block_of<T>(shape_, row, rows, end, memory_.stride, scaled);

    for (const auto& [first, last] : runs_) {
      multiply_panels<T, T>(rows, dim, last - first, row_major<const T>(scaled, dim), memory_.keys + first * dim,
                            weights(0) + first, memory_.stride, false);
      multiply_panels<T, T>(rows, value_dim, last - first, row_major<const T>(d_outputs, value_dim),
                            memory_.values + first * value_dim, d_scores(0) + first, memory_.stride, false);
    }
    if (term_ != nullptr) term_->add_scores(block, weights(0));
    for (std::size_t r = 0; r < rows; ++r) {
      terms_.apply(row + r, runs_, weights(r));
      const T sum = exponentials(runs_, weights(r));
      divide(runs_, sum, weights(r));
      for (T* const values : {weights(r), d_scores(r)})
        if (term_ != nullptr) clear_others(runs_, end, values);
    }
    if (term_ != nullptr) term_->add_weight_gradients(block, d_output, d_scores(0));
    for (std::size_t r = 0; r < rows; ++r) {
      if (terms_.drops()) terms_.drop(row + r, runs_, d_scores(r));
      softmax_gradient(runs_, weights(r), d_scores(r));
      if (!gradients_.bias.empty())
        terms_.add_bias_gradient(row + r, runs_, d_scores(r), sums_of(gradients_.bias, memory_.d_bias));
    }
    add_queries(row, rows, block, d_output);
    if (!gradients_.key.empty()) add_products(rows, d_scores(0), scaled, dim, d_keys_);
    if (gradients_.value.empty()) return;
    for (std::size_t r = 0; r < (terms_.drops() ? rows : 0); ++r) terms_.drop(row + r, runs_, weights(r));
    add_products(rows, weights(0), d_outputs, value_dim, d_values_);
  }

 private:
  [[nodiscard]] T* weights(std::size_t r) const { return memory_.scores + r * memory_.stride; }
  [[nodiscard]] T* d_scores(std::size_t r) const { return memory_.d_scores + r * memory_.stride; }
  [[nodiscard]] T* key_rows(std::size_t first) const { return memory_.key_rows + panels_size<T>(first, shape_.dim); }

  static T* start_sums(std::span<float> gradient, std::size_t first, std::size_t size, T* sums) {
    if (gradient.empty()) return nullptr;
    T* const found = sums_of(gradient.subspan(first, size), sums);
    std::fill_n(found, size, T{0});
    return found;
  }

  void add_queries(std::size_t row, std::size_t rows, const QueryBlock<T>& block, const float* d_output) {
    const std::size_t dim = shape_.dim;
    T* const sums = memory_.d_queries;
    std::fill_n(sums, rows * dim, T{0});
    if (!gradients_.query.empty())
      for (const auto& [first, last] : runs_)
        for (std::size_t k = first; k < last; k += key_block)
          multiply_panels<T, T>(rows, std::min(key_block, last - k), dim, {d_scores(0) + k, memory_.stride, 1},
                                key_rows(k), sums, dim, true);
    for (std::size_t r = 0; r < rows; ++r)
      if (!all_finite(sums + r * dim, dim))
        add_seen_rows(runs_, d_scores(r), {key_, dim, dim}, sums + r * dim, memory_.panels);
    if (term_ != nullptr) term_->add_gradients(block, weights(0), d_scores(0), d_output, sums);
    if (gradients_.query.empty()) return;
    for (std::size_t i = 0; i < rows * dim; ++i) sums[i] *= static_cast<T>(options_.scale);
    write_quotients(sums, T{1}, rows * dim, gradients_.query.data() + row * dim);
  }

  /// sums [keys, dim] += factors^T values, of factors [rows, keys] and values [rows, dim].
  void add_products(std::size_t rows, const T* factors, const T* values, std::size_t dim, T* sums) const {
    if (!all_finite(values, rows * dim)) {
      // Adds the same chains without the pairs whose factor is 0.
      for (std::size_t r = 0; r < rows; ++r)
        for (const auto& [first, last] : runs_)
          for (std::size_t k = first; k < last; ++k)
            if (const T factor = factors[r * memory_.stride + k]; factor != 0)
              for (std::size_t i = 0; i < dim; ++i) sums[k * dim + i] += factor * values[r * dim + i];
      return;
    }
    pack_panels<T>(rows, dim, row_major(values, dim), memory_.panels);
    for (const auto& [first, last] : runs_)
      multiply_panels<T, T>(last - first, rows, dim, {factors + first, 1, memory_.stride}, memory_.panels,
                            sums + first * dim, dim, true);
  }

  const BatchedAttentionShape& shape_;
  const AttentionOptions& options_;
  const AttentionInputs& inputs_;
  BackwardMemory<T>& memory_;
  const float* d_output_;
  const AttentionGradients& gradients_;
  AttentionTerm<T>* term_;
  PairTerms terms_;
  const float* key_ = nullptr;
  T *d_keys_ = nullptr, *d_values_ = nullptr;
  std::span<const KeyRun> runs_;
};

}  // namespace

Expected<void> check_bias_gradient(const BatchedAttentionShape& shape, const AttentionOptions& options,
                                   std::size_t size) {
  if (size == 0) return {};
  const PairShape pairs{shape.batch, shape.heads, shape.queries, shape.keys};
  return check_bias_shape("gradients.bias", size, options.bias_shape, options.bias_form, pairs);
}

template <class T>
Expected<BackwardMemory<T>> BackwardMemory<T>::make(const BatchedAttentionShape& shape, std::size_t bias) {
  BackwardMemory memory;
  memory.rows = block_rows<T>(shape);
  if (memory.rows == 0) return memory;
  memory.stride = padded_keys(shape.keys);
  constexpr bool sums = !std::is_same_v<T, float>;
  const std::size_t widest = std::max(shape.dim, shape.value_dim);
  POSENC_TRY(allocate_parts<T>({{&memory.keys, panels_size<T>(shape.dim, shape.keys)},
                                {&memory.values, panels_size<T>(shape.value_dim, shape.keys)},
                                {&memory.key_rows, panels_size<T>(shape.keys, shape.dim)},
                                {&memory.queries, memory.rows * shape.dim},
                                {&memory.d_queries, memory.rows * shape.dim},
                                {&memory.d_outputs, memory.rows * shape.value_dim},
                                {&memory.scores, memory.rows * memory.stride},
                                {&memory.d_scores, memory.rows * memory.stride},
                                {&memory.panels, panels_size<T>(memory.rows, widest)},
                                {&memory.d_keys, sums ? shape.keys * shape.dim : 0},
                                {&memory.d_values, sums ? shape.keys * shape.value_dim : 0},
                                {&memory.d_bias, sums ? bias : 0}},
                               memory.all));
  POSENC_TRY(allocate({{memory.runs, shape.keys / key_block + 1}}));
  return memory;
}

template <class T>
void attend_backward(const BatchedAttentionShape& shape, const AttentionOptions& options, const AttentionInputs& inputs,
                     BackwardMemory<T>& memory, std::span<const float> d_output, const AttentionGradients& gradients,
                     AttentionTerm<T>* term) {
  for (const auto gradient : {gradients.query, gradients.key, gradients.value, gradients.bias})
    std::ranges::fill(gradient, 0.0f);
  // Without outputs, where products of extents may overflow, and without keys there are no gradients.
  if (d_output.empty() || shape.keys == 0) return;
  Backward<T> backward(shape, options, inputs, memory, d_output, gradients, term);
  const std::size_t sharers = shape.heads / shape.kv_heads * shape.queries;
  for (std::size_t group = 0; group < shape.batch * shape.kv_heads; ++group) {
    backward.set_group(group);
    const std::size_t end = (group + 1) * sharers;
    for (std::size_t row = group * sharers, rows = 0; row < end; row += rows) {
      rows = rows_of(shape, row, std::min(memory.rows, end - row), term != nullptr);
      backward.add_rows(row, rows);
    }
    backward.finish_group(group);
  }
  if (!gradients.bias.empty())
    write_quotients<T>(sums_of(gradients.bias, memory.d_bias), T{1}, gradients.bias.size(), gradients.bias.data());
}

template struct BackwardMemory<float>;
template struct BackwardMemory<double>;
template void attend_backward(const BatchedAttentionShape&, const AttentionOptions&, const AttentionInputs&,
                              BackwardMemory<float>&, std::span<const float>, const AttentionGradients&,
                              AttentionTerm<float>*);
template void attend_backward(const BatchedAttentionShape&, const AttentionOptions&, const AttentionInputs&,
                              BackwardMemory<double>&, std::span<const float>, const AttentionGradients&,
                              AttentionTerm<double>*);

}  // namespace posenc
