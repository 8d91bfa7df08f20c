#include "posenc/learning/encodings/parts/relative_rows.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "posenc/base/try.hpp"

namespace posenc::learning {

Expected<void> RelativeRows::reserve(const Reach& reach) {
  const std::size_t length = reach.shape.length, dims = reach.shape.dims();
  const std::size_t rows = 2 * static_cast<std::size_t>(std::min(reach.position, clip_)) + 1;
  POSENC_TRY(allocate({{products_, length * rows}}, Fill::none));
  POSENC_TRY_LET(product, Product::make({{dims, rows}, {rows, dims}, {length, dims}}));
  product_ = std::move(product);
  return {};
}

void RelativeRows::begin_pass(const Pass& pass) {
  const std::int32_t largest = std::min(pass.largest_distance(), clip_);
  first_ = -largest;
  count_ = static_cast<std::size_t>(pass.is_causal ? largest : 2 * largest) + 1;
}

/// Calls use(index of the pair among the scores, index of its product) for all pairs that are not masked.
template <class Use>
void RelativeRows::for_pairs(const Pass& pass, std::size_t sequence, const Use& use) const {
  const std::span<const std::int32_t> positions = pass.positions_of(sequence);
  const std::size_t length = pass.shape.length;
  const std::int32_t last = first_ + static_cast<std::int32_t>(count_) - 1;
  for (std::size_t i = 0; i < length; ++i)
    for (std::size_t j = 0; j < pass.keys_of(i); ++j) {
      const std::int32_t distance = std::clamp(positions[j] - positions[i], first_, last);
      use(i * length + j, i * count_ + static_cast<std::size_t>(distance - first_));
    }
}

void RelativeRows::add_to_scores(const Pass& pass, std::size_t sequence, float factor,
                                 const Strided<const float>& query, const Strided<const float>& table, float* scores) {
  const PassShape& shape = pass.shape;
  product_.multiply(shape.length, shape.dims(), count_, query, transposed(table), products_.data(), count_);
  const float* const products = products_.data();
  for_pairs(pass, sequence, [&](std::size_t pair, std::size_t at) { scores[pair] += factor * products[at]; });
}

void RelativeRows::sum_scores(const Pass& pass, std::size_t sequence, float factor, const float* scores) {
  float* const sums = products_.data();
  std::fill_n(sums, pass.shape.length * count_, 0.0f);
  for_pairs(pass, sequence, [&](std::size_t pair, std::size_t at) { sums[at] += factor * scores[pair]; });
}

void RelativeRows::add_to_query(const Pass& pass, const Strided<const float>& table, const Strided<float>& query) {
  product_.multiply_add(pass.shape.length, count_, pass.shape.dims(), row_major<const float>(products_.data(), count_),
                        table, query.data, query.row_stride);
}

void RelativeRows::add_to_table(const Pass& pass, const Strided<const float>& query, const Strided<float>& table) {
  const auto sums = row_major<const float>(products_.data(), count_);
  product_.multiply_add(count_, pass.shape.length, pass.shape.dims(), transposed(sums), query, table.data,
                        table.row_stride);
}

}  // namespace posenc::learning
