#include "posenc/rotary/rotary.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/rotary/kernels/rotary_angles.hpp"
#include "posenc/rotary/kernels/rotate.hpp"
#include "posenc/rotary/kernels/token_rotation16.hpp"

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

FrequencyPlan plan_of(const RotaryOptions& options) {
  return {.frequencies = {options.rotary_dim.value_or(options.dim), options.base, options.exponent},
          .exponent_dim = options.exponent_dim,
          .scaling = options.scaling,
          .length = options.length};
}

Expected<Rotary> Rotary::make(const RotaryOptions& options) {
  POSENC_TRY(check_whole("dim", options.dim, 2, max_dim));
  if (options.layout == Layout::unnamed) return std::unexpected(from_name<Layout>("").error());
  if (!options.rotary_dim && options.dim % 2 != 0)
    return invalid_argument("dim", static_cast<double>(options.dim), expected::even_or_rotary_dim);
  const std::int64_t rotary_dim = options.rotary_dim.value_or(options.dim);
  POSENC_TRY(check_rotary_dim(rotary_dim, options.dim));
  POSENC_TRY_LET(frequencies, Frequencies::make_scaled(plan_of(options)));
  Rotary made;
  made.frequencies_ = std::move(frequencies);
  made.dim_ = static_cast<std::size_t>(options.dim);
  made.layout_ = options.layout;
  return made;
}

Rotary Rotary::with_angles(std::unique_ptr<const AngleSource> source) && {
  source_ = std::move(source);
  return std::move(*this);
}

Expected<void> Rotary::cache(const Positions& positions, std::span<float> cosines, std::span<float> sines) const {
  const std::size_t pairs = frequencies_.count();
  POSENC_TRY(check_size("cosines", cosines.size(), positions.count(), pairs));
  POSENC_TRY(check_size("sines", sines.size(), positions.count(), pairs));
  POSENC_TRY(positions.check(frequencies_.largest()));
  POSENC_TRY_LET(angles, RotaryAngles::make(frequencies_, source_.get()));
  for (std::size_t i = 0; i < positions.count(); ++i) {
    const AngleRow<float> row = angles.at(positions[i], Direction::forward);
    std::copy_n(row.cosines, pairs, cosines.data() + i * pairs);
    std::copy_n(row.sines, pairs, sines.data() + i * pairs);
  }
  return {};
}

Expected<void> Rotary::apply(std::span<float> x, const SequenceShape& shape, const Positions& positions,
                             Direction direction) const {
  POSENC_TRY_LET(per_batch, check_rotation(x.size(), shape, positions));
  POSENC_TRY_LET(angles, RotaryAngles::make(frequencies_, source_.get()));
  return rotate_tokens(angles, layout_, direction, x.data(), shape, positions, per_batch);
}

Expected<void> Rotary::apply(Span16 x, const SequenceShape& shape, const Positions& positions,
                             Direction direction) const {
  POSENC_TRY_LET(per_batch, check_rotation(x.size(), shape, positions));
  POSENC_TRY_LET(angles, RotaryAngles::make(frequencies_, source_.get()));
  POSENC_TRY_LET(rotation, TokenRotation16::make(x.dtype(), layout_, direction, rotary_dim(), shape));
  rotation.all(x.bits().data(), per_batch, [&](std::size_t i) { return angles.at(positions[i], direction); });
  return {};
}

Expected<bool> Rotary::check_rotation(std::size_t size, const SequenceShape& shape, const Positions& positions) const {
  if (shape.dim() != dim_)
    return invalid_argument("shape", static_cast<double>(shape.dim()), expected::last_extent, {dim_},
                            ", or that of dimAxis");
  POSENC_TRY(check_size("x", size, shape.size()));
  POSENC_TRY_LET(per_batch, shape.check_positions(positions));
  POSENC_TRY(positions.check(frequencies_.largest()));
  return per_batch;
}

Expected<void> rotary_matrix(const Rotary& rotary, double position, Direction direction, std::span<float> out) {
  const std::size_t dim = rotary.dim();
  POSENC_TRY(check_size("out", out.size(), dim, dim));
  if (auto checked = Positions::list({&position, 1}).check(rotary.frequencies().largest()); !checked) {
    checked.error().argument = "position";
    return checked;
  }
  POSENC_TRY_LET(angles, RotaryAngles::make(rotary.frequencies(), rotary.angle_source()));
  const AngleRow<float> row = angles.at(position, direction);

  if (!out.empty()) std::memset(out.data(), 0, out.size_bytes());
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
  for (std::size_t dimension = 2 * pairs; dimension < dim; ++dimension) out[dimension * dim + dimension] = 1;
  return {};
}

}  // namespace posenc
