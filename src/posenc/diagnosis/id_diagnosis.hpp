#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/grid/mrope_positions.hpp"

namespace posenc {

/// Ids of the tokens of one sequence, [axes, tokens], and what the sequence is made of. `options` has what the
/// presets leave open: merge, tokens_per_second.
struct IdSamples {
  std::span<const double> ids;
  std::size_t axes = 3;
  std::span<const MropeSegment> segments;
  std::optional<std::int64_t> merge = std::nullopt;
  std::optional<double> tokens_per_second = std::nullopt;
};

/// Describes the ids that were meant. Where `next` is not named, what any version of transformers does is right; `time`
/// is the preset's own.
struct IdExpectation {
  std::string_view preset = {};  ///< empty: nothing was expected
  std::optional<MropeTime> time = std::nullopt;
  std::optional<MropeNext> next = std::nullopt;
};

/// Finds the preset of mrope_positions that makes the ids, exactly: with all of what versions of transformers do in
/// MropeNext and MropeTime, a number added to all, the axes in another order, or one axis in place of others. Of what
/// differs from the expected preset's, the time axis alone is Mistake::scaling_other, or Mistake::time_rule where
/// another rule of times makes it, the same number on all axes Mistake::first_position. Where nothing fits the verdict
/// is none, and Departure has the tokens at which the expected preset has others. Presets that make the same ids of
/// these segments are rivals: Diagnosis::tells has "segments". Errors: axes other than 3 or 4; ids that are not axes *
/// tokens, or not finite; segments that no preset of so many axes takes; another preset's name; memory.
[[nodiscard]] Expected<Diagnosis> diagnose_ids(const IdSamples& samples, const IdExpectation& expected);

}  // namespace posenc
