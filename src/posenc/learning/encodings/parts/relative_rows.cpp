#include "posenc/learning/encodings/parts/relative_rows.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace posenc::learning {

std::size_t RelativeRows::rows_up_to(const Reach& reach) const {
  return static_cast<std::size_t>(std::min(reach.position, rule_.most)) +
         static_cast<std::size_t>(std::min(reach.position, -rule_.least)) + 1;
}

Expected<void> RelativeRows::reserve(const Reach& reach) {
  const std::size_t length = reach.shape.length, dims = reach.shape.dims(), rows = rows_up_to(reach);
  auto products = AlignedArray<float>::make_unfilled(length * rows);
  if (!products) return error_of(products);
  auto product = Product::make({{dims, rows}, {rows, dims}, {length, dims}});
  if (!product) return error_of(product);
  products_ = *std::move(products);
  product_ = *std::move(product);
  return {};
}

void RelativeRows::begin(const Pass& pass) {
  std::int32_t span = 0;
  const std::size_t sequences = pass.shares_positions ? 1 : pass.shape.sequences;
  for (std::size_t sequence = 0; pass.shape.length > 0 && sequence < sequences; ++sequence) {
    const auto positions = pass.positions_of(sequence);
    span = std::max(span, positions.back() - positions.front());
  }
  const bool is_key_first = rule_.sign == RelativeSign::key_minus_query;
  first_ = pass.is_causal && !is_key_first ? 0 : std::max(-span, rule_.least);
  const std::int32_t last = pass.is_causal && is_key_first ? 0 : std::min(span, rule_.most);
  count_ = static_cast<std::size_t>(last - first_) + 1;
}

/// Calls use(where the pair stands among all, where its product does) for all pairs that are not masked.
template <class Use>
void RelativeRows::for_pairs(const Pass& pass, std::size_t sequence, const Use& use) const {
  const std::span<const std::int32_t> positions = pass.positions_of(sequence);
  const std::size_t length = pass.shape.length;
  const std::size_t query_stride = rule_.is_of_keys ? 0 : count_, key_stride = count_ - query_stride;
  const std::int32_t sign = rule_.sign == RelativeSign::key_minus_query ? 1 : -1;
  const std::int32_t last = first_ + static_cast<std::int32_t>(count_) - 1;
  for (std::size_t i = 0; i < length; ++i) {
    const std::size_t visible = pass.is_causal ? i + 1 : length;
    for (std::size_t j = 0; j < visible; ++j) {
      const std::int32_t distance = std::clamp(sign * (positions[j] - positions[i]), first_, last);
      use(i * length + j, i * query_stride + j * key_stride + static_cast<std::size_t>(distance - first_));
    }
  }
}

void RelativeRows::add_to_pairs(const Pass& pass, std::size_t sequence, float factor,
                                const Strided<const float>& tokens, const Strided<const float>& table, float* scores) {
  const PassShape& shape = pass.shape;
  product_.set(shape.length, shape.dims(), count_, tokens, transposed(table), products_.data(), count_);
  const float* const products = products_.data();
  for_pairs(pass, sequence, [&](std::size_t pair, std::size_t at) { scores[pair] += factor * products[at]; });
}

void RelativeRows::sum_pairs(const Pass& pass, std::size_t sequence, float factor, const float* pairs) {
  float* const sums = products_.data();
  std::fill_n(sums, pass.shape.length * count_, 0.0f);
  for_pairs(pass, sequence, [&](std::size_t pair, std::size_t at) { sums[at] += factor * pairs[pair]; });
}

void RelativeRows::add_to_tokens(const Pass& pass, const Strided<const float>& table, const Strided<float>& tokens) {
  product_.add(pass.shape.length, count_, pass.shape.dims(), row_major<const float>(products_.data(), count_), table,
               tokens.data, tokens.row_stride);
}

void RelativeRows::add_to_table(const Pass& pass, const Strided<const float>& tokens, const Strided<float>& table) {
  const auto sums = row_major<const float>(products_.data(), count_);
  product_.add(count_, pass.shape.length, pass.shape.dims(), transposed(sums), tokens, table.data, table.row_stride);
}

}  // namespace posenc::learning
