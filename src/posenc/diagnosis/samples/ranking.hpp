#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/hypotheses/explain_rotations.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"

namespace posenc::diagnosis {

/// An explanation and what it costs; `hypothesis` is what discriminating_positions() compares.
struct Candidate {
  double data_bits = 0;                ///< of all values, in bits
  double cost = 0;                     ///< of stating it, in bits
  std::size_t form = 0;                ///< which pairing or arrangement: those of two are never the same
  std::size_t variant = 0;             ///< the same of one form: which axes pairs take
  RotationHypothesis hypothesis = {};  ///< of the pairs alone
  Explanation explanation = {};        ///< `bits` is not set yet

  [[nodiscard]] double total() const { return data_bits + cost; }
};

/// The cost of rotations by the noise model, in bits: each as likely anywhere in the square of `amplitude` around 0.
/// More than that is no explanation.
[[nodiscard]] double noise_model_bits(const PairRotations& rotations, double amplitude);

/// One way to see samples as rotations: a pairing, a form, an arrangement.
struct SeenForm {
  std::size_t form = 0;
  double misfit = 0, units = 0;  ///< of what rotations do not explain: bits, and the largest residual
  double noise_bits = 0;         ///< what the values cost without any candidate
  double rounding = 0;           ///< of their type
};

/// Candidates of all ways to see the samples, and the least that the values cost without any.
struct RotationAnswers {
  std::vector<Candidate> candidates;
  double noise_bits = std::numeric_limits<double>::infinity();

  /// Adds those of one way; their `ulps` are the largest residual itself.
  void add(std::vector<Candidate> explained, const SeenForm& seen);
};

/// Candidates in their order into a diagnosis, at most `most` of them: bits and the verdict. `noise_bits` is what the
/// values cost without any of them.
void weigh(std::vector<Candidate> candidates, double noise_bits, Diagnosis& diagnosis,
           std::size_t most = most_explanations);

/// The positions there are, [axes, tokens].
struct SampledPositions {
  std::span<const double> values;
  std::size_t axes = 1;
};

/// Ranks candidates that have hypotheses of rotations, with what to sample next where it is not certain. Those that
/// make the same rotations are one. Where `expected` names no arithmetic, float32 is no mistake. Returns the form of
/// the first, 0 where there is none. Errors: those of discriminating_positions.
[[nodiscard]] Expected<std::size_t> rank(std::vector<Candidate> candidates, double noise_bits,
                                         const SampledPositions& sampled, const Expectation& expected,
                                         Diagnosis& diagnosis, std::size_t most = most_explanations);

/// Notes that the values say too little, and, of kinds that have any, which positions would say more.
void set_too_little(Diagnosis& diagnosis, bool has_positions);

}  // namespace posenc::diagnosis
