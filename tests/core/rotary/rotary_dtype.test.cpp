#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/dtype_reference.hpp"
#include "posenc/base/dtype.hpp"
#include "posenc/rotary/rotary.hpp"
#include "rotary/rotary_reference.hpp"
#include "testing/testing.hpp"

using posenc::BFloat16;
using posenc::Direction;
using posenc::Float16;
using posenc::Layout;
using posenc::Positions;
using posenc::Rotary;
using posenc::RotaryOptions;
using posenc::SequenceAxes;
using posenc::SequenceShape;
using reference::Format16;
using reference::layouts;
using reference::Quad;
using testing::Generator;
using testing::require_error;
using testing::Shape;
using testing::value_of;

namespace {

template <class T>
std::vector<float> widened(std::span<const T> values) {
  std::vector<float> out(values.size());
  value_of(posenc::convert(values, std::span(out)));
  return out;
}

template <class T>
std::vector<T> narrowed(std::span<const float> values) {
  std::vector<T> out(values.size());
  value_of(posenc::convert(values, std::span(out)));
  return out;
}

template <class T>
std::vector<T> rotated(const RotaryOptions& options, std::vector<T> x, const SequenceShape& shape,
                       const Positions& positions, Direction direction = Direction::forward) {
  value_of(value_of(Rotary::make(options)).apply(std::span(x), shape, positions, direction));
  return x;
}

/// Rotation of the same values in float32, rounded at the end.
template <class T>
std::vector<T> rotated_by_float32(const RotaryOptions& options, const std::vector<T>& x, const SequenceShape& shape,
                                  const Positions& positions, Direction direction = Direction::forward) {
  auto wide = widened<T>(x);
  value_of(value_of(Rotary::make(options)).apply(wide, shape, positions, direction));
  return narrowed<T>(wide);
}

template <class T>
bool same_but_for_nan(const std::vector<T>& a, const std::vector<T>& b) {
  const auto& format = Format16::of<T>();
  return std::ranges::equal(a, b, [&](T x, T y) { return x == y || (format.is_nan(x.bits) && format.is_nan(y.bits)); });
}

template <class T>
std::vector<T> pseudo_random(std::size_t count, std::uint32_t seed, float scale = 1) {
  auto values = testing::fractions(count, seed);
  for (float& value : values) value *= scale;
  return narrowed<T>(values);
}

/// Half the distance of the values around x.
template <class T>
double half_a_last_bit(Quad x) {
  const auto& format = Format16::of<T>();
  const std::uint16_t near = format.nearest(reference::magnitude(x));
  return static_cast<double>(format.value(static_cast<std::uint16_t>(near + 1)) - format.value(near)) / 2;
}

}  // namespace

TEMPLATE_TEST_CASE("dtype: rotation is the formula's, within its bound", "[dtype][rotary][accuracy]", Float16,
                   BFloat16) {
  double worst = 0;
  for (const Layout layout : layouts)
    for (const Direction direction : {Direction::forward, Direction::inverse})
      for (const std::int64_t dim : {2, 6, 64, 74}) {
        const RotaryOptions options{.dim = dim, .layout = layout};
        const auto frequencies = reference::rotary_frequencies(options);
        for (const double position : {0.0, 1.0, -7.5, 1000.0, 1048575.0}) {
          const auto dims = static_cast<std::size_t>(dim);
          const auto x = pseudo_random<TestType>(dims, 31, 4);
          const std::vector<double> positions{position};
          const auto got =
              rotated(options, x, testing::sequence_first(Shape{1, dim}), Positions::list(positions), direction);
          const auto expected =
              reference::rotated_head(options, frequencies, widened<TestType>(x), position, direction);
          for (std::size_t i = 0; i < dims; ++i) {
            const Quad value = Format16::of<TestType>().value(got[i].bits);
            const double bound = expected[i].tolerance + half_a_last_bit<TestType>(expected[i].exact) + 1e-12;
            worst = std::max(worst, static_cast<double>(reference::magnitude(value - expected[i].exact)) / bound);
          }
        }
      }
  std::printf("largest error: rotation in %s: %.4f of its bound\n",
              std::is_same_v<TestType, Float16> ? "float16" : "bfloat16", worst);
  CHECK(worst <= 1);
  CHECK(worst > 0.5);
}

TEMPLATE_TEST_CASE("dtype: rotation has the bits of float32's, rounded once", "[dtype][rotary]", Float16, BFloat16) {
  Generator generator(32);
  for (int round = 0; round < 200; ++round) {
    INFO("round " << round);
    const Layout layout = layouts[generator.below(3)];
    const auto dim = static_cast<std::int64_t>(2 + generator.below(140));
    const auto rotary_dim = static_cast<std::int64_t>(2 + 2 * generator.below(static_cast<std::size_t>(dim / 2)));
    const RotaryOptions options{.dim = dim, .layout = layout, .rotary_dim = rotary_dim};
    Shape shape{static_cast<std::int64_t>(1 + generator.below(3)), static_cast<std::int64_t>(1 + generator.below(4)),
                static_cast<std::int64_t>(1 + generator.below(3)), dim};
    SequenceAxes axes{.sequence = 1, .dim = 3};
    if (generator.below(3) == 0) {  // the dimensions first
      std::swap(shape[0], shape[3]);
      axes.dim = 0;
    }
    const auto made = value_of(SequenceShape::make(shape, axes));
    const auto positions = Positions::range(made.sequence(), static_cast<double>(generator.below(5000)));
    const Direction direction = generator.below(2) == 0 ? Direction::forward : Direction::inverse;
    // Values of ordinary size, so small that they are subnormal, and so large that some become infinite.
    constexpr float scales[] = {1, 0x1p-22f, 60000};
    const auto x =
        pseudo_random<TestType>(made.size(), static_cast<std::uint32_t>(100 + round), scales[generator.below(3)]);
    REQUIRE(same_but_for_nan(rotated(options, x, made, positions, direction),
                             rotated_by_float32(options, x, made, positions, direction)));
  }
}

TEMPLATE_TEST_CASE("dtype: infinities and NaN are rotated as float32's", "[dtype][rotary]", Float16, BFloat16) {
  Generator generator(33);
  const auto& format = Format16::of<TestType>();
  const std::uint16_t infinity = format.infinity();
  const auto shape = testing::sequence_first(Shape{9, 2, 70});
  for (const Layout layout : layouts)
    for (const int special : {int{infinity}, infinity | 0x8000, infinity + 1, 0x7fff, 0xffff, infinity - 1, 0x8000}) {
      auto x = pseudo_random<TestType>(shape.size(), 34);
      for (int i = 0; i < 12; ++i) x[generator.below(x.size())].bits = static_cast<std::uint16_t>(special);
      const RotaryOptions options{.dim = 70, .layout = layout};
      const auto got = rotated(options, x, shape, Positions::range(9));
      CHECK(same_but_for_nan(got, rotated_by_float32(options, x, shape, Positions::range(9))));
      if (format.is_nan(static_cast<std::uint16_t>(special)))
        CHECK(std::ranges::any_of(got, [&](TestType value) { return format.is_nan(value.bits); }));
    }
}

TEMPLATE_TEST_CASE("dtype: rotation with a large attention factor", "[dtype][rotary]", Float16, BFloat16) {
  for (const double factor : {0.25, 1.4, 1.5, 40.0, 30000.0}) {
    const RotaryOptions options{
        .dim = 34,
        .layout = Layout::half,
        .scaling = posenc::scaling::Yarn{.factor = 4, .original_length = 64, .attention_factor = factor}};
    const auto shape = testing::sequence_first(Shape{20, 3, 34});
    const auto x = pseudo_random<TestType>(shape.size(), 35, 8);
    CHECK(same_but_for_nan(rotated(options, x, shape, Positions::range(20)),
                           rotated_by_float32(options, x, shape, Positions::range(20))));
  }
}

TEMPLATE_TEST_CASE("dtype: dimensions that do not rotate keep every bit", "[dtype][rotary]", Float16, BFloat16) {
  std::vector<TestType> x(5 * 20);
  Generator generator(36);
  for (auto& value : x) value.bits = static_cast<std::uint16_t>(generator.next() >> 8);
  for (const Layout layout : layouts) {
    const auto got = rotated({.dim = 20, .layout = layout, .rotary_dim = 6}, x, testing::sequence_first(Shape{5, 20}),
                             Positions::range(5, 3));
    for (std::size_t row = 0; row < 5; ++row)
      CHECK(std::ranges::equal(std::span(got).subspan(row * 20 + 6, 14), std::span(x).subspan(row * 20 + 6, 14)));
  }
}

TEMPLATE_TEST_CASE("dtype: a rotation that is refused changes nothing", "[dtype][rotary]", Float16, BFloat16) {
  const auto rotary = value_of(Rotary::make({.dim = 8, .layout = Layout::half}));
  const auto shape = testing::sequence_first(Shape{2, 8});
  const auto before = pseudo_random<TestType>(16, 37);
  auto x = before;
  const std::vector<double> bad{0, std::numeric_limits<double>::quiet_NaN()};
  require_error(rotary.apply(std::span(x), shape, Positions::list(bad)), "positions", "nan");
  require_error(rotary.apply(std::span(x), shape, Positions::range(3)), "positions", "3");
  require_error(rotary.apply(std::span(x).first(15), shape, Positions::range(2)), "x", "15");
  require_error(rotary.apply(std::span(x), testing::sequence_first(Shape{4, 4}), Positions::range(4)), "shape", "4");
  CHECK(x == before);
  std::vector<TestType> none;
  value_of(rotary.apply(std::span(none), testing::sequence_first(Shape{0, 8}), Positions::range(0)));
}

TEST_CASE("dtype: rotated values have the bits that are stored", "[hashes]") {
  // fractions(9 * 3 * 70, 12) of shape [9, 3, 70], rounded, rotated from position 500; what they stand for, in float32.
  const auto shape = testing::sequence_first(Shape{9, 3, 70});
  const auto positions = Positions::range(9, 500);
  const auto half =
      rotated<Float16>({.dim = 70, .layout = Layout::half}, pseudo_random<Float16>(9 * 3 * 70, 12), shape, positions);
  testing::check_hash("rotated float16", "2c1fccea384a0298", {widened<Float16>(half)});
  const auto interleaved = rotated<BFloat16>({.dim = 70, .layout = Layout::interleaved},
                                             pseudo_random<BFloat16>(9 * 3 * 70, 12), shape, positions);
  testing::check_hash("rotated bfloat16", "599505319c97f21b", {widened<BFloat16>(interleaved)});
}
