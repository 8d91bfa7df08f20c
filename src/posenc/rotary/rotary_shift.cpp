#include "posenc/rotary/rotary_shift.hpp"

#include <string>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/rotary/kernels/rotary_angles.hpp"
#include "posenc/rotary/kernels/token_rotation.hpp"

namespace posenc {
namespace {

/// Where rotated dimensions are: Layout::deinterleaved has written Layout::half.
Layout rotated_layout(const Rotary& rotary) {
  return rotary.layout() == Layout::deinterleaved ? Layout::half : rotary.layout();
}

Expected<void> check_same(const Rotary& from, const Rotary& to) {
  if (from.dim() != to.dim())
    return invalid_argument("from", static_cast<double>(from.dim()), expected::same_rotary, {"dim", to.dim()});
  if (from.rotary_dim() != to.rotary_dim())
    return invalid_argument("from", static_cast<double>(from.rotary_dim()), expected::same_rotary,
                            {"rotaryDim", to.rotary_dim()});
  if (rotated_layout(from) != rotated_layout(to))
    return invalid_argument("from", std::string(name_of(from.layout())), expected::same_rotary,
                            {"layout", name_of(to.layout())});
  if (from.attention_factor() == 0) return invalid_argument("from", 0.0, expected::rotary_with_factor);
  return {};
}

}  // namespace

Expected<void> shift_rotated(const Rotary& rotary, std::span<float> x, const SequenceShape& shape,
                             const Positions& by) {
  POSENC_TRY_LET(per_batch, rotary.check_rotation(x.size(), shape, by));
  POSENC_TRY_LET(angles, RotaryAngles::make(rotary.frequencies(), rotary.angle_source()));
  POSENC_TRY_LET(rotation, TokenRotation::make(rotated_layout(rotary), Direction::forward, rotary.rotary_dim(), shape));
  rotation.all(x.data(), per_batch, [&](std::size_t i, std::size_t) -> AngleRun {
    angles.set(by[i]);
    return {angles.rounded(Direction::forward, 1)};
  });
  return {};
}

Expected<void> rotate_again(const Rotary& from, const Rotary& to, std::span<float> x, const SequenceShape& shape,
                            const Positions& positions) {
  POSENC_TRY(check_same(from, to));
  POSENC_TRY(from.check_rotation(x.size(), shape, positions));
  POSENC_TRY_LET(per_batch, to.check_rotation(x.size(), shape, positions));
  POSENC_TRY_LET(old, RotaryAngles::make(from.frequencies(), from.angle_source()));
  POSENC_TRY_LET(angles, RotaryAngles::make(to.frequencies(), to.angle_source()));
  POSENC_TRY_LET(rotation, TokenRotation::make(rotated_layout(to), Direction::forward, to.rotary_dim(), shape));

  const double factor = to.attention_factor() / from.attention_factor();
  rotation.all(x.data(), per_batch, [&](std::size_t i, std::size_t) -> AngleRun {
    old.set(positions[i]);
    angles.set(positions[i]);
    for (std::size_t pair = 0; pair < to.rotary_dim() / 2; ++pair) {
      const double sine = angles.sines()[pair];
      const double cosine = angles.cosines()[pair];
      angles.sines()[pair] = sine * old.cosines()[pair] - cosine * old.sines()[pair];
      angles.cosines()[pair] = cosine * old.cosines()[pair] + sine * old.sines()[pair];
    }
    return {angles.rounded(Direction::forward, factor)};
  });
  return {};
}

}  // namespace posenc
