#include "posenc/key_cache/key_rotation.hpp"

#include <algorithm>
#include <bit>

#include "posenc/base/check.hpp"
#include "posenc/frequencies/angles.hpp"

namespace posenc {
namespace {

bool same_values(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(
      a, b, [](double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); });
}

bool same_frequencies(const Frequencies& a, const Frequencies& b) {
  const double factors[]{a.attention_factor(), b.attention_factor()};
  return same_values({&factors[0], 1}, {&factors[1], 1}) && same_values(a.head(), b.head()) &&
         same_values(a.mid(), b.mid()) && same_values(a.tail(), b.tail());
}

}  // namespace

Layout KeyRotation::layout() const {
  const Layout layout = points_ != nullptr ? points_->layout() : rotary_->layout();
  return layout == Layout::deinterleaved ? Layout::half : layout;
}

std::vector<std::size_t> KeyRotation::blocks() const {
  if (points_ == nullptr) return {pairs()};
  return points_->plan().blocks;
}

std::span<const std::uint32_t> KeyRotation::pairs_of(std::size_t axis) const {
  if (points_ == nullptr) return {};
  return points_->plan().axes[axis].pairs.span();
}

double KeyRotation::steps(double position) const {
  return xpos_ == nullptr ? 0 : -1 * ((position - xpos_->centre()) / xpos_->scale_base());
}

bool KeyRotation::has_angles_of(const KeyRotation& other) const {
  if (rotary_ == other.rotary_ && points_ == other.points_ && xpos_ == other.xpos_) return true;
  const bool are_alike = (xpos_ == nullptr) == (other.xpos_ == nullptr) && angle_source() == nullptr &&
                         other.angle_source() == nullptr && axes() == other.axes() && heads() == other.heads() &&
                         pairs() == other.pairs() && is_summed() == other.is_summed();
  if (!are_alike) return false;
  if (xpos_ != nullptr) {
    const double mine[]{xpos_->centre(), xpos_->scale_base()},
        others[]{other.xpos_->centre(), other.xpos_->scale_base()};
    if (!same_values(mine, others)) return false;
  }
  for (std::size_t axis = 0; axis < axes(); ++axis)
    if (!same_frequencies(frequencies(axis), other.frequencies(axis)) ||
        !std::ranges::equal(pairs_of(axis), other.pairs_of(axis)))
      return false;
  return true;
}

bool KeyRotation::has_dims_of(const KeyRotation& other) const {
  return layout() == other.layout() && blocks() == other.blocks();
}

Expected<void> KeyRotation::check_becomes(const KeyRotation& other) const {
  const struct {
    std::size_t mine, other;
    std::string_view what;
  } counts[]{{dim(), other.dim(), "a rotation of the same dim, "},
             {rotary_dim(), other.rotary_dim(), "a rotation of the same rotaryDim, "},
             {heads(), other.heads(), "a rotation of the same number of heads, "},
             {axes(), other.axes(), "a rotation of as many coordinates a token, "}};
  for (const auto& [mine, wanted, what] : counts)
    if (mine != wanted) return invalid_argument("rotary", static_cast<double>(mine), {what, decimal(wanted)});
  for (const KeyRotation* const rotation : {this, &other})
    for (std::size_t axis = 0; axis < axes(); ++axis)
      if (rotation->frequencies(axis).attention_factor() == 0)
        return invalid_argument("rotary", 0.0, {"a rotation whose attention factor is not 0"});
  return {};
}

Expected<void> KeyRotation::check_position(std::string_view argument, const double* coordinates) const {
  for (std::size_t axis = 0; axis < axes(); ++axis)
    if (!has_exact_angles(coordinates[axis], frequencies(axis).largest()))
      return invalid_argument(argument, coordinates[axis],
                              {"positions whose largest angle, |position| * frequency, is at most 2^53 radians"});
  if (xpos_ == nullptr) return {};
  auto reaches = xpos_->check_reach(Positions::list({coordinates, 1}));
  if (!reaches) reaches.error().argument = argument;
  return reaches;
}

}  // namespace posenc
