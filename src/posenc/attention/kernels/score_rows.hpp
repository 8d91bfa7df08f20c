#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/dropout.hpp"
#include "posenc/attention/kernels/stored_rows.hpp"

namespace posenc {

/// Keys first ... last - 1; first is a multiple of key_block.
struct KeyRun {
  std::size_t first, last;
};

/// Keys that no query of a block sees are skipped in blocks of this many.
inline constexpr std::size_t key_block = 64;

/// The length of a row of scores: whole steps of a RowSum.
constexpr std::size_t padded_keys(std::size_t keys) { return (keys + 15) / 16 * 16; }

/// The bias and the masks of rows of scores. Rows are counted over [batch, heads, queries].
class PairTerms {
 public:
  static constexpr bool is_lean = false;

  PairTerms(const BatchedAttentionShape& shape, const AttentionOptions& options);

  /// How many of the first keys a row sees, before masks of pairs and padding.
  [[nodiscard]] std::size_t seen_keys(std::size_t row) const;

  /// The first key that a row sees, before masks of pairs and padding.
  [[nodiscard]] std::size_t first_key(std::size_t row) const;

  /// The keys among the first `end` that one of the rows sees, or some more; `runs`: one for each block of keys.
  [[nodiscard]] std::span<const KeyRun> visible_runs(std::size_t row, std::size_t rows, std::size_t end,
                                                     KeyRun* runs) const;

  /// Scores of one row: adds the bias and masks what it does not see, up to padded_keys(runs' last).
  template <class T>
  void apply(std::size_t row, std::span<const KeyRun> runs, T* scores) const;

  /// Dropout of one row's weights, or of their gradients.
  template <class T>
  void drop(std::size_t row, std::span<const KeyRun> runs, T* weights);
  [[nodiscard]] bool drops() const { return factors_.active(); }

  /// Adds the gradient of one row's scores to that of the bias.
  template <class T>
  void add_bias_gradient(std::size_t row, std::span<const KeyRun> runs, const T* d_scores, T* d_bias) const;

 private:
  /// A row's part of the bias and the masks; null: there is none.
  struct Row {
    std::size_t first = 0, end = 0;  ///< no key before `first` is seen, nor from `end` on
    std::int64_t index = 0;          ///< the query's, among the keys
    double slope = 0;                ///< ALiBi's
    std::size_t bias_at = 0;
    const float* bias = nullptr;
    const std::uint8_t *pairs = nullptr, *keys = nullptr;
  };
  [[nodiscard]] Row row_of(std::size_t row) const;
  [[nodiscard]] bool may_see(const Row& row, std::size_t first, std::size_t count) const;

  const BatchedAttentionShape* shape_;
  const AttentionOptions* options_;
  PairStrides bias_, mask_;
  DropoutFactors factors_;
  bool attends_;
};

/// The same bits by less code: no block of keys is left out but those outside a window, and nothing is dropped.
class LeanTerms : public PairTerms {
 public:
  static constexpr bool is_lean = true;
  using PairTerms::PairTerms;

  [[nodiscard]] std::span<const KeyRun> visible_runs(std::size_t row, std::size_t, std::size_t end,
                                                     KeyRun* runs) const {
    runs[0] = {first_key(row) / key_block * key_block, end};
    return {runs, runs[0].first < end ? std::size_t{1} : std::size_t{0}};
  }
};

/// Replaces scores by e^(score - largest) and returns their sum. A row of masked scores becomes zeros; in a row with a
/// score of NaN or +infinity, scores that are not masked become NaN: both have the sum 1.
template <class T>
[[nodiscard]] T exponentials(std::span<const KeyRun> runs, T* scores);

/// Divides in place, each rounded once.
template <class T>
void divide(std::span<const KeyRun> runs, T divisor, T* values);

/// Writes zeros among the first `end` where there are no runs.
template <class T>
void clear_others(std::span<const KeyRun> runs, std::size_t end, T* values);

/// d_weights becomes the gradient of the scores: weight (d_weight - sum of weight d_weight); 0 where the weight is 0.
template <class T>
void softmax_gradient(std::span<const KeyRun> runs, const T* weights, T* d_weights);

/// out = factor * values in T, for scaled queries.
template <class T>
void scale_values(const float* values, double factor, std::size_t size, T* out);

template <class T>
[[nodiscard]] bool all_finite(const T* values, std::size_t size);

/// output [values.width] = one row of weights times values, as the product of matrices has it; but keys of weight 0 do
/// not contribute, whatever their values. scratch: as large as output.
template <class T>
void add_seen_rows(std::span<const KeyRun> runs, const T* weights, const StoredRows& values, T* output, T* scratch);

/// out = values / divisor, each rounded once; NaN is the one quiet NaN without a sign.
template <class T>
void write_quotients(const T* values, T divisor, std::size_t size, float* out);

}  // namespace posenc
