#include "posenc/diagnosis/laws/turn_scores.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/diagnosis/laws/evidence.hpp"

namespace posenc::diagnosis {
namespace {

/// A sum of logarithms, by one multiplication a term. The sums of `surprise` come down to it.
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

/// What it costs to say that the library's angles of a pair are not those of correctly rounded powers.
constexpr double loose_bits = 1;

/// An angle of 16 bits has three roundings (position, frequency, product), of 2^-9 or less each; one of float32 that
/// and a running product's, one a pair, which 2^-16 leaves room for.
constexpr double rounded16_error = 0x1p-7, rounded32_error = 0x1p-16;

/// Below the normal values of float16, which the slowest frequencies are, roundings are half of this.
constexpr double smallest_float16 = 0x1p-24;

/// One turn in so many may be anything: damaged values.
constexpr std::size_t turns_a_failure = 16;

/// The prediction of a law from its angle's cosine and sine.
struct Variant {
  double factor, sign;
  bool exchanged;

  explicit Variant(const TurnLaw& law) : Variant(law, law.factor) {}
  Variant(const TurnLaw& law, double scale)
      : factor(scale), sign(law.negative ? -scale : scale), exchanged(law.exchanged) {}

  [[nodiscard]] double real(double cosine, double sine) const { return exchanged ? sign * sine : factor * cosine; }
  [[nodiscard]] double imaginary(double cosine, double sine) const { return exchanged ? factor * cosine : sign * sine; }
};

/// Adds one value's surprise, and notes its residual.
void note(double residual, double unit, double floor, Bits& bits, double& units) {
  const double ratio = residual / floor;
  bits.add((1 + ratio * ratio) * (floor / unit));
  units = std::max(units, ratio);
}

/// What one pair's turns are surprised by: by roundings alone, and where angles may be loose.
struct PairFit {
  double tight = 0, loose = 0;
  double tight_units = 0, loose_units = 0, residual = 0;
  double bits = 0;  ///< of saying how the frequency was rounded

  /// A last bit is off at every position, or at none.
  [[nodiscard]] bool is_tight() const {
    return tight_units <= explained_units || (loose_units > explained_units && tight < loose);
  }
};

PairFit fit_pair(const Turns& turns, const std::vector<double>& cosines, const std::vector<double>& sines,
                 const std::vector<double>& loose, const Variant& variant, std::size_t pair) {
  Bits tight, loosened;
  PairFit made;
  for (std::size_t at = pair; at < turns.tokens * turns.pairs; at += turns.pairs) {
    const double unit = turns.units[at];
    if (!(unit < std::numeric_limits<double>::infinity())) continue;
    const double real = std::fabs(turns.cosines[at] - variant.real(cosines[at], sines[at]));
    const double imaginary = std::fabs(turns.sines[at] - variant.imaginary(cosines[at], sines[at]));
    const double floor = unit + std::fabs(variant.factor) * loose[at];
    for (const double residual : {real, imaginary}) {
      note(residual, unit, unit, tight, made.tight_units);
      note(residual, unit, floor, loosened, made.loose_units);
      made.residual = std::max(made.residual, residual);
    }
  }
  made.tight = tight.sum(), made.loose = loosened.sum();
  return made;
}

/// Frequencies need not be those of transformers to the last bit: in place of the pairs where they are not, what the
/// exact ones in float32 leave, where that is no more than roundings.
void take_nearest(const Turns& turns, std::span<const double> positions, const TurnLaw& law,
                  const PredictedTurns& library, std::vector<PairFit>& pairs) {
  auto angles = TurnAngles::make(law, Float32Steps::nearest);
  if (!angles) return;
  std::vector<double> cosines(library.cosines.size()), sines(library.sines.size());
  for (std::size_t k = 0; k < turns.tokens; ++k)
    if (!angles->write(positions[k], cosines.data() + k * turns.pairs, sines.data() + k * turns.pairs)) return;
  for (std::size_t i = 0; i < turns.pairs; ++i) {
    if (pairs[i].is_tight()) continue;
    PairFit nearest = fit_pair(turns, cosines, sines, library.loose, Variant(law), i);
    nearest.bits = loose_bits;
    if (nearest.tight_units <= explained_units) pairs[i] = nearest;
  }
}

}  // namespace

double loose_angle(AngleArithmetic arithmetic, double angle, std::size_t pair, double frequency) {
  if (arithmetic == AngleArithmetic::exact || angle == 0) return 0;
  // The last bit of the power and of its reciprocal; and an exponent that is rounded moves a power base^-e by
  // ln(base) e 2^-24 at most. Of 16 bits this is hidden by their own rounding, but for ties.
  const double roundings = 2 + std::fabs(std::log(std::fabs(frequency)));
  // Of a running product the power's last bit counts for each pair, and so does each product's.
  const double steps = arithmetic == AngleArithmetic::product ? static_cast<double>(pair + 2) : roundings;
  return std::min(std::fabs(angle) * 0x1p-24 * steps, 1.0);
}

Expected<void> TurnScores::predict(const TurnLaw& law, PredictedTurns& out) const {
  auto angles = TurnAngles::make(law);
  if (!angles) return error_of(angles);
  return predict(*angles, out);
}

Expected<void> TurnScores::predict(TurnAngles& angles, PredictedTurns& out) const {
  const std::size_t pairs = turns_->pairs, size = turns_->tokens * pairs;
  if (angles.pairs() != pairs)
    return std::unexpected(Error("plan", 2.0 * static_cast<double>(angles.pairs()), "2 * pairs"));
  const AngleArithmetic arithmetic = angles.arithmetic();
  const bool is_exact = arithmetic == AngleArithmetic::exact;
  const std::span<const double> radians = angles.radians();
  out.cosines.resize(size), out.sines.resize(size);
  out.loose.resize(is_exact ? 0 : size);
  for (std::size_t k = 0; k < turns_->tokens; ++k) {
    double* const loose = is_exact ? nullptr : out.loose.data() + k * pairs;
    if (auto written = angles.write(positions_[k], out.cosines.data() + k * pairs, out.sines.data() + k * pairs, loose);
        !written)
      return written;
    for (std::size_t i = 0; !is_exact && i < pairs; ++i) loose[i] = loose_angle(arithmetic, loose[i], i, radians[i]);
  }
  return {};
}

TurnFit TurnScores::fit_exact(const PredictedTurns& predicted, const TurnLaw& law, double bound) const {
  const Variant variant(law);
  const std::size_t pairs = turns_->pairs;
  Bits bits;
  TurnFit made;
  for (std::size_t k = 0; k < turns_->tokens; ++k) {
    for (std::size_t at = k * pairs; at < (k + 1) * pairs; ++at) {
      const double unit = turns_->units[at];
      if (!(unit < std::numeric_limits<double>::infinity())) continue;
      const double cosine = predicted.cosines[at], sine = predicted.sines[at];
      const double real = std::fabs(turns_->cosines[at] - variant.real(cosine, sine));
      const double imaginary = std::fabs(turns_->sines[at] - variant.imaginary(cosine, sine));
      const double a = real / unit, b = imaginary / unit;
      bits.add(1 + a * a);
      bits.add(1 + b * b);
      const double larger = std::max(real, imaginary);
      made.residual = std::max(made.residual, larger);
      made.units = std::max(made.units, larger / unit);
    }
    if (bits.sum() >= bound) return {};
  }
  made.surprise = bits.sum();
  return made;
}

TurnFit TurnScores::fit_rounded(const PredictedTurns& predicted, const TurnLaw& law) const {
  const Variant variant(law);
  std::vector<PairFit> pairs;
  pairs.reserve(turns_->pairs);
  for (std::size_t i = 0; i < turns_->pairs; ++i)
    pairs.push_back(fit_pair(*turns_, predicted.cosines, predicted.sines, predicted.loose, variant, i));
  const bool may_be_nearest =
      law.arithmetic == AngleArithmetic::float32 &&
      std::ranges::all_of(pairs, [](const PairFit& pair) { return pair.loose_units <= explained_units; }) &&
      !std::ranges::all_of(pairs, [](const PairFit& pair) { return pair.is_tight(); });
  if (may_be_nearest) take_nearest(*turns_, positions_, law, predicted, pairs);
  TurnFit made{.surprise = 0};
  for (const PairFit& pair : pairs) {
    made.surprise += pair.is_tight() ? pair.tight + pair.bits : pair.loose + loose_bits;
    made.units = std::max(made.units, pair.is_tight() ? pair.tight_units : pair.loose_units);
    made.residual = std::max(made.residual, pair.residual);
  }
  return made;
}

TurnFit TurnScores::fit(const PredictedTurns& predicted, const TurnLaw& law, double bound) const {
  return predicted.loose.empty() ? fit_exact(predicted, law, bound) : fit_rounded(predicted, law);
}

bool TurnScores::may_be_rounded(const PredictedTurns& exact, const TurnLaw& law, const LawNumbers& numbers) const {
  const Variant variant(law);
  const bool has16 = law.arithmetic == AngleArithmetic::float16 || law.arithmetic == AngleArithmetic::bfloat16;
  const double relative = has16 ? rounded16_error : rounded32_error;
  const double least = law.arithmetic == AngleArithmetic::float16 ? smallest_float16 : 0;
  const std::size_t pairs = turns_->pairs, size = turns_->tokens * pairs;
  std::size_t beyond = 0;
  for (std::size_t k = 0, at = 0; k < turns_->tokens; ++k) {
    const double position = std::fabs(positions_[k] + numbers.first_position);
    for (std::size_t i = 0; i < pairs; ++i, ++at) {
      const double real = turns_->cosines[at] - variant.real(exact.cosines[at], exact.sines[at]);
      const double imaginary = turns_->sines[at] - variant.imaginary(exact.cosines[at], exact.sines[at]);
      const double angle =
          relative * position * std::fabs(numbers.rates[i]) + least * (1 + position * std::fabs(law.position_scale));
      const double reach = explained_units * turns_->units[at] + std::fabs(law.factor) * angle;
      if (std::fabs(real) > reach || std::fabs(imaginary) > reach) ++beyond;
    }
  }
  return beyond * turns_a_failure <= size;
}

double TurnScores::best_factor(const PredictedTurns& predicted, const TurnLaw& law) const {
  const Variant variant(law, 1);
  double products = 0, weights = 0;
  for (std::size_t at = 0; at < predicted.cosines.size(); ++at) {
    const double weight = 1 / (turns_->units[at] * turns_->units[at]);  // 0 where a turn says nothing
    if (weight == 0) continue;
    const double real = variant.real(predicted.cosines[at], predicted.sines[at]);
    const double imaginary = variant.imaginary(predicted.cosines[at], predicted.sines[at]);
    products += weight * (real * turns_->cosines[at] + imaginary * turns_->sines[at]);
    weights += weight;
  }
  return weights == 0 ? 1 : products / weights;
}

double TurnScores::apart(const PredictedTurns& a, const TurnLaw& of_a, const PredictedTurns& b,
                         const TurnLaw& of_b) const {
  const Variant first(of_a), second(of_b);
  double most = 0;
  for (std::size_t at = 0; at < a.cosines.size(); ++at) {
    if (!(turns_->units[at] < std::numeric_limits<double>::infinity())) continue;
    const double real = first.real(a.cosines[at], a.sines[at]) - second.real(b.cosines[at], b.sines[at]);
    const double imaginary = first.imaginary(a.cosines[at], a.sines[at]) - second.imaginary(b.cosines[at], b.sines[at]);
    most = std::max(most, std::max(std::fabs(real), std::fabs(imaginary)) / turns_->units[at]);
  }
  return most;
}

}  // namespace posenc::diagnosis
