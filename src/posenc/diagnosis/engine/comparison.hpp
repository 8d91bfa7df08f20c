#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "posenc/diagnosis/engine/sample_view.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"

namespace posenc::diagnosis {

/// Where tokens are: positions [axes, tokens].
struct Places {
  std::span<const double> positions;
  std::size_t axes = 1;

  [[nodiscard]] std::size_t tokens() const { return positions.size() / axes; }
  [[nodiscard]] double at(std::size_t axis, std::size_t token) const { return positions[axis * tokens() + token]; }
};

/// The rotations of some tokens as they were measured: one complex number a token and pair, [tokens, pairs], and what
/// it may be off by; infinite where nothing shows it.
struct Measured {
  std::vector<std::size_t> tokens;
  std::size_t pairs = 0;
  std::vector<double> real, imaginary, error;

  [[nodiscard]] std::size_t at(std::size_t i, std::size_t pair) const { return i * pairs + pair; }
};
[[nodiscard]] Measured measure(const SampleView& view, std::vector<std::size_t> tokens);

/// Whether rotations of these numbers lie within what was measured, before anything is simulated: true wherever a
/// simulation might explain the values. `axis_of_pair` is empty where there is one axis.
[[nodiscard]] bool may_explain(const Measured& measured, const Places& places, const HypothesisNumbers& numbers,
                               bool is_named, std::span<const std::int64_t> axis_of_pair);

/// The largest residuals of a simulation: in units in the last place of the vectors' values, and in what was allowed.
struct Comparison {
  bool explains = true;
  double ulps = 0, units = 0;
  /// Angles of some pairs may be off by a radian, or a quarter of one, wherever they turn, and few others are known
  /// better: the first explains nothing, the second is a rival and no proof.
  bool is_blind = false, is_weak = false;
};

/// Which pair of a hypothesis the first and the second dimension of each pair turn by, where these are not the same.
struct PairsOfDims {
  std::vector<std::size_t> first = {}, second = {};
};

/// What a hypothesis makes of the vectors of one token after another.
class Simulation {
 public:
  /// `angles`: the hypothesis's, as many pairs as the view has. All but the hypothesis has to outlive it.
  Simulation(const SampleView& view, HypothesisAngles& angles, const RotationHypothesis& hypothesis, bool is_named,
             std::span<const std::int64_t> axis_of_pair, const PairsOfDims& dims = {});

  /// Turns the pairs of an axis to a position; false where there are no such angles.
  [[nodiscard]] bool turn(std::size_t axis, double position);
  /// Whether the values of a token are those of the pairs as they were turned, of an axis or of all; `made` gets the
  /// residuals, and ends at the first value that is not, unless it is to be marked.
  bool compare(std::size_t token, std::optional<std::size_t> axis, Comparison& made, Marks* marks = nullptr) const;
  /// By how much the angle of each pair may be off.
  [[nodiscard]] std::span<const double> loose_angles() const { return dims_[0].loose; }
  [[nodiscard]] bool has(std::size_t pair, std::size_t axis) const {
    return axis_of_pair_.empty() || axis_of_pair_[pair] == static_cast<std::int64_t>(axis);
  }

 private:
  /// What one dimension of each pair turns by, and by how much that angle, its cosine and its sine may be off.
  struct Dims {
    std::vector<std::size_t> pairs;
    std::vector<double> loose;
    std::vector<RotatedPair> turned, off;
  };

  const SampleView* view_;
  HypothesisAngles& angles_;
  RotationMap map_;
  bool has_factor_, keeps_lengths_;
  std::span<const std::int64_t> axis_of_pair_;
  std::array<Dims, 2> dims_;
  std::vector<double> rates_, own_;  ///< loose_rate of each pair of the hypothesis; its cosines, sines and angles
};

/// Simulates a hypothesis and compares every value; ends at the first that is not allowed, unless it is to be marked.
/// `angles` may be those of another one with the same frequencies.
[[nodiscard]] Comparison compare(const SampleView& view, const Places& places, const RotationHypothesis& hypothesis,
                                 bool is_named, std::span<const std::int64_t> axis_of_pair, Marks* marks = nullptr,
                                 const PairsOfDims& dims = {}, HypothesisAngles* angles = nullptr);

/// Positions at which two computations differ by more than noise, nearest first; none where they never do up to
/// `reach`.
[[nodiscard]] std::vector<double> telling_positions(const RotationHypothesis& a, const RotationHypothesis& b,
                                                    bool is_named, const Noise& noise, double reach);

}  // namespace posenc::diagnosis
