#include "rotary/rotary_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "frequencies/scaling_reference.hpp"

namespace reference {
namespace {

using Dims = std::pair<std::size_t, std::size_t>;

Dims neighbours(std::size_t i) { return {2 * i, 2 * i + 1}; }
Dims halves(std::size_t i, std::size_t pairs) { return {i, i + pairs}; }

Dims dims_read(posenc::Layout layout, std::size_t i, std::size_t pairs) {
  return layout == posenc::Layout::half ? halves(i, pairs) : neighbours(i);
}

Dims dims_written(posenc::Layout layout, std::size_t i, std::size_t pairs) {
  return layout == posenc::Layout::interleaved ? neighbours(i) : halves(i, pairs);
}

}  // namespace

std::vector<Bounded> rotated_head(const posenc::RotaryOptions& options, const std::vector<Quad>& frequencies,
                                  std::span<const float> head, double position, posenc::Direction direction) {
  const bool forward = direction == posenc::Direction::forward;
  std::vector<Bounded> result;
  for (const float value : head) result.push_back({.exact = value, .tolerance = 0});
  const std::size_t pairs = frequencies.size();
  const Quad factor = scaled(posenc::plan_of(options)).attention_factor;
  for (std::size_t i = 0; i < pairs; ++i) {
    Dims from = dims_read(options.layout, i, pairs);
    Dims to = dims_written(options.layout, i, pairs);
    if (!forward) std::swap(from, to);
    const Phase rotation = phase(frequencies[i] * position);
    const Quad cosine = factor * rotation.cosine;
    const Quad sine = factor * (forward ? rotation.sine : -rotation.sine);
    const Quad a = head[from.first];
    const Quad b = head[from.second];
    const double tolerance = 3 * unit * static_cast<double>(factor * (magnitude(a) + magnitude(b)));
    result[to.first] = {a * cosine - b * sine, tolerance};
    result[to.second] = {a * sine + b * cosine, tolerance};
  }
  return result;
}

std::vector<Quad> rotary_frequencies(const posenc::RotaryOptions& options) {
  return scaled(posenc::plan_of(options)).frequencies;
}

double worst_ratio(std::span<const float> values, const std::vector<Bounded>& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) return std::numeric_limits<double>::infinity();
    const auto error = static_cast<double>(magnitude(values[i] - expected[i].exact));
    if (error > 0) worst = std::max(worst, error / expected[i].tolerance);
  }
  return worst;
}

}  // namespace reference
