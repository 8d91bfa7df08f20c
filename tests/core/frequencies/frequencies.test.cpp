#include "posenc/frequencies/frequencies.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::Exponent;
using posenc::Frequencies;
using posenc::FrequencyOptions;
using reference::Quad;
using testing::infinity;
using testing::require_error;
using testing::value_of;

namespace {

/// The smallest doubles can hold so much of a frequency's three parts.
const Quad floor_of_doubles = std::ldexp(1.0, -1060);

Quad in_radians(const Frequencies& frequencies, std::size_t i) {
  const Quad cycles = static_cast<Quad>(frequencies.head()[i]) + frequencies.mid()[i] + frequencies.tail()[i];
  return cycles * 2 * reference::pi();
}

struct Errors {
  double relative = 0;     ///< of the exact sum, less what a double cannot hold
  double radians_ulp = 0;  ///< of radians(i)
};

Errors errors_of(const FrequencyOptions& options) {
  const auto frequencies = value_of(Frequencies::make(options));
  const auto exact = reference::frequencies(options);
  REQUIRE(frequencies.count() == exact.size());
  Errors errors;
  Quad largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const Quad magnitude = reference::magnitude(exact[i]);
    const Quad difference = reference::magnitude(in_radians(frequencies, i) - exact[i]) - floor_of_doubles;
    errors.relative = std::max(errors.relative, static_cast<double>(difference / magnitude));
    errors.radians_ulp = std::max(errors.radians_ulp, reference::double_ulp_error(frequencies.radians(i), exact[i]));
    if (magnitude > largest) largest = magnitude;
  }
  CHECK(reference::double_ulp_error(frequencies.largest(), largest) <= 1);
  return errors;
}

void check_errors(const FrequencyOptions& options) {
  INFO("dim " << options.dim << ", base " << options.base << ", exponent " << static_cast<int>(options.exponent));
  const Errors errors = errors_of(options);
  CHECK(errors.relative <= std::ldexp(1.0, -90));
  CHECK(errors.radians_ulp <= 1);
}

int significant_bits(double x) {
  if (x == 0) return 0;
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(x), &exponent), 53));
  return 53 - std::countr_zero(mantissa);
}

int most_significant_bits(std::span<const double> values) {
  int most = 0;
  for (const double value : values) most = std::max(most, significant_bits(value));
  return most;
}

void check_padding(std::span<const double> part, std::size_t count) {
  REQUIRE(part.size() >= count);
  CHECK(part.size() < count + Frequencies::dim_block);
  CHECK(part.size() % Frequencies::dim_block == 0);
  CHECK(std::ranges::all_of(part.subspan(count), [](double value) { return value == 0; }));
}

}  // namespace

TEST_CASE("frequencies: within 2^-90 of the formula for every dim", "[frequencies]") {
  for (std::int64_t dim = 1; dim <= 600; dim += dim < 70 ? 1 : 29)
    for (const Exponent exponent : {Exponent::paper, Exponent::double_stepped})
      check_errors({.dim = dim, .base = 10000, .exponent = exponent});
  check_errors({.dim = 4095});
  check_errors({.dim = 4096});
}

TEST_CASE("frequencies: within 2^-90 of the formula for every base", "[frequencies]") {
  for (const double base : {2.0, 10.0, 100.0, 500.0, 1e4, 5e5, 1e6, 1e8, 1.0, 0.5, 0.01, 1e-5, 1.0000001, 0.9999999,
                            3.14159, 1e100, 1e300, 1e-15})
    for (const std::int64_t dim : {1, 2, 3, 7, 64, 128, 255}) check_errors({.dim = dim, .base = base});
}

TEST_CASE("frequencies: double-stepped exponents over every base", "[frequencies]") {
  for (const double base : {2.0, 500.0, 1e8, 1.0, 0.5, 1e-5, 1e150})
    for (const std::int64_t dim : {1, 2, 3, 8, 130})
      check_errors({.dim = dim, .base = base, .exponent = Exponent::double_stepped});
}

TEST_CASE("frequencies: the largest error over many is printed", "[frequencies]") {
  double relative = 0;
  for (const double base : {500.0, 1e4, 5e5, 1e6, 1e8, 0.5})
    relative = std::max(relative, errors_of({.dim = 256, .base = base}).relative);
  std::printf("largest error: frequencies 2^%.1f relative\n", std::log2(relative));
  CHECK(relative <= std::ldexp(1.0, -90));
}

TEST_CASE("frequencies: head and mid have at most 26 significant bits", "[frequencies]") {
  REQUIRE(significant_bits(5) == 3);
  REQUIRE(significant_bits(std::nextafter(1.0, 2.0)) == 53);
  for (const double base : {2.0, 500.0, 1e4, 1e8, 0.5, 1e-5, 1e300}) {
    const auto frequencies = value_of(Frequencies::make({.dim = 600, .base = base}));
    CHECK(most_significant_bits(frequencies.head()) <= 26);
    CHECK(most_significant_bits(frequencies.mid()) <= 26);
    CHECK(most_significant_bits(frequencies.head()) > 20);  // or the test would check nothing
  }
}

TEST_CASE("frequencies: padded with zeros to whole blocks", "[frequencies]") {
  for (const std::int64_t dim : {1, 2, 3, 14, 15, 16, 17, 18, 33, 600}) {
    INFO("dim " << dim);
    const auto frequencies = value_of(Frequencies::make({.dim = dim}));
    CHECK(frequencies.count() == static_cast<std::size_t>((dim + 1) / 2));
    check_padding(frequencies.head(), frequencies.count());
    check_padding(frequencies.mid(), frequencies.count());
    check_padding(frequencies.tail(), frequencies.count());
    CHECK(frequencies.padded_count() == frequencies.head().size());
  }
}

TEST_CASE("frequencies: the first is one radian exactly", "[frequencies]") {
  for (const double base : {500.0, 1e4, 0.5, 1e300})
    CHECK(value_of(Frequencies::make({.dim = 6, .base = base})).radians(0) == 1);
}

TEST_CASE("frequencies: doubly stepped, dim 8 has 1, 0.01, 0.0001, 0.000001 instead of 1, 0.1, 0.01, 0.001",
          "[frequencies]") {
  const auto paper = value_of(Frequencies::make({.dim = 8}));
  const auto stepped = value_of(Frequencies::make({.dim = 8, .exponent = Exponent::double_stepped}));
  Quad paper_step = 1;
  Quad stepped_step = 1;
  for (std::size_t i = 0; i < 4; ++i, paper_step /= 10, stepped_step /= 100) {
    CHECK(reference::double_ulp_error(paper.radians(i), paper_step) <= 1);
    CHECK(reference::double_ulp_error(stepped.radians(i), stepped_step) <= 1);
  }
}

TEST_CASE("frequencies: a wrong dim is an Error", "[frequencies]") {
  require_error(Frequencies::make({}), "dim", "0");
  require_error(Frequencies::make({.dim = 0}), "dim", "0");
  require_error(Frequencies::make({.dim = -3}), "dim", "-3");
  require_error(Frequencies::make({.dim = posenc::max_dim + 1}), "dim", "16777217");
  require_error(Frequencies::make({.dim = std::numeric_limits<std::int64_t>::max()}), "dim", "922337203685477");
  require_error(Frequencies::make({.dim = std::numeric_limits<std::int64_t>::min()}), "dim", "-922337203685477");
}

TEST_CASE("frequencies: a wrong base is an Error", "[frequencies]") {
  require_error(Frequencies::make({.dim = 8, .base = 0}), "base", "0");
  require_error(Frequencies::make({.dim = 8, .base = -1}), "base", "-1");
  require_error(Frequencies::make({.dim = 8, .base = std::nan("")}), "base", "nan");
  require_error(Frequencies::make({.dim = 8, .base = std::numeric_limits<double>::infinity()}), "base", "inf");
  require_error(Frequencies::make({.dim = 8, .base = -std::numeric_limits<double>::infinity()}), "base", "-inf");
}

TEST_CASE("frequencies: a base so small that position 1 is past the largest angle is an Error", "[frequencies]") {
  require_error(Frequencies::make({.dim = 4, .base = 0x1p-108}), "base", "e-33");
  value_of(Frequencies::make({.dim = 4, .base = 0x1p-104}));  // 2^52 radians a position
  require_error(Frequencies::make({.dim = 8, .base = 1e-300}), "base", "1e-300");
  require_error(Frequencies::make({.dim = 8, .base = 1e-300, .exponent = Exponent::double_stepped}), "base", "1e-300");
  require_error(Frequencies::make({.dim = 4096, .base = 1e-320}), "base", "e-3");
  value_of(Frequencies::make({.dim = 2, .base = 1e-320}));  // its one frequency is 1
}

TEST_CASE("frequencies: exponents go by name", "[frequencies]") {
  CHECK(value_of(posenc::from_name<posenc::Exponent>("paper")) == Exponent::paper);
  CHECK(value_of(posenc::from_name<posenc::Exponent>("double-stepped")) == Exponent::double_stepped);
  for (const char* name : {"Paper", "", "double_stepped", "paper "}) {
    const auto result = posenc::from_name<posenc::Exponent>(name);
    require_error(result, "exponent", name);
    CHECK(result.error().expected().find("paper") != std::string::npos);
    CHECK(result.error().expected().find("double-stepped") != std::string::npos);
  }
}

TEST_CASE("frequencies: exponent half, every shift and scale", "[frequencies]") {
  CHECK(value_of(posenc::from_name<posenc::Exponent>("half")) == Exponent::half);
  for (const std::int64_t dim : {4, 5, 8, 33, 256, 600})
    for (const double shift : {0.0, 1.0, 0.5, -3.0, 1.0 / 3})
      for (const double scale : {1.0, 1000.0, -2.5, 0.1})
        check_errors({.dim = dim, .exponent = Exponent::half, .shift = shift, .scale = scale});
  check_errors({.dim = 2, .exponent = Exponent::half});
  check_errors({.dim = 6, .exponent = Exponent::half, .shift = 5});  // they grow: 1, 100, 10000
  CHECK(value_of(Frequencies::make({.dim = 9, .exponent = Exponent::half})).count() == 4);
  // Far below a double: no angle at all.
  CHECK(value_of(Frequencies::make({.dim = 8, .exponent = Exponent::half, .shift = 3.999})).radians(3) == 0);
}

TEST_CASE("frequencies: with shift 1 the last is 1 / base", "[frequencies]") {
  const auto frequencies =
      value_of(Frequencies::make({.dim = 8, .base = 1000, .exponent = Exponent::half, .shift = 1}));
  Quad step = 1;
  for (std::size_t i = 0; i < 4; ++i, step /= 10) CHECK(reference::double_ulp_error(frequencies.radians(i), step) <= 1);
}

TEST_CASE("frequencies: a wrong shift or scale is an Error", "[frequencies]") {
  require_error(Frequencies::make({.dim = 1, .exponent = Exponent::half}), "dim", "1");
  require_error(Frequencies::make({.dim = 8, .exponent = Exponent::half, .shift = 4}), "shift", "4");
  require_error(Frequencies::make({.dim = 3, .exponent = Exponent::half, .shift = 1}), "shift", "1");
  require_error(Frequencies::make({.dim = 8, .exponent = Exponent::half, .shift = infinity}), "shift", "inf");
  require_error(Frequencies::make({.dim = 8, .exponent = Exponent::half, .shift = std::nan("")}), "shift", "nan");
  require_error(Frequencies::make({.dim = 8, .exponent = Exponent::half, .shift = 4.001}), "shift", "4.001");
  // So far from any denominator that its product has no exact halves: the result was NaN.
  require_error(Frequencies::make({.dim = 8, .exponent = Exponent::half, .shift = -1e308}), "shift", "1e+308");
  require_error(Frequencies::make({.dim = 8, .shift = 1}), "shift", "1");
  require_error(Frequencies::make({.dim = 8, .scale = infinity}), "scale", "inf");
  require_error(Frequencies::make({.dim = 8, .scale = std::nan("")}), "scale", "nan");
  require_error(Frequencies::make({.dim = 8, .scale = 0x1p54}), "scale", "18014398509481984");
  require_error(Frequencies::make({.dim = 4, .base = 0x1p-104, .scale = 4}), "scale", "4");
}

TEST_CASE("frequencies: those given, in cycles and in radians", "[frequencies]") {
  const std::vector<double> given{0.5, -3, 0, 1.0 / 3, 1e12, 1e-9};
  const auto cycles = value_of(Frequencies::from_cycles(given));
  const auto radians = value_of(Frequencies::from_radians(given));
  REQUIRE(cycles.count() == given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    CHECK(static_cast<Quad>(cycles.head()[i]) + cycles.mid()[i] + cycles.tail()[i] == given[i]);
    CHECK(reference::magnitude(in_radians(radians, i) - given[i]) <= std::ldexp(std::abs(given[i]), -100));
  }
  CHECK(radians.largest() == 1e12);
  check_padding(cycles.head(), cycles.count());
  require_error(Frequencies::from_cycles(std::vector<double>{1, 0x1p52}), "frequencies", "4503599627370496");
  require_error(Frequencies::from_radians(std::vector<double>{std::nan("")}), "frequencies", "nan");
  require_error(Frequencies::from_radians(std::vector<double>{-0x1p54}), "frequencies", "-18014398509481984");
}
