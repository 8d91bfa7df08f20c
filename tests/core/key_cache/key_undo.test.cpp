#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <vector>

#include "key_cache/key_model.hpp"
#include "posenc/key_cache/key_history.hpp"
#include "posenc/rotary/rotary.hpp"

using key_model::Cache;
using key_model::random_cache;
using key_model::types;
using posenc::KeyEdit;
using posenc::KeyHistory;
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

constexpr std::size_t undo_dim = 64;

Rotary made_rotary(const posenc::RotaryOptions& options) { return value_of(Rotary::make(options)); }
const Rotary& plain() {
  static const Rotary made = made_rotary({.dim = undo_dim, .layout = Layout::half});
  return made;
}
const Rotary& other() {
  static const Rotary made = made_rotary({.dim = undo_dim, .layout = Layout::interleaved, .base = 1e6});
  return made;
}

const std::vector<double> undo_positions{4, 5, 6, 7, 8, 9};

KeyHistory history_of(Cache& cache, bool keep) {
  return value_of(KeyHistory::make({.rotation = plain(), .keep = keep}, cache.keys(), undo_positions));
}

}  // namespace

TEST_CASE("key history: undo gives the first bits back, if they are kept", "[key_cache]") {
  for (const KeyType type : types) {
    Cache cache = random_cache(type, 6, 2, undo_dim, 3);
    const Cache before = cache;
    auto history = history_of(cache, true);
    for (int i = 0; i < 20; ++i) {
      const KeyEdit edits[]{
          {edit::Shift{{}, {31}}}, {edit::Rotate{i % 2 == 0 ? other() : plain()}}, {edit::Move{{0, 2}, 1}}};
      value_of(history.edit(cache.keys(), edits));
    }
    const KeyEdit drop{edit::Drop{{1, 4}}};
    value_of(history.edit(cache.keys(), {&drop, 1}));
    value_of(history.undo(cache.keys()));
    CHECK(cache.bytes == before.bytes);
    CHECK(std::ranges::equal(history.positions(0), undo_positions));
    CHECK(history.bound().dimension == 0);
    value_of(history.undo(cache.keys()));
    CHECK(cache.bytes == before.bytes);
  }
}

TEST_CASE("key history: without them, undo rotates keys back within the bound", "[key_cache]") {
  for (const KeyType type : types) {
    Cache cache = random_cache(type, 6, 2, undo_dim, 3);
    const Cache before = cache;
    auto history = history_of(cache, false);
    const KeyEdit edits[]{{edit::Shift{{}, {31}}}, {edit::Rotate{other()}}, {edit::Move{{0, 2}, 1}}};
    for (const KeyEdit& edit : edits) value_of(history.edit(cache.keys(), {&edit, 1}));
    const double once = history.bound().dimension;
    value_of(history.undo(cache.keys()));
    CHECK(history.bound().dimension > once);
    const auto values = cache.values(), first = before.values();
    // No pair of fractions is longer than sqrt(2).
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(std::fabs(values[i] - first[i]) <= 1.4143 * history.bound().dimension);
    CHECK(std::ranges::equal(history.positions(0), undo_positions));

    const KeyEdit drop{edit::Drop{{2, 3}}};
    value_of(history.edit(cache.keys(), {&drop, 1}));
    const auto dropped = cache.bytes;
    require_error(history.undo(cache.keys()), "edits", "2");
    CHECK(cache.bytes == dropped);
  }
}

TEST_CASE("key history: what does not fit is an Error, and neither keys nor history change", "[key_cache]") {
  Cache cache = random_cache(KeyType::float32, 6, 2, undo_dim, 3);
  const Cache before = cache;
  auto history = history_of(cache, true);
  const auto edits = [&](std::vector<KeyEdit> some, std::string_view argument, std::string_view value) {
    some.insert(some.begin(), {edit::Shift{{}, {1}}});
    require_error(history.edit(cache.keys(), some), argument, value);
    CHECK(cache.bytes == before.bytes);
    CHECK(std::ranges::equal(history.positions(0), undo_positions));
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
  edits({{edit::Rotate{made_rotary({.dim = undo_dim, .layout = Layout::half, .rotary_dim = 32})}}}, "edits[1].rotary",
        "32");
  Cache others = random_cache(KeyType::float32, 2, 3, undo_dim, 1);
  const auto insert = [&](std::span<const double> places) {
    return KeyEdit{edit::Insert{.at = 0, .keys = others.keys(), .positions = places}};
  };
  const std::vector<double> three{1, 2, 3};
  edits({insert(three)}, "edits[1].shape", "3");
  others = random_cache(KeyType::float32, 2, 2, undo_dim, 1);
  edits({insert(three)}, "edits[1].positions", "3");
  const std::vector<double> nan{1, std::nan("")};
  edits({insert(nan)}, "edits[1].positions", "nan");
  others = random_cache(KeyType::float32, 2, 2, 32, 1);
  edits({insert(std::span(three).first(2))}, "edits[1].shape", "32");
  // The values that are written.
  edits({{edit::Insert{.at = 0, .count = 1}}}, "shape", "6");
  edits({{edit::Convert{KeyType::float16}}}, "dtype", "float32");
  auto keys = cache.keys();
  const KeyEdit shift{edit::Shift{{}, {1}}};
  require_error(history.write(keys, keys), "edits", "none");
  value_of(history.stage({&shift, 1}));
  Keys part = keys;
  part.bytes = part.bytes.first(8);
  require_error(history.write(part, keys), "keys", "8");
  require_error(history.write(keys, part), "out", "8");
  // Memory that overlaps: a token further.
  std::vector<std::byte> memory(cache.bytes.size() + 512);
  keys.bytes = std::span(memory).first(cache.bytes.size());
  Keys further = keys;
  further.bytes = std::span(memory).subspan(512);
  require_error(history.write(keys, further), "out", "3072");
  Keys rotated = cache.keys();
  rotated.shape = value_of(SequenceShape::make(testing::Shape{2, 6, 64}, {.sequence = 1}));
  require_error(history.write(cache.keys(), rotated), "out", "3072");
  CHECK(cache.bytes == before.bytes);
  CHECK(std::ranges::equal(history.positions(0), undo_positions));
  value_of(history.write(cache.keys(), cache.keys()));
}

TEST_CASE("key history: keys that are not what they are said to be are an Error", "[key_cache]") {
  Cache cache = random_cache(KeyType::float32, 6, 2, undo_dim, 3);
  const auto refused = [&](const Keys& keys, std::span<const double> at, std::size_t lists, std::string_view argument,
                           std::string_view value, std::optional<std::int64_t> first_dim = {},
                           const Rotary& rotary = plain()) {
    require_error(KeyHistory::make({.rotation = rotary, .first_dim = first_dim}, keys, at, lists), argument, value);
  };
  Keys keys = cache.keys();
  refused(keys, std::vector<double>(7), 1, "positions", "7");
  refused(keys, undo_positions, 2, "batchAxis", "none");
  refused(keys, std::vector{testing::infinity}, 1, "positions", "inf");
  refused(keys, undo_positions, 1, "firstDim", "1", 1);
  refused(keys, undo_positions, 1, "shape", "64", {}, made_rotary({.dim = 32, .layout = Layout::half}));
  refused(keys, undo_positions, 1, "rotary", "0", {},
          made_rotary({.dim = undo_dim,
                       .layout = Layout::half,
                       .scaling = posenc::scaling::Given{std::vector<double>(32, 1.0), 0}}));
  const std::vector<double> twice{0, 1, 2, 3, 4, 4}, outside{0, 6}, half{0.5};
  keys.slots = twice;
  refused(keys, undo_positions, 1, "slots", "4");
  keys.slots = outside;
  refused(keys, std::span(undo_positions).first(2), 1, "slots", "6");
  keys.slots = half;
  refused(keys, std::span(undo_positions).first(1), 1, "slots", "0.5");
  keys = cache.keys();
  keys.bytes = keys.bytes.first(4);
  refused(keys, undo_positions, 1, "keys", "4");
  std::vector<std::byte> blocks(posenc::bytes_of(KeyType::q8_0, 6 * 96));
  Keys of_blocks{KeyType::q8_0, blocks, testing::sequence_first(testing::Shape{6, 2, 48}), {}};
  refused(of_blocks, undo_positions, 1, "shape", "48", 0, made_rotary({.dim = 32, .layout = Layout::half}));
  of_blocks.shape = value_of(SequenceShape::make(testing::Shape{6, 64, 2}, {.sequence = 0, .dim = 1}));
  refused(of_blocks, undo_positions, 1, "dimAxis", "2");
}
