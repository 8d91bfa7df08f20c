#include "posenc/frequencies/cycles.hpp"

#include "posenc/base/simd.hpp"

namespace posenc {
namespace {

using Lanes64 = xsimd::batch<double>;

// The steps of double_double.hpp.
struct Product {
  Lanes64 high, low;
};

Product split(Lanes64 x) {
  const Lanes64 scaled = Lanes64(134217729.0) * x;
  const Lanes64 high = scaled - (scaled - x);
  return {high, x - high};
}

Product sum_exact_ordered(Lanes64 a, Lanes64 b) {
  const Lanes64 sum = a + b;
  return {sum, b - (sum - a)};
}

Product product(const Product& a, const DoubleDouble& factor) {
  const Lanes64 high(factor.high), low(factor.low);
  const Product as = split(a.high), bs = split(high);
  const Lanes64 rounded = a.high * high;
  const Lanes64 rest = ((as.high * bs.high - rounded) + as.high * bs.low + as.low * bs.high) + as.low * bs.low;
  return sum_exact_ordered(rounded, rest + (a.high * low + a.low * high));
}

Product load(DoubleDoubles<const double> from, std::size_t i) {
  return {Lanes64::load_aligned(from.high + i), Lanes64::load_aligned(from.low + i)};
}

}  // namespace

void multiply(std::size_t size, DoubleDoubles<const double> from, const DoubleDouble& factor,
              DoubleDoubles<double> out) {
  for (std::size_t i = 0; i < size; i += Lanes64::size) {
    const Product made = product(load(from, i), factor);
    made.high.store_aligned(out.high + i);
    made.low.store_aligned(out.low + i);
  }
}

void write_cycles(std::size_t size, DoubleDoubles<const double> radians, double* head, double* mid, double* tail) {
  for (std::size_t i = 0; i < size; i += Lanes64::size) {
    const Product cycles = product(load(radians, i), cycles_per_radian);
    const Product halves = split(cycles.high);
    halves.high.store_aligned(head + i);
    halves.low.store_aligned(mid + i);
    cycles.low.store_aligned(tail + i);
  }
}

void write_radians(std::size_t size, const double* head, const double* mid, const double* tail, double* radians) {
  for (std::size_t i = 0; i < size; i += Lanes64::size) {
    const Lanes64 high = Lanes64::load_aligned(head + i) + Lanes64::load_aligned(mid + i);
    product(sum_exact_ordered(high, Lanes64::load_aligned(tail + i)), radians_per_cycle)
        .high.store_unaligned(radians + i);
  }
}

}  // namespace posenc
