#pragma once

#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/samples/pairing.hpp"
#include "posenc/diagnosis/samples/stored_type.hpp"

namespace posenc::diagnosis {

/// The axes of a tensor that rotation sees; all others are heads, rotated alike.
struct RotationAxes {
  std::size_t sequence = 0, dims = 0;
};

/// Vectors before and after, [tokens, heads, dimensions] whatever their axes were. Of large tensors a part, evenly
/// spread: at most `most_tokens`, and `most_values` of either.
struct HeadSamples {
  static constexpr std::size_t most_tokens = 96, most_values = std::size_t{1} << 20;

  std::size_t heads = 0, dims = 0;
  std::vector<std::size_t> tokens;  ///< indices on the sequence axis
  std::vector<double> before, after;
  StoredType before_type, after_type;

  [[nodiscard]] std::size_t at(std::size_t token, std::size_t head) const { return (token * heads + head) * dims; }
  /// The error that roundings may cause in a value of a vector that is as large as these, before and after. Values
  /// before are those that were rotated unless `rounded_before`: then they were rounded afterwards, too.
  [[nodiscard]] double unit(std::size_t start, double before_size, double after_size) const;
  bool rounded_before = false;
  double before_error = 0;  ///< RotationSamples::before_error
};
[[nodiscard]] HeadSamples gather(const SampledTensor& before, const SampledTensor& after, const RotationAxes& axes);

/// Gathers other tokens and heads of the same vectors, with the same roundings.
[[nodiscard]] HeadSamples gather_others(const SampledTensor& before, const SampledTensor& after,
                                        const RotationAxes& axes, const HeadSamples& like,
                                        std::vector<std::size_t> tokens, std::span<const std::size_t> heads);

/// The indices from 0 on.
[[nodiscard]] inline std::vector<std::size_t> first_indices(std::size_t count) {
  std::vector<std::size_t> made(count);
  std::iota(made.begin(), made.end(), std::size_t{0});
  return made;
}

/// Some vectors, and which token and head are the first of them; whether to go on.
using UseVectors = std::function<Expected<bool>(const HeadSamples&, std::size_t first_token, std::size_t first_head)>;

/// Calls `use` with all vectors, as many at a time as are searched; `like` has their roundings. Errors: those of `use`.
[[nodiscard]] Expected<void> for_all_vectors(const SampledTensor& before, const SampledTensor& after,
                                             const RotationAxes& axes, const HeadSamples& like, const UseVectors& use);

/// The dimensions that differ by more than the rounding of a few operations.
[[nodiscard]] ChangedDims changed_dims(const HeadSamples& samples);

/// The fit of a pairing, whatever the angles are.
struct PairingFit {
  Pairing pairing;
  double factor = 1;  ///< what all pairs are longer by
  double misfit =
      0;  ///< in bits: pairs of another length, heads that rotation unlike one another, other dimensions that moved
};

/// Fits a pairing to some of the samples. Stops where the misfit passes `limit`.
[[nodiscard]] PairingFit fit_of(const Pairing& pairing, const HeadSamples& samples, double limit);

/// The rotations that a pairing sees, heads together, by least squares. `misfit` is that of the dimensions that
/// rotations do not explain: heads that differ from one another, dimensions beside the pairs; `units` the largest
/// residual of these.
struct MeasuredRotations {
  PairRotations rotations;
  double misfit = 0, units = 0;
};
[[nodiscard]] MeasuredRotations measured_rotations(const Pairing& pairing, const HeadSamples& samples);

}  // namespace posenc::diagnosis
