#include "testing/reference.hpp"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "testing/testing.hpp"

using reference::from_decimal;
using reference::Quad;

namespace {

/// Up to five of 113 bits may be lost.
void check_relative(Quad value, std::string_view digits, int bits = 108) {
  INFO(digits);
  const Quad exact = from_decimal(digits);
  CHECK(static_cast<double>(reference::magnitude(value / exact - 1)) <= std::ldexp(1.0, -bits));
}

void check_phase(Quad angle, Quad sine, Quad cosine, int bits) {
  INFO("angle " << static_cast<double>(angle));
  const reference::Phase phase = reference::phase(angle);
  CHECK(static_cast<double>(reference::magnitude(phase.sine - sine)) <= std::ldexp(1.0, -bits));
  CHECK(static_cast<double>(reference::magnitude(phase.cosine - cosine)) <= std::ldexp(1.0, -bits));
}

}  // namespace

TEST_CASE("reference: exponentials, logarithms, powers and roots agree with printed digits", "[reference]") {
  check_relative(reference::exponential(1), "2.718281828459045235360287471352662");
  check_relative(reference::exponential(-from_decimal("9.21")), "0.0001000340429909296571048799333800133");
  check_relative(reference::exponential(50), "5184705528587072464087.453322933485");
  check_relative(reference::logarithm(2), "0.6931471805599453094172321214581766");
  check_relative(reference::logarithm(10), "2.302585092994045684017991454684364");
  check_relative(reference::logarithm(10000), "9.210340371976182736071965818737457");
  check_relative(-reference::logarithm(from_decimal("0.1")), "2.302585092994045684017991454684364");
  check_relative(reference::logarithm(1e300), "690.7755278982137052053974364053093", 58);  // 1e300 itself is a double
  check_relative(reference::power(10000, from_decimal("0.3")), "15.84893192461113485202101373391507");
  check_relative(reference::power(10000, -from_decimal("0.3")), "0.06309573444801932494343601366223439");
  check_relative(reference::square_root(2), "1.414213562373095048801688724209698");
  check_relative(reference::square_root(10000), "100");
}

TEST_CASE("reference: sines and cosines agree with printed digits", "[reference]") {
  const Quad sine_1 = from_decimal("0.8414709848078965066525023216302990");
  const Quad cosine_1 = from_decimal("0.5403023058681397174009366074429766");
  check_phase(0, 0, 1, 112);
  check_phase(1, sine_1, cosine_1, 110);
  check_phase(-1, -sine_1, cosine_1, 110);
  check_phase(reference::pi() / 6, from_decimal("0.5"), reference::square_root(3) / 2, 110);
  check_phase(reference::pi() / 2 + 1, cosine_1, -sine_1, 110);
  check_phase(reference::pi() + 1, -sine_1, -cosine_1, 110);
  check_phase(100, -from_decimal("0.5063656411097587936565576104597854"),
              from_decimal("0.8623188722876839341019385139508425"), 105);
  check_phase(2147483648.0, -from_decimal("0.9713101757929392428251451651068132"),
              from_decimal("0.2378161945728033571536873174009872"), 81);
  check_phase(9007199254740992.0, -from_decimal("0.8489259648146549995612720696920910"),
              -from_decimal("0.5285117844130886942586601103167002"), 59);
}

TEST_CASE("reference: frequencies are base^(-2i/dim)", "[reference]") {
  const auto paper = reference::frequencies({.dim = 7, .base = 1e7});
  REQUIRE(paper.size() == 4);
  check_relative(paper[0], "1");
  check_relative(paper[1], "0.01");
  check_relative(paper[3], "0.000001");
  const auto double_stepped =
      reference::frequencies({.dim = 8, .base = 10000, .exponent = posenc::Exponent::double_stepped});
  REQUIRE(double_stepped.size() == 4);
  check_relative(double_stepped[3], "0.000001");
}

TEST_CASE("reference: errors are counted in units of the last place", "[reference]") {
  CHECK(reference::ulp_error(1.0f, 1) == 0);
  CHECK(reference::ulp_error(std::nextafter(1.0f, 2.0f), 1) == 1);
  CHECK(reference::ulp_error(0.75f, static_cast<Quad>(0.75f) + std::ldexp(1.0, -25)) == 0.5);
  CHECK(reference::ulp_error(-3.0f, static_cast<Quad>(-3.0f) + std::ldexp(1.0, -22)) == 1);
  CHECK(reference::ulp_error(0.0f, std::ldexp(1.0, -149)) == 1);
  CHECK(reference::double_ulp_error(1.0, static_cast<Quad>(1.0) + std::ldexp(1.0, -52)) == 1);
}

TEST_CASE("reference: a NaN is the largest error of all", "[reference]") {
  reference::LargestErrors errors;
  errors.note(1.0f, 1);
  errors.note(std::nanf(""), 1);
  errors.note(1.0f, 1);
  CHECK_FALSE(errors.absolute <= 1);
  CHECK_FALSE(errors.ulp <= 1);
}

TEST_CASE("hashes: FNV-1a agrees with its published values", "[hashes]") {
  CHECK(testing::hash_of({}) == "cbf29ce484222325");
  // The four bytes of "foob".
  const float foob = std::bit_cast<float>(std::uint32_t{0x626f6f66});
  CHECK(testing::hash_of({{&foob, 1}}) == "dd120e790c2512af");
}
