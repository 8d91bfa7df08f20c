#include "posenc/rotary/convert_layout.hpp"

#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/linear.hpp"
#include "testing/testing.hpp"

using posenc::ConvertLayoutOptions;
using posenc::Layout;
using posenc::Positions;
using testing::fractions;
using testing::Generator;
using testing::require_error;
using testing::same_bits;
using testing::Shape;
using testing::value_of;

namespace {

using Values = std::vector<float>;

Values converted(const ConvertLayoutOptions& conversion, std::size_t inner, const Values& x) {
  Values out(x.size(), testing::untouched);
  value_of(posenc::convert_layout(conversion, inner, x, out));
  return out;
}

Values counted(std::size_t count) {
  Values values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

}  // namespace

TEST_CASE("layout conversion: dimensions of each head change places", "[rotary]") {
  CHECK(converted({.dim = 6, .from = Layout::half, .to = Layout::interleaved}, 1, counted(12)) ==
        Values{0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11});
  CHECK(converted({.dim = 6, .from = Layout::interleaved, .to = Layout::half}, 1, counted(12)) ==
        Values{0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11});
  CHECK(converted({.dim = 7, .rotary_dim = 4, .from = Layout::interleaved, .to = Layout::half}, 1, counted(7)) ==
        Values{0, 2, 1, 3, 4, 5, 6});
  CHECK(converted({.dim = 4, .from = Layout::interleaved, .to = Layout::half}, 2, counted(8)) ==
        Values{0, 1, 4, 5, 2, 3, 6, 7});
  CHECK(converted({.dim = 4, .from = Layout::half, .to = Layout::half}, 2, counted(8)) == counted(8));
  CHECK(converted({.dim = 4, .from = Layout::half, .to = Layout::interleaved}, 3, {}).empty());
}

TEST_CASE("layout conversion: the other way undoes it, and vectors rotate to the same values", "[rotary]") {
  Generator generator(71);
  for (int round = 0; round < 40; ++round) {
    const auto dim = static_cast<std::int64_t>(2 + generator.below(20));
    const auto rotary_dim = static_cast<std::int64_t>(2 * (1 + generator.below(static_cast<std::size_t>(dim) / 2)));
    const ConvertLayoutOptions there{dim, rotary_dim, Layout::half, Layout::interleaved};
    const ConvertLayoutOptions back{dim, rotary_dim, Layout::interleaved, Layout::half};
    const auto x = fractions(static_cast<std::size_t>(3 * dim), generator.next());
    CHECK(same_bits(converted(back, 1, converted(there, 1, x)), x));
    const auto rotate = [&](Layout layout, const Values& values) {
      return testing::rotated({.dim = dim, .layout = layout, .rotary_dim = rotary_dim}, values, Shape{3, dim},
                              Positions::range(3, 50));
    };
    CHECK(same_bits(converted(there, 1, rotate(Layout::half, x)), rotate(Layout::interleaved, converted(there, 1, x))));
  }
}

TEST_CASE("layout conversion: a projection's converted weight gives converted queries", "[rotary]") {
  const ConvertLayoutOptions conversion{.dim = 6, .rotary_dim = 4, .from = Layout::interleaved, .to = Layout::half};
  const auto x = fractions(4 * 5, 72);
  const auto weight = fractions(12 * 5, 73);
  Values query(4 * 12), from_converted(4 * 12);
  value_of(posenc::linear(x, weight, 5, posenc::SumPrecision::float32, query));
  value_of(posenc::linear(x, converted(conversion, 5, weight), 5, posenc::SumPrecision::float32, from_converted));
  CHECK(same_bits(from_converted, converted(conversion, 1, query)));
}

TEST_CASE("layout conversion: what is wrong is an Error and nothing is written", "[rotary]") {
  const ConvertLayoutOptions good{.dim = 4, .from = Layout::half, .to = Layout::interleaved};
  auto memory = fractions(24, 74);
  const Values before = memory;
  Values out(12, testing::untouched);
  const auto refused = [&](const ConvertLayoutOptions& conversion, std::size_t inner, std::size_t size,
                           std::string_view argument, std::string_view value) {
    require_error(posenc::convert_layout(conversion, inner, std::span(memory).first(size), out), argument, value);
  };
  for (const std::int64_t dim : {0, -4, 1}) {
    ConvertLayoutOptions wrong = good;
    wrong.dim = dim;
    refused(wrong, 1, 12, "dim", std::to_string(dim));
  }
  for (const std::int64_t rotary_dim : {0, 3, 6, -2}) {
    ConvertLayoutOptions wrong = good;
    wrong.rotary_dim = rotary_dim;
    refused(wrong, 1, 12, "rotaryDim", std::to_string(rotary_dim));
  }
  refused({.dim = 4, .to = Layout::half}, 1, 12, "from", "");
  refused({.dim = 4, .from = Layout::deinterleaved, .to = Layout::half}, 1, 12, "from", "deinterleaved");
  refused({.dim = 4, .from = Layout::half, .to = Layout::deinterleaved}, 1, 12, "to", "deinterleaved");
  refused(good, 0, 12, "in", "0");
  refused(good, 1, 10, "x", "10");
  refused(good, 5, 12, "x", "12");
  refused(good, 1, 16, "out", "12");
  CHECK(testing::is_untouched(out));
  const auto both = std::span(memory);
  require_error(posenc::convert_layout(good, 1, both.first(12), both.subspan(4, 12)), "out", "memory");
  CHECK(same_bits(memory, before));
}
