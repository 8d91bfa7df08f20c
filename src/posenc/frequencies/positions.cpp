#include "posenc/frequencies/positions.hpp"

#include <cmath>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/frequencies/frequencies.hpp"

namespace posenc {
namespace {

Expected<void> check_position(const char* argument, double position, double given, double largest_frequency) {
  if (has_exact_angles(position, largest_frequency)) return {};
  return invalid_argument(argument, given, expected::exact_angle, {"position"}, ", and of at most 2^990");
}

bool is_whole(double position) { return std::fabs(position) <= largest_whole && position == std::nearbyint(position); }

}  // namespace

std::optional<double> Positions::first_whole() const {
  if (list_.data() != nullptr || step_ != 1 || !is_whole(offset_) || !is_whole(offset_ + static_cast<double>(count_)))
    return {};
  return offset_;
}

Expected<void> Positions::check(double largest_frequency) const {
  if (list_.data() != nullptr) {
    for (const double position : list_) POSENC_TRY(check_position("positions", position, position, largest_frequency));
    return {};
  }
  const double last = count_ == 0 ? offset_ : (*this)[count_ - 1];
  POSENC_TRY(check_position("offset", offset_, offset_, largest_frequency));
  return check_position("offset", last, offset_, largest_frequency);
}

}  // namespace posenc
