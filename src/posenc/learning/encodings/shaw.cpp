#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/product.hpp"

namespace posenc::learning {
namespace {

/// Dot products of the queries of a head with the rows of a table [2 clip + 1, dimensions]: the row of a query and a
/// key is that of their clipped distance, key position - query position. A query's product with each row is computed
/// once, and every key looks its own up; the gradients of a query's keys are summed over those that share a row before
/// they are multiplied. A pass needs only the rows of the distances that it has: in a causal one, where no key comes
/// after its query, about half.
class RelativeRows {
 public:
  explicit RelativeRows(std::int32_t clip) : clip_(clip) {}

  /// Allocates for all passes up to this one. Errors: memory.
  [[nodiscard]] Expected<void> reserve(const Reach& reach) {
    const std::size_t length = reach.shape.length, dims = reach.shape.dims();
    const std::size_t rows = 2 * static_cast<std::size_t>(std::min(reach.position, clip_)) + 1;
    POSENC_TRY(allocate({{products_, length * rows}}, Fill::none));
    POSENC_TRY_LET(product, Product::make({{dims, rows}, {rows, dims}, {length, dims}}));
    product_ = std::move(product);
    return {};
  }

  /// Finds the distances of a pass. Below, `table` means rows of the whole table for them alone, from first_row() on.
  void begin_pass(const Pass& pass) {
    const std::int32_t largest = std::min(pass.largest_distance(), clip_);
    first_ = -largest;
    count_ = static_cast<std::size_t>(pass.is_causal ? largest : 2 * largest) + 1;
  }

  [[nodiscard]] std::size_t first_row() const {
    const std::int32_t row = first_ + clip_;
    return static_cast<std::size_t>(row);
  }

  /// scores, [length, length], += factor * query times the row of each pair; query: [length, dimensions]; table:
  /// [distances, dimensions].
  void add_to_scores(const Pass& pass, std::size_t sequence, float factor, const Strided<const float>& query,
                     const Strided<const float>& table, float* scores) {
    const PassShape& shape = pass.shape;
    product_.multiply(shape.length, shape.dims(), count_, query, transposed(table), products_.data(), count_);
    const float* const products = products_.data();
    for_pairs(pass, sequence, [&](std::size_t pair, std::size_t at) { scores[pair] += factor * products[at]; });
  }

  /// Sums factor * scores, [length, length], over the keys of a query that share a row, for the two functions below.
  void sum_scores(const Pass& pass, std::size_t sequence, float factor, const float* scores) {
    float* const sums = products_.data();
    std::fill_n(sums, pass.shape.length * count_, 0.0f);
    for_pairs(pass, sequence, [&](std::size_t pair, std::size_t at) { sums[at] += factor * scores[pair]; });
  }

  /// query, [length, dimensions], += the sums times the table's rows.
  void add_to_query(const Pass& pass, const Strided<const float>& table, const Strided<float>& query) {
    product_.multiply_add(pass.shape.length, count_, pass.shape.dims(),
                          row_major<const float>(products_.data(), count_), table, query.data, query.row_stride);
  }

  /// table, [distances, dimensions], += the sums times the queries.
  void add_to_table(const Pass& pass, const Strided<const float>& query, const Strided<float>& table) {
    const auto sums = row_major<const float>(products_.data(), count_);
    product_.multiply_add(count_, pass.shape.length, pass.shape.dims(), transposed(sums), query, table.data,
                          table.row_stride);
  }

 private:
  /// Calls use(index of the pair among the scores, index of its product) for all pairs that are not masked.
  template <class Use>
  void for_pairs(const Pass& pass, std::size_t sequence, const Use& use) const {
    const std::span<const std::int32_t> positions = pass.positions_of(sequence);
    const std::size_t length = pass.shape.length;
    const std::int32_t last = first_ + static_cast<std::int32_t>(count_) - 1;
    for (std::size_t i = 0; i < length; ++i)
      for (std::size_t j = 0; j < pass.keys_of(i); ++j) {
        const std::int32_t distance = std::clamp(positions[j] - positions[i], first_, last);
        use(i * length + j, i * count_ + static_cast<std::size_t>(distance - first_));
      }
  }

  std::int32_t clip_;
  std::int32_t first_ = 0;  ///< the smallest distance
  std::size_t count_ = 0;
  AlignedArray<float> products_;  ///< [length, count_]: of queries and rows, or the sums
  Product product_;
};

/// Shaw, Uszkoreit and Vaswani 2018, "Self-Attention with Relative Position Representations": to the key and to the
/// value of a pair a row is added that is learned for their distance, key - query, clipped. A layer's heads share it.
class ShawEncoding final : public Encoding {
 public:
  explicit ShawEncoding(std::int32_t clip) : table_rows_(2 * static_cast<std::size_t>(clip) + 1), rows_(clip) {}

  void declare(const PassShape& model, ParameterList& list) override {
    // Tables that start larger are added to every value, and drown it.
    constexpr Initial initial{.deviation = 0.02};
    keys_.clear();
    values_.clear();
    for (std::size_t layer = 0; layer < model.layers; ++layer) {
      keys_.push_back(list.declare(layer_name(layer, "shaw.keys"), table_rows_, model.dims(), initial));
      values_.push_back(list.declare(layer_name(layer, "shaw.values"), table_rows_, model.dims(), initial));
    }
  }

  Expected<void> reserve(const Reach& reach) override { return rows_.reserve(reach); }

  void begin_pass(const Pass& pass) override { rows_.begin_pass(pass); }

  void add_scores(const Pass& pass, const HeadIndex& index, const HeadRows& rows, float* scores) override {
    rows_.add_to_scores(pass, index.sequence, pass.scale, rows.query,
                        needed(pass, pass.parameters + keys_[index.layer]), scores);
  }

  void scores_gradient(const Pass& pass, const HeadIndex& index, const HeadRows& rows, float* d_scores,
                       const HeadGradients& d_rows, float* gradients) override {
    rows_.sum_scores(pass, index.sequence, pass.scale, d_scores);
    rows_.add_to_query(pass, needed(pass, pass.parameters + keys_[index.layer]), d_rows.query);
    rows_.add_to_table(pass, rows.query, needed(pass, gradients + keys_[index.layer]));
  }

  void add_values(const Pass& pass, const HeadIndex& index, const float* weights,
                  const Strided<float>& output) override {
    rows_.sum_scores(pass, index.sequence, 1, weights);
    rows_.add_to_query(pass, needed(pass, pass.parameters + values_[index.layer]), output);
  }

  void values_gradient(const Pass& pass, const HeadIndex& index, const float* weights,
                       const Strided<const float>& d_output, float* d_weights, float* gradients) override {
    rows_.add_to_scores(pass, index.sequence, 1, d_output, needed(pass, pass.parameters + values_[index.layer]),
                        d_weights);
    rows_.sum_scores(pass, index.sequence, 1, weights);
    rows_.add_to_table(pass, d_output, needed(pass, gradients + values_[index.layer]));
  }

 private:
  /// The rows of a table for the distances of the pass.
  template <class T>
  [[nodiscard]] Strided<T> needed(const Pass& pass, T* table) const {
    return row_major(table, pass.shape.dims()).from(rows_.first_row(), 0);
  }

  std::size_t table_rows_;
  RelativeRows rows_;
  std::vector<std::size_t> keys_, values_;  ///< indices of the layers' tables among the parameters
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_shaw(const EncodingOptions& options) {
  POSENC_TRY(check_whole("encoding.maxDistance", options.max_distance, 1, 4096));
  return std::make_unique<ShawEncoding>(static_cast<std::int32_t>(options.max_distance));
}

}  // namespace posenc::learning
