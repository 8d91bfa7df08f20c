#include "posenc/rotary/rotary_matrix.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/rotary/kernels/rotary_angles.hpp"
#include "posenc/rotary/kernels/rotate.hpp"

namespace posenc {
namespace {

struct Pair {
  std::size_t first, second;
};

Pair pair_of(bool half, std::size_t i, std::size_t pairs) {
  if (half) return {HalfPairs{pairs}.first(i), HalfPairs{pairs}.second(i)};
  return {InterleavedPairs{pairs}.first(i), InterleavedPairs{pairs}.second(i)};
}

}  // namespace

Expected<void> rotary_matrix(const Rotary& rotary, double position, Direction direction, std::span<float> out) {
  const std::size_t dim = rotary.dim();
  if (auto checked = check_size("out", out.size(), dim, dim); !checked) return checked;
  if (auto checked = Positions::list({&position, 1}).check(rotary.frequencies().largest()); !checked) {
    checked.error().argument = "position";
    return checked;
  }
  auto angles = RotaryAngles::make(rotary.frequencies(), rotary.angle_source());
  if (!angles) return std::unexpected(angles.error());
  const AngleRow<float> row = angles->at(position, direction);

  std::ranges::fill(out, 0.0f);
  const std::size_t pairs = rotary.rotary_dim() / 2;
  bool reads_half = rotary.layout() == Layout::half;
  bool writes_half = rotary.layout() != Layout::interleaved;
  if (direction == Direction::inverse) std::swap(reads_half, writes_half);
  for (std::size_t i = 0; i < pairs; ++i) {
    const Pair from = pair_of(reads_half, i, pairs);
    const Pair to = pair_of(writes_half, i, pairs);
    out[to.first * dim + from.first] = row.cosines[i];
    // A sine of -0 becomes 0.
    out[to.first * dim + from.second] = 0.0f - row.sines[i];
    out[to.second * dim + from.first] = 0.0f + row.sines[i];
    out[to.second * dim + from.second] = row.cosines[i];
  }
  for (std::size_t lane = 2 * pairs; lane < dim; ++lane) out[lane * dim + lane] = 1;
  return {};
}

}  // namespace posenc
