#include "posenc/learned/table_bias.hpp"

#include <algorithm>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

Expected<void> check_lookup(std::span<const std::int32_t> ids, std::size_t heads, std::size_t table, std::size_t bias,
                            std::string_view bias_name) {
  if (heads == 0) return invalid_argument("heads", 0.0, expected::whole_at_least, {1});
  if (table % heads != 0)
    return invalid_argument("table", static_cast<double>(table), expected::multiple_of_values, {heads});
  POSENC_TRY(check_size(bias_name, bias, heads, ids.size()));
  const std::size_t rows = table / heads;
  for (const std::int32_t id : ids)
    if (id < 0 || static_cast<std::size_t>(id) >= rows)
      return invalid_argument("ids", static_cast<double>(id), {"rows of a table of ", decimal(rows)});
  return {};
}

}  // namespace

Expected<void> table_bias(std::span<const std::int32_t> ids, std::size_t heads, std::span<const float> table,
                          std::span<float> out) {
  POSENC_TRY(check_lookup(ids, heads, table.size(), out.size(), "out"));
  if (out.empty()) return {};
  const std::size_t rows = table.size() / heads;
  // A head's column of the table is copied to be contiguous while its pairs are looked up.
  POSENC_TRY_LET(column, AlignedArray<float>::make_unfilled(rows));
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t r = 0; r < rows; ++r) column[r] = table[r * heads + h];
    const float* const values = column.data();
    float* to = out.data() + h * ids.size();
    for (const std::int32_t id : ids) *to++ = values[id];
  }
  return {};
}

Expected<void> table_bias_backward(std::span<const std::int32_t> ids, std::size_t heads, std::span<const float> d_bias,
                                   std::span<float> d_table) {
  POSENC_TRY(check_lookup(ids, heads, d_table.size(), d_bias.size(), "gradient"));
  const std::size_t rows = d_table.size() / heads;
  POSENC_TRY_LET(sums, AlignedArray<double>::make_unfilled(rows));
  for (std::size_t h = 0; h < heads; ++h) {
    std::ranges::fill(sums.span(), 0.0);
    const float* from = d_bias.data() + h * ids.size();
    // Neighbouring pairs mostly share a row, whose sum stays in a register as long.
    for (std::size_t at = 0; at < ids.size();) {
      const std::int32_t id = ids[at];
      double sum = sums[static_cast<std::size_t>(id)];
      for (; at < ids.size() && ids[at] == id; ++at) sum += static_cast<double>(*from++);
      sums[static_cast<std::size_t>(id)] = sum;
    }
    for (std::size_t r = 0; r < rows; ++r) d_table[r * heads + h] = static_cast<float>(sums[r]);
  }
  return {};
}

}  // namespace posenc
