#include "posenc/learned/table_init.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "posenc/base/check.hpp"
#include "posenc/base/philox.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/frequencies/angles.hpp"

namespace posenc {
namespace {

/// Values made at a time: a pair for each angle that the phase kernel takes at once.
constexpr std::size_t pairs = Frequencies::lane_block;
using Chunk = std::array<double, 2 * pairs>;

struct Place {
  std::uint64_t seed;
  std::uint64_t row;
};

constexpr std::uint32_t low_half(std::uint64_t bits) { return static_cast<std::uint32_t>(bits); }
constexpr std::uint32_t high_half(std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 32); }

/// The u of lanes chunk * 2 * pairs on: exact, in (0, 1).
Chunk uniforms(const Place& place, std::size_t chunk) {
  Chunk values;
  for (std::size_t i = 0; i < values.size(); i += 4) {
    const auto block = static_cast<std::uint32_t>((chunk * values.size() + i) / 4);
    const auto words =
        philox({block, low_half(place.row), high_half(place.row), 0}, {low_half(place.seed), high_half(place.seed)});
    for (std::size_t k = 0; k < 4; ++k) values[i + k] = (words[k] + 0.5) * 0x1p-32;
  }
  return values;
}

Chunk normals(const Chunk& uniform) {
  alignas(64) std::array<double, pairs> cycles, sines, cosines;
  for (std::size_t i = 0; i < pairs; ++i) cycles[i] = uniform[2 * i + 1];
  sines_and_cosines(cycles.data(), pairs, sines.data(), cosines.data());
  Chunk values;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double radius = std::sqrt(-2 * logarithm(uniform[2 * i]));
    values[2 * i] = radius * cosines[i];
    values[2 * i + 1] = radius * sines[i];
  }
  return values;
}

void write_row(const TableInit& init, std::uint64_t row, std::span<float> out) {
  const Place place{static_cast<std::uint64_t>(init.seed), row};
  for (std::size_t start = 0; start < out.size(); start += 2 * pairs) {
    Chunk values = uniforms(place, start / (2 * pairs));
    if (init.distribution == TableDistribution::normal)
      values = normals(values);
    else
      for (double& value : values) value = 2 * value - 1;
    const std::size_t count = std::min(values.size(), out.size() - start);
    // + 0: a scale of 0 gives no -0.
    for (std::size_t i = 0; i < count; ++i) out[start + i] = static_cast<float>(init.scale * values[i] + 0.0);
  }
}

Expected<void> check_scale(const TableInit& init) {
  if (init.scale >= 0 && init.scale <= 1e30) return {};
  return wrong(init.distribution == TableDistribution::normal ? "std" : "bound", init.scale,
               {"a number from 0 to 1e30"});
}

Expected<void> check_row(std::string_view argument, std::int64_t row) {
  if (row >= 0) return {};
  return wrong(argument, static_cast<double>(row), {"a whole number >= 0"});
}

Expected<void> check(const TableInit& init, std::int64_t first_row, std::size_t size) {
  for (auto&& checked : {check_whole("dim", init.dim, 1, max_dim), check_scale(init), check_row("offset", first_row),
                         check_row("paddingIdx", init.padding_row.value_or(0))})
    if (!checked) return checked;
  if (size % static_cast<std::size_t>(init.dim) == 0) return {};
  return wrong("out", static_cast<double>(size), {"a multiple of ", decimal(init.dim), " values"});
}

}  // namespace

Expected<void> init_table(const TableInit& init, std::int64_t first_row, std::span<float> out) {
  if (auto checked = check(init, first_row, out.size()); !checked) return checked;
  const auto dim = static_cast<std::size_t>(init.dim);
  auto row = static_cast<std::uint64_t>(first_row);
  for (std::size_t start = 0; start < out.size(); start += dim, ++row) {
    const auto values = out.subspan(start, dim);
    if (init.padding_row && row == static_cast<std::uint64_t>(*init.padding_row))
      std::ranges::fill(values, 0.0f);
    else
      write_row(init, row, values);
  }
  return {};
}

}  // namespace posenc
