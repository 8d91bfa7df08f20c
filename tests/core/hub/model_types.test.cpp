/// The table of model types: its order, and the rows as the module has them, packed.

#include "posenc/hub/model_types.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>

#include "posenc/hub/packed_types.hpp"

using posenc::ModelType;

TEST_CASE("model types: rows are in alphabetical order, each once", "[hub]") {
  const auto rows = posenc::model_types();
  const auto before = std::ranges::adjacent_find(rows, std::ranges::greater_equal(), &ModelType::type);
  CHECK((before == rows.end() ? "" : before[1].type) == "");  // the row that stands too far down
  // As the module reads them, member by member.
  for (const ModelType& row : rows) {
    const ModelType read = posenc::model_type_of(row.type);
    CHECK(read.type == row.type);
    const ModelType kept = posenc::packed::kept_of(row);
    posenc::packed::each_member(
        [&](const posenc::packed::Member&, auto find) { CHECK(posenc::packed::is_same(find(read), find(kept))); });
  }
  CHECK(posenc::model_type_of("an unknown type").type.empty());
  // A member that is added has to be bound here, counted, and visited.
  [[maybe_unused]] const auto& [type, encoding, layout, base, local_base, base_key, own_keys, hidden_size, heads,
                                head_dim, unrotated_dim, fraction, rotary_dim, scales_local, is_slice, is_inverse,
                                is_nested, needs_rope, yarn_is_longrope, has_own_ntk, is_compressed, rotates, layers,
                                list, list_key, windows, sides, mask, window_key, window, first_window, scale, norm,
                                sinks, softcap, temperature, indexer, ids, is_time_last, without_mla, rows_of_table,
                                rows_key, first_row, padding, sinusoidal, has_relative_keys, verified, source, note] =
      rows.front();
  [[maybe_unused]] const auto& [others, one, every, key, is_first, rotating, needs_window, has_switches, end] = layers;
  [[maybe_unused]] const auto& [indexer_layout, has_layout_of_plan, is_at_end, layer_type] = indexer;
  [[maybe_unused]] const auto& [sinusoidal_key, sinusoidal_value] = sinusoidal;
  int visited = 0;
  posenc::packed::each_member([&](const posenc::packed::Member&, auto) { ++visited; });
  CHECK(visited == 45 + 9 + 4 + 2);
}
