#include "posenc/learned/table_bias.hpp"

#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

Expected<void> check_lookup(std::span<const std::int32_t> ids, std::size_t heads, std::size_t table, std::size_t bias,
                            std::string_view bias_name) {
  if (heads == 0) return wrong("heads", 0.0, {"a whole number >= 1"});
  if (table % heads != 0)
    return wrong("table", static_cast<double>(table), {"a multiple of ", decimal(heads), " values"});
  if (auto checked = check_size(bias_name, bias, heads, ids.size()); !checked) return checked;
  const std::size_t rows = table / heads;
  for (const std::int32_t id : ids)
    if (id < 0 || static_cast<std::size_t>(id) >= rows)
      return wrong("ids", static_cast<double>(id), {"rows of a table of ", decimal(rows)});
  return {};
}

}  // namespace

Expected<void> table_bias(std::span<const std::int32_t> ids, std::size_t heads, std::span<const float> table,
                          std::span<float> out) {
  if (auto checked = check_lookup(ids, heads, table.size(), out.size(), "out"); !checked) return checked;
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t at = 0; at < ids.size(); ++at)
      out[h * ids.size() + at] = table[static_cast<std::size_t>(ids[at]) * heads + h];
  return {};
}

Expected<void> table_bias_backward(std::span<const std::int32_t> ids, std::size_t heads, std::span<const float> d_bias,
                                   std::span<float> d_table) {
  if (auto checked = check_lookup(ids, heads, d_table.size(), d_bias.size(), "gradient"); !checked) return checked;
  auto sums = AlignedArray<double>::make(d_table.size());
  if (!sums) return std::unexpected(sums.error());
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t at = 0; at < ids.size(); ++at)
      (*sums)[static_cast<std::size_t>(ids[at]) * heads + h] += static_cast<double>(d_bias[h * ids.size() + at]);
  round_to(sums->span(), d_table.data());
  return {};
}

}  // namespace posenc
