#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/sinusoid_diagnosis.hpp"

namespace posenc::diagnosis {

/// The contents of the last dimension of an odd row.
enum class OddDim : std::uint8_t { none, sine, zero };

/// A table as one of the arrangements it may have. Its rotations are cosine + i sine, divided by the amplitude.
struct SinusoidView {
  TableOrder arrangement = TableOrder::interleaved;
  OddDim odd = OddDim::none;
  double amplitude = 1;
  std::vector<std::size_t> chosen = {};     ///< rows that were looked at
  std::optional<std::size_t> padding = {};  ///< the row that is zeros
  PairRotations rotations = {};
  std::vector<double> odd_sines = {};  ///< with OddDim::sine, those of the last dimension, a row each, likewise divided
  double unit = 0;                     ///< one rounding of them
  double misfit = 0;                   ///< bits: lengths other than the amplitude
};

/// All arrangements of a table [tokens, dim], the best first. `amplitude` is the expected one: it is taken where it
/// fits. Errors: those of stored_type_of; other than two axes of more than one value; a dim of 1.
[[nodiscard]] Expected<std::vector<SinusoidView>> sinusoid_views(const SampledTensor& table, double amplitude);

/// Takes the same view of other rows, by the same amplitude and unit.
[[nodiscard]] SinusoidView view_tokens_like(const SampledTensor& table, const SinusoidView& like,
                                            std::vector<std::size_t> rows);

}  // namespace posenc::diagnosis
