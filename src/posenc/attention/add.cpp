#include "posenc/attention/add.hpp"

#include <algorithm>

#include "posenc/base/check.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/try.hpp"

namespace posenc {

namespace {

/// `x`: the number of values in [batch, rows, dim].
Expected<void> check_sequences(std::string_view argument, std::size_t x, std::size_t rows, std::size_t dim,
                               std::size_t table) {
  const std::size_t table_rows = dim == 0 ? rows : table / dim;
  if (table_rows < rows)
    return invalid_argument("table", static_cast<double>(table_rows),
                            {"at least ", decimal(rows), " rows of ", decimal(dim)});
  // rows * dim cannot overflow: a table of that size exists.
  const std::size_t sequence = rows * dim;
  if (sequence == 0 ? x != 0 : x % sequence != 0)
    return invalid_argument(argument, static_cast<double>(x), {"a multiple of rows * dim values"});
  return {};
}

}  // namespace

Expected<void> add(std::span<const float> x, std::size_t rows, std::size_t dim, std::span<const float> table,
                   std::span<float> out) {
  POSENC_TRY(check_sequences("x", x.size(), rows, dim, table.size()));
  POSENC_TRY(check_size("out", out.size(), x.size()));
  const std::size_t sequence = rows * dim;
  for (std::size_t start = 0; start < x.size(); start += sequence)
    add_values(sequence, x.data() + start, table.data(), out.data() + start);
  return {};
}

Expected<void> add_backward(std::span<const float> d_out, std::size_t rows, std::size_t dim, std::span<float> d_table) {
  POSENC_TRY(check_sequences("gradient", d_out.size(), rows, dim, d_table.size()));
  const std::size_t sequence = rows * dim;
  // The sums of a few columns at a time stay in registers.
  constexpr std::size_t pieces = 4, columns = pieces * piece_size;
  const std::size_t used = d_out.empty() ? 0 : sequence, whole = used / columns * columns;
  for (std::size_t i = 0; i < whole; i += columns) {
    const auto add_up = [&]<std::size_t... k>(std::index_sequence<k...>) {
      Doubles sums[]{(static_cast<void>(k), Doubles{0.0, 0.0})...};
      for (const float* row = d_out.data() + i; row < d_out.data() + d_out.size(); row += sequence)
        ((sums[k] = sums[k] + Doubles::load(row + k * piece_size)), ...);
      (sums[k].store(d_table.data() + i + k * piece_size), ...);
    };
    add_up(std::make_index_sequence<pieces>());
  }
  for (std::size_t i = whole; i < used; ++i) {
    double sum = 0;
    for (std::size_t at = i; at < d_out.size(); at += sequence) sum += static_cast<double>(d_out[at]);
    d_table[i] = static_cast<float>(sum);
  }
  std::ranges::fill(d_table.subspan(used), 0.0F);
  return {};
}

}  // namespace posenc
