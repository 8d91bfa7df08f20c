#include "posenc/key_cache/edited_keys.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <deque>
#include <numeric>
#include <vector>

#include "frequencies/scaling_reference.hpp"
#include "key_cache/key_model.hpp"

using key_model::Cache;
using key_model::edited;
using key_model::Incoming;
using key_model::Model;
using key_model::random_cache;
using key_model::types;
using key_model::Worst;
using key_model::worst_of;
using posenc::KeyEdit;
using posenc::KeyType;
using posenc::Layout;
using posenc::Rotary;
using posenc::RotaryOptions;
using testing::value_of;
namespace edit = posenc::edit;
namespace scaling = posenc::scaling;

namespace {

constexpr std::size_t edited_heads = 2, edited_dim = 64;

/// Rotaries of three plans, with the formulas that they have.
struct Plans {
  std::vector<RotaryOptions> options{
      {.dim = edited_dim, .layout = Layout::half},
      {.dim = edited_dim,
       .layout = Layout::half,
       .base = 500000,
       .scaling = scaling::Yarn{.factor = 8, .original_length = 512}},
      {.dim = edited_dim, .layout = Layout::interleaved, .base = 1e6},
  };
  std::vector<Rotary> rotaries;
  std::vector<key_model::Rotation> rotations;

  Plans() {
    for (const RotaryOptions& of : options) {
      rotaries.push_back(value_of(Rotary::make(of)));
      const auto scaled = reference::scaled(posenc::plan_of(of));
      rotations.push_back({.layout = of.layout,
                           .pairs = edited_dim / 2,
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

/// A cache beside its model.
struct Pair {
  const Plans& plans;
  Cache cache;
  std::vector<double> positions;
  Model model;

  Pair(const Plans& of, KeyType type, std::size_t tokens, std::size_t capacity, double offset, std::uint32_t seed)
      : plans(of),
        cache(random_cache(type, capacity, edited_heads, edited_dim, seed)),
        positions(range(tokens, offset)),
        model{edited_heads, edited_dim, 1, of.rotations, 0, {}} {
    model.add(cache.values(), positions);
  }

  /// That these edits, which the model has been through, are one rounding; returns the error over what is promised.
  [[nodiscard]] double check(std::span<const KeyEdit> edits) const {
    const auto made = edited(cache, {.rotation = plans.rotaries[0], .positions = positions}, edits);
    REQUIRE(made.positions.size() == model.tokens.size());
    for (std::size_t i = 0; i < made.positions.size(); ++i) REQUIRE(made.positions[i] == model.tokens[i].now[0]);
    const Worst worst = worst_of(model, made.cache, made.bound);
    CHECK(worst.promised <= 1);
    CHECK(worst.bound <= 1);
    return worst.promised;
  }
};

/// Any edit that there is, of a cache of so many tokens; what comes in for the model.
struct Random {
  const Plans& plans;
  testing::Generator generator;
  std::deque<Cache> others{};
  std::deque<std::vector<double>> positions{};
  Incoming incoming{};
  std::size_t rotation = 0;

  KeyEdit next(std::size_t tokens, std::size_t capacity) {
    const std::size_t from = generator.below(tokens + 1), to = from + generator.below(tokens - from + 1);
    const posenc::TokenRange some{static_cast<std::int64_t>(from), static_cast<std::int64_t>(to)};
    const bool keeps = generator.below(4) == 0;
    incoming = {};
    switch (generator.below(tokens < 4 ? 2 : 8)) {
      case 0: {
        if (tokens >= capacity) break;
        const std::size_t count = 1 + generator.below(std::min<std::size_t>(capacity - tokens, 3));
        rotation = generator.below(2);
        others.push_back(random_cache(generator.below(2) == 0 ? KeyType::float32 : KeyType::bfloat16, count,
                                      edited_heads, edited_dim, generator.next()));
        positions.push_back(range(count, static_cast<double>(generator.below(1000))));
        incoming = {others.back().values(), rotation, positions.back()};
        return {edit::Insert{.at = static_cast<std::int64_t>(generator.below(tokens + 1)),
                             .keys = others.back().keys(),
                             .rotation = posenc::KeyRotation(plans.rotaries[rotation]),
                             .positions = positions.back(),
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
      case 5:
        return {edit::Convert{types[generator.below(4)]}};
      default:
        break;
    }
    return {edit::Shift{some, {static_cast<double>(generator.below(200)) - 100}}};
  }
};

}  // namespace

TEST_CASE("edited keys: each edit alone, of every type", "[key_cache][accuracy]") {
  const Plans plans;
  double worst = 0;
  for (const KeyType type : types) {
    Cache other = random_cache(type, 3, edited_heads, edited_dim, 5);
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
      INFO(posenc::name_of(type) << ", edit " << i);
      Pair pair(plans, type, 8, 11, 40, 7);
      const auto* const to = std::get_if<edit::Insert>(&edits[i].what);
      pair.model.apply(edits[i], to != nullptr && to->keys ? incoming : Incoming{}, i == 14 ? 1 : 2);
      worst = std::max(worst, pair.check({&edits[i], 1}));
    }
  }
  std::printf("largest error: edited keys, one edit: %.4f of what is promised\n", worst);
}

TEST_CASE("edited keys: any list of edits is one rounding", "[key_cache][accuracy]") {
  const Plans plans;
  for (const KeyType type : types)
    for (const std::size_t count : {std::size_t{2}, std::size_t{10}, std::size_t{1000}}) {
      INFO(posenc::name_of(type) << ", " << count << " edits");
      Pair pair(plans, type, 10, 16, 100, 11);
      Random random{plans, testing::Generator(static_cast<std::uint32_t>(count) + 3)};
      std::vector<KeyEdit> edits;
      for (std::size_t i = 0; i < count; ++i) {
        edits.push_back(random.next(pair.model.tokens.size(), 16));
        pair.model.apply(edits.back(), random.incoming, random.rotation);
      }
      (void)pair.check(edits);
    }
}

TEST_CASE("edited keys: another type is one rounding more, in memory of its own", "[key_cache]") {
  const Plans plans;
  for (const KeyType from : types)
    for (const KeyType to : types) {
      if (from == to) continue;
      INFO(posenc::name_of(from) << " to " << posenc::name_of(to));
      Pair pair(plans, from, 6, 6, 10, 23);
      std::vector<KeyEdit> edits{{edit::Convert{to}}};
      // Without a rotation, the nearest values.
      const auto made = edited(pair.cache, {.rotation = plans.rotaries[0], .positions = pair.positions}, edits);
      const auto values = pair.cache.values();
      CHECK(made.cache.bytes == key_model::encoded(to, std::vector<float>(values.begin(), values.end())));
      CHECK(worst_of(pair.model, made.cache, made.bound).bound <= 1);
      edits.push_back({edit::Shift{{}, {31}}});
      pair.model.apply(edits.back());
      (void)pair.check(edits);
    }
}
