#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include "key_cache/key_model.hpp"
#include "posenc/key_cache/edited_keys.hpp"
#include "posenc/rotary/rotary.hpp"

using key_model::Cache;
using key_model::edited;
using key_model::random_cache;
using key_model::types;
using posenc::CachedKeys;
using posenc::EditedKeys;
using posenc::KeyEdit;
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

Bytes edited_bytes(const Cache& cache) {
  const auto rotary = place_rotary();
  return edited(cache, {.rotation = rotary, .positions = place_positions}, edits()).cache.bytes;
}

/// In place; returns the plan.
EditedKeys edit_there(const CachedKeys& of, const Keys& keys, const std::vector<KeyEdit>& all) {
  auto plan = value_of(EditedKeys::make(of, keys, all));
  (void)value_of(plan.write(keys.bytes, keys));
  return plan;
}

}  // namespace

TEST_CASE("edited keys: any order of the axes gives the same bits", "[key_cache]") {
  const auto rotary = place_rotary();
  for (const KeyType type : {KeyType::float32, KeyType::float16, KeyType::bfloat16}) {
    const Cache cache = random_cache(type, place_tokens, place_heads, place_dim, 3);
    const Bytes wanted = edited_bytes(cache);
    const std::size_t size = posenc::bytes_of(type, 1);
    const auto check = [&](const Shape& shape, const SequenceAxes& axes, const auto& place) {
      Bytes bytes = reordered(cache.bytes, size, place);
      (void)edit_there({.rotation = rotary, .positions = place_positions},
                       {type, bytes, value_of(SequenceShape::make(shape, axes))}, edits());
      // The values behind the last token are not looked at.
      const Bytes expected = reordered(wanted, size, place);
      for (std::size_t t = 0; t < place_tokens - 1; ++t)
        for (std::size_t h = 0; h < place_heads; ++h)
          for (std::size_t d = 0; d < place_dim; ++d)
            REQUIRE(std::memcmp(bytes.data() + place(t, h, d) * size, expected.data() + place(t, h, d) * size, size) ==
                    0);
    };
    check({3, 6, 32}, {.sequence = 1}, [](auto t, auto h, auto d) { return (h * place_tokens + t) * place_dim + d; });
    check({32, 3, 6}, {.sequence = 2, .dim = 0},
          [](auto t, auto h, auto d) { return (d * place_heads + h) * place_tokens + t; });
    check({6, 32, 3}, {.sequence = 0, .dim = 1},
          [](auto t, auto h, auto d) { return (t * place_dim + d) * place_heads + h; });
  }
}

TEST_CASE("edited keys: a shift of more tokens than are moved together", "[key_cache]") {
  const auto rotary = place_rotary();
  std::vector<double> positions(150);
  std::iota(positions.begin(), positions.end(), 0);
  const KeyEdit all[]{{edit::Drop{{0, 3}}}};
  for (const KeyType type : types) {
    const Cache cache = random_cache(type, positions.size(), 2, place_dim, 3);
    const Bytes whole = edited(cache, {.rotation = rotary, .positions = positions}, all).cache.bytes;
    const std::size_t size = posenc::bytes_of(type, 2 * place_dim);
    for (const std::size_t token : {60u, 61u, 66u, 67u, 130u, 146u}) {
      Cache one{type, {}, {1, 2, place_dim}};
      const auto* const from = cache.bytes.data() + (token + 3) * size;
      one.bytes.assign(from, from + size);
      const KeyEdit shift[]{{edit::Shift{{}, {-3}}}};
      const std::vector<double> at{positions[token + 3]};
      const Bytes alone = edited(one, {.rotation = rotary, .positions = at}, shift).cache.bytes;
      CHECK(std::memcmp(whole.data() + token * size, alone.data(), size) == 0);
    }
  }
}

TEST_CASE("edited keys: each index of the batch axis may have a list of its own", "[key_cache]") {
  // Heads are the batch: each is edited as a cache of its own.
  const auto rotary = place_rotary();
  for (const KeyType type : types) {
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
      std::vector<KeyEdit> all = edits();
      if (h == 1) all.push_back({edit::Drop{{0, 2}}});
      const auto own = std::span(lists).subspan(h * place_tokens, place_tokens);
      wanted.push_back(edited(head, {.rotation = rotary, .positions = own}, all).cache.bytes);
    }
    Keys keys = cache.keys();
    keys.shape = value_of(SequenceShape::make(cache.shape, {.sequence = 0, .batch = 1}));
    std::vector<KeyEdit> all = edits();
    all.push_back({edit::Drop{{0, 2}}, 1});
    const auto plan = edit_there({.rotation = rotary, .positions = lists, .lists = place_heads}, keys, all);
    CHECK(plan.lists() == place_heads);
    CHECK(plan.positions(0).size() == place_tokens - 1);
    CHECK(plan.positions(1).size() == place_tokens - 3);
    for (std::size_t h = 0; h < place_heads; ++h)
      for (std::size_t t = 0; t < plan.positions(h).size(); ++t)
        CHECK(std::memcmp(cache.bytes.data() + (t * place_heads + h) * size, wanted[h].data() + t * size, size) == 0);
  }
}

TEST_CASE("edited keys: tokens come to one list, or to each its own", "[key_cache]") {
  const auto rotary = place_rotary();
  for (const bool to_all : {false, true}) {
    Cache cache = random_cache(KeyType::float32, place_tokens, 2, place_dim, 8);
    Cache others = random_cache(KeyType::float32, 1, 2, place_dim, 9);
    const auto by_heads = [](const Cache& of) {
      return value_of(SequenceShape::make(of.shape, {.sequence = 0, .batch = 1}));
    };
    const std::vector<double> lists{0, 1, 2, 3, 4, 5, 6, 7}, places{2, 6};
    Keys keys = cache.keys();
    keys.shape = by_heads(cache);
    edit::Insert insert{.at = 2, .keys = others.keys(), .positions = places};
    // One list of one head a token, or two lists.
    if (to_all) insert.keys->shape = by_heads(others);
    Cache one = random_cache(KeyType::float32, 1, 1, place_dim, 10);
    if (!to_all) insert.keys = one.keys(), insert.positions = std::span(places).last(1);
    const auto list = to_all ? std::nullopt : std::optional<std::int64_t>(1);
    const auto plan = edit_there({.rotation = rotary, .positions = lists, .lists = 2}, keys, {{insert, list}});
    CHECK(plan.positions(0).size() == (to_all ? 5 : 4));
    CHECK(plan.positions(1).size() == 5);
    const auto at = [](const Cache& of, std::size_t head) { return of.values()[head * place_dim]; };
    const std::size_t row = 2 * 2;
    CHECK((at(cache, row) == at(others, 0)) == to_all);
    CHECK(at(cache, row + 1) == (to_all ? at(others, 1) : at(one, 0)));
  }
}

TEST_CASE("edited keys: what grows goes to other memory, behind whose tokens are zeros", "[key_cache]") {
  const auto rotary = place_rotary();
  for (const KeyType type : types) {
    Cache cache = random_cache(type, place_tokens, place_heads, place_dim, 3);
    const Bytes before = cache.bytes;
    const KeyEdit insert{edit::Insert{.at = 6, .count = 2}};
    const auto plan =
        value_of(EditedKeys::make({.rotation = rotary, .positions = place_positions}, cache.keys(), {&insert, 1}));
    CHECK(plan.tokens() == 8);
    require_error(plan.write(cache.bytes, cache.keys()), "shape", "6");
    Cache out = random_cache(type, 9, place_heads, place_dim, 6);
    CHECK(value_of(plan.write(cache.bytes, out.keys())).dimension == 0);
    CHECK(std::equal(before.begin(), before.end(), out.bytes.begin()));
    CHECK(std::all_of(out.bytes.begin() + static_cast<std::ptrdiff_t>(before.size()), out.bytes.end(),
                      [](std::byte byte) { return byte == std::byte{0}; }));
    CHECK(cache.bytes == before);
    CHECK(plan.positions(0).back() == 11);
  }
}

TEST_CASE("edited keys: an empty cache, to which keys come", "[key_cache]") {
  const auto rotary = place_rotary();
  for (const KeyType type : types) {
    const Cache none{type, {}, {0, place_heads, place_dim}};
    Cache others = random_cache(type, place_tokens, place_heads, place_dim, 2);
    const KeyEdit all[]{{edit::Shift{{}, {5}}},
                        {edit::Move{}},
                        {edit::Drop{}},
                        {edit::Divide{{}, 2}},
                        {edit::Insert{.at = 0, .keys = others.keys(), .positions = place_positions}}};
    const auto made = edited(none, {.rotation = rotary}, all);
    CHECK(made.cache.bytes == others.bytes);
    CHECK(made.positions == place_positions);
    CHECK(made.bound == 0);
  }
}

TEST_CASE("edited keys: edits that undo each other leave every bit", "[key_cache]") {
  const auto rotary = place_rotary();
  for (const KeyType type : types) {
    const Cache cache = random_cache(type, place_tokens, place_heads, place_dim, 3);
    const KeyEdit all[]{
        {edit::Shift{{}, {17}}}, {edit::Move{{0, 2}, 4}}, {edit::Move{{4, 6}, 0}}, {edit::Shift{{}, {-17}}}};
    const auto made = edited(cache, {.rotation = rotary, .positions = place_positions}, all);
    CHECK(made.cache.bytes == cache.bytes);
    CHECK(made.bound == 0);
  }
}
