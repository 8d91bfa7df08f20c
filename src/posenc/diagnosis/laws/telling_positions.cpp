#include "posenc/diagnosis/laws/telling_positions.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/base/check.hpp"
#include "posenc/diagnosis/laws/turn_angles.hpp"

namespace posenc::diagnosis {
namespace {

/// Positions that are looked at: all up to this one, and beyond it so many in every doubling.
constexpr double all_up_to = 64, a_doubling = 16;

/// Laws whose turns are nearer than this everywhere are not told apart by any of them.
constexpr double same_turns = 1e-12;

std::vector<double> candidates_below(double length) {
  std::vector<double> positions;
  double position = 0;
  for (; position < length && position <= all_up_to; ++position) positions.push_back(position);
  // Odd ones: they share few whole turns.
  for (double step = all_up_to / a_doubling; position < length; step *= 2)
    for (double k = 0; k < a_doubling && position < length; ++k, position += step)
      positions.push_back(position + 1 < length ? position + 1 : position);
  return positions;
}

struct Turn {
  double real, imaginary;
};

Turn turn_of(const TurnLaw& law, double cosine, double sine) {
  const double real = law.factor * cosine, imaginary = law.negative ? -law.factor * sine : law.factor * sine;
  return law.exchanged ? Turn{imaginary, real} : Turn{real, imaginary};
}

/// How far apart two laws are at a position: the mean square over pairs.
class Difference {
 public:
  Difference(const TurnLaw& a, const TurnLaw& b, TurnAngles& of_a, TurnAngles& of_b)
      : laws_{&a, &b}, angles_{&of_a, &of_b}, pairs_(of_a.pairs()), row_(4 * pairs_) {}

  [[nodiscard]] Expected<double> at(double position) {
    for (std::size_t k = 0; k < 2; ++k) {
      double* const row = row_.data() + 2 * k * pairs_;
      if (auto written = angles_[k]->write(position, row, row + pairs_); !written) return error_of(written);
    }
    double sum = 0;
    for (std::size_t i = 0; i < pairs_; ++i) {
      const Turn a = turn_of(*laws_[0], row_[i], row_[pairs_ + i]);
      const Turn b = turn_of(*laws_[1], row_[2 * pairs_ + i], row_[3 * pairs_ + i]);
      const double real = a.real - b.real, imaginary = a.imaginary - b.imaginary;
      sum += real * real + imaginary * imaginary;
    }
    return sum / static_cast<double>(pairs_);
  }

 private:
  const TurnLaw* laws_[2];
  TurnAngles* angles_[2];
  std::size_t pairs_;
  std::vector<double> row_;
};

}  // namespace

Expected<std::vector<double>> telling_positions(const TurnLaw& a, const TurnLaw& b, double length, std::size_t most) {
  auto of_a = TurnAngles::make(a);
  if (!of_a) return error_of(of_a);
  auto of_b = TurnAngles::make(b);
  if (!of_b) return error_of(of_b);
  if (of_a->pairs() != of_b->pairs())
    return invalid_argument("b", 2 * static_cast<double>(of_b->pairs()),
                            {"a law of as many dimensions as a, ", decimal(2 * of_a->pairs())});
  struct Told {
    double position, difference;
  };
  std::vector<Told> told;
  Difference difference(a, b, *of_a, *of_b);
  for (const double position : candidates_below(length)) {
    if (!of_a->check(position) || !of_b->check(position)) break;  // beyond what one of them can do
    const auto apart = difference.at(position);
    if (!apart) return error_of(apart);
    if (std::sqrt(*apart) > same_turns) told.push_back({position, *apart});
  }
  std::stable_sort(told.begin(), told.end(), [](const Told& x, const Told& y) { return x.difference > y.difference; });
  std::vector<double> positions;
  for (const Told& each : told)
    if (positions.size() < most) positions.push_back(each.position);
  std::sort(positions.begin(), positions.end());
  return positions;
}

}  // namespace posenc::diagnosis
