#pragma once

#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "posenc/frequencies/frequencies.hpp"

/// The reference for the core: the formulas as written, in 113-bit arithmetic. It uses no mathematical library, because
/// those are often accurate to double only, and nothing of the core but its options.
namespace reference {

#if defined(__SIZEOF_FLOAT128__)
__extension__ using Quad = __float128;
#elif LDBL_MANT_DIG >= 113
using Quad = long double;
#else
#error "The tests need a floating-point type of 113 bits: __float128, or a long double of that size."
#endif

/// A decimal fraction such as "3.14159", of at most 34 digits.
[[nodiscard]] Quad from_decimal(std::string_view digits);

[[nodiscard]] Quad pi();

/// The doubles nearest to this many degrees.
[[nodiscard]] std::vector<double> radians(std::initializer_list<int> degrees);

[[nodiscard]] Quad magnitude(Quad x);
[[nodiscard]] Quad square_root(Quad x);
[[nodiscard]] Quad exponential(Quad x);
[[nodiscard]] Quad logarithm(Quad x);
[[nodiscard]] Quad power(Quad base, Quad exponent);

struct Phase {
  Quad sine;
  Quad cosine;
};

/// Error about |angle| * 2^-113, for |angle| up to 2^53.
[[nodiscard]] Phase phase(Quad angle);

/// scale * base^(-2i/dim), or base^(-4i/dim) when double-stepped, for i = 0 ... ceil(dim / 2) - 1; or base^(-i/(half -
/// shift)) for i = 0 ... half - 1, half = floor(dim / 2): radians per position.
[[nodiscard]] std::vector<Quad> frequencies(const posenc::FrequencyOptions& options);

/// |value - exact| in units of the last place of a float32 that is as large as `exact`.
[[nodiscard]] double ulp_error(float value, Quad exact);

/// Takes a double.
[[nodiscard]] double double_ulp_error(double value, Quad exact);

/// The largest errors of a set of sines and cosines.
struct LargestErrors {
  double ulp = 0;       ///< in float32 ulp, where |exact| >= 0.5
  double absolute = 0;  ///< anywhere

  void note(float value, Quad exact);
  void note(const LargestErrors& other);
};

}  // namespace reference
