#include "posenc/attention/add.hpp"

#include "posenc/base/check.hpp"

namespace posenc {

namespace {

/// `x`: the number of values in [batch, rows, dim].
Expected<void> check_sequences(std::string_view argument, std::size_t x, std::size_t rows, std::size_t dim,
                               std::size_t table) {
  const std::size_t table_rows = dim == 0 ? rows : table / dim;
  if (table_rows < rows)
    return wrong("table", static_cast<double>(table_rows), {"at least ", decimal(rows), " rows of ", decimal(dim)});
  // rows * dim cannot overflow: a table of that size exists.
  const std::size_t sequence = rows * dim;
  if (sequence == 0 ? x != 0 : x % sequence != 0)
    return wrong(argument, static_cast<double>(x), {"a multiple of rows * dim values"});
  return {};
}

}  // namespace

Expected<void> add(std::span<const float> x, std::size_t rows, std::size_t dim, std::span<const float> table,
                   std::span<float> out) {
  if (auto checked = check_sequences("x", x.size(), rows, dim, table.size()); !checked) return checked;
  if (auto checked = check_size("out", out.size(), x.size()); !checked) return checked;
  const std::size_t sequence = rows * dim;
  for (std::size_t start = 0; start < x.size(); start += sequence)
    for (std::size_t i = 0; i < sequence; ++i) out[start + i] = x[start + i] + table[i];
  return {};
}

Expected<void> add_backward(std::span<const float> d_out, std::size_t rows, std::size_t dim, std::span<float> d_table) {
  if (auto checked = check_sequences("gradient", d_out.size(), rows, dim, d_table.size()); !checked) return checked;
  const std::size_t sequence = rows * dim;
  for (std::size_t i = 0; i < d_table.size(); ++i) {
    double sum = 0;
    for (std::size_t at = i; i < sequence && at < d_out.size(); at += sequence) sum += static_cast<double>(d_out[at]);
    d_table[i] = static_cast<float>(sum);
  }
  return {};
}

}  // namespace posenc
