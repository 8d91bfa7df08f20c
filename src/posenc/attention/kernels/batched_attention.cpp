#include "posenc/attention/kernels/batched_attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "posenc/attention/kernels/check_scores.hpp"
#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/attention/kernels/stored_product.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// So many rows are one block, which reads keys and values where they are. Of more, a block of keys as panels is used
/// by this many or more, and its scores take about so many bytes.
constexpr std::size_t least_rows = 8, most_rows = 32, most_bytes = std::size_t{1} << 17;

/// How many queries read the same keys.
std::size_t sharers_of(const BatchedAttentionShape& shape) {
  return shape.heads / std::max<std::size_t>(shape.kv_heads, 1) * shape.queries;
}

/// Attention of one call: what all its blocks read.
template <class T, class Terms>
class Forward {
 public:
  Forward(const BatchedAttentionShape& shape, const AttentionOptions& options, const CachedAttentionInputs& inputs,
          ForwardMemory<T>& memory, AttentionTerm<T>* term)
      : shape_(shape), options_(options), inputs_(inputs), memory_(memory), term_(term), terms_(shape, options) {}

  /// Keys and values that heads share.
  void set_group(std::size_t group) {
    key_ = rows_of_group(inputs_.key, shape_.dim, group);
    value_ = rows_of_group(inputs_.value, shape_.value_dim, group);
    if (!is_packed()) return;
    for (std::size_t first = 0; first < shape_.keys; first += key_block) {
      const std::size_t count = std::min(key_block, shape_.keys - first);
      pack_panels<T>(shape_.dim, count, transposed(packed_rows(key_, first, count)), memory_.keys + first * shape_.dim);
      pack_panels<T>(count, shape_.value_dim, packed_rows(value_, first, count), value_panels(first));
    }
  }

  void write_rows(std::size_t row, std::size_t rows, float* weights, float* output) {
    T* const queries = memory_.queries;
    T* const outputs = memory_.outputs;
    for (std::size_t r = 0; r < rows; ++r)
      scale_values(inputs_.query.data() + place_of(row + r) * shape_.dim, options_.scale, shape_.dim,
                   queries + r * shape_.dim);
    const std::size_t end = seen_keys(terms_, row, rows, shape_.keys);
    runs_ = terms_.visible_runs(row, rows, end, memory_.runs.data());
    const auto block = block_of(shape_, row, rows, end, memory_.stride, queries);
    multiply_keys(rows);
    if (has_term()) term_->add_scores(block, at(0));
    for (std::size_t r = 0; r < rows; ++r) {
      terms_.apply(row + r, runs_, at(r));
      memory_.sums[r] = exponentials(runs_, at(r));
      if (weights != nullptr) write_weights(r, weights + r * shape_.keys);
      if constexpr (!Terms::is_lean)
        if (terms_.drops()) terms_.drop(row + r, runs_, at(r));
      if (has_term()) clear_others(runs_, end, at(r));
    }
    multiply_values(rows);
    for (std::size_t r = 0; r < rows; ++r)
      if (T* const out = outputs + r * shape_.value_dim; !all_finite(out, shape_.value_dim))
        add_seen_rows(runs_, at(r), value_, out, memory_.scratch);
    if (has_term()) term_->add_outputs(block, at(0), outputs);
    for (std::size_t r = 0; r < rows; ++r)
      write_quotients(outputs + r * shape_.value_dim, memory_.sums[r], shape_.value_dim,
                      output + place_of(row + r) * shape_.value_dim);
  }

 private:
  [[nodiscard]] bool is_packed() const { return !Terms::is_lean && memory_.is_packed; }
  [[nodiscard]] bool has_term() const { return !Terms::is_lean && term_ != nullptr; }

  /// Where a row of [batch, heads, queries] is among those of the query and the output.
  [[nodiscard]] std::size_t place_of(std::size_t row) const {
    if (inputs_.query_axes == CacheAxes::heads_first) return row;
    const std::size_t head = row / shape_.queries, b = head / shape_.heads;
    return (b * shape_.queries + row % shape_.queries) * shape_.heads + head % shape_.heads;
  }

  [[nodiscard]] StoredRows rows_of_group(const ConstStored& of, std::size_t width, std::size_t group) const {
    const std::size_t heads = shape_.kv_heads, capacity = inputs_.capacity.value_or(shape_.keys);
    const bool heads_first = inputs_.axes == CacheAxes::heads_first;
    const std::size_t b = group / heads, head = group % heads;
    const std::size_t sequence = inputs_.sequences.empty() ? b : static_cast<std::size_t>(inputs_.sequences[b]);
    const std::size_t first = sequence * heads * capacity + head * (heads_first ? capacity : 1);
    StoredRows rows{of.data(), width, width, of.dtype()};
    rows = rows.from(first);
    if (!heads_first) rows.stride = heads * width;
    return rows;
  }

  /// Rows that are packed next.
  [[nodiscard]] auto packed_rows(const StoredRows& rows, std::size_t first, std::size_t count) const {
    read_rows(rows, first, count, memory_.scratch);
    return row_major<const T>(memory_.scratch, rows.width);
  }

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
        multiply_stored_columns<T, !Terms::is_lean>(rows, last - first, queries, key_.from(first), at(0) + first,
                                                    memory_.stride, false, memory_.scratch);
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
          multiply_stored_rows<T, !Terms::is_lean>(rows, step, weights, value_.from(k), outputs, shape_.value_dim, true,
                                                   memory_.scratch);
      }
    }
  }

  void write_weights(std::size_t r, float* out) const {
    std::fill_n(out, shape_.keys, 0.0f);
    for (const auto& [first, last] : runs_) write_quotients(at(r) + first, memory_.sums[r], last - first, out + first);
  }

  const BatchedAttentionShape& shape_;
  const AttentionOptions& options_;
  const CachedAttentionInputs& inputs_;
  ForwardMemory<T>& memory_;
  AttentionTerm<T>* term_;
  Terms terms_;
  StoredRows key_{}, value_{};
  std::span<const KeyRun> runs_;
};

}  // namespace

Expected<void> check_inputs(const BatchedAttentionShape& shape, const AttentionOptions& options,
                            const CachedAttentionInputs& inputs, std::size_t weights, std::size_t output) {
  const auto& [batch, heads, kv_heads, queries, keys, dim, value_dim] = shape;
  if (!std::isfinite(options.scale)) return invalid_argument("scale", options.scale, expected::finite);
  if (kv_heads == 0 ? heads != 0 : heads % kv_heads != 0)
    return invalid_argument("kvHeads", static_cast<double>(kv_heads), {"a divisor of ", decimal(heads), " heads"});
  const std::size_t capacity = inputs.capacity.value_or(keys);
  if (keys > capacity)
    return invalid_argument("keys", static_cast<double>(keys), {"at most the capacity, ", decimal(capacity)});
  const std::size_t sequences = inputs.sequences.empty() ? batch : inputs.cache_batch;
  if (!inputs.sequences.empty()) POSENC_TRY(check_extents("cache.sequences", inputs.sequences.size(), {batch}));
  for (const std::int64_t sequence : inputs.sequences)
    POSENC_TRY(check_whole("cache.sequences", sequence, 0, static_cast<std::int64_t>(sequences) - 1));
  POSENC_TRY(check_arrays({{"query", inputs.query.size(), {batch, heads, queries, dim}},
                           {"key", inputs.key.size(), {sequences, kv_heads, capacity, dim}},
                           {"value", inputs.value.size(), {sequences, kv_heads, capacity, value_dim}},
                           {"output", output, {batch, heads, queries, value_dim}}}));
  return check_wanted({{"weights", weights, {batch, heads, queries, keys}}});
}

Expected<void> check_forward(const BatchedAttentionShape& shape, const AttentionOptions& options,
                             const CachedAttentionInputs& inputs, std::size_t weights, std::size_t output) {
  POSENC_TRY(check_inputs(shape, options, inputs, weights, output));
  POSENC_TRY(check_ranges(options.dropout));
  const PairShape pairs{shape.batch, shape.heads, shape.queries, shape.keys};
  POSENC_TRY(options.mask.check(pairs));
  if (options.bias.empty()) return {};
  POSENC_TRY(check_bias_shape("bias", options.bias.size(), options.bias_shape, options.bias_form, pairs));
  return check_scores("bias", options.bias);
}

Expected<void> check_lean(const BatchedAttentionShape& shape, const AttentionOptions& options,
                          const CachedAttentionInputs& inputs, std::size_t weights, std::size_t output) {
  POSENC_TRY(check_inputs(shape, options, inputs, weights, output));
  POSENC_TRY(options.mask.check_keys(shape.batch, shape.keys));
  POSENC_TRY(check_wanted({{"bias", options.bias.size(), {shape.heads, shape.queries, shape.keys}}}));
  return check_scores("bias", options.bias);
}

template <class T>
std::size_t block_rows(const BatchedAttentionShape& shape) {
  const std::size_t sharers = sharers_of(shape);
  if (sharers <= most_rows) return sharers;
  return std::clamp(most_bytes / sizeof(T) / padded_keys(shape.keys + 1) / 4 * 4, least_rows, most_rows);
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
Expected<ForwardMemory<T>> ForwardMemory<T>::make(const BatchedAttentionShape& shape, bool may_pack) {
  ForwardMemory made;
  made.rows = block_rows<T>(shape);
  made.stride = padded_keys(shape.keys);
  made.is_packed = may_pack && made.rows < sharers_of(shape);
  const std::size_t widest = std::max(shape.dim, shape.value_dim);
  POSENC_TRY(allocate({{made.runs, shape.keys / key_block + 1}}));
  POSENC_TRY(allocate_parts<T>({{&made.keys, made.is_packed ? panels_size<T>(shape.dim, shape.keys) : 0},
                                {&made.values, made.is_packed ? panels_size<T>(shape.keys, shape.value_dim) : 0},
                                {&made.queries, made.rows * shape.dim},
                                {&made.scores, made.rows * made.stride},
                                {&made.outputs, made.rows * shape.value_dim},
                                {&made.sums, made.rows},
                                {&made.scratch, std::max(key_block * widest, stored_scratch<T>(widest))}},
                               made.all));
  return made;
}

template <class T, class Terms>
void attend(const BatchedAttentionShape& shape, const AttentionOptions& options, const CachedAttentionInputs& inputs,
            ForwardMemory<T>& memory, std::span<float> weights, std::span<float> output, AttentionTerm<T>* term) {
  // Without weights and outputs the number of queries may overflow.
  if (weights.empty() && output.empty()) return;
  Forward<T, Terms> forward(shape, options, inputs, memory, term);
  // The heads that share keys are adjacent, and so are their queries.
  const std::size_t sharers = sharers_of(shape);
  for (std::size_t group = 0; group < shape.batch * shape.kv_heads; ++group) {
    forward.set_group(group);
    const std::size_t last = (group + 1) * sharers;
    for (std::size_t row = group * sharers, rows = 0; row < last; row += rows) {
      rows = rows_of(shape, row, std::min(memory.rows, last - row), term != nullptr);
      forward.write_rows(row, rows, weights.empty() ? nullptr : weights.data() + row * shape.keys, output.data());
    }
  }
}

template std::size_t block_rows<float>(const BatchedAttentionShape&);
template std::size_t block_rows<double>(const BatchedAttentionShape&);
template Expected<void> allocate_parts(std::initializer_list<Part<float>>, AlignedArray<float>&);
template Expected<void> allocate_parts(std::initializer_list<Part<double>>, AlignedArray<double>&);
template struct ForwardMemory<float>;
template struct ForwardMemory<double>;
template void attend<float, PairTerms>(const BatchedAttentionShape&, const AttentionOptions&,
                                       const CachedAttentionInputs&, ForwardMemory<float>&, std::span<float>,
                                       std::span<float>, AttentionTerm<float>*);
template void attend<float, LeanTerms>(const BatchedAttentionShape&, const AttentionOptions&,
                                       const CachedAttentionInputs&, ForwardMemory<float>&, std::span<float>,
                                       std::span<float>, AttentionTerm<float>*);
template void attend<double, PairTerms>(const BatchedAttentionShape&, const AttentionOptions&,
                                        const CachedAttentionInputs&, ForwardMemory<double>&, std::span<float>,
                                        std::span<float>, AttentionTerm<double>*);

}  // namespace posenc
