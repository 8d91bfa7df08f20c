#include "posenc/relative/position_map.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// A number of the options: the maps that read it, by their bits, and its range.
struct Read {
  std::string_view name;
  unsigned maps;
  double least, most;
};

constexpr unsigned bit(PositionMapType type) { return 1u << static_cast<unsigned>(type); }
constexpr unsigned chunked = bit(PositionMapType::dual_chunk);

constexpr Read reads[]{
    {"window", ~chunked, 1, max_positions},
    {"group", bit(PositionMapType::self_extend), 1, max_positions},
    {"factor", bit(PositionMapType::leaky_rerope), 1, 0x1p20},
    {"chunkSize", chunked, 1, max_positions},
    {"localSize", chunked, 0, max_positions},
};

double number_of(const std::optional<std::int64_t>& value) { return value ? static_cast<double>(*value) : NAN; }

}  // namespace

PositionMap::PositionMap(const PositionMapOptions& options)
    : options_(options),
      window_(options.window.value_or(1)),
      group_(options.group.value_or(1)),
      chunk_(options.chunk_size.value_or(1) - options.local_size.value_or(0)),
      factor_(options.factor.value_or(1)) {}

Expected<PositionMap> PositionMap::make(const PositionMapOptions& options) {
  if (options.type == PositionMapType::unnamed) return std::unexpected(from_name<PositionMapType>("").error());
  // In the order of `reads`; NaN was left out.
  const double values[]{number_of(options.window), number_of(options.group), options.factor.value_or(NAN),
                        number_of(options.chunk_size), number_of(options.local_size)};
  for (std::size_t i = 0; i < std::size(reads); ++i) {
    const auto& [name, maps, least, range] = reads[i];
    const bool read = (maps & bit(options.type)) != 0;
    const double most = i == 4 ? values[3] - 1 : range;
    if (read ? values[i] >= least && values[i] <= most : std::isnan(values[i])) continue;
    if (!read) return invalid_argument(name, values[i], expected::nothing, {}, ", for this map");
    return invalid_argument(name, values[i], expected::from_to,
                            {static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)}, ", for this map");
  }
  return PositionMap(options);
}

std::int64_t PositionMap::first_key(std::size_t region, std::int64_t query) const {
  const auto back = static_cast<std::int64_t>(region);
  if (options_.type == PositionMapType::dual_chunk) return std::max<std::int64_t>(query / chunk_ - back, 0) * chunk_;
  return region == 0 ? std::max<std::int64_t>(query - window_ + 1, 0) : 0;
}

std::int32_t PositionMap::region(std::int64_t query, std::int64_t key) const {
  if (key > query) return -1;
  return key >= first_key(0, query) ? 0 : (key >= first_key(1, query) ? 1 : 2);
}

double PositionMap::query_position(std::size_t region, std::int64_t query) const {
  const auto position = static_cast<double>(query);
  switch (options_.type) {
    case PositionMapType::dual_chunk: {
      const std::int64_t within = query % chunk_;
      if (region == 0) return static_cast<double>(within);
      return static_cast<double>(
          std::min((region == 1 ? within : chunk_ - 1) + chunk_, options_.chunk_size.value_or(0)));
    }
    case PositionMapType::self_extend: {
      const std::int64_t group = query / group_ + window_ - window_ / group_;
      return region == 0 ? position : static_cast<double>(group);
    }
    case PositionMapType::leaky_rerope:
      return region == 0 ? position : (position + static_cast<double>(window_) * (factor_ - 1)) / factor_;
    default:
      return region == 0 ? position : static_cast<double>(window_);
  }
}

double PositionMap::key_position(std::size_t region, std::int64_t key) const {
  const auto position = static_cast<double>(key);
  switch (options_.type) {
    case PositionMapType::dual_chunk:
      return static_cast<double>(key % chunk_);
    case PositionMapType::self_extend: {
      const std::int64_t group = key / group_;
      return region == 0 ? position : static_cast<double>(group);
    }
    case PositionMapType::leaky_rerope:
      return region == 0 ? position : position / factor_;
    default:
      return region == 0 ? position : 0;
  }
}

Expected<void> PositionMap::write(const RelativePositions& positions, const Outputs& out) const {
  const std::size_t queries = positions.queries(), keys = positions.keys();
  const std::int64_t first = positions.query_position(0);
  if (first < 0)
    return invalid_argument("queryOffset", static_cast<double>(first), expected::at_least, {0},
                            ": maps count from the start");
  POSENC_TRY(check_arrays({{"distances", out.distances.size(), {queries, keys}},
                           {"region", out.regions.size(), {queries, keys}},
                           {"queryPositions", out.query_positions.size(), {regions(), queries}},
                           {"keyPositions", out.key_positions.size(), {regions(), keys}}}));
  for (std::size_t region = 0; region < regions(); ++region) {
    for (std::size_t i = 0; i < queries; ++i)
      out.query_positions[region * queries + i] = query_position(region, positions.query_position(i));
    for (std::size_t j = 0; j < keys; ++j)
      out.key_positions[region * keys + j] = key_position(region, static_cast<std::int64_t>(j));
  }
  const bool leaky = options_.type == PositionMapType::leaky_rerope;
  for (std::size_t i = 0; i < queries; ++i) {
    const std::int64_t query = positions.query_position(i);
    double* const distances = out.distances.data() + i * keys;
    std::int32_t* const ids = out.regions.data() + i * keys;
    std::size_t j = 0;
    for (std::size_t region = regions(); region-- > 1;) {
      const auto end = std::min(static_cast<std::size_t>(first_key(region - 1, query)), keys);
      const double at = out.query_positions[region * queries + i];
      const double* const key_positions = out.key_positions.data() + region * keys;
      for (; j < end; ++j) {
        ids[j] = static_cast<std::int32_t>(region);
        // The keys' part is divided together with the queries': one rounding less.
        distances[j] = leaky ? query_position(1, query - static_cast<std::int64_t>(j)) : at - key_positions[j];
      }
    }
    for (; j < keys; ++j) {
      distances[j] = static_cast<double>(query - static_cast<std::int64_t>(j));
      ids[j] = j < positions.keys_up_to(i) ? 0 : -1;
    }
  }
  return {};
}

}  // namespace posenc
