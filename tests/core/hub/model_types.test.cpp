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
    posenc::packed::each_member([](const auto& a, const auto& b) { CHECK(posenc::packed::is_same(a, b)); }, read, kept);
  }
  CHECK(posenc::model_type_of("an unknown type").type.empty());
}
