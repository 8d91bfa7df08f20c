#include "posenc/diagnosis/hypotheses/discriminating_positions.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

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

}  // namespace

Expected<std::vector<double>> discriminating_positions(const RotationHypothesis &a, const RotationHypothesis &b,
                                                       double length, std::size_t most) {
  POSENC_TRY_LET(of_a, HypothesisAngles::make(a));
  POSENC_TRY_LET(of_b, HypothesisAngles::make(b));
  if (of_a.pairs() != of_b.pairs())
    return invalid_argument("b", 2 * static_cast<double>(of_b.pairs()),
                            {"a hypothesis of as many dimensions as a, ", decimal(2 * of_a.pairs())});
  struct Compared {
    double position, difference;  ///< the difference is a mean square over pairs
  };
  std::vector<Compared> compared;
  const std::size_t pairs = of_a.pairs();
  const RotationMap map_a(a), map_b(b);
  std::vector<double> values(4 * pairs);
  double *const cosines_a = values.data(), *const sines_a = cosines_a + pairs;
  double *const cosines_b = sines_a + pairs, *const sines_b = cosines_b + pairs;
  for (const double position : candidates_below(length)) {
    if (!of_a.check(position) || !of_b.check(position)) break;  // beyond the range of one of them
    POSENC_TRY(of_a.write(position, cosines_a, sines_a));
    POSENC_TRY(of_b.write(position, cosines_b, sines_b));
    double sum = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      const RotatedPair first = map_a(cosines_a[i], sines_a[i]), second = map_b(cosines_b[i], sines_b[i]);
      const double real = first.real - second.real, imaginary = first.imaginary - second.imaginary;
      sum += real * real + imaginary * imaginary;
    }
    const double difference = sum / static_cast<double>(pairs);
    if (std::sqrt(difference) > same_rotations) compared.push_back({position, difference});
  }
  std::ranges::stable_sort(compared, std::greater(), &Compared::difference);
  std::vector<double> positions;
  for (const Compared &each : compared)
    if (positions.size() < most) positions.push_back(each.position);
  std::ranges::sort(positions);
  return positions;
}

}  // namespace posenc::diagnosis
