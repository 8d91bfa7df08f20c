#include "posenc/frequencies/cycles.hpp"

#include "posenc/base/simd.hpp"

namespace posenc {
namespace {

using Dims64 = xsimd::batch<double>;

// The steps of double_double.hpp.
struct Product {
  Dims64 high, low;
};

Product split(Dims64 x) {
  const Dims64 scaled = Dims64(134217729.0) * x;
  const Dims64 high = scaled - (scaled - x);
  return {high, x - high};
}

Product sum_exact_ordered(Dims64 a, Dims64 b) {
  const Dims64 sum = a + b;
  return {sum, b - (sum - a)};
}

Product product(const Product& a, const DoubleDouble& factor) {
  const Dims64 high(factor.high), low(factor.low);
  const Product as = split(a.high), bs = split(high);
  const Dims64 rounded = a.high * high;
  const Dims64 rest = ((as.high * bs.high - rounded) + as.high * bs.low + as.low * bs.high) + as.low * bs.low;
  return sum_exact_ordered(rounded, rest + (a.high * low + a.low * high));
}

Product load(DoubleDoubles<const double> from, std::size_t i) {
  return {Dims64::load_aligned(from.high + i), Dims64::load_aligned(from.low + i)};
}

}  // namespace

void multiply(std::size_t size, DoubleDoubles<const double> from, const DoubleDouble& factor,
              DoubleDoubles<double> out) {
  for (std::size_t i = 0; i < size; i += Dims64::size) {
    const Product made = product(load(from, i), factor);
    made.high.store_aligned(out.high + i);
    made.low.store_aligned(out.low + i);
  }
}

void write_cycles(std::size_t size, DoubleDoubles<const double> radians, double* head, double* mid, double* tail) {
  for (std::size_t i = 0; i < size; i += Dims64::size) {
    const Product cycles = product(load(radians, i), cycles_per_radian);
    const Product halves = split(cycles.high);
    halves.high.store_aligned(head + i);
    halves.low.store_aligned(mid + i);
    cycles.low.store_aligned(tail + i);
  }
}

void write_radians(std::size_t size, const double* head, const double* mid, const double* tail, double* radians) {
  for (std::size_t i = 0; i < size; i += Dims64::size) {
    const Dims64 high = Dims64::load_aligned(head + i) + Dims64::load_aligned(mid + i);
    product(sum_exact_ordered(high, Dims64::load_aligned(tail + i)), radians_per_cycle)
        .high.store_unaligned(radians + i);
  }
}

}  // namespace posenc
