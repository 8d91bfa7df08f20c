#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "key_cache/key_model.hpp"
#include "posenc/grid/mrope.hpp"
#include "posenc/grid/rotary_grid.hpp"
#include "posenc/grid/rotary_mixed.hpp"
#include "posenc/key_cache/edited_keys.hpp"
#include "posenc/rotary/float32_rotary.hpp"
#include "posenc/rotary/xpos.hpp"

using key_model::Cache;
using key_model::edited;
using key_model::Model;
using key_model::random_cache;
using key_model::Rotation;
using key_model::types;
using key_model::Worst;
using key_model::worst_of;
using posenc::KeyEdit;
using posenc::KeyRotation;
using posenc::KeyType;
using posenc::Layout;
using posenc::PointRotary;
using posenc::Rotary;
using posenc::Xpos;
using reference::Quad;
using testing::value_of;
namespace edit = posenc::edit;

namespace {

/// base^(-2i / dimensions)
Quad frequency(std::size_t i, std::size_t dims, double base = 10000) {
  return reference::power(base, -2 * static_cast<Quad>(i) / static_cast<Quad>(dims));
}

struct Case {
  KeyRotation rotation;
  Rotation formula;
  std::size_t heads, dim, axes;
  std::optional<std::int64_t> first_dim = std::nullopt;
};

/// Moves, shifts and drops, of keys at `positions`, [tokens, axes]: the first of them, the first two, ...
void check(const Case& c, const std::vector<double>& positions, const std::vector<KeyEdit>& edits) {
  const std::size_t tokens = positions.size() / c.axes;
  for (const KeyType type : types) {
    if (type == KeyType::q8_0 && c.dim % 32 != 0) continue;
    INFO(posenc::name_of(type));
    const Cache cache = random_cache(type, tokens, c.heads, c.dim, 17);
    Model model{c.heads, c.dim, c.axes, {c.formula}, 0, {}};
    model.add(cache.values(), positions);
    for (std::size_t i = 0; i < edits.size(); ++i) {
      const auto made = edited(cache, {c.rotation, c.first_dim, positions}, std::span(edits).first(i + 1));
      model.apply(edits[i]);
      const Worst worst = worst_of(model, made.cache, made.bound);
      CHECK(worst.promised <= 1);
      CHECK(worst.bound <= 1);
      // Values that do not rotate are the same bits, but for blocks that they share.
      const auto values = made.cache.values();
      for (std::size_t token = 0; token < model.tokens.size() && type != KeyType::q8_0; ++token) {
        const auto dims = model.exact(model.tokens[token]);
        for (std::size_t dimension = 0; dimension < dims.size(); ++dimension)
          if (!dims[dimension].is_rotated)
            REQUIRE(values[token * dims.size() + dimension] == model.tokens[token].dims[dimension]);
      }
    }
  }
}

const std::vector<KeyEdit> sequence_edits{
    {edit::Shift{{}, {-100}}}, {edit::Move{{1, 3}, 3}}, {edit::Shift{{2, 5}, {7.25}}}, {edit::Divide{{0, 3}, 2}}};

std::vector<double> counted(std::size_t count, double first) {
  std::vector<double> positions(count);
  for (std::size_t i = 0; i < count; ++i) positions[i] = first + static_cast<double>(i);
  return positions;
}

/// In place.
void edit_floats(std::vector<float>& keys, const posenc::SequenceShape& shape, posenc::CachedKeys of,
                 const std::vector<KeyEdit>& edits) {
  const auto bytes = std::as_writable_bytes(std::span(keys));
  const auto plan = value_of(posenc::EditedKeys::make(of, {KeyType::float32, bytes, shape}, edits));
  (void)value_of(plan.write(bytes, {KeyType::float32, bytes, shape}));
}

}  // namespace

TEST_CASE("edited keys: partial rotation, and MLA's slice of a head", "[key_cache][accuracy]") {
  const auto partial = value_of(Rotary::make({.dim = 64, .layout = Layout::half, .rotary_dim = 24}));
  const auto slice = value_of(Rotary::make({.dim = 32, .layout = Layout::interleaved}));
  const auto deinterleaved = value_of(Rotary::make({.dim = 32, .layout = Layout::deinterleaved}));
  const auto angle = [](std::size_t dims) {
    return [dims](std::size_t, std::size_t pair, auto at) { return frequency(pair, dims) * at[0]; };
  };
  check({partial, {.pairs = 12, .angle = angle(24)}, 3, 64, 1}, counted(5, 1000), sequence_edits);
  check({slice, {.layout = Layout::interleaved, .pairs = 16, .first_dim = 64, .angle = angle(32)}, 2, 96, 1, 64},
        counted(5, 1000), sequence_edits);
  // In the middle of a head, across blocks of q8_0; what was written are halves.
  check({deinterleaved, {.pairs = 16, .first_dim = 20, .angle = angle(32)}, 2, 96, 1, 20}, counted(5, 1000),
        sequence_edits);
}

TEST_CASE("edited keys: M-RoPE's three positions", "[key_cache][accuracy]") {
  const std::vector<std::int64_t> sections{8, 12, 12};
  const std::vector<KeyEdit> edits{{edit::Shift{{}, {-3}}},
                                   {edit::Shift{{1, 4}, {0, 5, -2}}},
                                   {edit::Move{{1, 5}, 2}},
                                   {edit::Drop{{0, 2}}},
                                   {edit::Divide{{}, 2, 1}}};
  // Text, an image of 2 x 2 tokens, text.
  const std::vector<double> ids{7, 7, 7, 8, 8, 8, 8, 8, 9, 8, 9, 8, 8, 9, 9, 10, 10, 10, 11, 11, 11};
  for (const Layout layout : {Layout::half, Layout::interleaved}) {
    const auto rotary = value_of(posenc::mrope({.dim = 64, .layout = layout}, sections, posenc::MropeOrder::chunked));
    check({rotary,
           {.layout = layout,
            .pairs = 32,
            .angle = [](std::size_t, std::size_t pair,
                        auto at) { return frequency(pair, 64) * at[pair < 8 ? 0 : (pair < 20 ? 1 : 2)]; }},
           2,
           64,
           3},
          ids, edits);
  }
}

TEST_CASE("edited keys: grids, and directions of their own", "[key_cache][accuracy]") {
  const std::vector<double> points{0, 0, 0, 1, 1, 0, 1, 1, 2.5, -3};
  const std::vector<KeyEdit> edits{
      {edit::Shift{{}, {10, -4}}}, {edit::Drop{{1, 2}, true}}, {edit::Move{{0, 1}, 3, true}}};
  for (const bool separate : {false, true}) {
    const auto grid =
        value_of(posenc::rotary_grid({.dim = 32, .dims = {16, 16}, .layout = Layout::half, .separate = separate}));
    check({grid,
           {.pairs = 16,
            .angle = [](std::size_t, std::size_t pair, auto at) { return frequency(pair % 8, 16) * at[pair / 8]; },
            .blocks = separate ? std::vector<std::size_t>{8, 8} : std::vector<std::size_t>{}},
           3,
           32,
           2},
          points, edits);
  }
  // Two heads, whose pairs have directions of their own: angles are sums.
  std::vector<double> directions(2 * 2 * 16);
  testing::Generator generator(5);
  for (double& number : directions) number = generator.fraction();
  const auto mixed =
      value_of(posenc::rotary_mixed({.dim = 32, .heads = 2, .axes = 2, .layout = Layout::interleaved}, directions));
  check({mixed,
         {.layout = Layout::interleaved,
          .pairs = 16,
          .angle =
              [&](std::size_t head, std::size_t pair, auto at) {
                const std::size_t own = head * 16 + pair;
                return static_cast<Quad>(directions[own]) * at[1] + static_cast<Quad>(directions[32 + own]) * at[0];
              }},
         2,
         32,
         2},
        points, edits);
}

TEST_CASE("edited keys: xPos's keys are scaled by where they stand", "[key_cache][accuracy]") {
  const auto xpos = value_of(Xpos::make({.rotary = {.dim = 32, .layout = Layout::half}, .centre = 100}));
  check({xpos,
         {.pairs = 16,
          .angle = [](std::size_t, std::size_t pair, auto at) { return frequency(pair, 32) * at[0]; },
          .scale =
              [](std::size_t pair, double position) {
                const Quad zeta = (2 * static_cast<Quad>(pair) + Quad(128) / 10) / (Quad(448) / 10);
                return reference::power(zeta, -(static_cast<Quad>(position) - 100) / 512);
              }},
         2,
         32,
         1},
        counted(5, 90), sequence_edits);
}

TEST_CASE("edited keys: from a rotary to xPos", "[key_cache]") {
  const auto plain = value_of(Rotary::make({.dim = 32, .layout = Layout::half}));
  const auto xpos = value_of(Xpos::make({.rotary = {.dim = 32, .layout = Layout::interleaved}, .centre = 3}));
  // Both rotate the same keys.
  const auto x = testing::fractions(4 * 32, 4);
  auto rotated = x;
  const auto shape = testing::sequence_first(testing::Shape{4, 1, 32});
  value_of(plain.apply(rotated, shape, posenc::Positions::range(4, 50)));
  edit_floats(rotated, shape, {.rotation = plain, .positions = counted(4, 50)},
              {{edit::Rotate{xpos}}, {edit::Shift{{}, {-20}}}});
  // Interleaved dimensions, rotated by xPos at 30 ... 33.
  std::vector<float> dims(x.size());
  for (std::size_t token = 0; token < 4; ++token)
    for (std::size_t pair = 0; pair < 16; ++pair) {
      dims[token * 32 + 2 * pair] = x[token * 32 + pair];
      dims[token * 32 + 2 * pair + 1] = x[token * 32 + 16 + pair];
    }
  value_of(xpos.apply(dims, shape, posenc::Positions::range(4, 30), posenc::XposSide::key));
  for (std::size_t i = 0; i < dims.size(); ++i) CHECK(std::fabs(rotated[i] - dims[i]) <= 1e-6f);
}

TEST_CASE("edited keys: scales of xPos that are too far apart are an Error", "[key_cache]") {
  const auto far = [](double centre) {
    return value_of(Xpos::make({.rotary = {.dim = 32, .layout = Layout::half}, .centre = centre}));
  };
  const double most = far(0).most_steps() * far(0).scale_base();
  const auto before = far(-0.9 * most), after = far(0.9 * most);
  Cache cache = random_cache(KeyType::float32, 1, 1, 32, 9);
  const KeyEdit rotate{edit::Rotate{after}};
  const std::vector<double> origin{0};
  testing::require_error(
      posenc::EditedKeys::make({.rotation = before, .positions = origin}, cache.keys(), {&rotate, 1}), "positions",
      "0");
}

TEST_CASE("edited keys: angles in float32 are those of both positions", "[key_cache]") {
  const auto rotary = value_of(posenc::make_float32_rotary({.dim = 32, .layout = Layout::half}));
  const auto shape = testing::sequence_first(testing::Shape{4, 1, 32});
  const auto x = testing::fractions(4 * 32, 4);
  auto keys = x, wanted = x;
  value_of(rotary.apply(keys, shape, posenc::Positions::range(4, 70000)));
  value_of(rotary.apply(wanted, shape, posenc::Positions::range(4, 131000)));
  edit_floats(keys, shape, {.rotation = rotary, .positions = counted(4, 70000)}, {{edit::Shift{{}, {61000}}}});
  // The exact angles of 61000 are 1e-3 away from these.
  for (std::size_t i = 0; i < keys.size(); ++i) CHECK(std::fabs(keys[i] - wanted[i]) <= 1e-6f);
}

TEST_CASE("edited keys: huge positions, and differences that no double has", "[key_cache][accuracy]") {
  const auto rotary = value_of(Rotary::make({.dim = 32, .layout = Layout::half}));
  const auto angle = [](std::size_t, std::size_t pair, auto at) { return frequency(pair, 32) * at[0]; };
  const std::vector<double> positions{4503599627370496.0, 0x1p52 + 1, 9007199254740992.0 / 2 - 3, -0x1p52, 0.1};
  check({rotary, {.pairs = 16, .angle = angle}, 2, 32, 1}, positions,
        {{edit::Shift{{}, {-0x1p51}}}, {edit::Shift{{4, 5}, {0x1p40}}}, {edit::Shift{{3, 4}, {0x1p52}}}});
}
