#include "posenc/diagnosis/engine/listed.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace posenc::diagnosis {
namespace {

/// A number to so many decimal digits: as a decimal literal has it, up to 15 digits and 22 behind the point.
double rounded_to(double value, int digits) {
  const int behind = digits - 1 - static_cast<int>(std::floor(std::log10(std::fabs(value))));
  const double unit = std::pow(10.0, std::abs(behind));
  return behind > 0 ? std::round(value * unit) / unit : std::round(value / unit) * unit;
}

}  // namespace

Diagnosis concluded(Counting counting, std::string_view type, FunctionRef<void(Diagnosis&)> tell,
                    FunctionRef<Departure()> depart) {
  Diagnosis made = std::move(counting).take();
  made.dtype = type;
  if (made.verdict == Verdict::ambiguous) tell(made);
  if (made.verdict == Verdict::none) made.departure = depart();
  return made;
}

std::optional<double> shortest_number(double value, FunctionRef<bool(double)> explains) {
  constexpr int most_digits = 15;  // that no double loses
  if (!std::isfinite(value) || value == 0) return std::nullopt;
  for (int digits = 1; digits <= most_digits; ++digits)
    if (const double rounded = rounded_to(value, digits); explains(rounded)) return rounded;
  return explains(value) ? std::optional(value) : std::nullopt;
}

double least_at(double low, double high, double step, FunctionRef<double(double)> function) {
  constexpr int most_rounds = 12;
  double best = low;
  for (int round = 0; round < most_rounds; ++round) {
    double least = std::numeric_limits<double>::infinity();
    const auto steps = static_cast<int>((high - low) / step);
    for (int i = 0; i <= steps; ++i) {
      const double at = low + i * step;
      if (const double now = function(at); now < least) least = now, best = at;
    }
    low = best - step;
    high = best + step;
    step /= 8;
  }
  return best;
}

}  // namespace posenc::diagnosis
