#include "testing/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace reference {
namespace {

constexpr int series_terms = 32;  // (pi/4)^32 / 32! < 2^-128

/// 1/0!, 1/1!, 1/2!, ...
const std::array<Quad, series_terms>& inverse_factorials() {
  static const auto table = [] {
    std::array<Quad, series_terms> values{};
    Quad factorial = 1;
    for (int n = 0; n < series_terms; ++n) {
      if (n > 0) factorial *= n;
      values[static_cast<std::size_t>(n)] = 1 / factorial;
    }
    return values;
  }();
  return table;
}

Quad ln2() {
  static const Quad value = from_decimal("0.6931471805599453094172321214581766");
  return value;
}

/// The sum of x^n/n! over n = first, first + 2, ...; every second term negated. |x| <= pi/4.
Quad alternating_series(Quad x, int first) {
  const Quad minus_square = -(x * x);
  Quad sum = 0;
  for (int n = series_terms - 2 + first; n >= first; n -= 2)
    sum = sum * minus_square + inverse_factorials()[static_cast<std::size_t>(n)];
  return first == 0 ? sum : sum * x;
}

std::int64_t nearest_integer(Quad x) { return static_cast<std::int64_t>(x < 0 ? x - 0.5 : x + 0.5); }

/// x * 2^exponent, which is exact.
Quad scaled(Quad x, std::int64_t exponent) {
  for (; exponent > 0; --exponent) x *= 2;
  for (; exponent < 0; ++exponent) x /= 2;
  return x;
}

/// The exponent e of x = m * 2^e, 1 <= |m| < 2.
int binary_exponent(Quad x) {
  int exponent = 0;
  for (x = magnitude(x); x >= 2; x /= 2) ++exponent;
  for (; x < 1; x *= 2) --exponent;
  return exponent;
}

/// |value - exact| in units of the last place of a format: `digits` significant bits, smallest exponent `least`.
double error_in_ulp(Quad value, Quad exact, int digits, int least) {
  const int exponent = exact == 0 ? least : std::max(binary_exponent(exact), least);
  return static_cast<double>(scaled(magnitude(value - exact), digits - 1 - exponent));
}

}  // namespace

Quad from_decimal(std::string_view digits) {
  Quad integer = 0;
  Quad scale = 1;
  bool in_fraction = false;
  for (const char digit : digits) {
    if (digit == '.') {
      in_fraction = true;
      continue;
    }
    integer = integer * 10 + (digit - '0');
    if (in_fraction) scale *= 10;
  }
  return integer / scale;
}

Quad pi() {
  static const Quad value = from_decimal("3.141592653589793238462643383279503");
  return value;
}

std::vector<double> radians(std::initializer_list<int> degrees) {
  std::vector<double> angles;
  for (const int angle : degrees) angles.push_back(static_cast<double>(pi() * angle / 180));
  return angles;
}

Quad magnitude(Quad x) { return x < 0 ? -x : x; }

Quad square_root(Quad x) {
  if (x == 0) return 0;
  Quad root = std::sqrt(static_cast<double>(x));
  for (int step = 0; step < 3; ++step) root = (root + x / root) / 2;  // 53 -> 106 -> 113 bits
  return root;
}

Quad exponential(Quad x) {
  const std::int64_t doublings = nearest_integer(x / ln2());
  const Quad rest = x - static_cast<Quad>(doublings) * ln2();
  Quad sum = 0;
  for (int n = series_terms - 1; n >= 0; --n) sum = sum * rest + inverse_factorials()[static_cast<std::size_t>(n)];
  return scaled(sum, doublings);
}

Quad logarithm(Quad x) {
  int exponent = binary_exponent(x);
  Quad mantissa = scaled(x, -exponent);
  if (mantissa > 1.5) {
    mantissa /= 2;
    ++exponent;
  }
  // ln m = 2 (t + t^3/3 + t^5/5 + ...), t = (m - 1)/(m + 1); here |t| <= 1/5.
  const Quad t = (mantissa - 1) / (mantissa + 1);
  Quad sum = 0;
  for (int n = 61; n >= 1; n -= 2) sum = sum * t * t + static_cast<Quad>(1) / n;
  return 2 * t * sum + exponent * ln2();
}

Quad power(Quad base, Quad exponent) { return exponential(exponent * logarithm(base)); }

Phase phase(Quad angle) {
  const std::int64_t quarters = nearest_integer(angle / (pi() / 2));
  // Products of these parts of pi / 2 with whole numbers of 53 bits are exact: next to zeros nothing is lost.
  const Quad parts[]{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
  Quad rest = angle;
  for (const Quad part : parts) rest -= static_cast<Quad>(quarters) * part;
  const Quad sine = alternating_series(rest, 1);
  const Quad cosine = alternating_series(rest, 0);
  switch (quarters & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

std::vector<Quad> frequencies(const posenc::FrequencyOptions& options) {
  const bool half = options.exponent == posenc::Exponent::half;
  const int step = half ? 1 : (options.exponent == posenc::Exponent::paper ? 2 : 4);
  const Quad denominator = half ? static_cast<Quad>(options.dim / 2) - options.shift : static_cast<Quad>(options.dim);
  const std::int64_t count = half ? options.dim / 2 : (options.dim + 1) / 2;
  const Quad ln_base = logarithm(options.base);
  std::vector<Quad> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(options.scale * exponential(-static_cast<Quad>(step * i) / denominator * ln_base));
  return values;
}

double ulp_error(float value, Quad exact) { return error_in_ulp(value, exact, FLT_MANT_DIG, FLT_MIN_EXP - 1); }

double double_ulp_error(double value, Quad exact) { return error_in_ulp(value, exact, DBL_MANT_DIG, DBL_MIN_EXP - 1); }

void LargestErrors::note(float value, Quad exact) {
  if (std::isnan(value)) {  // or no comparison would find it
    ulp = absolute = std::numeric_limits<double>::infinity();
    return;
  }
  absolute = std::max(absolute, static_cast<double>(magnitude(value - exact)));
  if (magnitude(exact) >= 0.5) ulp = std::max(ulp, ulp_error(value, exact));
}

void LargestErrors::note(const LargestErrors& other) {
  ulp = std::max(ulp, other.ulp);
  absolute = std::max(absolute, other.absolute);
}

}  // namespace reference
