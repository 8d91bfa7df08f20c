#pragma once

#include <cstddef>

#include "posenc/rotary.hpp"

namespace posenc {

/// Where the pairs of a head stand: pair i is lanes first(i), second(i).
struct Halves {
  std::size_t pairs;
  [[nodiscard]] std::size_t first(std::size_t i) const { return i; }
  [[nodiscard]] std::size_t second(std::size_t i) const { return i + pairs; }
};
struct Neighbours {
  std::size_t pairs;
  [[nodiscard]] std::size_t first(std::size_t i) const { return 2 * i; }
  [[nodiscard]] std::size_t second(std::size_t i) const { return 2 * i + 1; }
};

/// Rotates every pair of one head: reads pairs where From says, writes them where To says. `in` and `out` are the same
/// memory or do not overlap; when From and To differ they must not overlap.
template <class From, class To>
void rotate_head(const float* in, float* out, const float* cosines, const float* sines, std::size_t pairs) {
  const From from{pairs};
  const To to{pairs};
  for (std::size_t i = 0; i < pairs; ++i) {
    const float a = in[from.first(i)];
    const float b = in[from.second(i)];
    out[to.first(i)] = a * cosines[i] - b * sines[i];
    out[to.second(i)] = a * sines[i] + b * cosines[i];
  }
}

}  // namespace posenc
