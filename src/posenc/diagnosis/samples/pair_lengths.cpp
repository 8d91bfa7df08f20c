#include "posenc/diagnosis/samples/pair_lengths.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/diagnosis/hypotheses/evidence.hpp"

// std::hypot is right here: lengths are compared with what roundings cause, not kept.

namespace posenc::diagnosis {

std::vector<std::size_t> spread_tokens(std::size_t count, std::size_t most) {
  std::vector<std::size_t> made;
  made.reserve(std::min(count, most));
  const std::size_t first = count <= most ? count : (most + 1) / 2;
  for (std::size_t i = 0; i < first; ++i) made.push_back(i);
  const std::size_t rest = std::min(count, most) - first;
  for (std::size_t i = 1; i <= rest; ++i) made.push_back(first - 1 + i * (count - first) / rest);
  return made;
}

double misfit_of(double residual, double unit) {
  const double ratio = residual / (explained_units * unit);
  return std::log2(1 + ratio * ratio);
}

double common_length(const PairRotations& rotations) {
  std::vector<double> lengths;
  for (std::size_t i = 0; i < rotations.units.size(); ++i)
    if (std::isfinite(rotations.units[i])) lengths.push_back(std::hypot(rotations.cosines[i], rotations.sines[i]));
  if (lengths.empty()) return 1;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::ranges::nth_element(lengths, middle);
  return *middle;
}

double length_misfit(const PairRotations& rotations, double length) {
  double bits = 0;
  for (std::size_t i = 0; i < rotations.units.size(); ++i) {
    if (!std::isfinite(rotations.units[i])) continue;
    bits += misfit_of(std::fabs(std::hypot(rotations.cosines[i], rotations.sines[i]) - length), rotations.units[i]);
  }
  return bits;
}

}  // namespace posenc::diagnosis
