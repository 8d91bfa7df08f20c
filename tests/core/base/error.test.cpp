#include "posenc/base/error.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <utility>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error_code.hpp"
#include "testing/testing.hpp"

TEST_CASE("error: a message names argument, value and expectation", "[error]") {
  using posenc::Error;
  namespace expected = posenc::expected;
  CHECK(Error("dim", -3.0, expected::whole).message() == "dim: -3, expected a whole number");
  CHECK(Error("base", 0.1, expected::above, {1}).message() == "base: 0.1, expected a number > 1");
  CHECK(Error("dim", 3.0, expected::even, {}, ", for this preset").expected() == "an even number, for this preset");
  CHECK(Error("order", "halves", expected::one_of, {"\"split\""}).message() ==
        "order: halves, expected one of \"split\"");
  CHECK(Error("x", 0.5, expected::from_to, {1e-7, "2^53"}).expected() == "a number from 1e-07 to 2^53");
  CHECK(Error("dim", 0.0, expected::whole_from_to, {1, 16777216}).expected() == "a whole number from 1 to 16777216");
}

TEST_CASE("error: a code has a name, and its sentence parameters in braces", "[error]") {
  const posenc::Error error("order", 1.0, posenc::expected::axes_from_to, {1, 4});
  CHECK(error.code.name() == "axes_from_to");
  CHECK(error.code.sentence() == "from {least} to {most} axes");
  CHECK(error.parameters[0].number == 1);
  CHECK(error.parameters[1].number == 4);
}

TEST_CASE("error: a copy has the same message", "[error]") {
  const posenc::Error error("base", 0.5, posenc::expected::above, {1});
  posenc::Error copy("dim", "x", posenc::expected::whole);
  copy = error;
  CHECK(copy.message() == error.message());
  const posenc::Error moved(std::move(copy));
  CHECK(moved.message() == error.message());
}

TEST_CASE("error: more memory than there is is an Error", "[error]") {
  testing::require_error(posenc::AlignedArray<double>::make(SIZE_MAX), "memory", "");
  testing::require_error(posenc::AlignedArray<double>::make(SIZE_MAX / 8 + 2), "memory", "");
}

TEST_CASE("error: an aligned array is zeros on a 64-byte boundary", "[error]") {
  for (const std::size_t size : {1u, 7u, 1000u}) {
    const auto array = testing::value_of(posenc::AlignedArray<double>::make(size));
    REQUIRE(array.size() == size);
    CHECK(reinterpret_cast<std::uintptr_t>(array.data()) % 64 == 0);
    CHECK(std::ranges::all_of(array.span(), [](double value) { return value == 0; }));
  }
  CHECK(testing::value_of(posenc::AlignedArray<float>::make(0)).size() == 0);
}

TEST_CASE("error: several arrays are allocated in one call, each with its size", "[error]") {
  posenc::AlignedArray<double> sines;
  posenc::AlignedArray<float> rounded;
  REQUIRE(posenc::allocate({{sines, 3}, {rounded, 0}}));
  CHECK(sines.size() == 3);
  CHECK(std::ranges::all_of(sines.span(), [](double value) { return value == 0; }));
  CHECK(rounded.size() == 0);
  testing::require_error(posenc::allocate({{sines, 5}, {rounded, SIZE_MAX}}, posenc::Fill::none), "memory", "");
  CHECK(sines.size() == 5);
  CHECK(rounded.size() == 0);
}
