#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/grid/point_rotary.hpp"
#include "posenc/grid/rotary_grid.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"

namespace posenc {

/// The rotation of a grid's cells that was meant.
struct RotaryGridExpectation {
  RotaryGridChoice choice;
  std::vector<std::int64_t> grid;
  TokensAround around;
  bool inverse = false;
};

/// The table of a grid that was meant; `mask` is as SinusoidalGrid::table has it, or empty.
struct SinusoidalGridExpectation {
  SinusoidalGridChoice choice;
  std::vector<std::int64_t> shape;
  std::span<const std::uint8_t> mask;
};

/// Finds what was done to vectors whose tokens are the cells of a grid, to the cosines and sines of its cells (a value
/// a pair or a dimension), or to a table of its cells (dimensions last, or in front of the grid's axes): of what was
/// meant, each change of grids/grid_changes.cpp, and each two of different parts, all that make every value. Where
/// several do, Diagnosis::next are the extents of a grid at which they differ, and `tells` has "grid"; "inputs" where
/// these vectors hide it. Errors: those of what was meant; a grid with another number of cells ("expected.grid"), or
/// tokens that several axes may be ("seqAxis"); memory.
[[nodiscard]] Expected<Diagnosis> diagnose_grid_vectors(const SampledTensor& before, const SampledTensor& after,
                                                        std::optional<std::int64_t> sequence_axis,
                                                        const RotaryGridExpectation& expected);
[[nodiscard]] Expected<Diagnosis> diagnose_grid_cache(const SampledTensor& cosines, const SampledTensor& sines,
                                                      const RotaryGridExpectation& expected);
[[nodiscard]] Expected<Diagnosis> diagnose_grid_table(const SampledTensor& table,
                                                      const SinusoidalGridExpectation& expected);

}  // namespace posenc
