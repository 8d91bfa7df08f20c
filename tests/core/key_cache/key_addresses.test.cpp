#include <algorithm>
#include <catch2/catch_test_macros.hpp>
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
using posenc::SequenceAxes;
using posenc::SequenceShape;
using testing::require_error;
using testing::Shape;
using testing::value_of;
namespace edit = posenc::edit;

namespace {

constexpr std::size_t place_tokens = 6, place_heads = 3, place_dim = 32;
using Bytes = std::vector<std::byte>;

Rotary place_rotary(std::int64_t dims = place_dim) {
  return value_of(Rotary::make({.dim = dims, .layout = Layout::half}));
}

const std::vector<double> place_positions{4, 5, 6, 7, 8, 9};

const std::vector<KeyEdit>& edits() {
  static const std::vector<KeyEdit> all{{edit::Move{{1, 3}, 3}}, {edit::Shift{{0, 4}, {40}}}, {edit::Drop{{2, 3}}}};
  return all;
}

/// Values of [tokens, heads, dim] where another order of the axes has them.
Bytes reordered(const Bytes& bytes, std::size_t size, const auto& place) {
  Bytes made(bytes.size());
  for (std::size_t t = 0; t < place_tokens; ++t)
    for (std::size_t h = 0; h < place_heads; ++h)
      for (std::size_t d = 0; d < place_dim; ++d)
        std::memcpy(made.data() + place(t, h, d) * size, bytes.data() + ((t * place_heads + h) * place_dim + d) * size,
                    size);
  return made;
}

Bytes edited(Cache cache, bool keep) {
  const auto rotary = place_rotary();
  auto history = value_of(KeyHistory::make({.rotation = rotary, .keep = keep}, cache.keys(), place_positions));
  value_of(history.edit(cache.keys(), edits()));
  return cache.bytes;
}

}  // namespace

TEST_CASE("key history: any order of the axes gives the same bits", "[key_cache]") {
  const auto rotary = place_rotary();
  for (const KeyType type : {KeyType::float32, KeyType::float16, KeyType::bfloat16})
    for (const bool keep : {false, true}) {
      const Cache cache = random_cache(type, place_tokens, place_heads, place_dim, 3);
      const Bytes wanted = edited(cache, keep);
      const std::size_t size = posenc::bytes_of(type, 1);
      const auto check = [&](const Shape& shape, const SequenceAxes& axes, const auto& place) {
        Bytes bytes = reordered(cache.bytes, size, place);
        const Keys keys{type, bytes, value_of(SequenceShape::make(shape, axes)), {}};
        auto history = value_of(KeyHistory::make({.rotation = rotary, .keep = keep}, keys, place_positions));
        value_of(history.edit(keys, edits()));
        // The values behind the last token are not looked at.
        const Bytes expected = reordered(wanted, size, place);
        for (std::size_t t = 0; t < place_tokens - 1; ++t)
          for (std::size_t h = 0; h < place_heads; ++h)
            for (std::size_t d = 0; d < place_dim; ++d)
              REQUIRE(std::equal(bytes.begin() + static_cast<std::ptrdiff_t>(place(t, h, d) * size),
                                 bytes.begin() + static_cast<std::ptrdiff_t>((place(t, h, d) + 1) * size),
                                 expected.begin() + static_cast<std::ptrdiff_t>(place(t, h, d) * size)));
      };
      check({3, 6, 32}, {.sequence = 1}, [](auto t, auto h, auto d) { return (h * place_tokens + t) * place_dim + d; });
      check({32, 3, 6}, {.sequence = 2, .dim = 0},
            [](auto t, auto h, auto d) { return (d * place_heads + h) * place_tokens + t; });
      check({6, 32, 3}, {.sequence = 0, .dim = 1},
            [](auto t, auto h, auto d) { return (t * place_dim + d) * place_heads + h; });
    }
}

TEST_CASE("key history: tokens in slots, as in pages", "[key_cache]") {
  const auto rotary = place_rotary();
  const std::vector<double> slots{7, 2, 9, 3, 4, 0, 8};
  for (const KeyType type : types)
    for (const bool keep : {false, true}) {
      const Cache cache = random_cache(type, place_tokens, place_heads, place_dim, 3);
      const Bytes wanted = edited(cache, keep);
      Cache pool = random_cache(type, 10, place_heads, place_dim, 4);
      const Cache before = pool;
      const std::size_t size = posenc::bytes_of(type, place_heads * place_dim);
      const auto at = [&](Bytes& bytes, double slot) { return bytes.data() + static_cast<std::size_t>(slot) * size; };
      for (std::size_t i = 0; i < place_tokens; ++i)
        std::memcpy(at(pool.bytes, slots[i]), cache.bytes.data() + i * size, size);
      Keys keys = pool.keys();
      keys.slots = slots;
      auto history = value_of(KeyHistory::make({.rotation = rotary, .keep = keep}, keys, place_positions));
      value_of(history.edit(keys, edits()));
      for (std::size_t i = 0; i + 1 < place_tokens; ++i)
        CHECK(std::memcmp(at(pool.bytes, slots[i]), wanted.data() + i * size, size) == 0);
      // Others' slots are as they were.
      auto old = before.bytes;
      for (const double slot : {1.0, 5.0, 6.0}) CHECK(std::memcmp(at(pool.bytes, slot), at(old, slot), size) == 0);
    }
}

TEST_CASE("key history: each index of the batch axis may have a list of its own", "[key_cache]") {
  // Heads are the batch: each is edited as a cache of its own.
  const auto rotary = place_rotary();
  for (const KeyType type : types)
    for (const bool keep : {false, true}) {
      Cache cache = random_cache(type, place_tokens, place_heads, place_dim, 8);
      const std::size_t size = posenc::bytes_of(type, place_dim);
      std::vector<double> lists;
      for (std::size_t h = 0; h < place_heads; ++h)
        for (const double position : place_positions) lists.push_back(position + 10 * static_cast<double>(h));
      std::vector<Bytes> wanted;
      for (std::size_t h = 0; h < place_heads; ++h) {
        Cache head{type, {}, {place_tokens, 1, place_dim}};
        for (std::size_t t = 0; t < place_tokens; ++t) {
          const auto first = cache.bytes.begin() + static_cast<std::ptrdiff_t>((t * place_heads + h) * size);
          head.bytes.insert(head.bytes.end(), first, first + static_cast<std::ptrdiff_t>(size));
        }
        auto own = value_of(KeyHistory::make({.rotation = rotary, .keep = keep}, head.keys(),
                                             std::span(lists).subspan(h * place_tokens, place_tokens)));
        std::vector<KeyEdit> all = edits();
        if (h == 1) all.push_back({edit::Drop{{0, 2}}});
        value_of(own.edit(head.keys(), all));
        wanted.push_back(head.bytes);
      }
      Keys keys = cache.keys();
      keys.shape = value_of(SequenceShape::make(cache.shape, {.sequence = 0, .batch = 1}));
      auto history = value_of(KeyHistory::make({.rotation = rotary, .keep = keep}, keys, lists, place_heads));
      std::vector<KeyEdit> all = edits();
      all.push_back({edit::Drop{{0, 2}}, 1});
      value_of(history.edit(keys, all));
      CHECK(history.positions(0).size() == place_tokens - 1);
      CHECK(history.positions(1).size() == place_tokens - 3);
      for (std::size_t h = 0; h < place_heads; ++h)
        for (std::size_t t = 0; t < history.positions(h).size(); ++t)
          CHECK(std::memcmp(cache.bytes.data() + (t * place_heads + h) * size, wanted[h].data() + t * size, size) == 0);
    }
}

TEST_CASE("key history: what grows goes to other memory, behind whose tokens are zeros", "[key_cache]") {
  const auto rotary = place_rotary();
  for (const KeyType type : types) {
    Cache cache = random_cache(type, place_tokens, place_heads, place_dim, 3);
    const Bytes before = cache.bytes;
    auto history = value_of(KeyHistory::make({.rotation = rotary}, cache.keys(), place_positions));
    const KeyEdit insert{edit::Insert{.at = 6, .count = 2}};
    value_of(history.stage({&insert, 1}));
    CHECK(history.staged_tokens() == 8);
    require_error(history.write(cache.keys(), cache.keys()), "shape", "6");
    Cache out = random_cache(type, 9, place_heads, place_dim, 6);
    value_of(history.write(cache.keys(), out.keys()));
    CHECK(std::equal(before.begin(), before.end(), out.bytes.begin()));
    CHECK(std::all_of(out.bytes.begin() + static_cast<std::ptrdiff_t>(before.size()), out.bytes.end(),
                      [](std::byte byte) { return byte == std::byte{0}; }));
    CHECK(cache.bytes == before);
    CHECK(history.positions(0).back() == 11);
  }
}

TEST_CASE("key history: an empty cache, to which keys come", "[key_cache]") {
  const auto rotary = place_rotary();
  for (const KeyType type : types)
    for (const bool keep : {false, true}) {
      Cache none{type, {}, {0, place_heads, place_dim}};
      auto history = value_of(KeyHistory::make({.rotation = rotary, .keep = keep}, none.keys(), {}));
      const KeyEdit nothing[]{{edit::Shift{{}, {5}}}, {edit::Move{}}, {edit::Drop{}}, {edit::Divide{{}, 2}}};
      value_of(history.edit(none.keys(), nothing));
      Cache others = random_cache(type, place_tokens, place_heads, place_dim, 2);
      const KeyEdit insert{edit::Insert{.at = 0, .keys = others.keys(), .positions = place_positions}};
      value_of(history.stage({&insert, 1}));
      Cache out = random_cache(type, place_tokens, place_heads, place_dim, 6);
      value_of(history.write(none.keys(), out.keys()));
      CHECK(out.bytes == others.bytes);
      CHECK(std::ranges::equal(history.positions(0), place_positions));
      CHECK(history.bound().dimension == 0);
    }
}

TEST_CASE("key history: edits of a call that undo each other leave every bit", "[key_cache]") {
  const auto rotary = place_rotary();
  for (const KeyType type : types) {
    Cache cache = random_cache(type, place_tokens, place_heads, place_dim, 3);
    const Bytes before = cache.bytes;
    auto history = value_of(KeyHistory::make({.rotation = rotary}, cache.keys(), place_positions));
    const KeyEdit both[]{
        {edit::Shift{{}, {17}}}, {edit::Move{{0, 2}, 4}}, {edit::Move{{4, 6}, 0}}, {edit::Shift{{}, {-17}}}};
    value_of(history.edit(cache.keys(), both));
    CHECK(cache.bytes == before);
    CHECK(history.bound().dimension == 0);
  }
}
