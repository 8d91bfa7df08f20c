#include "posenc/diagnosis/faults/unequal_angles.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/rotation_costs.hpp"

// std::log2 is right here: bits of evidence are compared with thresholds, not kept.

namespace posenc::diagnosis {
namespace {

/// Compares vectors with one possibility. Ends where a value is not explained.
class DimComparison {
 public:
  DimComparison(const DimAngles& dims, const Pairing& pairing, HypothesisAngles angles, AngleArithmetic loosest)
      : dims_(dims),
        pairing_(pairing),
        angles_(std::move(angles)),
        loosest_(loosest),
        cosines_(angles_.pairs()),
        sines_(angles_.pairs()),
        radians_(angles_.pairs()) {}

  [[nodiscard]] Expected<bool> explains(const HeadSamples& vectors, std::span<const double> positions) {
    for (std::size_t token = 0; token < vectors.tokens.size(); ++token) {
      POSENC_TRY(angles_.write(positions[token], cosines_.data(), sines_.data(), radians_.data()));
      for (std::size_t head = 0; head < vectors.heads; ++head) {
        const std::size_t start = vectors.at(token, head);
        for (std::size_t pair = 0; pair < pairing_.pairs(); ++pair)
          for (const std::size_t part : {std::size_t{0}, std::size_t{1}}) add(vectors, start, pair, part);
        for (std::size_t dim = 0; dim < vectors.dims; ++dim)
          if (dim < pairing_.first || dim >= pairing_.first + pairing_.count)
            add(vectors, start, dim, vectors.before[start + dim], 0, std::fabs(vectors.before[start + dim]));
      }
      if (made_.units > explained_units) return false;
    }
    return true;
  }

  [[nodiscard]] const UnequalAngles& made() const { return made_; }

 private:
  void add(const HeadSamples& vectors, std::size_t start, std::size_t pair, std::size_t part) {
    const std::size_t dim = dim_of(pairing_.writes, pairing_, pair, part);
    const std::size_t angle = dims_.pair_of_dim[dim - pairing_.first];
    const double own = vectors.before[start + dim_of(pairing_.reads, pairing_, pair, part)];
    const double other = vectors.before[start + dim_of(pairing_.reads, pairing_, pair, 1 - part)];
    const RotatedPair rotated = RotationMap(dims_.hypothesis)(cosines_[angle], sines_[angle]);
    const double loose = loose_angle(loosest_, radians_[angle], angle, angles_.radians()[angle]);
    const double length = std::hypot(own, other);
    add(vectors, start, dim, own * rotated.real + (part == 0 ? -other : other) * rotated.imaginary,
        loose * std::fabs(dims_.hypothesis.factor) * length / explained_units, length);
  }

  void add(const HeadSamples& vectors, std::size_t start, std::size_t dim, double predicted, double loose,
           double length) {
    const double after = vectors.after[start + dim];
    const double unit = vectors.unit(start, length, std::max(length, std::fabs(after))) + loose;
    const double residual = std::fabs(after - predicted);
    if (residual == 0 && length == 0) return;
    made_.units = std::max(made_.units, residual / unit);
    if (length > 0) made_.residual = std::max(made_.residual, residual / length);
    // Only what is not where it was shows anything.
    const double moved = std::fabs(after - vectors.before[start + dim]);
    if (moved > explained_units * unit) made_.bits += std::log2(moved / (explained_units * unit));
  }

  const DimAngles& dims_;
  const Pairing& pairing_;
  HypothesisAngles angles_;
  AngleArithmetic loosest_;
  std::vector<double> cosines_, sines_, radians_;
  UnequalAngles made_;
};

}  // namespace

std::vector<DimAngles> possible_dim_angles(const Expectation& expected, const Pairing& pairing) {
  std::vector<DimAngles> made;
  DimAngles cache{
      .mistake = Mistake::cache_form, .hypothesis = expected_hypothesis(expected, pairing), .pair_of_dim = {}};
  const bool is_half = pairing.reads == Layout::half;
  for (std::size_t dimension = 0; dimension < pairing.count; ++dimension)
    cache.pair_of_dim.push_back(is_half ? dimension / 2 : dimension % pairing.pairs());
  made.push_back(cache);
  if (!std::holds_alternative<scaling::Default>(cache.hypothesis.plan.scaling)) return made;
  const auto count = static_cast<std::int64_t>(pairing.count);
  for (const std::int64_t denominator : {2 * count, count}) {
    DimAngles by_dim = cache;
    by_dim.mistake = Mistake::exponent_by_dim;
    by_dim.hypothesis.plan = plain_plan(cache.hypothesis.plan);
    by_dim.hypothesis.plan.dim = 2 * count;
    by_dim.hypothesis.plan.exponent_dim = denominator;
    std::iota(by_dim.pair_of_dim.begin(), by_dim.pair_of_dim.end(), std::size_t{0});
    made.push_back(std::move(by_dim));
  }
  return made;
}

Expected<std::optional<UnequalAngles>> unequal_angles(const RotationSamples& samples, const Expectation& expected,
                                                      const RotationAxes& axes, const HeadSamples& searched,
                                                      const Pairing& pairing) {
  std::optional<UnequalAngles> none;
  if (!expected.plan || samples.axes != 1 || pairing.reads != pairing.writes) return none;
  for (const DimAngles& dims : possible_dim_angles(expected, pairing)) {
    auto angles = HypothesisAngles::make(dims.hypothesis);
    if (!angles) continue;
    const AngleArithmetic loosest = expected.arithmetic.value_or(AngleArithmetic::float32);
    DimComparison comparison(dims, pairing, *std::move(angles), loosest);
    bool explains = true;
    const auto compare = [&](const HeadSamples& vectors, std::size_t token, std::size_t) -> Expected<bool> {
      const auto compared = comparison.explains(vectors, samples.positions.subspan(token, vectors.tokens.size()));
      return explains = compared && *compared;
    };
    POSENC_TRY(for_all_vectors(samples.before, samples.after, axes, searched, compare));
    if (!explains || comparison.made().bits < ambiguous_bits) continue;
    UnequalAngles made = comparison.made();
    made.mistake = dims.mistake;
    return std::optional(made);
  }
  return none;
}

}  // namespace posenc::diagnosis
