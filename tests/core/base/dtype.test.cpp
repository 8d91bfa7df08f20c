#include "posenc/base/dtype.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/dtype_reference.hpp"
#include "testing/testing.hpp"

using posenc::BFloat16;
using posenc::DType;
using posenc::Float16;
using reference::digits_of;
using reference::Format16;
using testing::require_error;
using testing::same_bits;
using testing::value_of;

namespace {

template <class T>
std::vector<float> widened(const std::vector<T>& values) {
  std::vector<float> out(values.size(), testing::untouched);
  value_of(posenc::convert(std::span(values), std::span(out)));
  return out;
}

template <class T>
std::vector<T> narrowed(const std::vector<float>& values) {
  std::vector<T> out(values.size());
  value_of(posenc::convert(std::span(values), std::span(out)));
  return out;
}

template <class T>
std::vector<T> every_pattern() {
  std::vector<T> patterns;
  for (unsigned bits = 0; bits < 0x10000; ++bits) patterns.push_back({static_cast<std::uint16_t>(bits)});
  return patterns;
}

/// How many of the narrowed values differ from the reference's.
template <class T>
std::size_t count_wrong(const std::vector<float>& values) {
  const auto& format = Format16::of<T>();
  const auto rounded = narrowed<T>(values);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto sign = std::signbit(values[i]) ? 0x8000u : 0u;
    const unsigned magnitude = std::isinf(values[i]) ? format.infinity() : format.nearest(std::fabs(values[i]));
    if (rounded[i].bits != (magnitude | sign)) ++wrong;
  }
  return wrong;
}

}  // namespace

TEMPLATE_TEST_CASE("dtype: every pattern becomes its value", "[dtype]", Float16, BFloat16) {
  const auto& format = Format16::of<TestType>();
  const auto patterns = every_pattern<TestType>();
  const auto values = widened(patterns);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint16_t bits = patterns[i].bits;
    const auto got = std::bit_cast<std::uint32_t>(values[i]);
    std::uint32_t expected = 0;
    if ((bits & 0x7fff) >= format.infinity()) {
      // Sign and fraction, the fraction's first bit first.
      const unsigned fraction = (bits & 0x7fffu) - format.infinity();
      expected = 0x7f800000u | fraction << (23 - (digits_of<TestType> - 1));
    } else {
      expected = std::bit_cast<std::uint32_t>(static_cast<float>(format.value(bits & 0x7fff)));
    }
    if (bits & 0x8000) expected |= 0x80000000u;
    if (got != expected) ++wrong;
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("dtype: every pattern comes back, a signalling NaN made quiet", "[dtype]", Float16, BFloat16) {
  const auto& format = Format16::of<TestType>();
  const auto patterns = every_pattern<TestType>();
  const auto back = narrowed<TestType>(widened(patterns));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < back.size(); ++i) {
    const unsigned quiet = format.is_nan(patterns[i].bits) ? 1u << (digits_of<TestType> - 2) : 0;
    if (back[i].bits != (patterns[i].bits | quiet)) ++wrong;
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("dtype: between every two neighbours the nearest is taken, ties to even", "[dtype]", Float16,
                   BFloat16) {
  const auto& format = Format16::of<TestType>();
  std::vector<float> values;
  for (std::uint16_t pattern = 0; pattern < format.infinity(); ++pattern) {
    const reference::Quad here = format.value(pattern);
    const reference::Quad next = format.value(static_cast<std::uint16_t>(pattern + 1));
    const auto tie = static_cast<float>((here + next) / 2);
    REQUIRE(static_cast<reference::Quad>(tie) == (here + next) / 2);
    for (const float value : {tie, std::nextafter(tie, 0.0f), std::nextafter(tie, INFINITY)}) {
      values.push_back(value);
      values.push_back(-value);
    }
  }
  CHECK(count_wrong<TestType>(values) == 0);
}

TEMPLATE_TEST_CASE("dtype: float32 values of every size are rounded to the nearest", "[dtype]", Float16, BFloat16) {
  testing::Generator generator(21);
  std::vector<float> values;
  for (int i = 0; i < 400000; ++i) {
    const auto value = std::bit_cast<float>(generator.next() << 8 | (generator.next() & 0xff));
    if (!std::isnan(value)) values.push_back(value);
  }
  // All powers of two and their neighbours, the infinities, and the largest that does not round to one.
  for (int power = -149; power <= 127; ++power)
    for (const float value : {std::ldexp(1.0f, power), std::nextafter(std::ldexp(1.0f, power), 0.0f),
                              std::nextafter(std::ldexp(1.0f, power), INFINITY)}) {
      values.push_back(value);
      values.push_back(-value);
    }
  for (const float value : {0.0f, INFINITY, 65504.0f, 65519.996f, 65520.0f, std::numeric_limits<float>::max()}) {
    values.push_back(value);
    values.push_back(-value);
  }
  CHECK(count_wrong<TestType>(values) == 0);
}

TEMPLATE_TEST_CASE("dtype: NaN stays NaN, quiet, with its sign and upper bits", "[dtype]", Float16, BFloat16) {
  testing::Generator generator(22);
  std::vector<float> values;
  for (int i = 0; i < 10000; ++i)
    values.push_back(std::bit_cast<float>((generator.next() % 2) << 31 | 0x7f800001u | (generator.next() >> 1)));
  for (const std::uint32_t bits : {0x7f800001u, 0xff800001u, 0x7fffffffu, 0xffffffffu, 0x7fc00000u})
    values.push_back(std::bit_cast<float>(bits));
  const auto rounded = narrowed<TestType>(values);
  constexpr int fraction_bits = digits_of<TestType> - 1;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(values[i]);
    const unsigned fraction = (bits & 0x7fffff) >> (23 - fraction_bits) | 1u << (fraction_bits - 1);
    if (rounded[i].bits != ((bits >> 31) << 15 | Format16::of<TestType>().infinity() | fraction)) ++wrong;
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("dtype: any number of values is converted, and none besides", "[dtype]", Float16, BFloat16) {
  constexpr TestType mark{0x1234};
  const auto values = testing::fractions(200, 23);
  const auto all = narrowed<TestType>(values);
  const auto all_back = widened(all);
  for (std::size_t size = 0; size <= 130; ++size)
    for (const std::size_t offset : {0u, 1u, 7u}) {
      std::vector<TestType> down(size + 2, mark);
      value_of(posenc::convert(std::span(values).subspan(offset, size), std::span(down).subspan(1, size)));
      CHECK(down.front() == mark);
      CHECK(down.back() == mark);
      CHECK(std::ranges::equal(std::span(down).subspan(1, size), std::span(all).subspan(offset, size)));
      std::vector<float> up(size + 2, testing::untouched);
      value_of(posenc::convert(std::span<const TestType>(all).subspan(offset, size), std::span(up).subspan(1, size)));
      CHECK(up.front() == testing::untouched);
      CHECK(up.back() == testing::untouched);
      CHECK(same_bits(std::span(up).subspan(1, size), std::span(all_back).subspan(offset, size)));
    }
}

TEMPLATE_TEST_CASE("dtype: sizes that differ are an Error and nothing is written", "[dtype]", Float16, BFloat16) {
  std::vector<float> floats(5, testing::untouched);
  std::vector<TestType> halves(6, TestType{0x1234});
  require_error(posenc::convert(std::span<const TestType>(halves), std::span(floats)), "to", "5");
  require_error(posenc::convert(std::span<const float>(floats), std::span(halves)), "to", "6");
  CHECK(testing::is_untouched(floats));
  CHECK(std::ranges::count(halves, TestType{0x1234}) == 6);
}

TEST_CASE("dtype: dtypes go by name", "[dtype]") {
  CHECK(value_of(posenc::from_name<posenc::DType>("float32")) == DType::float32);
  CHECK(value_of(posenc::from_name<posenc::DType>("float16")) == DType::float16);
  CHECK(value_of(posenc::from_name<posenc::DType>("bfloat16")) == DType::bfloat16);
  for (const char* name : {"", "half", "Float16", "fp16"})
    require_error(posenc::from_name<posenc::DType>(name), "dtype", name);
}
