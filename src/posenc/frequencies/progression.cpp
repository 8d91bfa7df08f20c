#include "posenc/frequencies/progression.hpp"

namespace posenc {
namespace {

/// 1, x, x^2, ...: `count` powers at most 16, each a product.
void write_powers(DoubleDouble x, std::size_t count, DoubleDouble* out) {
  DoubleDouble power{1, 0};
  for (std::size_t i = 0; i < count; ++i, power = power * x) out[i] = power;
}

}  // namespace

void Progression::terms(std::span<DoubleDouble> out) const {
  if (out.empty()) return;
  constexpr std::size_t step = 16;
  if (ln_largest(out.size()) > largest_ln) {  // products would overflow
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = (*this)(i);
    return;
  }
  DoubleDouble ones[step], sixteens[step];
  write_powers(power(1), step, ones);
  write_powers(power(step), step, sixteens);
  DoubleDouble first{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i % (step * step) == 0) first = (*this)(i);
    const DoubleDouble block = i / step % step == 0 ? first : first * sixteens[i / step % step];
    out[i] = i % step == 0 ? block : block * ones[i % step];
  }
}

}  // namespace posenc
