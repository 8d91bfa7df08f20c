#include "posenc/attention/add.hpp"

#include <algorithm>

#include "posenc/base/check.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/try.hpp"

namespace posenc {

namespace {

/// `x`: the number of values in [batch, rows, inner, dim].
Expected<void> check_sequences(std::string_view argument, std::size_t x, std::size_t rows, std::size_t inner,
                               std::size_t dim, std::size_t table) {
  const std::size_t table_rows = dim == 0 ? rows : table / dim;
  if (table_rows < rows)
    return invalid_argument("table", static_cast<double>(table_rows),
                            {"at least ", decimal(rows), " rows of ", decimal(dim)});
  // rows * dim cannot overflow: a table of that size exists. Divided twice, nor can that times inner.
  const std::size_t sequence = rows * dim;
  const bool fits = sequence == 0 || inner == 0 ? x == 0 : x % sequence == 0 && x / sequence % inner == 0;
  if (fits) return {};
  return invalid_argument(argument, static_cast<double>(x),
                          {"a multiple of rows * ", inner == 1 ? "" : "inner * ", "dim values"});
}

}  // namespace

Expected<void> add(std::span<const float> x, std::size_t rows, std::size_t dim, std::span<const float> table,
                   std::span<float> out, std::size_t inner) {
  POSENC_TRY(check_sequences("x", x.size(), rows, inner, dim, table.size()));
  POSENC_TRY(check_size("out", out.size(), x.size()));
  // Rows that are contiguous are one.
  const std::size_t together = inner == 1 ? rows * dim : dim;
  for (std::size_t start = 0, row = 0; start < x.size(); start += inner * together, row += together) {
    if (row == rows * dim) row = 0;
    for (std::size_t at = start; at < start + inner * together; at += together)
      add_values(together, x.data() + at, table.data() + row, out.data() + at);
  }
  return {};
}

Expected<void> add_backward(std::span<const float> d_out, std::size_t rows, std::size_t dim, std::span<float> d_table,
                            std::size_t inner) {
  POSENC_TRY(check_sequences("gradient", d_out.size(), rows, inner, dim, d_table.size()));
  const std::size_t together = inner == 1 ? rows * dim : dim, sequence = rows * inner * dim;
  const std::size_t used = d_out.empty() ? 0 : rows * dim;
  // The sums of a few columns at a time stay in registers.
  constexpr std::size_t pieces = 4, columns = pieces * piece_size;
  for (std::size_t row = 0; row < used; row += together) {
    const auto each = [&](std::size_t column, const auto& use) {
      for (std::size_t start = row * inner + column; start < d_out.size(); start += sequence)
        for (std::size_t at = start; at < start + inner * together; at += together) use(d_out.data() + at);
    };
    std::size_t column = 0;
    for (; column + columns <= together; column += columns) {
      const auto add_up = [&]<std::size_t... k>(std::index_sequence<k...>) {
        Doubles sums[]{(static_cast<void>(k), Doubles{0.0, 0.0})...};
        each(column, [&](const float* of) { ((sums[k] = sums[k] + Doubles::load(of + k * piece_size)), ...); });
        (sums[k].store(d_table.data() + row + column + k * piece_size), ...);
      };
      add_up(std::make_index_sequence<pieces>());
    }
    for (; column < together; ++column) {
      double sum = 0;
      each(column, [&](const float* of) { sum += static_cast<double>(*of); });
      d_table[row + column] = static_cast<float>(sum);
    }
  }
  std::ranges::fill(d_table.subspan(used), 0.0F);
  return {};
}

}  // namespace posenc
