#include "posenc/grid/rotary_mixed.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "grid/grid_reference.hpp"
#include "grid/grid_testing.hpp"

using posenc::AxisOrder;
using posenc::Layout;
using posenc::mixed_frequencies;
using posenc::Points;
using posenc::RotaryMixedOptions;
using reference::Quad;
using testing::fractions;
using testing::require_error;
using testing::rotated;
using testing::same_bits;
using testing::Shape;
using testing::value_of;

namespace {

std::vector<double> started(const posenc::MixedFrequencyOptions& start) {
  std::vector<double> out(static_cast<std::size_t>(start.dim * start.heads));
  value_of(mixed_frequencies(start, out));
  return out;
}

/// The angle of every pair of a head: the sum over the axes, the first axis's frequencies first.
std::vector<Quad> angles_of(const std::vector<double>& frequencies, std::size_t axes, std::size_t heads,
                            std::size_t head, const double* point) {
  const std::size_t pairs = frequencies.size() / axes / heads;
  std::vector<Quad> angles(pairs);
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (std::size_t i = 0; i < pairs; ++i)
      angles[i] += static_cast<Quad>(point[axis]) * frequencies[(axis * heads + head) * pairs + i];
  return angles;
}

}  // namespace

TEST_CASE("mixed rotary: sums over the axes, each head by itself", "[grid][rotary][accuracy]") {
  double worst = 0;
  testing::Generator generator(77);
  for (const Layout layout : {Layout::half, Layout::interleaved})
    for (const std::size_t axes : {1u, 2u, 3u})
      for (const std::size_t heads : {1u, 2u, 5u}) {
        constexpr std::size_t pairs = 9, dim = 20, count = 7;
        const auto frequencies = testing::random_points(axes * heads * pairs, generator, 3);
        const auto points = testing::random_points(count * axes, generator, 1e6);
        const auto rotary = value_of(posenc::rotary_mixed({.dim = dim,
                                                           .rotary_dim = 2 * pairs,
                                                           .heads = static_cast<std::int64_t>(heads),
                                                           .axes = static_cast<std::int64_t>(axes),
                                                           .layout = layout,
                                                           .order = AxisOrder::first_first},
                                                          frequencies));
        const auto x = fractions(count * heads * dim, generator.next());
        const auto y = rotated(rotary, x, {count, static_cast<std::int64_t>(heads), dim}, Points::rows(points));
        for (std::size_t row = 0; row < count * heads; ++row) {
          reference::DimAngles dims;
          const auto angles = angles_of(frequencies, axes, heads, row % heads, &points[row / heads * axes]);
          layout == Layout::half ? add_halves(dims, angles) : add_neighbours(dims, angles);
          const auto head = std::span(x).subspan(row * dim, dim);
          const auto expected = reference::rotated_dims(dims, head, posenc::Direction::forward);
          worst = std::max(worst, reference::worst_ratio(std::span(y).subspan(row * dim, dim), expected));
        }
      }
  std::printf("largest error: mixed rotary apply: %.4f of 3 * 2^-24 * (|a| + |b|)\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("mixed rotary: heads behind the sequence or in front of it, bit for bit the same", "[grid][rotary]") {
  testing::Generator generator(3);
  const auto frequencies = testing::random_points(2 * 3 * 2, generator, 1);
  const auto points = testing::random_points(5 * 2, generator, 9);
  const auto rotary =
      value_of(posenc::rotary_mixed({.dim = 4, .heads = 3, .axes = 2, .layout = Layout::interleaved}, frequencies));
  const auto x = fractions(2 * 5 * 3 * 4, 6);
  const auto behind = rotated(rotary, x, {2, 5, 3, 4}, Points::rows(points));
  std::vector<float> front(x.size()), back(x.size());
  const auto move = [](const std::vector<float>& from, std::vector<float>& to, bool forth) {
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t s = 0; s < 5; ++s)
        for (std::size_t h = 0; h < 3; ++h)
          for (std::size_t l = 0; l < 4; ++l) {
            const std::size_t token_first = ((b * 5 + s) * 3 + h) * 4 + l, head_first = ((b * 3 + h) * 5 + s) * 4 + l;
            to[forth ? head_first : token_first] = from[forth ? token_first : head_first];
          }
  };
  move(x, front, true);
  move(rotated(rotary, front, {2, 3, 5, 4}, Points::rows(points), {}, posenc::Direction::forward, 2), back, false);
  CHECK(same_bits(behind, back));
}

TEST_CASE("mixed rotary: scores depend on the difference of points alone", "[grid][rotary]") {
  const auto rotary =
      value_of(posenc::rotary_mixed({.dim = 32, .layout = Layout::interleaved}, started({.dim = 32, .seed = 7})));
  const auto score = [&](double y, double x, double dy, double dx) {
    const std::vector<double> points{y, x, y + dy, x + dx};
    const auto both = rotated(rotary, fractions(64, 12), {2, 32}, Points::rows(points));
    double sum = 0;
    for (std::size_t l = 0; l < 32; ++l) sum += static_cast<double>(both[l]) * both[32 + l];
    return sum;
  };
  CHECK(std::fabs(score(0, 0, 2, -3) - score(17, 5.5, 2, -3)) < 1e-5);
  CHECK(std::fabs(score(0, 0, 2, -3) - score(0, 0, 3, -3)) > 1e-3);
}

TEST_CASE("mixed rotary: last-first takes the frequencies of the last coordinate first", "[grid][rotary]") {
  const std::vector<double> xy{0.5, 2, 3, 0.25}, yx{3, 0.25, 0.5, 2}, points{1, 2, -3, 0.5};
  const auto x = fractions(8, 1);
  const auto of = [&](AxisOrder order, const std::vector<double>& frequencies) {
    const RotaryMixedOptions options{.dim = 4, .layout = Layout::half, .order = order};
    return rotated(value_of(posenc::rotary_mixed(options, frequencies)), x, {2, 4}, Points::rows(points));
  };
  CHECK(same_bits(of(AxisOrder::last_first, xy), of(AxisOrder::first_first, yx)));
  CHECK_FALSE(same_bits(of(AxisOrder::first_first, xy), of(AxisOrder::first_first, yx)));
}

TEST_CASE("mixed frequencies: without a seed the axes' directions, with one perpendicular pairs", "[grid][accuracy]") {
  const auto plain = started({.dim = 16, .heads = 32});
  const auto drawn = started({.dim = 16, .heads = 32, .seed = 42});
  double worst = 0;
  for (std::size_t head = 0; head < 32; ++head)
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t first = head * 8 + i, second = first + 4, y = 32 * 8;
      const auto magnitude = static_cast<double>(reference::power(10, -4 * static_cast<Quad>(i) / 16));
      CHECK(plain[first] == magnitude);
      CHECK(plain[y + first] == 0);
      CHECK(plain[second] == 0);
      CHECK(plain[y + second] == magnitude);
      worst = std::max(worst, std::fabs(std::hypot(drawn[first], drawn[y + first]) / magnitude - 1));
      CHECK(drawn[second] == -drawn[y + first]);
      CHECK(drawn[y + second] == drawn[first]);
    }
  std::printf("largest error: mixed frequencies' magnitude: %.1e\n", worst);
  CHECK(worst < 2e-14);
  // The first output that is published for the seed 1234567: 6457827717110365317.
  const auto published = started({.dim = 4, .seed = 1234567});
  const reference::Phase phase = reference::phase(2 * reference::pi() * (6457827717110365317u >> 11) * Quad{0x1p-53});
  CHECK(std::fabs(published[0] - static_cast<double>(phase.cosine)) < 1e-14);
  CHECK(std::fabs(published[2] - static_cast<double>(phase.sine)) < 1e-14);
  CHECK(drawn[8] != drawn[0]);
  CHECK(started({.dim = 16, .heads = 32, .seed = 43}) != drawn);
}

TEST_CASE("mixed rotary: wrong options, frequencies and shapes are Errors", "[grid][rotary]") {
  const std::vector<double> four(4, 1.0);
  const auto refused = [&](const RotaryMixedOptions& options, std::string_view argument, std::string_view value,
                           std::vector<double> frequencies = {1, 1, 1, 1}) {
    require_error(posenc::rotary_mixed(options, frequencies), argument, value);
  };
  refused({.dim = 4}, "layout", "");
  refused({.dim = 4, .layout = Layout::deinterleaved}, "layout", "deinterleaved");
  refused({.dim = 1, .layout = Layout::half}, "dim", "1");
  refused({.dim = 5, .layout = Layout::half}, "dim", "5");
  refused({.dim = 4, .rotary_dim = 6, .layout = Layout::half}, "rotaryDim", "6");
  refused({.dim = 4, .rotary_dim = 0, .layout = Layout::half}, "rotaryDim", "0");
  refused({.dim = 4, .heads = 0, .layout = Layout::half}, "heads", "0");
  refused({.dim = 4, .axes = 0, .layout = Layout::half}, "axes", "0");
  refused({.dim = 4, .axes = 9, .layout = Layout::half}, "axes", "9");
  refused({.dim = 4, .heads = 2, .layout = Layout::half}, "frequencies", "4");
  refused({.dim = 4, .layout = Layout::half}, "frequencies", "nan", {1, 1, std::nan(""), 1});
  refused({.dim = 4, .layout = Layout::half}, "frequencies", "", {1, 1, 1, 1e300});

  const auto rotary = value_of(posenc::rotary_mixed({.dim = 2, .heads = 2, .layout = Layout::half}, four));
  std::vector<float> x(6, testing::untouched);
  const std::vector<double> points(2, 1.0);
  const auto shape = [](const Shape& extents) { return testing::sequence_first(extents); };
  require_error(rotary.apply(x, shape({1, 3, 2}), Points::rows(points)), "shape", "3");
  require_error(rotary.apply(x, shape({3, 1, 1, 2}), Points::rows(points)), "shape", "3");
  CHECK(testing::is_untouched(x));

  std::vector<double> out(8, 7.25);
  require_error(mixed_frequencies({.dim = 6}, out), "dim", "6");
  require_error(mixed_frequencies({.dim = 0}, out), "dim", "0");
  require_error(mixed_frequencies({.dim = 8, .heads = 0}, out), "heads", "0");
  require_error(mixed_frequencies({.dim = 8, .base = 0}, out), "base", "0");
  require_error(mixed_frequencies({.dim = 8, .heads = 2}, out), "out", "8");
  CHECK(out == std::vector<double>(8, 7.25));
}

TEST_CASE("mixed rotary: rotated values have the bits that are stored", "[hashes]") {
  // fractions(20 * 3 * 32, 13) of shape [20, 3, 32], interleaved, frequencies of RoPE-Mixed for 3 heads, seed 42, x's
  // first, a grid of 4 x 5.
  std::vector<double> frequencies(2 * 3 * 16);
  testing::value_of(posenc::mixed_frequencies({.dim = 32, .heads = 3, .seed = 42}, frequencies));
  const auto points = testing::points_of({}, {4, 5});
  const auto rotary = testing::value_of(
      posenc::rotary_mixed({.dim = 32, .heads = 3, .layout = posenc::Layout::interleaved}, frequencies));
  testing::check_hash(
      "grid mixed", "da57f59aa410a30f",
      {testing::rotated(rotary, testing::fractions(20 * 3 * 32, 13), {20, 3, 32}, posenc::Points::rows(points))});
}
