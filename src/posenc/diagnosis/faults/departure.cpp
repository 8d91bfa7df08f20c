#include "posenc/diagnosis/faults/departure.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "posenc/base/try.hpp"
#include "posenc/diagnosis/axes/axis_assignment.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/rotation_costs.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/samples/hypothesis_residual.hpp"

namespace posenc::diagnosis {
namespace {

using Complex = std::complex<double>;

/// Marks of tokens, heads and pairs.
struct Marks {
  std::vector<bool> tokens, heads, pairs;

  [[nodiscard]] bool are_all() const {
    const auto is_marked = [](bool mark) { return mark; };
    return std::ranges::all_of(tokens, is_marked) && std::ranges::all_of(heads, is_marked) &&
           std::ranges::all_of(pairs, is_marked);
  }

  [[nodiscard]] static std::vector<std::int64_t> marked(const std::vector<bool>& marks) {
    std::vector<std::int64_t> made;
    for (std::size_t i = 0; i < marks.size(); ++i)
      if (marks[i]) made.push_back(static_cast<std::int64_t>(i));
    return made;
  }
};

/// An expected rotation, and by how much its angle may be off where libraries differ.
struct LooseRotation {
  Complex rotation;
  double loose = 0;
};

/// The expected rotations of some tokens, [tokens, pairs]; each pair has the positions of its axis.
Expected<std::vector<LooseRotation>> rotations_at(const RotationHypothesis& hypothesis, AngleArithmetic loosest,
                                                  std::span<const double> positions,
                                                  std::span<const std::int64_t> axis_of_pair, std::size_t axes) {
  POSENC_TRY_LET(angles, HypothesisAngles::make(hypothesis));
  const std::size_t tokens = positions.size() / axes, pairs = axis_of_pair.size();
  std::vector<double> cosines(pairs), sines(pairs), radians(pairs);
  std::vector<LooseRotation> made(tokens * pairs);
  const RotationMap map(hypothesis);
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (std::size_t token = 0; token < tokens; ++token) {
      POSENC_TRY(angles.write(positions[axis * tokens + token], cosines.data(), sines.data(), radians.data()));
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        if (axis_of_pair[pair] != static_cast<std::int64_t>(axis)) continue;
        const RotatedPair rotated = map(cosines[pair], sines[pair]);
        const double loose = loose_angle(loosest, radians[pair], pair, angles.radians()[pair]);
        made[token * pairs + pair] = {{rotated.real, rotated.imaginary}, loose};
      }
    }
  return made;
}

/// Marks what is further from the expected rotations than roundings explain.
void mark(const HeadSamples& vectors, std::size_t first_token, std::size_t first_head, const Pairing& pairing,
          std::span<const LooseRotation> rotations, Marks& marks) {
  const auto pair_at = [&](const std::vector<double>& values, Layout layout, std::size_t start, std::size_t pair) {
    return Complex{values[start + dim_of(layout, pairing, pair, 0)], values[start + dim_of(layout, pairing, pair, 1)]};
  };
  for (std::size_t token = 0; token < vectors.tokens.size(); ++token)
    for (std::size_t head = 0; head < vectors.heads; ++head) {
      const std::size_t start = vectors.at(token, head);
      bool departs = false;
      for (std::size_t pair = 0; pair < pairing.pairs(); ++pair) {
        const Complex before = pair_at(vectors.before, pairing.reads, start, pair);
        const Complex after = pair_at(vectors.after, pairing.writes, start, pair);
        const auto& [rotation, loose] = rotations[token * pairing.pairs() + pair];
        const double size = std::sqrt(std::norm(before));
        const double unit = vectors.unit(start, size, std::max(size, std::sqrt(std::norm(after))));
        const Complex right = rotation * before;
        if (std::norm(after - right) <= explained_units * unit * explained_units * unit) continue;
        const RotatedPair observed{after.real(), after.imag()};
        if (loose_units(observed, {right.real(), right.imag()}, unit, loose) <= explained_units) continue;
        departs = marks.pairs[pair] = true;
      }
      // Nothing moves the dimensions beside the pairs.
      for (std::size_t dimension = 0; dimension < vectors.dims; ++dimension) {
        const bool rotates = dimension >= pairing.first && dimension < pairing.first + pairing.count;
        const double before = vectors.before[start + dimension], after = vectors.after[start + dimension];
        if (rotates || before == after) continue;
        const double unit = vectors.unit(start, std::fabs(before), std::max(std::fabs(before), std::fabs(after)));
        departs = departs || std::fabs(after - before) > explained_units * unit;
      }
      if (departs) marks.tokens[first_token + token] = marks.heads[first_head + head] = true;
    }
}

}  // namespace

Expected<Departure> departure_from(const RotationSamples& samples, const Expectation& expected,
                                   const RotationAxes& axes, const HeadSamples& searched, const Pairing& pairing) {
  const std::size_t tokens = samples.positions.size() / samples.axes;
  const std::size_t heads = samples.before.values.size() / tokens / searched.dims;
  std::vector<std::int64_t> axis_of_pair(pairing.pairs(), 0);
  if (samples.axes > 1) axis_of_pair = mrope_axes(expected.mrope_section, expected.mrope_order, pairing.pairs());
  Departure made;
  if (axis_of_pair.empty()) return made;
  const RotationHypothesis hypothesis = expected_hypothesis(expected, pairing);
  // Where no arithmetic was named, float32 is as right as exact.
  const AngleArithmetic loosest = expected.arithmetic.value_or(AngleArithmetic::float32);
  Marks marks{.tokens = std::vector<bool>(tokens),
              .heads = std::vector<bool>(heads),
              .pairs = std::vector<bool>(pairing.pairs())};
  std::vector<LooseRotation> rotations;
  const auto compare = [&](const HeadSamples& vectors, std::size_t token, std::size_t head) -> Expected<bool> {
    if (head == 0) {
      const std::vector<double> positions = positions_at(samples.positions, samples.axes, vectors.tokens);
      POSENC_TRY_LET(right, rotations_at(hypothesis, loosest, positions, axis_of_pair, samples.axes));
      rotations = std::move(right);
    }
    mark(vectors, token, head, pairing, rotations, marks);
    return true;
  };
  POSENC_TRY(for_all_vectors(samples.before, samples.after, axes, searched, compare));
  // A departure that is everywhere has no place.
  if (marks.are_all()) return made;
  made.tokens = Marks::marked(marks.tokens);
  made.heads = Marks::marked(marks.heads);
  made.pairs = Marks::marked(marks.pairs);
  made.of_tokens = static_cast<std::int64_t>(tokens);
  return made;
}

}  // namespace posenc::diagnosis
