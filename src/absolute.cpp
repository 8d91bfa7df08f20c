#include "posenc/absolute.hpp"

#include "check.hpp"

namespace posenc {

Expected<void> add_absolute(std::span<const float> x, std::size_t rows, std::size_t dim, std::span<const float> table,
                            std::span<float> out) {
  const std::size_t table_rows = dim == 0 ? rows : table.size() / dim;
  if (table_rows < rows)
    return wrong("table", static_cast<double>(table_rows), {"at least ", decimal(rows), " rows of ", decimal(dim)});
  // From here rows * dim cannot overflow: a table of that size is there.
  const std::size_t sequence = rows * dim;
  if (sequence == 0 ? !x.empty() : x.size() % sequence != 0)
    return wrong("x", static_cast<double>(x.size()), {"a multiple of rows * dim values"});
  if (auto checked = check_size("out", out.size(), x.size()); !checked) return checked;
  for (std::size_t start = 0; start < x.size(); start += sequence)
    for (std::size_t i = 0; i < sequence; ++i) out[start + i] = x[start + i] + table[i];
  return {};
}

}  // namespace posenc
