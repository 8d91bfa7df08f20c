#include "posenc/diagnosis/hypotheses/discriminating_positions.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"

namespace posenc::diagnosis {
namespace {

/// Positions that are looked at: all up to this one, and beyond it so many in every doubling.
constexpr double all_up_to = 64, a_doubling = 16;

/// Hypotheses whose rotations are nearer than this everywhere are not distinguished by any of them.
constexpr double same_rotations = 1e-12;

std::vector<double> candidates_below(double length) {
  std::vector<double> positions;
  double position = 0;
  for (; position < length && position <= all_up_to; ++position) positions.push_back(position);
  // Odd ones: they share few whole rotations.
  for (double step = all_up_to / a_doubling; position < length; step *= 2)
    for (double k = 0; k < a_doubling && position < length; ++k, position += step)
      positions.push_back(position + 1 < length ? position + 1 : position);
  return positions;
}

struct PairRotation {
  double real, imaginary;
};

PairRotation rotation_of(const RotationHypothesis& hypothesis, double cosine, double sine) {
  const double real = hypothesis.factor * cosine,
               imaginary = hypothesis.negative ? -hypothesis.factor * sine : hypothesis.factor * sine;
  return hypothesis.exchanged ? PairRotation{imaginary, real} : PairRotation{real, imaginary};
}

/// How far apart two hypotheses are at a position: the mean square over pairs.
class Difference {
 public:
  Difference(const RotationHypothesis& a, const RotationHypothesis& b, HypothesisAngles& of_a, HypothesisAngles& of_b)
      : hypotheses_{&a, &b}, angles_{&of_a, &of_b}, pairs_(of_a.pairs()), row_(4 * pairs_) {}

  [[nodiscard]] Expected<double> at(double position) {
    for (std::size_t k = 0; k < 2; ++k) {
      double* const row = row_.data() + 2 * k * pairs_;
      POSENC_TRY(angles_[k]->write(position, row, row + pairs_));
    }
    double sum = 0;
    for (std::size_t i = 0; i < pairs_; ++i) {
      const PairRotation a = rotation_of(*hypotheses_[0], row_[i], row_[pairs_ + i]);
      const PairRotation b = rotation_of(*hypotheses_[1], row_[2 * pairs_ + i], row_[3 * pairs_ + i]);
      const double real = a.real - b.real, imaginary = a.imaginary - b.imaginary;
      sum += real * real + imaginary * imaginary;
    }
    return sum / static_cast<double>(pairs_);
  }

 private:
  const RotationHypothesis* hypotheses_[2];
  HypothesisAngles* angles_[2];
  std::size_t pairs_;
  std::vector<double> row_;
};

}  // namespace

Expected<std::vector<double>> discriminating_positions(const RotationHypothesis& a, const RotationHypothesis& b,
                                                       double length, std::size_t most) {
  POSENC_TRY_LET(of_a, HypothesisAngles::make(a));
  POSENC_TRY_LET(of_b, HypothesisAngles::make(b));
  if (of_a.pairs() != of_b.pairs())
    return invalid_argument("b", 2 * static_cast<double>(of_b.pairs()),
                            {"a hypothesis of as many dimensions as a, ", decimal(2 * of_a.pairs())});
  struct Told {
    double position, difference;
  };
  std::vector<Told> told;
  Difference difference(a, b, of_a, of_b);
  for (const double position : candidates_below(length)) {
    if (!of_a.check(position) || !of_b.check(position)) break;  // beyond what one of them can do
    POSENC_TRY_LET(apart, difference.at(position));
    if (std::sqrt(apart) > same_rotations) told.push_back({position, apart});
  }
  std::stable_sort(told.begin(), told.end(), [](const Told& x, const Told& y) { return x.difference > y.difference; });
  std::vector<double> positions;
  for (const Told& each : told)
    if (positions.size() < most) positions.push_back(each.position);
  std::sort(positions.begin(), positions.end());
  return positions;
}

}  // namespace posenc::diagnosis
