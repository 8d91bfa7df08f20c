#include "posenc/key_cache/key_history.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#include "frequencies/scaling_reference.hpp"
#include "key_cache/key_model.hpp"

using key_model::Cache;
using key_model::Incoming;
using key_model::Model;
using key_model::random_cache;
using key_model::types;
using key_model::Worst;
using key_model::worst_of;
using posenc::KeyEdit;
using posenc::KeyHistory;
using posenc::KeyType;
using posenc::Layout;
using posenc::Rotary;
using posenc::RotaryOptions;
using testing::value_of;
namespace edit = posenc::edit;
namespace scaling = posenc::scaling;

namespace {

constexpr std::size_t history_heads = 2, history_dim = 64;

/// Rotaries of three plans, with the formulas that they have.
struct Plans {
  std::vector<RotaryOptions> options{
      {.dim = history_dim, .layout = Layout::half},
      {.dim = history_dim,
       .layout = Layout::half,
       .base = 500000,
       .scaling = scaling::Yarn{.factor = 8, .original_length = 512}},
      {.dim = history_dim, .layout = Layout::interleaved, .base = 1e6},
  };
  std::vector<Rotary> rotaries;
  std::vector<key_model::Rotation> rotations;

  Plans() {
    for (const RotaryOptions& of : options) {
      rotaries.push_back(value_of(Rotary::make(of)));
      const auto scaled = reference::scaled(posenc::plan_of(of));
      rotations.push_back({.layout = of.layout,
                           .pairs = history_dim / 2,
                           .factor = scaled.attention_factor,
                           .angle = [frequencies = scaled.frequencies](std::size_t, std::size_t pair, auto at) {
                             return frequencies[pair] * at[0];
                           }});
    }
  }
};

std::vector<double> range(std::size_t count, double offset) {
  std::vector<double> positions(count);
  std::iota(positions.begin(), positions.end(), offset);
  return positions;
}

/// A history beside its model, and the keys that both are of.
struct Pair {
  const Plans& plans;
  Cache cache;
  Model model;
  KeyHistory history;

  Pair(const Plans& of, KeyType type, bool keep, std::size_t tokens, std::size_t capacity, double offset,
       std::uint32_t seed)
      : plans(of),
        cache(random_cache(type, capacity, history_heads, history_dim, seed)),
        model{history_heads, history_dim, 1, of.rotations, 0, {}},
        history(value_of(
            KeyHistory::make({.rotation = of.rotaries[0], .keep = keep}, cache.keys(), range(tokens, offset)))) {
    model.add(cache.values(), range(tokens, offset));
  }

  void check(bool is_one_rounding) {
    const auto positions = history.positions(0);
    REQUIRE(positions.size() == model.tokens.size());
    for (std::size_t i = 0; i < positions.size(); ++i) REQUIRE(positions[i] == model.tokens[i].now[0]);
    const Worst worst = worst_of(model, cache, history.bound().dimension);
    if (is_one_rounding) CHECK(worst.promised <= 1);
    CHECK(worst.bound <= 1);
  }
};

/// Any edit that there is, of a cache of so many tokens; what comes in for the model.
struct Random {
  const Plans& plans;
  testing::Generator generator;
  Cache other{};
  std::vector<double> positions{};
  Incoming incoming{};
  std::size_t rotation = 0;

  KeyEdit next(std::size_t tokens, std::size_t capacity) {
    const std::size_t from = generator.below(tokens + 1), to = from + generator.below(tokens - from + 1);
    const posenc::TokenRange some{static_cast<std::int64_t>(from), static_cast<std::int64_t>(to)};
    const bool keeps = generator.below(4) == 0;
    incoming = {};
    switch (generator.below(tokens < 4 ? 2 : 7)) {
      case 0: {
        if (tokens >= capacity) break;
        const std::size_t count = 1 + generator.below(std::min<std::size_t>(capacity - tokens, 3));
        rotation = generator.below(2);
        other = random_cache(generator.below(2) == 0 ? KeyType::float32 : KeyType::bfloat16, count, history_heads,
                             history_dim, generator.next());
        positions = range(count, static_cast<double>(generator.below(1000)));
        incoming = {other.values(), rotation, positions};
        return {edit::Insert{.at = static_cast<std::int64_t>(generator.below(tokens + 1)),
                             .keys = other.keys(),
                             .rotation = posenc::KeyRotation(plans.rotaries[rotation]),
                             .positions = positions,
                             .keep_positions = keeps}};
      }
      case 1:
        rotation = generator.below(3);
        return {edit::Rotate{plans.rotaries[rotation]}};
      case 2:
        return {edit::Drop{{some.from, std::min(*some.from + 2, *some.to)}, keeps}};
      case 3:
        return {edit::Move{some, static_cast<std::int64_t>(generator.below(tokens - (to - from) + 1)), keeps}};
      case 4:
        return {
            edit::Divide{some, static_cast<double>(1 + generator.below(4)), static_cast<double>(generator.below(50))}};
      default:
        break;
    }
    return {edit::Shift{some, {static_cast<double>(generator.below(200)) - 100}}};
  }
};

}  // namespace

TEST_CASE("key history: each edit alone, of every type", "[key_cache][accuracy]") {
  const Plans plans;
  double worst = 0;
  for (const KeyType type : types)
    for (const bool keep : {false, true}) {
      Cache other = random_cache(type, 3, history_heads, history_dim, 5);
      const auto places = range(3, 900);
      const edit::Insert insert{
          .at = 4, .keys = other.keys(), .rotation = posenc::KeyRotation(plans.rotaries[1]), .positions = places};
      const Incoming incoming{other.values(), 1, places};
      auto kept_insert = insert;
      kept_insert.keep_positions = true;
      auto end_insert = insert;
      end_insert.at = 8;
      const KeyEdit edits[]{
          {edit::Shift{{}, {-5}}},
          {edit::Shift{{2, 6}, {0.75}}},
          {edit::Shift{{}, {1 << 20}}},
          {edit::Move{{1, 3}, 4}},
          {edit::Move{{4, 8}, 0}},
          {edit::Move{{0, 2}, 6, true}},
          {edit::Drop{{0, 3}}},
          {edit::Drop{{5, 8}}},
          {edit::Drop{{2, 4}, true}},
          {edit::Drop{}},
          {insert},
          {kept_insert},
          {end_insert},
          {edit::Insert{.at = 2, .count = 2}},
          {edit::Rotate{plans.rotaries[1]}},
          {edit::Rotate{plans.rotaries[2]}},
          {edit::Divide{{}, 4, 100}},
          {edit::Divide{{0, 6}, 3}},
          {edit::Shift{{3, 3}, {9}}},
      };
      for (std::size_t i = 0; i < std::size(edits); ++i) {
        INFO(posenc::name_of(type) << ", keep " << keep << ", edit " << i);
        Pair pair(plans, type, keep, 8, 11, 40, 7);
        value_of(pair.history.edit(pair.cache.keys(), {&edits[i], 1}));
        const auto* const to = std::get_if<edit::Insert>(&edits[i].what);
        pair.model.apply(edits[i], to != nullptr && to->keys ? incoming : Incoming{}, i == 14 ? 1 : 2);
        pair.check(true);
        worst = std::max(worst, worst_of(pair.model, pair.cache, 1).promised);
      }
    }
  std::printf("largest error: key history, one edit: %.4f of what is promised\n", worst);
}

TEST_CASE("key history: any list of edits is one rounding from the first bits", "[key_cache][accuracy]") {
  const Plans plans;
  for (const KeyType type : types)
    for (const std::size_t count : {std::size_t{1}, std::size_t{10}, std::size_t{1000}})
      for (const bool keep : {true, false}) {
        INFO(posenc::name_of(type) << ", " << count << " edits, keep " << keep);
        Pair pair(plans, type, keep, 10, 16, 100, 11);
        Random random{plans, testing::Generator(static_cast<std::uint32_t>(count) + 3)};
        for (std::size_t i = 0; i < count; ++i) {
          const KeyEdit edit = random.next(pair.model.tokens.size(), 16);
          value_of(pair.history.edit(pair.cache.keys(), {&edit, 1}));
          pair.model.apply(edit, random.incoming, random.rotation);
        }
        pair.check(keep || count == 1);
      }
}

TEST_CASE("key history: the edits of one call are one rounding, whether bits are kept or not", "[key_cache]") {
  const Plans plans;
  for (const KeyType type : types) {
    Pair whole(plans, type, false, 12, 12, 0, 3);
    const KeyEdit edits[]{{edit::Shift{{}, {77}}},       {edit::Rotate{plans.rotaries[1]}},
                          {edit::Move{{0, 4}, 6}},       {edit::Drop{{2, 5}}},
                          {edit::Divide{{0, 8}, 2}},     {edit::Rotate{plans.rotaries[2]}},
                          {edit::Shift{{1, 4}, {-0.5}}}, {edit::Insert{.at = 1, .count = 1}}};
    for (const KeyEdit& edit : edits)
      whole.model.apply(edit, {}, std::holds_alternative<edit::Rotate>(edit.what) && &edit == &edits[1] ? 1 : 2);
    value_of(whole.history.edit(whole.cache.keys(), edits));
    whole.check(true);
  }
}

TEST_CASE("key history: another type is one rounding more, in memory of its own", "[key_cache]") {
  const Plans plans;
  for (const KeyType from : types)
    for (const KeyType to : types) {
      if (from == to) continue;
      INFO(posenc::name_of(from) << " to " << posenc::name_of(to));
      for (const bool is_rotated : {false, true}) {
        Pair pair(plans, from, false, 6, 6, 10, 23);
        const auto before = pair.cache;
        std::vector<KeyEdit> edits{{edit::Convert{to}}};
        if (is_rotated) edits.push_back({edit::Shift{{}, {31}}});
        for (const KeyEdit& edit : edits) pair.model.apply(edit);
        value_of(pair.history.stage(edits));
        CHECK(pair.history.staged_type() == to);
        Cache out = random_cache(to, 6, history_heads, history_dim, 1);
        value_of(pair.history.write(pair.cache.keys(), out.keys()));
        CHECK(pair.cache.bytes == before.bytes);
        pair.cache = out;
        const Worst worst = worst_of(pair.model, pair.cache, pair.history.bound().dimension);
        CHECK(worst.bound <= 1);
        if (is_rotated) CHECK(worst.promised <= 1);
        if (is_rotated) continue;
        // Without a rotation, the nearest values.
        const auto values = before.values();
        CHECK(out.bytes == key_model::encoded(to, std::vector<float>(values.begin(), values.end())));
      }
    }
}
