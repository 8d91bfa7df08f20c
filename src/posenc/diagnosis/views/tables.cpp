#include "posenc/diagnosis/views/tables.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace posenc::diagnosis {
namespace {

bool is_zero(std::span<const double> row) { return std::ranges::count(row, 0.0) == std::ssize(row); }

}  // namespace

void TableView::read(std::size_t token, std::size_t /*vectors*/, TokenPairs& to) const {
  const bool is_interleaved = order_ == TableOrder::interleaved || order_ == TableOrder::interleaved_cosines_first;
  const bool has_cosines_first = order_ == TableOrder::interleaved_cosines_first || order_ == TableOrder::cosines_first;
  const bool has_odd_sine = pairs() > dim_ / 2;
  constexpr double unknown_value = std::numeric_limits<double>::infinity();
  std::vector<double> row;
  table_->values.append_to(row, token * dim_, dim_);
  const bool is_padding = has_padding_ && is_zero(row);
  for (std::size_t pair = 0; pair < pairs(); ++pair) {
    to.x[pair] = amplitude_, to.y[pair] = 0;
    if (is_padding) {
      to.slack_u[pair] = to.slack_v[pair] = unknown_value;
      continue;
    }
    const bool is_last = has_odd_sine && pair + 1 == pairs();
    const std::size_t first = is_interleaved ? 2 * pair : pair;
    const std::size_t second = is_interleaved ? 2 * pair + 1 : pair + dim_ / 2 + (has_odd_sine ? 1 : 0);
    // The odd one is a sine, in the place of a pair's first number, wherever sines are.
    to.v[pair] = row[has_cosines_first && !is_last ? second : first];
    if (is_last)
      to.slack_u[pair] = unknown_value;
    else
      to.u[pair] = row[has_cosines_first ? first : second];
  }
}

bool has_zero_row(const SampledTensor& table, std::size_t dim, std::span<const double> positions) {
  std::optional<double> found;
  std::vector<double> row;
  for (std::size_t token = 0; token < positions.size(); ++token) {
    row.clear();
    table.values.append_to(row, token * dim, dim);
    if (is_zero(row) && found.value_or(positions[token]) != positions[token]) return false;
    if (is_zero(row)) found = positions[token];
  }
  return found.has_value();
}

bool has_zero_column(const SampledTensor& table, std::size_t dim) {
  for (std::size_t at = dim - 1; at < table.values.size(); at += dim)
    if (table.values[at] != 0) return false;
  return true;
}

}  // namespace posenc::diagnosis
