#include "posenc/diagnosis/hypotheses/rotation_costs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/explain_rotations.hpp"
#include "posenc/diagnosis/samples/stored_type.hpp"

namespace posenc::diagnosis {
namespace {

/// A sum of logarithms, by one multiplication a term: bits are such sums.
class Bits {
 public:
  void add(double ratio) {
    product_ *= ratio;
    if (product_ < 0x1p500) return;
    product_ *= 0x1p-500;
    whole_ += 500;
  }
  [[nodiscard]] double sum() const { return whole_ + std::log2(product_); }

 private:
  double product_ = 1, whole_ = 0;
};

/// A pair whose frequency is not rounded as those of the others are costs so many bits more; so much costs that all are
/// rounded as another library does.
constexpr double loose_bits = 1, other_steps_bits = 2;

/// An angle of 16 bits has three roundings (position, frequency, product), of 2^-9 or less each; one of float32 that
/// and a running product's, one a pair, which 2^-16 allows for.
constexpr double rounded16_error = 0x1p-7, rounded32_error = 0x1p-16;

/// Below the normal values of float16, which the slowest frequencies are, roundings are half of this.
constexpr double smallest_float16 = 0x1p-24;

/// Other steps to frequencies in float32 are chosen by so many tokens, the last: those of large positions show them.
constexpr std::size_t tokens_of_steps = 8;

/// One value in so many may be anything: damaged ones.
constexpr std::size_t values_a_failure = 16;

/// How far an observed rotation is from a predicted one.
RotatedPair residual_of(const PairRotations& rotations, std::size_t at, const RotatedPair& predicted) {
  return {std::fabs(rotations.cosines[at] - predicted.real), std::fabs(rotations.sines[at] - predicted.imaginary)};
}

/// Adds the bits of one value, and notes its residual.
void note(double residual, double unit, double floor, Bits& bits, double& units) {
  const double ratio = residual / floor;
  bits.add((1 + ratio * ratio) * (floor / unit));
  units = std::max(units, ratio);
}

/// The cost of one pair's rotations: by roundings alone, and where angles may be loose.
struct PairFit {
  double tight = 0, loose = 0;
  double tight_units = 0, loose_units = 0, residual = 0;
  double bits = 0;  ///< of stating how the frequency was rounded

  /// A last bit is off at every position, or at none.
  [[nodiscard]] bool is_tight() const {
    return tight_units <= explained_units || (loose_units > explained_units && tight < loose);
  }
};

PairFit fit_pair(const PairRotations& rotations, const std::vector<double>& cosines, const std::vector<double>& sines,
                 std::span<const double> loose, const RotationMap& map, std::size_t pair) {
  Bits tight, loosened;
  PairFit made;
  for (std::size_t at = pair; at < rotations.tokens * rotations.pairs; at += rotations.pairs) {
    const double unit = rotations.units[at];
    if (!(unit < std::numeric_limits<double>::infinity())) continue;
    const RotatedPair predicted = map(cosines[at], sines[at]);
    const auto [real, imaginary] = residual_of(rotations, at, predicted);
    for (const double residual : {real, imaginary}) {
      note(residual, unit, unit, tight, made.tight_units);
      made.residual = std::max(made.residual, residual);
    }
    const auto [across, along] = turned_residual({rotations.cosines[at], rotations.sines[at]}, predicted);
    const double length = std::fabs(map.factor);
    note(across, unit, unit + length * loose[at], loosened, made.loose_units);
    note(along, unit, unit + length * shortening(loose[at]), loosened, made.loose_units);
  }
  made.tight = tight.sum(), made.loose = loosened.sum();
  return made;
}

using PairFits = std::vector<PairFit>;

PairFits fit_pairs(const PairRotations& rotations, const std::vector<double>& cosines, const std::vector<double>& sines,
                   std::span<const double> loose, const RotationMap& map) {
  PairFits made;
  made.reserve(rotations.pairs);
  for (std::size_t i = 0; i < rotations.pairs; ++i) made.push_back(fit_pair(rotations, cosines, sines, loose, map, i));
  return made;
}

/// The same by other steps to frequencies in float32; none where the angles cannot be made.
PairFits fit_by(Float32Steps steps, const PairRotations& rotations, std::span<const double> positions,
                const RotationHypothesis& hypothesis, std::span<const double> loose) {
  auto angles = HypothesisAngles::make(hypothesis, steps);
  std::vector<double> cosines(loose.size()), sines(loose.size());
  for (std::size_t k = 0; k < rotations.tokens; ++k)
    if (!angles ||
        !angles->write(positions[k], cosines.data() + k * rotations.pairs, sines.data() + k * rotations.pairs))
      return {};
  return fit_pairs(rotations, cosines, sines, loose, RotationMap(hypothesis));
}

RotationFit sum_of(const PairFits& pairs) {
  RotationFit made{.data_bits = 0};
  for (const PairFit& pair : pairs) {
    made.data_bits += pair.is_tight() ? pair.tight + pair.bits : pair.loose + loose_bits;
    made.units = std::max(made.units, pair.is_tight() ? pair.tight_units : pair.loose_units);
    made.residual = std::max(made.residual, pair.residual);
  }
  return made;
}

/// Takes from `others` the pairs that these explain in fewer bits by roundings alone.
RotationFit sum_of_better(PairFits pairs, const PairFits& others) {
  for (std::size_t i = 0; i < others.size(); ++i) {
    PairFit other = others[i];
    other.bits = loose_bits;
    const bool is_better = !pairs[i].is_tight() || other.tight + other.bits < pairs[i].tight;
    if (other.tight_units <= explained_units && is_better) pairs[i] = other;
  }
  return sum_of(pairs);
}

PairRotations last_tokens(const PairRotations& rotations, std::size_t count) {
  const auto last = [size = count * rotations.pairs](const std::vector<double>& from) {
    return std::vector<double>(from.end() - static_cast<std::ptrdiff_t>(size), from.end());
  };
  return {.tokens = count,
          .pairs = rotations.pairs,
          .cosines = last(rotations.cosines),
          .sines = last(rotations.sines),
          .units = last(rotations.units)};
}

/// The steps other than transformers' that fit best.
Float32Steps best_steps(const PairRotations& rotations, std::span<const double> positions,
                        const RotationHypothesis& hypothesis, std::span<const double> loose) {
  const PairRotations some = last_tokens(rotations, std::min(rotations.tokens, tokens_of_steps));
  Float32Steps best = Float32Steps::nearest;
  double least = std::numeric_limits<double>::infinity();
  for (const Float32Steps steps : {Float32Steps::nearest, Float32Steps::powers, Float32Steps::exponentials}) {
    const PairFits fits =
        fit_by(steps, some, positions.last(some.tokens), hypothesis, loose.last(some.tokens * some.pairs));
    const double bits = sum_of(fits).data_bits;
    if (fits.empty() || bits >= least) continue;
    best = steps, least = bits;
  }
  return best;
}

}  // namespace

TurnedResidual turned_residual(const RotatedPair& observed, const RotatedPair& predicted) {
  const double length = std::hypot(predicted.real, predicted.imaginary);
  const double real = observed.real - predicted.real, imaginary = observed.imaginary - predicted.imaginary;
  if (length == 0) return {.across = std::fabs(real), .along = std::fabs(imaginary)};
  return {.across = std::fabs(predicted.real * imaginary - predicted.imaginary * real) / length,
          .along = std::fabs(predicted.real * real + predicted.imaginary * imaginary) / length};
}

double shortening(double loose) { return explained_units * loose * loose / 2; }

double loose_units(const RotatedPair& observed, const RotatedPair& predicted, double unit, double loose) {
  const auto [across, along] = turned_residual(observed, predicted);
  const double length = std::sqrt(predicted.real * predicted.real + predicted.imaginary * predicted.imaginary);
  return std::max(across / (unit + length * loose), along / (unit + length * shortening(loose)));
}

double loose_angle(AngleArithmetic arithmetic, double angle, std::size_t pair, double frequency) {
  if (arithmetic == AngleArithmetic::exact || angle == 0) return 0;
  // The last bit of the power and of its reciprocal; and an exponent that is rounded moves a power base^-e by
  // ln(base) e 2^-24 at most. Of 16 bits this is hidden by their own rounding, but for ties.
  constexpr double power_roundings = 2;
  const double roundings = power_roundings + std::fabs(std::log(std::fabs(frequency)));
  // In a running product the power's last bit counts for each pair, and so does each product's.
  const double steps = arithmetic == AngleArithmetic::product ? static_cast<double>(pair) + power_roundings : roundings;
  return std::min(std::fabs(angle) * float32_rounding * steps, 1.0);
}

Expected<void> RotationCosts::predict(const RotationHypothesis& hypothesis, PredictedRotations& out) const {
  POSENC_TRY_LET(angles, HypothesisAngles::make(hypothesis));
  return predict(angles, out);
}

Expected<void> RotationCosts::predict(HypothesisAngles& angles, PredictedRotations& out) const {
  const std::size_t pairs = rotations_->pairs, size = rotations_->tokens * pairs;
  if (angles.pairs() != pairs)
    return invalid_argument("plan", 2.0 * static_cast<double>(angles.pairs()), {"2 * pairs"});
  const AngleArithmetic arithmetic = angles.arithmetic();
  const bool is_exact = arithmetic == AngleArithmetic::exact;
  const std::span<const double> radians = angles.radians();
  out.cosines.resize(size), out.sines.resize(size);
  out.loose.resize(is_exact ? 0 : size);
  for (std::size_t k = 0; k < rotations_->tokens; ++k) {
    double* const loose = is_exact ? nullptr : out.loose.data() + k * pairs;
    POSENC_TRY(angles.write(positions_[k], out.cosines.data() + k * pairs, out.sines.data() + k * pairs, loose));
    for (std::size_t i = 0; !is_exact && i < pairs; ++i) loose[i] = loose_angle(arithmetic, loose[i], i, radians[i]);
  }
  return {};
}

RotationFit RotationCosts::fit_exact(const PredictedRotations& predicted, const RotationHypothesis& hypothesis,
                                     double bound) const {
  const RotationMap map(hypothesis);
  const std::size_t pairs = rotations_->pairs;
  Bits bits;
  RotationFit made;
  for (std::size_t k = 0; k < rotations_->tokens; ++k) {
    for (std::size_t at = k * pairs; at < (k + 1) * pairs; ++at) {
      const double unit = rotations_->units[at];
      if (!(unit < std::numeric_limits<double>::infinity())) continue;
      const auto [real, imaginary] = residual_of(*rotations_, at, map(predicted.cosines[at], predicted.sines[at]));
      const double a = real / unit, b = imaginary / unit;
      bits.add(1 + a * a);
      bits.add(1 + b * b);
      const double larger = std::max(real, imaginary);
      made.residual = std::max(made.residual, larger);
      made.units = std::max(made.units, larger / unit);
    }
    if (bits.sum() >= bound) return {};
  }
  made.data_bits = bits.sum();
  return made;
}

RotationFit RotationCosts::fit_rounded(const PredictedRotations& predicted,
                                       const RotationHypothesis& hypothesis) const {
  const PairFits library =
      fit_pairs(*rotations_, predicted.cosines, predicted.sines, predicted.loose, RotationMap(hypothesis));
  const RotationFit made = sum_of(library);
  // Frequencies need not be those of transformers to the last bit, of all pairs or of some.
  const bool may_differ =
      hypothesis.arithmetic == AngleArithmetic::float32 &&
      std::ranges::all_of(library, [](const PairFit& pair) { return pair.loose_units <= explained_units; }) &&
      std::ranges::any_of(library, [](const PairFit& pair) { return pair.tight_units > indistinct_units; });
  if (!may_differ) return made;
  const Float32Steps steps = best_steps(*rotations_, positions_, hypothesis, predicted.loose);
  const PairFits others = fit_by(steps, *rotations_, positions_, hypothesis, predicted.loose);
  RotationFit by_library = sum_of_better(library, others), by_others = sum_of_better(others, library);
  if (!others.empty() && by_others.data_bits + other_steps_bits < by_library.data_bits) {
    by_others.data_bits += other_steps_bits;
    return by_others;
  }
  return by_library;
}

RotationFit RotationCosts::fit(const PredictedRotations& predicted, const RotationHypothesis& hypothesis,
                               double bound) const {
  return predicted.loose.empty() ? fit_exact(predicted, hypothesis, bound) : fit_rounded(predicted, hypothesis);
}

bool RotationCosts::may_be_rounded(const PredictedRotations& exact, const RotationHypothesis& hypothesis,
                                   const HypothesisNumbers& numbers) const {
  const RotationMap map(hypothesis);
  const bool has16 =
      hypothesis.arithmetic == AngleArithmetic::float16 || hypothesis.arithmetic == AngleArithmetic::bfloat16;
  const double relative = has16 ? rounded16_error : rounded32_error;
  const double least = hypothesis.arithmetic == AngleArithmetic::float16 ? smallest_float16 : 0;
  const std::size_t pairs = rotations_->pairs, size = rotations_->tokens * pairs;
  std::size_t beyond = 0;
  for (std::size_t k = 0, at = 0; k < rotations_->tokens; ++k) {
    const double position = std::fabs(positions_[k] + numbers.first_position);
    for (std::size_t i = 0; i < pairs; ++i, ++at) {
      const auto [real, imaginary] = residual_of(*rotations_, at, map(exact.cosines[at], exact.sines[at]));
      const double angle = relative * position * std::fabs(numbers.rates[i]) +
                           least * (1 + position * std::fabs(hypothesis.position_scale));
      const double reach = explained_units * rotations_->units[at] + std::fabs(hypothesis.factor) * angle;
      if (real > reach || imaginary > reach) ++beyond;
    }
  }
  return beyond * values_a_failure <= size;
}

double RotationCosts::best_factor(const PredictedRotations& predicted, const RotationHypothesis& hypothesis) const {
  const RotationMap map(hypothesis, 1);
  double products = 0, weights = 0;
  for (std::size_t at = 0; at < predicted.cosines.size(); ++at) {
    const double weight = 1 / (rotations_->units[at] * rotations_->units[at]);  // 0 where a rotation is unknown
    if (weight == 0) continue;
    const auto [real, imaginary] = map(predicted.cosines[at], predicted.sines[at]);
    products += weight * (real * rotations_->cosines[at] + imaginary * rotations_->sines[at]);
    weights += weight;
  }
  return weights == 0 ? 1 : products / weights;
}

double RotationCosts::apart(const PredictedRotations& a, const RotationHypothesis& of_a, const PredictedRotations& b,
                            const RotationHypothesis& of_b) const {
  const RotationMap map_a(of_a), map_b(of_b);
  double most = 0;
  for (std::size_t at = 0; at < a.cosines.size(); ++at) {
    if (!(rotations_->units[at] < std::numeric_limits<double>::infinity())) continue;
    const RotatedPair first = map_a(a.cosines[at], a.sines[at]), second = map_b(b.cosines[at], b.sines[at]);
    const double real = first.real - second.real, imaginary = first.imaginary - second.imaginary;
    most = std::max(most, std::max(std::fabs(real), std::fabs(imaginary)) / rotations_->units[at]);
  }
  return most;
}

}  // namespace posenc::diagnosis
