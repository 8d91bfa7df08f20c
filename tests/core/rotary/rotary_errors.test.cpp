#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "posenc/rotary/rotary.hpp"
#include "testing/testing.hpp"

using posenc::Layout;
using posenc::Positions;
using posenc::Rotary;
using posenc::SequenceShape;
using testing::require_error;
using testing::Shape;
using testing::value_of;

namespace {

posenc::Expected<SequenceShape> try_shape(const Shape& shape, std::optional<std::int64_t> axis = {}) {
  return SequenceShape::make(shape, {.sequence = axis || shape.size() < 3 ? axis : -3});
}

/// The heads of one token, as offsets of their first dimensions.
std::vector<std::size_t> heads_of(const SequenceShape& shape, std::size_t b, std::size_t s) {
  std::vector<std::size_t> offsets;
  shape.for_each_run(b, s, [&](std::size_t offset, std::size_t count, std::size_t stride) {
    for (std::size_t head = 0; head < count; ++head) offsets.push_back(offset + head * stride);
  });
  return offsets;
}

struct Axes {
  std::size_t outer, sequence, inner, dim;
  bool operator==(const Axes&) const = default;
};

/// The axes around a sequence axis with dim last, seen through the heads of token 0: adjacent ones are dim apart.
Axes axes_of(const Shape& shape, std::optional<std::int64_t> axis = {}) {
  const auto made = value_of(try_shape(shape, axis));
  const auto heads = heads_of(made, 0, 0);
  std::size_t inner = 1;
  while (inner < heads.size() && heads[inner] == inner * made.dim()) ++inner;
  CHECK(made.batch() == 1);
  CHECK(made.dim_stride() == 1);
  CHECK(made.size() == heads.size() * made.sequence() * made.dim());
  return {heads.size() / inner, made.sequence(), inner, made.dim()};
}

/// Refused with `argument` named; x, of `size` values, is unchanged.
void check_refused(const Shape& shape, const Positions& positions, std::size_t size, std::string_view argument,
                   std::string_view value = "") {
  const auto rotary = value_of(Rotary::make({.dim = 8, .layout = Layout::half}));
  const auto before = testing::fractions(size, 5);
  auto x = before;
  require_error(rotary.apply(x, value_of(try_shape(shape)), positions), argument, value);
  CHECK(testing::same_bits(x, before));
}

}  // namespace

TEST_CASE("rotary: wrong options are an Error", "[rotary]") {
  require_error(Rotary::make({}), "dim", "0");
  require_error(Rotary::make({.dim = -3, .layout = Layout::half}), "dim", "-3");
  require_error(Rotary::make({.dim = posenc::max_dim + 2, .layout = Layout::half}), "dim", "16777218");
  require_error(Rotary::make({.dim = 8, .layout = Layout::half, .base = 0}), "base", "0");
  require_error(Rotary::make({.dim = 8, .layout = Layout::half, .base = std::nan("")}), "base", "nan");
  require_error(
      Rotary::make({.dim = 8, .layout = Layout::half, .base = 1e-320, .exponent = posenc::Exponent::double_stepped}),
      "base", "e-3");
}

TEST_CASE("rotary: a wrong number of rotated dimensions is an Error", "[rotary]") {
  for (const std::int64_t wrong : {0, 1, 3, 7, 10, -2}) {
    INFO("rotary_dim " << wrong);
    const auto result = Rotary::make({.dim = 8, .layout = Layout::half, .rotary_dim = wrong});
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().argument == "rotaryDim");
    CHECK(testing::value_text(result.error()) == std::to_string(wrong));
    CHECK_FALSE(result.error().expected().empty());
  }
  require_error(Rotary::make({.dim = 7, .layout = Layout::half}), "dim", "7");  // its default is the whole odd head
  require_error(Rotary::make({.dim = 1, .layout = Layout::half}), "dim", "1");
  CHECK(value_of(Rotary::make({.dim = 7, .layout = Layout::half, .rotary_dim = 6})).rotary_dim() == 6);
  CHECK(value_of(Rotary::make({.dim = 8, .layout = Layout::half})).rotary_dim() == 8);
}

TEST_CASE("rotary: a layout left out is an Error that lists the layouts", "[rotary]") {
  const auto result = Rotary::make({.dim = 8});
  require_error(result, "layout", "");
  CHECK(result.error().expected().find("interleaved") != std::string::npos);
}

TEST_CASE("rotary: layouts go by name", "[rotary]") {
  CHECK(value_of(posenc::from_name<posenc::Layout>("half")) == Layout::half);
  CHECK(value_of(posenc::from_name<posenc::Layout>("interleaved")) == Layout::interleaved);
  CHECK(value_of(posenc::from_name<posenc::Layout>("deinterleaved")) == Layout::deinterleaved);
  for (const char* name : {"", "neox", "Half"}) {
    const auto result = posenc::from_name<posenc::Layout>(name);
    require_error(result, "layout", name);
    for (const char* known : {"half", "interleaved", "deinterleaved"})
      CHECK(result.error().expected().find(known) != std::string::npos);
  }
}

TEST_CASE("rotary: a shape's axes around its sequence", "[rotary]") {
  CHECK(axes_of({5, 8}) == Axes{1, 5, 1, 8});
  CHECK(axes_of({5, 3, 8}) == Axes{1, 5, 3, 8});
  CHECK(axes_of({2, 5, 3, 8}) == Axes{2, 5, 3, 8});
  CHECK(axes_of({7, 2, 5, 3, 8}) == Axes{14, 5, 3, 8});
  CHECK(axes_of({2, 3, 5, 8}, 2) == Axes{6, 5, 1, 8});
  CHECK(axes_of({2, 3, 5, 8}, -2) == Axes{6, 5, 1, 8});
  CHECK(axes_of({5, 2, 3, 8}, 0) == Axes{1, 5, 6, 8});
  CHECK(axes_of({5, 2, 3, 8}, -4) == Axes{1, 5, 6, 8});
  CHECK(axes_of({2, 0, 3, 8}) == Axes{2, 0, 3, 8});
}

TEST_CASE("rotary: a wrong shape is an Error", "[rotary]") {
  require_error(try_shape({}), "shape", "0");  // axes
  require_error(try_shape({8}), "shape", "1");
  require_error(try_shape({-1, 8}), "shape", "-1");
  require_error(try_shape({2, 3, -8}), "shape", "-8");
}

TEST_CASE("rotary: a shape of more values than memory holds is an Error", "[rotary]") {
  constexpr std::int64_t large = std::int64_t{1} << 62;
  require_error(try_shape({large, 8}), "shape", "4611686018427387904");
  require_error(try_shape({std::int64_t{1} << 32, std::int64_t{1} << 32}), "shape", "4294967296");  // 0 after wrapping
  require_error(try_shape({large, large, large, large}), "shape", "4611686018427387904");
  require_error(try_shape({std::numeric_limits<std::int64_t>::max(), 2}), "shape", "922337203685477");
}

TEST_CASE("rotary: an axis that is not there, or is the last, is an Error", "[rotary]") {
  for (const std::int64_t axis : {3, -1, 4, 100, -5, -100}) {
    INFO("axis " << axis);
    const auto result = try_shape({2, 3, 5, 8}, axis);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().argument == "seqAxis");
    CHECK(testing::value_text(result.error()) == std::to_string(axis));
  }
  CHECK_FALSE(try_shape({2, 8}, std::numeric_limits<std::int64_t>::min()).has_value());
}

TEST_CASE("rotary: what does not fit is an Error and nothing is written", "[rotary]") {
  check_refused({4, 2, 6}, Positions::range(4), 48, "shape", "6");
  check_refused({4, 2, 8}, Positions::range(4), 63, "x", "63");
  check_refused({4, 2, 8}, Positions::range(4), 65, "x", "65");
  check_refused({4, 2, 8}, Positions::range(4), 0, "x", "0");
  check_refused({4, 2, 8}, Positions::range(3), 64, "positions", "3");
  check_refused({4, 2, 8}, Positions::range(5), 64, "positions", "5");
}

TEST_CASE("rotary: bad positions are an Error and nothing is written", "[rotary]") {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), posenc::max_angle + 2}) {
    const std::vector<double> positions{0, 1, 2, bad};
    check_refused({4, 2, 8}, Positions::list(positions), 64, "positions");
    check_refused({4, 2, 8}, Positions::range(4, bad), 64, "offset");
  }
  check_refused({4, 2, 8}, Positions::range(4, posenc::max_angle - 1), 64, "offset");
}

TEST_CASE("rotary: no tokens, no batch and no heads are fine", "[rotary]") {
  for (const Shape& shape : {Shape{0, 2, 8}, Shape{3, 0, 2, 8}}) {
    const auto made = value_of(try_shape(shape));
    value_of(value_of(Rotary::make({.dim = 8, .layout = Layout::half})).apply({}, made, Positions::range(0)));
  }
  value_of(value_of(Rotary::make({.dim = 8, .layout = Layout::half}))
               .apply({}, value_of(try_shape({0, 4, 2, 8})), Positions::range(4)));
  value_of(value_of(Rotary::make({.dim = 8, .layout = Layout::half}))
               .apply({}, value_of(try_shape({4, 0, 8})), Positions::range(4)));
}
