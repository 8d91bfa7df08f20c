#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/engine/engine.hpp"
#include "posenc/diagnosis/views/pairing.hpp"

namespace posenc::diagnosis {

/// A finding in one way of seeing the samples: a pairing, a form, an arrangement; and the explanation that it is.
struct Answer {
  Finding finding;
  std::size_t form = 0;
  Explanation explanation = {};
};

/// Adds an answer, unless it is among them already: by the fewest mistakes.
void add_answer(Answer made, std::vector<Answer>& answers);

/// The rounding of results that are cosines themselves. A coarser type that all of them fit is a finding of its own,
/// and no mistake; where their type is stated, cosines may be coarser than it.
[[nodiscard]] inline double rounding_of_computed(std::span<const StoredType> types) {
  return types.size() > 1 ? 1 : types.front().rounding;
}

/// The expectation of so many rotated dimensions, of heads with `head_dim` in all; `rounding` is that of the results.
[[nodiscard]] RotationContext rotation_context(const Expectation& expected, std::size_t rotated, std::size_t head_dim,
                                               double rounding);

/// The contexts of a pairing: other dimensions than the expected ones may have the expected ones' exponents.
[[nodiscard]] std::vector<RotationContext> rotation_contexts(const Expectation& expected, std::size_t rotated,
                                                             std::size_t head_dim, double rounding);

/// A hypothesis of the pairs alone, as one of the head.
[[nodiscard]] FoundRotation found_rotation(RotationHypothesis hypothesis, const Pairing& pairing, std::size_t dims);

/// The explanation that a finding is where these pairs were looked at, with the mistakes of their dimensions and what
/// mends them.
[[nodiscard]] Explanation explanation_of(const Finding& finding, const Pairing& pairing, std::size_t dims,
                                         const Expectation& expected);

/// Sets what mends the mistakes of a hypothesis; there is a plan.
void set_hypothesis_remedy(const Expectation& expected, const RotationHypothesis& hypothesis, Explanation& explanation);

/// The verdict: explanations are counted, the fewest mistakes first, and positions are looked for that would tell them
/// apart. `has_unseen` says that inputs of some pairs are zeros. Where nothing explains the values but what leaves
/// angles open, there is no verdict, and `open_type` gets the type of the results, unless it has one.
void conclude(std::vector<Answer> answers, const Places& places, const Expectation& expected, const Noise& noise,
              bool has_unseen, Diagnosis& diagnosis, std::string_view* open_type = nullptr);

/// The verdict where nothing at all explained the values, but for what leaves angles open with this type.
void conclude_open(std::string_view open_type, Diagnosis& diagnosis);

/// Whether both make the same numbers everywhere.
[[nodiscard]] bool is_same_rotation(const Explanation& a, const Explanation& b);

/// Notes that the values say too little, and, of kinds that have any, which positions would say more.
void set_too_little(Diagnosis& diagnosis, bool has_positions);

/// Makes an expectation of the rotation that a diagnosis found; without a plan where that is more than a plan says.
[[nodiscard]] Expectation expectation_of(const Diagnosis& found);

/// 0, 1, 2, ... where no positions are given.
[[nodiscard]] std::vector<double> given_positions(std::span<const double> positions, std::size_t tokens);

}  // namespace posenc::diagnosis
