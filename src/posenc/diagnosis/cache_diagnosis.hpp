#pragma once

#include <cstddef>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"

namespace posenc {

/// Cosines and sines, in any form: of the same shape [tokens, pairs or dimensions] each, or together in `cosines`
/// (complex numbers, one beside the other, or the sines behind the cosines), `sines` being empty.
struct CacheSamples {
  SampledTensor cosines, sines;
  std::span<const double> positions;  ///< 0, 1, 2, ... where it is empty
  std::size_t axes = 1;
};
/// Finds what a cache contains, by all of its numbers and their copies. Errors: those of diagnose_rotation.
[[nodiscard]] Expected<Diagnosis> diagnose_cache(const CacheSamples& samples, const Expectation& expected);

}  // namespace posenc
