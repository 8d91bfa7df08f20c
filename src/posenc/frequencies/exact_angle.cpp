#include "posenc/frequencies/exact_angle.hpp"

#include <cmath>

namespace posenc {
namespace {

/// What cycles_per_radian leaves of 1 / (2 pi).
constexpr double rest_of_cycles = -5.360718141446502e-34;

bool is_one_radian(double head, double mid, double tail) {
  return head + mid == cycles_per_radian.high && tail == cycles_per_radian.low;
}

/// 1 - square / (n (n - 1)) (1 - square / ((n - 2) (n - 3)) (...)): of a sine over its angle, or a cosine.
DoubleDouble series(DoubleDouble square, int n) {
  DoubleDouble sum{1, 0};
  for (; n > 1; n -= 2) sum = DoubleDouble{1, 0} - square * sum / DoubleDouble{static_cast<double>(n * (n - 1)), 0};
  return sum;
}

}  // namespace

ExactAngle exact_angle(const Frequencies& frequencies, double position, std::size_t i) {
  const double head = frequencies.head()[i], mid = frequencies.mid()[i], tail = frequencies.tail()[i];
  const auto [high, low] = split(position);
  DoubleDouble cycles = product_exact(position, tail);
  if (is_one_radian(head, mid, tail)) cycles = cycles + product_exact(position, rest_of_cycles);
  // These products are exact, and so is what is left of them without whole cycles.
  for (const double part : {low * mid, low * head, high * mid, high * head})
    cycles = cycles + DoubleDouble{part - std::nearbyint(part), 0};
  cycles = cycles - DoubleDouble{std::nearbyint(cycles.high), 0};
  const double quarters = std::nearbyint(4 * cycles.high);  // -2 ... 2
  const DoubleDouble angle = (cycles - DoubleDouble{quarters / 4, 0}) * radians_per_cycle;
  // |angle| <= pi / 4: the terms that are left out are below 2^-103.
  const DoubleDouble square = angle * angle;
  const DoubleDouble sine = angle * series(square, 27), cosine = series(square, 28);
  if (quarters == 0) return {sine, cosine};
  if (quarters == 1) return {cosine, -sine};
  if (quarters == -1) return {-cosine, sine};
  return {-sine, -cosine};
}

}  // namespace posenc
