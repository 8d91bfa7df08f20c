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

KeyError after(const KeyError& before, const KeyStep& step) {
  const Upper unit = unit_of(Rounding::float32), one{1}, error{before.pair};
  const Rounding type = rounding_of(step.to);
  const bool is_blocks = step.to == KeyType::q8_0;
  const bool is_narrower = format_of(type).digits < format_of(rounding_of(step.from)).digits;
  Upper pair = error, dimension{before.dimension};
  // The rounding of a block has the size of its largest pair, whichever pair it is in.
  if (is_blocks || step.from == KeyType::q8_0) {
    pair = pair * Upper{step.spread};
    dimension = dimension * Upper{step.spread};
  }
  if (step.is_rotated) {
    const Upper of_sines = unit * Upper{step.is_scaled ? 1.001 : 0.501} + in_double;
    const Upper rotated = one + sqrt_2 * of_sines;
    const auto of_rotation = [&](Upper products) {
      return sqrt_2 * of_sines + rotated * products + rotated * (one + products) * unit;
    };
    const Upper whole = pair;
    pair = whole + of_rotation(sqrt_2 * unit) * (one + whole);
    dimension = whole + of_rotation(unit) * (one + whole);
  }
  if (is_blocks) {
    if (step.is_rotated || step.moves_dims || step.from != step.to) {
      const Upper rounded = block_error * (one + pair);
      pair = pair + sqrt_2 * rounded;
      dimension = dimension + rounded;
    }
  } else if (is_narrower || (step.is_rotated && type != Rounding::float32) ||
             (step.from == KeyType::q8_0 && type != Rounding::float32)) {
    const Upper rounded = unit_of(type) * (one + pair);
    pair = pair + rounded;
    dimension = dimension + rounded;
  }
  return {pair.value, dimension.value};
}

double last_place_of(KeyType type) { return type == KeyType::q8_0 ? 1.0 / 127 : unit_of(rounding_of(type)).value; }

}  // namespace posenc
