#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <vector>

#include "key_cache/key_model.hpp"
#include "posenc/grid/rotary_mixed.hpp"
#include "posenc/key_cache/edited_keys.hpp"
#include "posenc/rotary/rotary.hpp"

using key_model::Cache;
using key_model::random_cache;
using posenc::EditedKeys;
using posenc::KeyEdit;
using posenc::Keys;
using posenc::KeyType;
using posenc::Layout;
using posenc::Rotary;
using posenc::SequenceShape;
using posenc::TokenRange;
using testing::require_error;
using testing::value_of;
namespace edit = posenc::edit;

namespace {

constexpr std::size_t error_dim = 64;

Rotary made_rotary(const posenc::RotaryOptions& options) { return value_of(Rotary::make(options)); }
const Rotary& plain() {
  static const Rotary made = made_rotary({.dim = error_dim, .layout = Layout::half});
  return made;
}
const std::vector<double> error_positions{4, 5, 6, 7, 8, 9};

}  // namespace

TEST_CASE("edited keys: edits that do not fit are an Error", "[key_cache]") {
  Cache cache = random_cache(KeyType::float32, 6, 2, error_dim, 3);
  const auto before = cache.bytes;
  const posenc::CachedKeys of{.rotation = plain(), .positions = error_positions};
  const auto edits = [&](std::vector<KeyEdit> some, std::string_view argument, std::string_view value) {
    some.insert(some.begin(), {edit::Shift{{}, {1}}});
    require_error(EditedKeys::make(of, cache.keys(), some), argument, value);
  };
  const double infinity = testing::infinity;
  edits({{edit::Shift{{-1, 2}, {1}}}}, "edits[1].from", "-1");
  edits({{edit::Shift{{3, 2}, {1}}}}, "edits[1].from", "3");
  edits({{edit::Shift{{0, 7}, {1}}}}, "edits[1].to", "7");
  edits({{edit::Shift{{}, {infinity}}}}, "edits[1].by", "inf");
  edits({{edit::Shift{{}, {1, 2}}}}, "edits[1].by", "2");
  edits({{edit::Shift{{}, {}}}}, "edits[1].by", "0");
  edits({{edit::Shift{{}, {0x1p54}}}}, "edits[1].by", "1801439850948198");
  edits({{edit::Drop{}}, {edit::Drop{{0, 1}}}}, "edits[2].to", "1");
  edits({{edit::Move{{0, 2}, 5}}}, "edits[1].at", "5");
  edits({{edit::Move{{0, 2}, -1}}}, "edits[1].at", "-1");
  edits({{edit::Divide{{}, 0}}}, "edits[1].by", "0");
  edits({{edit::Divide{{}, 2, infinity}}}, "edits[1].plus", "inf");
  edits({{edit::Drop{}, 1}}, "edits[1].list", "1");
  edits({{edit::Insert{.at = 7, .count = 1}}}, "edits[1].at", "7");
  edits({{edit::Insert{.at = 0}}}, "edits[1].count", "none");
  edits({{edit::Insert{.at = 0, .count = -1}}}, "edits[1].count", "-1");
  edits({{edit::Rotate{made_rotary({.dim = 32, .layout = Layout::half})}}}, "edits[1].rotary", "32");
  edits({{edit::Rotate{made_rotary({.dim = error_dim, .layout = Layout::half, .rotary_dim = 32})}}}, "edits[1].rotary",
        "32");
  Cache others = random_cache(KeyType::float32, 2, 3, error_dim, 1);
  const auto insert = [&](std::span<const double> places) {
    return KeyEdit{edit::Insert{.at = 0, .keys = others.keys(), .positions = places}};
  };
  const std::vector<double> three{1, 2, 3};
  edits({insert(three)}, "edits[1].shape", "3");
  others = random_cache(KeyType::float32, 2, 2, error_dim, 1);
  edits({insert(three)}, "edits[1].positions", "3");
  const std::vector<double> nan{1, std::nan("")};
  edits({insert(nan)}, "edits[1].positions", "nan");
  others = random_cache(KeyType::float32, 2, 2, 32, 1);
  edits({insert(std::span(three).first(2))}, "edits[1].shape", "32");
  edits({{edit::Insert{.at = 0, .keys = others.keys(), .count = 1}}}, "edits[1].count", "1");
  edits({{edit::Insert{.at = 0, .count = 1, .positions = three}}}, "edits[1].positions", "3");

  auto keys = cache.keys();
  const auto after = [&](const KeyEdit& edit) { return value_of(EditedKeys::make(of, keys, {&edit, 1})); };
  require_error(after({edit::Convert{KeyType::float16}}).write(keys.bytes, keys), "dtype", "float32");
  const auto plan = after({edit::Shift{{}, {1}}});
  Keys part = keys;
  part.bytes = part.bytes.first(8);
  require_error(plan.write(part.bytes, keys), "keys", "8");
  require_error(plan.write(keys.bytes, part), "out", "8");
  // Memory that overlaps: a token further.
  std::vector<std::byte> memory(cache.bytes.size() + 512);
  keys.bytes = std::span(memory).first(cache.bytes.size());
  Keys further = keys;
  further.bytes = std::span(memory).subspan(512);
  require_error(plan.write(keys.bytes, further), "out", "3072");
  Keys rotated = cache.keys();
  rotated.shape = value_of(SequenceShape::make(testing::Shape{2, 6, 64}, {.sequence = 1}));
  require_error(plan.write(cache.bytes, rotated), "out", "3072");
  CHECK(cache.bytes == before);
  CHECK(value_of(plan.write(cache.bytes, cache.keys())).dimension > 0);
}

TEST_CASE("edited keys: heads with directions of their own have to be there", "[key_cache]") {
  const std::vector<double> directions(3 * 16, 1.0), points{0, 1, 2, 3, 4, 5};
  const auto three =
      value_of(posenc::rotary_mixed({.dim = 32, .heads = 3, .axes = 1, .layout = Layout::half}, directions));
  Cache cache = random_cache(KeyType::float32, 6, 2, 32, 3);
  Keys keys = cache.keys();
  require_error(EditedKeys::make({.rotation = three, .positions = points}, keys, {}), "shape", "2");
  keys.shape = value_of(SequenceShape::make(cache.shape, {.sequence = 0, .batch = 1}));
  const std::vector<double> lists(2 * 6);
  require_error(EditedKeys::make({.rotation = three, .positions = lists, .lists = 2}, keys, {}), "batchAxis", "2");
}

TEST_CASE("edited keys: keys that are not what they are said to be are an Error", "[key_cache]") {
  Cache cache = random_cache(KeyType::float32, 6, 2, error_dim, 3);
  const auto refused = [&](const Keys& keys, std::span<const double> at, std::size_t lists, std::string_view argument,
                           std::string_view value, std::optional<std::int64_t> first_dim = {},
                           const Rotary& rotary = plain()) {
    require_error(
        EditedKeys::make({.rotation = rotary, .first_dim = first_dim, .positions = at, .lists = lists}, keys, {}),
        argument, value);
  };
  Keys keys = cache.keys();
  refused(keys, std::vector<double>(7), 1, "positions", "7");
  refused(keys, error_positions, 2, "batchAxis", "none");
  refused(keys, std::vector{testing::infinity}, 1, "positions", "inf");
  refused(keys, error_positions, 1, "firstDim", "1", 1);
  refused(keys, error_positions, 1, "shape", "64", {}, made_rotary({.dim = 32, .layout = Layout::half}));
  refused(keys, error_positions, 1, "rotary", "0", {},
          made_rotary({.dim = error_dim,
                       .layout = Layout::half,
                       .scaling = posenc::scaling::Given{std::vector<double>(32, 1.0), 0}}));
  keys.bytes = keys.bytes.first(4);
  refused(keys, error_positions, 1, "keys", "4");
  std::vector<std::byte> blocks(posenc::bytes_of(KeyType::q8_0, 6 * 96));
  Keys of_blocks{KeyType::q8_0, blocks, testing::sequence_first(testing::Shape{6, 2, 48})};
  refused(of_blocks, error_positions, 1, "shape", "48", 0, made_rotary({.dim = 32, .layout = Layout::half}));
  of_blocks.shape = value_of(SequenceShape::make(testing::Shape{6, 64, 2}, {.sequence = 0, .dim = 1}));
  refused(of_blocks, error_positions, 1, "dimAxis", "2");
}
