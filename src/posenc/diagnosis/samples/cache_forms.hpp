#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/cache_diagnosis.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/samples/stored_type.hpp"

namespace posenc::diagnosis {

/// A cache as one of the forms it may have.
struct CacheView {
  std::string_view form;  ///< as FoundRotation::form
  std::size_t sequence_axis = 0, dims_axis = 0;
  bool has_parts = false;           ///< the last axis, of extent 2, belongs to the dimensions
  StoredType type;                  ///< the coarser of both arrays
  std::size_t tokens = 0;           ///< that the sequence's axis has
  std::vector<std::size_t> chosen;  ///< those that were looked at
  PairRotations rotations;          ///< of these; a unit is a rounding of the longest number
  double copies = 0;                ///< bits: copies of a number that differ
  double units = 0;                 ///< by so many roundings at most
  double misfit = 0;                ///< these, and lengths that differ
};

/// All forms and axes that shapes and the number of positions allow, the best first. `tokens` is 0 where positions are
/// not given. Errors: those of stored_type_of; shapes that differ; no axis of so many tokens.
[[nodiscard]] Expected<std::vector<CacheView>> cache_views(const CacheSamples& samples, std::size_t tokens);

/// Takes the same view of other tokens, with the same unit.
[[nodiscard]] CacheView view_tokens_like(const CacheSamples& samples, const CacheView& like,
                                         std::vector<std::size_t> tokens);

}  // namespace posenc::diagnosis
