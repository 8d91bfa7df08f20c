#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/array_maths.hpp"
#include "posenc/base/check.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/layer_name.hpp"
#include "posenc/learning/product.hpp"

namespace posenc::learning {
namespace {

/// The two rows between which a position lies, and how far it is from the lower one; both are one where it is the last.
struct BetweenRows {
  std::size_t lower, upper;
  float share;
};

/// Golovneva et al. 2024, "Contextual Position Encoding: Learning to Count What's Important". A key's gate for a query
/// is the sigmoid of their score; the position of a key is the sum of the gates from it to the query, at most the last
/// row of the table; q_i times the row there, interpolated between its neighbours, is added to the score. The paper is
/// causal: where a query sees what comes after it too, the gates from the query to such a key are summed up likewise.
/// The heads of a layer share its table.
class CopeEncoding final : public Encoding {
 public:
  explicit CopeEncoding(std::size_t rows) : rows_(rows) {}

  void declare(const PassShape& model, ParameterList& list) override {
    tables_.clear();
    for (std::size_t layer = 0; layer < model.layers; ++layer)
      tables_.push_back(list.add(layer_name(layer, "cope"), rows_, model.dims(), {.deviation = 0.02}));
  }

  Expected<void> reserve(const Reach& reach) override {
    const std::size_t length = reach.shape.length, dims = reach.shape.dims(), rows = reached(reach.shape);
    for (const auto& [array, size] :
         {std::pair(&products_, length * rows), std::pair(&d_products_, length * rows),
          std::pair(&scores_, length * length), std::pair(&gates_, length), std::pair(&slopes_, length)}) {
      auto made = AlignedArray<float>::make_unfilled(size);
      if (!made) return error_of(made);
      *array = *std::move(made);
    }
    auto positions = AlignedArray<double>::make_unfilled(length);
    if (!positions) return error_of(positions);
    positions_ = *std::move(positions);
    auto product = Product::make({{dims, rows}, {rows, dims}, {dims, length}, {length, dims}});
    if (!product) return error_of(product);
    product_ = *std::move(product);
    return {};
  }

  void add_scores(const Pass& pass, const HeadPlace& place, const HeadRows& rows, float* scores) override {
    const std::size_t length = pass.shape.length, count = reached(pass.shape);
    multiply_table(pass, place, rows);
    for (std::size_t i = 0; i < length; ++i) {
      float* const row = scores + i * length;
      const float* const products = products_.data() + i * count;
      const std::size_t visible = find_positions(pass, i, row);
      for (std::size_t j = 0; j < visible; ++j) {
        const auto [lower, upper, share] = between(positions_[j], count);
        row[j] += products[lower] + share * (products[upper] - products[lower]);
      }
    }
  }

  /// The scores before are computed once more: kept, they would be as many as all weights of all layers.
  void scores_gradient(const Pass& pass, const HeadPlace& place, const HeadRows& rows, float* d_scores,
                       const HeadGradients& d_rows, float* gradients) override {
    const std::size_t length = pass.shape.length, dims = pass.shape.dims(), count = reached(pass.shape);
    product_.set(length, dims, length, rows.query, transposed(rows.key), scores_.data(), length);
    for (std::size_t i = 0; i < length * length; ++i) scores_[i] *= pass.scale;
    multiply_table(pass, place, rows);
    std::fill_n(d_products_.data(), length * count, 0.0f);
    for (std::size_t i = 0; i < length; ++i) {
      float* const d_row = d_scores + i * length;
      const float* const products = products_.data() + i * count;
      float* const d_products = d_products_.data() + i * count;
      const std::size_t visible = find_positions(pass, i, scores_.data() + i * length);
      for (std::size_t j = 0; j < visible; ++j) {
        const auto [lower, upper, share] = between(positions_[j], count);
        const float d_upper = share * d_row[j];
        d_products[lower] += d_row[j] - d_upper;
        d_products[upper] += d_upper;
        slopes_[j] = d_row[j] * (products[upper] - products[lower]);
      }
      add_through_gates(i, visible, d_row);
    }
    const auto d_products = row_major<const float>(d_products_.data(), count);
    const std::size_t table = tables_[place.layer];
    product_.add(length, count, dims, d_products, row_major(pass.parameters + table, dims), d_rows.query.data,
                 d_rows.query.row_stride);
    product_.add(count, length, dims, transposed(d_products), rows.query, gradients + table, dims);
  }

 private:
  /// How many rows positions can need: no sum of gates passes their number.
  [[nodiscard]] std::size_t reached(const PassShape& shape) const { return std::min(rows_, shape.length + 1); }

  /// products_ = queries times the table's rows.
  void multiply_table(const Pass& pass, const HeadPlace& place, const HeadRows& rows) {
    const std::size_t dims = pass.shape.dims(), count = reached(pass.shape);
    const auto table = row_major(pass.parameters + tables_[place.layer], dims);
    product_.set(pass.shape.length, dims, count, rows.query, transposed(table), products_.data(), count);
  }

  /// gates_ and positions_ of the keys that query i sees; how many there are.
  std::size_t find_positions(const Pass& pass, std::size_t i, const float* scores) {
    const std::size_t visible = pass.is_causal ? i + 1 : pass.shape.length;
    std::copy_n(scores, visible, gates_.data());
    sigmoids(gates_.span().first(visible));
    // NaN is no position: it is taken as the last, and softmax reports the score.
    const auto most = static_cast<double>(reached(pass.shape) - 1);
    double sum = 0;
    for (std::size_t j = i + 1; j-- > 0;) {
      sum += static_cast<double>(gates_[j]);
      positions_[j] = sum < most ? sum : most;
    }
    sum = static_cast<double>(gates_[i]);
    for (std::size_t j = i + 1; j < visible; ++j) {
      sum += static_cast<double>(gates_[j]);
      positions_[j] = sum < most ? sum : most;
    }
    return visible;
  }

  [[nodiscard]] static BetweenRows between(double position, std::size_t count) {
    const auto lower = static_cast<std::size_t>(position);
    return {lower, std::min(lower + 1, count - 1), static_cast<float>(position - static_cast<double>(lower))};
  }

  /// d_row, the gradient of the scores of query i, += that through the gates: a gate is part of the positions of its
  /// key and of all keys beyond it, seen from the query, whose slopes_ are 0 where a position is the last.
  void add_through_gates(std::size_t i, std::size_t visible, float* d_row) {
    const auto add = [&](std::size_t j, double d_gate) {
      const float gate = gates_[j];
      d_row[j] += static_cast<float>(d_gate) * (gate * (1 - gate));
    };
    double before = 0, after = 0;
    for (std::size_t j = 0; j < i; ++j) add(j, before += static_cast<double>(slopes_[j]));
    for (std::size_t j = visible; j-- > i + 1;) add(j, after += static_cast<double>(slopes_[j]));
    add(i, before + static_cast<double>(slopes_[i]) + after);
  }

  std::size_t rows_;                           ///< of the table
  std::vector<std::size_t> tables_;            ///< where those of the layers begin
  AlignedArray<float> products_, d_products_;  ///< [length, rows that can be reached]
  AlignedArray<float> scores_;                 ///< [length, length], as they were before
  AlignedArray<float> gates_, slopes_;         ///< of a query's keys, [length]; what d score / d position brings
  AlignedArray<double> positions_;
  Product product_;
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_cope(const EncodingOptions& options) {
  if (auto checked = check_whole("encoding.rows", options.rows, 2, 4096); !checked) return error_of(checked);
  return std::make_unique<CopeEncoding>(static_cast<std::size_t>(options.rows));
}

}  // namespace posenc::learning
