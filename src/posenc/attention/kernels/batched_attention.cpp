#include "posenc/attention/kernels/batched_attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// Fewer queries than these read keys and values without packing them into panels.
constexpr std::size_t least_packed = 6;

/// A block of keys as panels is used by this many rows or more, and its scores take about so many bytes.
constexpr std::size_t least_rows = 8, most_rows = 32, most_bytes = std::size_t{1} << 17;

/// Attention of one call: what all its blocks read.
template <class T, class Terms>
class Forward {
 public:
  Forward(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options, const AttentionInputs& inputs,
          ForwardMemory<T>& memory, AttentionTerm<T>* term)
      : shape_(shape), options_(options), inputs_(inputs), memory_(memory), term_(term), terms_(shape, options) {}

  /// Keys and values that heads share.
  void set_group(std::size_t group) {
    const std::size_t keys = shape_.keys;
    key_ = inputs_.key.data() + group * keys * shape_.dim;
    value_ = inputs_.value.data() + group * keys * shape_.value_dim;
    if (!is_packed()) return;
    pack_panels<T>(shape_.dim, keys, transposed(row_major(key_, shape_.dim)), memory_.keys);
    for (std::size_t first = 0; first < keys; first += key_block)
      pack_panels<T>(std::min(key_block, keys - first), shape_.value_dim,
                     row_major(value_ + first * shape_.value_dim, shape_.value_dim), value_panels(first));
  }

  void write_rows(std::size_t row, std::size_t rows, float* weights, float* output) {
    T* const queries = memory_.queries;
    T* const outputs = memory_.outputs;
    scale_values(inputs_.query.data() + row * shape_.dim, options_.scale, rows * shape_.dim, queries);
    const std::size_t end = seen_keys(terms_, row, rows, shape_.keys);
    runs_ = terms_.visible_runs(row, rows, end, memory_.runs.data());
    const auto block = block_of(shape_, row, rows, end, memory_.stride, queries);
    multiply_keys(rows);
    if (has_term()) term_->add_scores(block, at(0));
    for (std::size_t r = 0; r < rows; ++r) {
      terms_.apply(row + r, runs_, at(r));
      memory_.sums[r] = exponentials(runs_, at(r));
      if (weights != nullptr) write_weights(r, weights + r * shape_.keys);
      if constexpr (!Terms::is_plain)
        if (terms_.drops()) terms_.drop(row + r, runs_, at(r));
      if (has_term()) clear_others(runs_, end, at(r));
    }
    multiply_values(rows);
    for (std::size_t r = 0; r < rows; ++r)
      if (T* const out = outputs + r * shape_.value_dim; !all_finite(out, shape_.value_dim))
        add_seen_rows(runs_, at(r), value_, shape_.value_dim, out);
    if (has_term()) term_->add_outputs(block, at(0), outputs);
    for (std::size_t r = 0; r < rows; ++r)
      write_quotients(outputs + r * shape_.value_dim, memory_.sums[r], shape_.value_dim, output + r * shape_.value_dim);
  }

 private:
  // PlainTerms packs few queries too: that saves code.
  [[nodiscard]] bool is_packed() const { return Terms::is_plain || memory_.is_packed; }
  [[nodiscard]] bool has_term() const { return !Terms::is_plain && term_ != nullptr; }
  [[nodiscard]] T* at(std::size_t r) const { return memory_.scores + r * memory_.stride; }

  [[nodiscard]] T* value_panels(std::size_t first) const {
    return memory_.values + panels_size<T>(first, shape_.value_dim);
  }

  void multiply_keys(std::size_t rows) const {
    const Strided<const T> queries{memory_.queries, shape_.dim, 1};
    for (const auto& [first, last] : runs_)
      if (is_packed())
        multiply_panels<T, T>(rows, shape_.dim, last - first, queries, memory_.keys + first * shape_.dim, at(0) + first,
                              memory_.stride, false);
      else
        multiply_unpacked<T, T, float>(rows, shape_.dim, last - first, queries,
                                       transposed(row_major(key_ + first * shape_.dim, shape_.dim)), at(0) + first,
                                       memory_.stride, false);
  }

  void multiply_values(std::size_t rows) const {
    T* const outputs = memory_.outputs;
    std::fill_n(outputs, rows * shape_.value_dim, T{0});
    for (const auto& [first, last] : runs_) {
      const std::size_t step = is_packed() ? key_block : last - first;
      for (std::size_t k = first; k < last; k += step) {
        const Strided<const T> weights{at(0) + k, memory_.stride, 1};
        if (is_packed())
          multiply_panels<T, T>(rows, std::min(step, last - k), shape_.value_dim, weights, value_panels(k), outputs,
                                shape_.value_dim, true);
        else
          multiply_unpacked<T, T, float>(rows, step, shape_.value_dim, weights,
                                         row_major(value_ + k * shape_.value_dim, shape_.value_dim), outputs,
                                         shape_.value_dim, true);
      }
    }
  }

  void write_weights(std::size_t r, float* out) const {
    std::fill_n(out, shape_.keys, 0.0f);
    for (const auto& [first, last] : runs_) write_quotients(at(r) + first, memory_.sums[r], last - first, out + first);
  }

  const BatchedAttentionShape& shape_;
  const ScaledDotProductOptions& options_;
  const AttentionInputs& inputs_;
  ForwardMemory<T>& memory_;
  AttentionTerm<T>* term_;
  Terms terms_;
  const float *key_ = nullptr, *value_ = nullptr;
  std::span<const KeyRun> runs_;
};

}  // namespace

Expected<void> check_inputs(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options,
                            const AttentionInputs& inputs, std::size_t weights, std::size_t output) {
  const auto& [batch, heads, kv_heads, queries, keys, dim, value_dim] = shape;
  if (!std::isfinite(options.scale)) return invalid_argument("scale", options.scale, expected::finite);
  if (kv_heads == 0 ? heads != 0 : heads % kv_heads != 0)
    return invalid_argument("kvHeads", static_cast<double>(kv_heads), {"a divisor of ", decimal(heads), " heads"});
  POSENC_TRY(check_arrays({{"query", inputs.query.size(), {batch, heads, queries, dim}},
                           {"key", inputs.key.size(), {batch, kv_heads, keys, dim}},
                           {"value", inputs.value.size(), {batch, kv_heads, keys, value_dim}},
                           {"output", output, {batch, heads, queries, value_dim}}}));
  return check_wanted({{"weights", weights, {batch, heads, queries, keys}}});
}

Expected<void> check_forward(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options,
                             const AttentionInputs& inputs, std::size_t weights, std::size_t output) {
  POSENC_TRY(check_inputs(shape, options, inputs, weights, output));
  POSENC_TRY(options.dropout.check());
  const PairShape pairs{shape.batch, shape.heads, shape.queries, shape.keys};
  POSENC_TRY(options.mask.check(pairs));
  if (options.bias.empty()) return {};
  POSENC_TRY(check_bias_shape("bias", options.bias.size(), options.bias_shape, options.bias_form, pairs));
  return check_scores("bias", options.bias);
}

template <class T>
std::size_t block_rows(const BatchedAttentionShape& shape) {
  const std::size_t sharers = shape.heads / std::max<std::size_t>(shape.kv_heads, 1) * shape.queries;
  return std::min(sharers,
                  std::clamp(most_bytes / sizeof(T) / padded_keys(shape.keys + 1) / 4 * 4, least_rows, most_rows));
}

template <class T>
Expected<void> allocate_parts(std::initializer_list<Part<T>> parts, AlignedArray<T>& all) {
  constexpr std::size_t boundary = 64 / sizeof(T);
  std::uint64_t size = 0;
  for (const Part<T>& part : parts) size += part.size + boundary;
  POSENC_TRY(allocate({{all, static_cast<std::size_t>(std::min<std::uint64_t>(size, SIZE_MAX))}}));
  T* next = all.data();
  for (const Part<T>& part : parts) {
    *part.array = next;
    next += (part.size + boundary - 1) / boundary * boundary;
  }
  return {};
}

template <class T>
template <class Terms>
Expected<void> ForwardMemory<T>::allocate(const BatchedAttentionShape& shape) {
  rows = block_rows<T>(shape);
  stride = padded_keys(shape.keys);
  is_packed = Terms::is_plain || rows >= least_packed;
  if constexpr (!Terms::is_plain) {
    POSENC_TRY(posenc::allocate({{runs, shape.keys / key_block + 1}}));
  }
  return allocate_parts<T>({{&keys, is_packed ? panels_size<T>(shape.dim, shape.keys) : 0},
                            {&values, is_packed ? panels_size<T>(shape.keys, shape.value_dim) : 0},
                            {&queries, rows * shape.dim},
                            {&scores, rows * stride},
                            {&outputs, rows * shape.value_dim},
                            {&sums, rows}},
                           all);
}

template <class T>
Expected<ForwardMemory<T>> ForwardMemory<T>::make(const BatchedAttentionShape& shape) {
  ForwardMemory memory;
  POSENC_TRY(memory.template allocate<PairTerms>(shape));
  return memory;
}

template <class T, class Terms>
void attend(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options, const AttentionInputs& inputs,
            ForwardMemory<T>& memory, std::span<float> weights, std::span<float> output, AttentionTerm<T>* term) {
  // Without weights and outputs the number of queries may overflow.
  if (weights.empty() && output.empty()) return;
  Forward<T, Terms> forward(shape, options, inputs, memory, term);
  // The heads that share keys are adjacent, and so are their queries.
  const std::size_t sharers = shape.heads / shape.kv_heads * shape.queries;
  for (std::size_t group = 0; group < shape.batch * shape.kv_heads; ++group) {
    forward.set_group(group);
    const std::size_t last = (group + 1) * sharers;
    for (std::size_t row = group * sharers, rows = 0; row < last; row += rows) {
      rows = rows_of(shape, row, std::min(memory.rows, last - row), term != nullptr);
      forward.write_rows(row, rows, weights.empty() ? nullptr : weights.data() + row * shape.keys,
                         output.data() + row * shape.value_dim);
    }
  }
}

template std::size_t block_rows<float>(const BatchedAttentionShape&);
template std::size_t block_rows<double>(const BatchedAttentionShape&);
template Expected<void> allocate_parts(std::initializer_list<Part<float>>, AlignedArray<float>&);
template Expected<void> allocate_parts(std::initializer_list<Part<double>>, AlignedArray<double>&);
template Expected<void> ForwardMemory<float>::allocate<PlainTerms>(const BatchedAttentionShape&);
template Expected<void> ForwardMemory<double>::allocate<PlainTerms>(const BatchedAttentionShape&);
template Expected<void> ForwardMemory<float>::allocate<PairTerms>(const BatchedAttentionShape&);
template Expected<void> ForwardMemory<double>::allocate<PairTerms>(const BatchedAttentionShape&);
template struct ForwardMemory<float>;
template struct ForwardMemory<double>;
template void attend<float, PlainTerms>(const BatchedAttentionShape&, const ScaledDotProductOptions&,
                                        const AttentionInputs&, ForwardMemory<float>&, std::span<float>,
                                        std::span<float>, AttentionTerm<float>*);
template void attend<double, PlainTerms>(const BatchedAttentionShape&, const ScaledDotProductOptions&,
                                         const AttentionInputs&, ForwardMemory<double>&, std::span<float>,
                                         std::span<float>, AttentionTerm<double>*);
template void attend<float, PairTerms>(const BatchedAttentionShape&, const ScaledDotProductOptions&,
                                       const AttentionInputs&, ForwardMemory<float>&, std::span<float>,
                                       std::span<float>, AttentionTerm<float>*);
template void attend<double, PairTerms>(const BatchedAttentionShape&, const ScaledDotProductOptions&,
                                        const AttentionInputs&, ForwardMemory<double>&, std::span<float>,
                                        std::span<float>, AttentionTerm<double>*);

}  // namespace posenc
