#include "posenc/diagnosis/samples/unshown_pairs.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include "posenc/diagnosis/samples/hypothesis_residual.hpp"

namespace posenc::diagnosis {
namespace {

/// Whether a pair of dimensions is zeros in all vectors: of its rotation nothing is known.
bool has_unseen_pair(const PairRotations& seen) {
  for (std::size_t pair = 0; pair < seen.pairs; ++pair) {
    bool is_seen = false;
    for (std::size_t token = 0; token < seen.tokens && !is_seen; ++token)
      is_seen = std::isfinite(seen.units[token * seen.pairs + pair]);
    if (!is_seen) return true;
  }
  return false;
}

/// Whether pairs that were expected to stay are found to rotate, and what is left of them then is more than half of
/// what is left if they stayed: noise would move them, too. `tokens` are those of `seen`.
bool has_pair_of_noise(const RotationQuestion& question, const Pairing& pairing, PairRotations seen,
                       std::span<const std::size_t> tokens, const FoundRotation& found) {
  const auto& expected = question.expected_pairing;
  if (!expected) return false;
  const auto stays = [&](std::size_t dim) { return dim < expected->first || dim >= expected->first + expected->count; };
  bool is_wider = false;
  for (std::size_t pair = 0; pair < seen.pairs; ++pair) {
    const bool is_new =
        stays(dim_of(pairing.reads, pairing, pair, 0)) && stays(dim_of(pairing.reads, pairing, pair, 1));
    is_wider |= is_new;
    for (std::size_t token = 0; token < seen.tokens && !is_new; ++token)
      seen.units[token * seen.pairs + pair] = std::numeric_limits<double>::infinity();
  }
  if (!is_wider) return false;
  const auto positions = positions_at(question.positions, question.axes, tokens);
  RotationHypothesis still = found.hypothesis;
  still.position_scale = 0, still.first_position = 0;
  const double moved = hypothesis_residual(seen, positions, found.hypothesis, found.axis_of_pair).units;
  return moved > hypothesis_residual(std::move(seen), positions, still, found.axis_of_pair).units / 2;
}

}  // namespace

bool has_unshown_pair(const RotationQuestion& question, const Pairing& pairing, const HeadSamples& samples,
                      const FoundRotation& found) {
  PairRotations seen = measured_rotations(pairing, samples).rotations;
  return has_unseen_pair(seen) || has_pair_of_noise(question, pairing, std::move(seen), samples.tokens, found);
}

}  // namespace posenc::diagnosis
