#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "posenc/rotary/rotary.hpp"
#include "rotary/rotary_reference.hpp"
#include "testing/testing.hpp"

using posenc::Direction;
using posenc::Layout;
using posenc::Positions;
using posenc::Rotary;
using posenc::RotaryOptions;
using posenc::SequenceAxes;
using posenc::SequenceShape;
using reference::layouts;
using testing::fractions;
using testing::Generator;
using testing::require_error;
using testing::same_bits;
using testing::Shape;
using testing::value_of;

namespace {

std::size_t size_of(const Shape& shape) {
  std::size_t size = 1;
  for (const std::int64_t extent : shape) size *= static_cast<std::size_t>(extent);
  return size;
}

/// Axis k of the result is axis order[k] of x.
std::vector<float> permuted(const std::vector<float>& x, const Shape& shape, const std::vector<std::size_t>& order) {
  std::vector<float> result(x.size());
  for (std::size_t at = 0; at < x.size(); ++at) {
    std::vector<std::size_t> index(shape.size());
    for (std::size_t axis = shape.size(), rest = at; axis-- > 0;) {
      index[axis] = rest % static_cast<std::size_t>(shape[axis]);
      rest /= static_cast<std::size_t>(shape[axis]);
    }
    std::size_t to = 0;
    for (const std::size_t axis : order) to = to * static_cast<std::size_t>(shape[axis]) + index[axis];
    result[to] = x[at];
  }
  return result;
}

std::int64_t place_of(std::size_t axis, const std::vector<std::size_t>& order) {
  return std::ranges::find(order, axis) - order.begin();
}

std::vector<float> applied(const RotaryOptions& options, std::vector<float> x, const Shape& shape,
                           const SequenceAxes& axes, const Positions& positions, Direction direction) {
  value_of(value_of(Rotary::make(options)).apply(x, value_of(SequenceShape::make(shape, axes)), positions, direction));
  return x;
}

}  // namespace

TEST_CASE("rotary axes: [batch, seq, heads, more, dim] in any order gives the same bits", "[rotary]") {
  Generator generator(31);
  for (int round = 0; round < 150; ++round) {
    // Positions that follow each other have their angles in one block.
    const bool is_run = generator.below(2) == 0;
    const Shape shape{static_cast<std::int64_t>(1 + generator.below(3)),
                      static_cast<std::int64_t>(1 + generator.below(is_run ? 60 : 5)),
                      static_cast<std::int64_t>(1 + generator.below(3)),
                      static_cast<std::int64_t>(1 + generator.below(3)), 10};
    const RotaryOptions options{.dim = 10, .layout = layouts[generator.below(3)], .rotary_dim = 6};
    const Direction direction = generator.below(2) == 0 ? Direction::forward : Direction::inverse;
    const auto batch = static_cast<std::size_t>(shape[0]);
    const bool per_batch = generator.below(2) == 0;
    std::vector<double> ids((per_batch ? batch : 1) * static_cast<std::size_t>(shape[1]));
    for (std::size_t i = 0; i < ids.size(); ++i)
      ids[i] = is_run && i > 0 && generator.below(16) > 0
                   ? ids[i - 1] + 1
                   : static_cast<double>(generator.below(5000)) / (is_run ? 1 : 4) - 300;
    const Positions positions = per_batch ? Positions::lists(ids, batch) : Positions::list(ids);
    const auto x = fractions(size_of(shape), generator.next());

    std::vector<std::size_t> order{0, 1, 2, 3, 4};
    for (std::size_t i = 4; i > 0; --i) std::swap(order[i], order[generator.below(i + 1)]);
    Shape moved;
    for (const std::size_t axis : order) moved.push_back(shape[axis]);
    const SequenceAxes axes{.sequence = place_of(1, order), .dim = place_of(4, order) - 5, .batch = place_of(0, order)};
    const auto there = applied(options, permuted(x, shape, order), moved, axes, positions, direction);
    const auto here =
        applied(options, x, shape, {.sequence = 1, .dim = std::nullopt, .batch = 0}, positions, direction);
    REQUIRE(same_bits(there, permuted(here, shape, order)));
  }
}

TEST_CASE("rotary axes: a list for each row of the batch is what each row alone would give", "[rotary]") {
  Generator generator(32);
  for (const Layout layout : layouts) {
    const RotaryOptions options{.dim = 8, .layout = layout};
    const auto x = fractions(3 * 4 * 2 * 8, 33);
    std::vector<double> ids(12);
    for (double& id : ids) id = static_cast<double>(generator.below(100000));
    const auto y =
        applied(options, x, {3, 4, 2, 8}, {.sequence = 1, .batch = 0}, Positions::lists(ids, 3), Direction::forward);
    for (std::size_t b = 0; b < 3; ++b) {
      const auto row = testing::rotated(
          options,
          {x.begin() + static_cast<std::ptrdiff_t>(b * 64), x.begin() + static_cast<std::ptrdiff_t>(b * 64 + 64)},
          Shape{4, 2, 8}, Positions::list(std::span(ids).subspan(b * 4, 4)));
      CHECK(same_bits(row, std::span(y).subspan(b * 64, 64)));
    }
  }
}

TEST_CASE("rotary axes: two axes, dim first", "[rotary]") {
  const RotaryOptions options{.dim = 4, .layout = Layout::half};
  const auto x = fractions(12, 34);
  const auto y =
      applied(options, permuted(x, {3, 4}, {1, 0}), {4, 3}, {.dim = 0}, Positions::range(3, 7), Direction::forward);
  CHECK(same_bits(y, permuted(testing::rotated(options, x, Shape{3, 4}, Positions::range(3, 7)), {3, 4}, {1, 0})));
}

TEST_CASE("rotary axes: one position everywhere is a list of that position", "[rotary]") {
  const RotaryOptions options{.dim = 4, .layout = Layout::half};
  const auto x = fractions(12, 35);
  const std::vector<double> list(3, -2.5);
  CHECK(same_bits(testing::rotated(options, x, Shape{3, 4}, Positions::repeat(3, -2.5)),
                  testing::rotated(options, x, Shape{3, 4}, Positions::list(list))));
}

TEST_CASE("rotary axes: axes that are not there, or are taken, are an Error", "[rotary]") {
  const Shape shape{2, 3, 5, 8};
  const auto make = [&](const SequenceAxes& axes) { return SequenceShape::make(shape, axes); };
  for (const std::int64_t axis : {4, -5, 100, -100}) {
    require_error(make({.sequence = axis}), "seqAxis", std::to_string(axis));
    require_error(make({.sequence = 1, .dim = axis}), "dimAxis", std::to_string(axis));
    require_error(make({.sequence = 1, .batch = axis}), "batchAxis", std::to_string(axis));
  }
  require_error(make({.sequence = std::numeric_limits<std::int64_t>::min()}), "seqAxis", "-9");
  require_error(make({}), "seqAxis", "none");
  require_error(make({.dim = 2, .batch = 0}), "seqAxis", "none");
  require_error(make({.sequence = 2, .dim = 2}), "seqAxis", "2");
  require_error(make({.sequence = -2, .dim = 2}), "seqAxis", "-2");
  require_error(make({.sequence = -3, .batch = 1}), "batchAxis", "1");
  require_error(make({.sequence = -3, .batch = -1}), "batchAxis", "-1");
  require_error(make({.sequence = 0, .batch = -4}), "batchAxis", "-4");
  CHECK(value_of(make({.sequence = 3, .dim = 2})).dim_stride() == 8);
}

TEST_CASE("rotary axes: one list, [1, seq], is that of every row of a batch", "[rotary]") {
  const auto rotary = value_of(Rotary::make({.dim = 8, .layout = Layout::half}));
  const std::vector<double> ids{5, 0, 2.5}, twice{5, 0, 2.5, 5, 0, 2.5};
  const Shape shape{2, 3, 1, 8};
  for (const SequenceAxes& axes : {SequenceAxes{.sequence = 1, .batch = 0}, SequenceAxes{.sequence = 1}}) {
    auto one = fractions(2 * 3 * 8, 36), each = one;
    value_of(rotary.apply(one, value_of(SequenceShape::make(shape, axes)), Positions::lists(ids, 1)));
    value_of(rotary.apply(each, value_of(SequenceShape::make(shape, {.sequence = 1, .batch = 0})),
                          Positions::lists(twice, 2)));
    CHECK(same_bits(one, each));
  }
}

TEST_CASE("rotary axes: lists that do not fit the batch are an Error and nothing is written", "[rotary]") {
  const auto rotary = value_of(Rotary::make({.dim = 8, .layout = Layout::half}));
  const auto before = fractions(2 * 3 * 8, 36);
  auto x = before;
  const std::vector<double> ids(12);
  const Shape shape{2, 3, 1, 8};
  const auto plain = testing::sequence_first(shape);
  const auto batched = value_of(SequenceShape::make(shape, {.sequence = 1, .batch = 0}));
  const auto list = [&](std::size_t count) { return std::span(ids).first(count); };
  require_error(rotary.apply(x, plain, Positions::lists(list(6), 2)), "batchAxis", "none");
  require_error(rotary.apply(x, batched, Positions::lists(list(9), 3)), "positions", "3 lists");
  require_error(rotary.apply(x, batched, Positions::lists(list(0), 0)), "positions", "0 lists");
  require_error(rotary.apply(x, batched, Positions::lists(list(4), 2)), "positions", "4");
  require_error(rotary.apply(x, batched, Positions::lists(list(12), 2)), "positions", "12");
  const auto flat = rotary.apply(x, batched, Positions::list(list(6)));
  require_error(flat, "positions", "6");
  CHECK(flat.error().expected() == "3 values, or lists with their shape, [batch, seq]");
  require_error(rotary.apply(x, batched, Positions::repeat(3, std::nan(""))), "offset", "nan");
  CHECK(same_bits(x, before));
  value_of(rotary.apply(x, batched, Positions::lists(list(3), 1)));  // one list is for all
  value_of(rotary.apply(x, batched, Positions::lists(list(6), 2)));
  CHECK(same_bits(x, before));  // position 0
}

TEST_CASE("rotary axes: an empty batch is fine", "[rotary]") {
  const auto rotary = value_of(Rotary::make({.dim = 8, .layout = Layout::half}));
  value_of(rotary.apply({}, value_of(SequenceShape::make(Shape{0, 3, 1, 8}, {.sequence = 1, .batch = 0})),
                        Positions::lists({}, 0)));
  value_of(rotary.apply({}, value_of(SequenceShape::make(Shape{2, 0, 1, 8}, {.sequence = 1, .batch = 0})),
                        Positions::lists({}, 2)));
}
