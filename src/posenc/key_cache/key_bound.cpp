#include "posenc/key_cache/key_bound.hpp"

#include "posenc/rotary/certificate/rounding_error.hpp"

namespace posenc {
namespace {

constexpr Rounding roundings[]{Rounding::float32, Rounding::float16, Rounding::bfloat16, Rounding::float32};

Rounding rounding_of(KeyType type) { return roundings[static_cast<std::size_t>(type)]; }

/// The largest error of a value of a block whose largest is 1: write_q8_0's.
constexpr Upper block_error{0.5622 / 127};

/// Sines and cosines in double, and their products, beside which rounding to float32 counts.
constexpr Upper in_double{0x1p-42};

}  // namespace

double error_of(const KeyStep& step) {
  const Upper unit = unit_of(Rounding::float32), one{1};
  const Rounding type = rounding_of(step.to);
  Upper pair{0}, dimension{0};
  if (step.is_rotated) {
    const Upper of_sines = unit * Upper{step.is_scaled ? 1.001 : 0.501} + in_double;
    const Upper rotated = one + sqrt_2 * of_sines;
    const auto of_rotation = [&](Upper products) {
      return sqrt_2 * of_sines + rotated * products + rotated * (one + products) * unit;
    };
    pair = of_rotation(sqrt_2 * unit);
    dimension = of_rotation(unit);
  }
  if (step.to == KeyType::q8_0) {
    // The rounding of a block has the size of its largest pair, whichever pair it is in.
    if (step.is_rotated || step.moves_dims || step.from != step.to) dimension = dimension + block_error * (one + pair);
  } else if (type != Rounding::float32 && (step.is_rotated || step.from == KeyType::q8_0 ||
                                           format_of(type).digits < format_of(rounding_of(step.from)).digits)) {
    dimension = dimension + unit_of(type) * (one + pair);
  }
  return dimension.value;
}

double last_place_of(KeyType type) { return type == KeyType::q8_0 ? 1.0 / 127 : unit_of(rounding_of(type)).value; }

}  // namespace posenc
