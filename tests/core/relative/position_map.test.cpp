#include "posenc/relative/position_map.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "posenc/rotary/rotary.hpp"
#include "rotary/rotary_reference.hpp"
#include "testing/testing.hpp"

using posenc::PositionMap;
using posenc::PositionMapOptions;
using posenc::PositionMapType;
using posenc::RelativePositions;
using reference::Quad;
using testing::Generator;
using testing::require_error;
using testing::value_of;

namespace {

/// An implementation's own loops, for each pair: where the query and the key are rotated whose product it takes.
struct Pair {
  double query = 0, key = 0;
  bool seen = false;
};
using Pairs = std::vector<Pair>;

Pair& at(Pairs& pairs, std::int64_t n, std::int64_t i, std::int64_t j) {
  return pairs[static_cast<std::size_t>(i * n + j)];
}

/// LongLM: a lower triangle of ones, from which the triangle of group pairs, `window` rows lower, is subtracted.
Pairs self_extend_loops(std::int64_t n, std::int64_t window, std::int64_t group) {
  Pairs pairs(static_cast<std::size_t>(n * n));
  std::vector<int> mask(pairs.size());
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i; ++j) mask[static_cast<std::size_t>(i * n + j)] = 1;
  for (std::int64_t i = 0; i < n - window; ++i)
    for (std::int64_t j = 0; j <= i; ++j) mask[static_cast<std::size_t>((i + window) * n + j)] -= 1;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      const bool neighbour = mask[static_cast<std::size_t>(i * n + j)] == 1;
      const auto query = neighbour ? i : i / group + window - window / group;
      at(pairs, n, i, j) = {static_cast<double>(query), static_cast<double>(neighbour ? j : j / group), true};
    }
  return pairs;
}

/// ReRoPE while decoding: the last position less each, clipped, with the query left as it is.
Pairs rerope_loops(std::int64_t n, std::int64_t window) {
  Pairs pairs(static_cast<std::size_t>(n * n));
  for (std::int64_t last = 0; last < n; ++last)
    for (std::int64_t j = 0; j <= last; ++j)
      at(pairs, n, last, j) = {static_cast<double>(std::min(last - j, window)), 0, true};
  return pairs;
}

/// Leaky ReRoPE while decoding: a table of two parts, the first `window` positions, then scaled ones.
Pairs leaky_loops(std::int64_t n, std::int64_t window, double factor) {
  Pairs pairs(static_cast<std::size_t>(n * n));
  const double offset = static_cast<double>(window) * (factor - 1);
  std::vector<double> table;
  for (std::int64_t t = 0; t < window; ++t) table.push_back(static_cast<double>(t));
  for (std::int64_t t = window; t < n; ++t) table.push_back((static_cast<double>(t) + offset) / factor);
  for (std::int64_t last = 0; last < n; ++last)
    for (std::int64_t j = 0; j <= last; ++j)
      at(pairs, n, last, j) = {table[static_cast<std::size_t>(last - j)], 0, true};
  return pairs;
}

/// ChunkLlama's prefill: chunk after chunk, each against itself, the chunk before it and all the earlier ones.
Pairs dual_chunk_loops(std::int64_t n, std::int64_t chunk_size, std::int64_t local) {
  Pairs pairs(static_cast<std::size_t>(n * n));
  const std::int64_t chunk = chunk_size - local;
  std::vector<double> succ;
  for (std::int64_t t = 0; t < chunk; ++t) succ.push_back(static_cast<double>(std::min(t + chunk, chunk_size)));
  for (std::int64_t begin = 0; begin < n; begin += chunk)
    for (std::int64_t i = begin; i < std::min(begin + chunk, n); ++i) {
      for (std::int64_t j = begin; j <= i; ++j)
        at(pairs, n, i, j) = {static_cast<double>(i - begin), static_cast<double>(j - begin), true};
      for (std::int64_t j = std::max<std::int64_t>(begin - chunk, 0); j < begin; ++j)
        at(pairs, n, i, j) = {succ[static_cast<std::size_t>(i - begin)], static_cast<double>(j % chunk), true};
      for (std::int64_t j = 0; j < begin - chunk; ++j)
        at(pairs, n, i, j) = {succ.back(), static_cast<double>(j % chunk), true};
    }
  return pairs;
}

struct Written {
  std::vector<double> distances, queries, keys;
  std::vector<std::int32_t> regions;
};

Written write(const PositionMap& map, std::int64_t queries, std::int64_t keys, std::int64_t offset) {
  const auto positions = value_of(RelativePositions::make({.queries = queries, .keys = keys, .query_offset = offset}));
  const auto pairs = static_cast<std::size_t>(queries * keys);
  Written out{std::vector<double>(pairs), std::vector<double>(map.regions() * positions.queries()),
              std::vector<double>(map.regions() * positions.keys()), std::vector<std::int32_t>(pairs)};
  value_of(map.write(positions, {out.distances, out.regions, out.queries, out.keys}));
  return out;
}

/// Every entry of a square map is what the loops say, and so are rows that begin at an offset.
void compare(const PositionMapOptions& options, std::int64_t n, Pairs expected) {
  const auto map = value_of(PositionMap::make(options));
  const Written all = write(map, n, n, 0);
  const std::int64_t offset = n / 2;
  const Written rows = write(map, n - offset, n, offset);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const auto k = static_cast<std::size_t>(i * n + j);
      REQUIRE(map.region(i, j) == all.regions[k]);
      const Pair& pair = at(expected, n, i, j);
      INFO("i " << i << ", j " << j);
      REQUIRE(pair.seen == (all.regions[k] >= 0));
      if (i >= offset) {
        REQUIRE(rows.regions[k - static_cast<std::size_t>(offset * n)] == all.regions[k]);
        REQUIRE(rows.distances[k - static_cast<std::size_t>(offset * n)] == all.distances[k]);
      }
      if (!pair.seen) {
        REQUIRE(all.distances[k] == static_cast<double>(i - j));
        continue;
      }
      REQUIRE(all.distances[k] == pair.query - pair.key);
      const auto region = static_cast<std::int64_t>(all.regions[k]);
      const double query = all.queries[static_cast<std::size_t>(region * n + i)];
      const double key = all.keys[static_cast<std::size_t>(region * n + j)];
      // Those of leaky ReRoPE are rounded one by one.
      REQUIRE(std::fabs(query - key - all.distances[k]) <=
              (options.type == PositionMapType::leaky_rerope ? 0x1p-52 * static_cast<double>(n) : 0));
    }
}

PositionMapOptions random_map(Generator& generator) {
  const auto draw = [&](std::size_t most) { return static_cast<std::int64_t>(1 + generator.below(most)); };
  switch (generator.below(4)) {
    case 0:
      return {.type = PositionMapType::self_extend, .window = draw(12), .group = draw(5)};
    case 1:
      return {.type = PositionMapType::rerope, .window = draw(12)};
    case 2:
      return {.type = PositionMapType::leaky_rerope,
              .window = draw(12),
              .factor = 1 + static_cast<double>(generator.below(40)) / 8};
    default: {
      const std::int64_t chunk = draw(9), local = static_cast<std::int64_t>(generator.below(10));
      return {.type = PositionMapType::dual_chunk, .chunk_size = chunk + local, .local_size = local};
    }
  }
}

Pairs loops_of(const PositionMapOptions& map, std::int64_t n) {
  switch (map.type) {
    case PositionMapType::self_extend:
      return self_extend_loops(n, *map.window, *map.group);
    case PositionMapType::rerope:
      return rerope_loops(n, *map.window);
    case PositionMapType::leaky_rerope:
      return leaky_loops(n, *map.window, *map.factor);
    default:
      return dual_chunk_loops(n, *map.chunk_size, *map.local_size);
  }
}

}  // namespace

TEST_CASE("position map: every pair is where the implementations' own loops put it", "[relative]") {
  Generator generator(1601);
  for (int round = 0; round < 400; ++round) {
    const PositionMapOptions options = random_map(generator);
    const auto n = static_cast<std::int64_t>(1 + generator.below(40));
    INFO("type " << static_cast<int>(options.type) << ", round " << round);
    compare(options, n, loops_of(options, n));
  }
}

TEST_CASE("position map: the numbers of the papers' figures", "[relative]") {
  // SelfExtend, figure 3: 10 tokens, groups of 2, a window of 4; Dual Chunk, figure 2: chunks of 6 of a length of 10.
  const auto extended =
      write(value_of(PositionMap::make({.type = PositionMapType::self_extend, .window = 4, .group = 2})), 1, 10, 9);
  CHECK(extended.distances == std::vector<double>{6, 6, 5, 5, 4, 4, 3, 2, 1, 0});
  const auto chunks = write(
      value_of(PositionMap::make({.type = PositionMapType::dual_chunk, .chunk_size = 9, .local_size = 3})), 1, 14, 13);
  CHECK(chunks.distances == std::vector<double>{9, 8, 7, 6, 5, 4, 7, 6, 5, 4, 3, 2, 1, 0});
  CHECK(chunks.regions == std::vector<std::int32_t>{2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0});
}

TEST_CASE("position map: scores by rotations are those of rotation by the distance", "[relative]") {
  constexpr std::int64_t n = 24, dim = 16;
  const posenc::RotaryOptions options{.dim = dim, .layout = posenc::Layout::half};
  const auto frequencies = reference::rotary_frequencies(options);
  const auto q = testing::fractions(n * dim, 1602), k = testing::fractions(n * dim, 1603);
  const std::vector<std::int64_t> shape{n, dim};
  Generator generator(1604);
  for (int round = 0; round < 12; ++round) {
    const PositionMapOptions chosen = random_map(generator);
    const auto map = value_of(PositionMap::make(chosen));
    const Written all = write(map, n, n, 0);
    std::vector<std::vector<float>> queries, keys;
    for (std::size_t region = 0; region < map.regions(); ++region) {
      const auto part = [&](const std::vector<double>& list) {
        return posenc::Positions::list(std::span(list).subspan(region * n, n));
      };
      queries.push_back(testing::rotated(options, q, shape, part(all.queries)));
      keys.push_back(testing::rotated(options, k, shape, part(all.keys)));
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        const auto region = static_cast<std::size_t>(all.regions[i * n + j]);
        const auto exact =
            reference::rotated_head(options, frequencies, std::span(q).subspan(i * dim, dim), all.distances[i * n + j]);
        Quad score = 0, wanted = 0;
        for (std::size_t dimension = 0; dimension < dim; ++dimension) {
          score += static_cast<Quad>(queries[region][i * dim + dimension]) * keys[region][j * dim + dimension];
          wanted += exact[dimension].exact * k[j * dim + dimension];
        }
        // Each of the 2 dim dimensions is off by 3 * 2^-24 of 2 at most, times a dimension below 2.
        REQUIRE(reference::magnitude(score - wanted) < 2 * dim * 12 * reference::unit);
      }
  }
}

TEST_CASE("position map: options that a map does not read, or that are missing, are Errors", "[relative]") {
  using enum PositionMapType;
  const auto refused = [](const PositionMapOptions& options, std::string_view argument, std::string_view value) {
    require_error(PositionMap::make(options), argument, value);
  };
  refused({}, "type", "");
  refused({.type = self_extend, .group = 2}, "window", "nan");
  refused({.type = self_extend, .window = 2}, "group", "nan");
  refused({.type = self_extend, .window = 0, .group = 2}, "window", "0");
  refused({.type = self_extend, .window = 1, .group = -1}, "group", "-1");
  refused({.type = rerope, .window = 2, .group = 2}, "group", "2");
  refused({.type = rerope, .window = 2, .factor = 2}, "factor", "2");
  refused({.type = leaky_rerope, .window = 2, .factor = 0.5}, "factor", "0.5");
  refused({.type = leaky_rerope, .window = 2, .factor = NAN}, "factor", "nan");
  refused({.type = leaky_rerope, .window = posenc::max_positions + 1, .factor = 2}, "window", "536870913");
  refused({.type = dual_chunk, .window = 2, .chunk_size = 3, .local_size = 1}, "window", "2");
  refused({.type = dual_chunk, .chunk_size = 3}, "localSize", "nan");
  refused({.type = dual_chunk, .chunk_size = 3, .local_size = 3}, "localSize", "3");
  refused({.type = rerope, .window = 2, .chunk_size = 3}, "chunkSize", "3");
  require_error(posenc::from_name<PositionMapType>("grouped"), "type", "grouped");

  const auto map = value_of(PositionMap::make({.type = rerope, .window = 2}));
  std::vector<double> distances(6, 7.25);
  const auto before = value_of(RelativePositions::make({.queries = 2, .keys = 3, .query_offset = -1}));
  require_error(map.write(before, {distances, {}, {}, {}}), "queryOffset", "-1");
  const auto after = value_of(RelativePositions::make({.queries = 2, .keys = 4}));
  require_error(map.write(after, {distances, {}, {}, {}}), "distances", "6");
  CHECK(std::ranges::count(distances, 7.25) == 6);
}
