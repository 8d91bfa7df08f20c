#include "posenc/grid/mrope.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <vector>

#include "grid/grid_reference.hpp"
#include "grid/grid_testing.hpp"

using posenc::Layout;
using posenc::MropeOrder;
using posenc::Points;
using posenc::RotaryOptions;
using reference::Quad;
using testing::fractions;
using testing::require_error;
using testing::rotated;
using testing::same_bits;
using testing::Shape;
using testing::value_of;
namespace scaling = posenc::scaling;

namespace {

using Sections = std::vector<std::int64_t>;

posenc::PointRotary mrope_of(const RotaryOptions& options, const Sections& sections, MropeOrder order) {
  return value_of(posenc::mrope(options, sections, order));
}

/// Which of the three positions a dimension of the doubled table takes, as in the implementations: Qwen2-VL splits it
/// by the sections twice over, chunk i taking position i mod 3, HunyuanOCR's authors likewise with four; Qwen3-VL
/// writes height and width over time's slices; Ernie 4.5 VL stacks height and width, and puts time behind.
std::vector<std::size_t> axes_of_dims(const Sections& sections, MropeOrder order, std::size_t pairs) {
  std::vector<std::size_t> axes;
  const std::size_t count = sections.size();
  if (order == MropeOrder::chunked) {
    for (std::size_t chunk = 0; chunk < 2 * count; ++chunk)
      for (std::int64_t i = 0; i < sections[chunk % count]; ++i) axes.push_back(chunk % count);
    return axes;
  }
  if (order == MropeOrder::time_last) {
    for (int half = 0; half < 2; ++half) {
      for (std::int64_t i = 0; i < sections[1]; ++i) axes.insert(axes.end(), {1, 2});
      for (std::int64_t i = 0; i < sections[0]; ++i) axes.push_back(0);
    }
    return axes;
  }
  axes.assign(2 * pairs, 0);
  for (std::size_t axis = 1; axis < 3; ++axis)
    for (std::size_t i = axis; i < 3 * static_cast<std::size_t>(sections[axis]); i += 3)
      axes[i] = axes[i + pairs] = axis;
  return axes;
}

/// [axes, batch, seq] ids, random.
std::vector<double> random_ids(std::size_t count, testing::Generator& generator, std::size_t axes = 3) {
  std::vector<double> ids(axes * count);
  for (double& id : ids) id = static_cast<double>(generator.below(100000));
  return ids;
}

}  // namespace

TEST_CASE("mrope: every dimension takes the position its implementation gives it", "[grid][mrope][accuracy]") {
  struct Case {
    std::size_t dim;
    Sections sections;
    MropeOrder order;
  };
  double worst = 0;
  testing::Generator generator(8);
  for (const Case& c : {Case{128, {16, 24, 24}, MropeOrder::chunked}, Case{128, {24, 20, 20}, MropeOrder::interleaved},
                        Case{64, {11, 11, 10}, MropeOrder::interleaved}, Case{64, {8, 12, 12}, MropeOrder::chunked},
                        Case{128, {16, 16, 16, 16}, MropeOrder::chunked}, Case{64, {9, 23}, MropeOrder::chunked},
                        Case{16, Sections(8, 1), MropeOrder::chunked}, Case{128, {20, 22, 22}, MropeOrder::time_last},
                        Case{16, {8, 0, 0}, MropeOrder::chunked}, Case{16, {0, 8, 0}, MropeOrder::chunked},
                        Case{16, {4, 2, 2}, MropeOrder::interleaved}, Case{12, {6, 0, 0}, MropeOrder::interleaved},
                        Case{72, {8, 12, 12}, MropeOrder::interleaved}, Case{12, {0, 0, 0}, MropeOrder::interleaved}}) {
    const RotaryOptions options{.dim = static_cast<std::int64_t>(c.dim), .layout = Layout::half, .base = 1e6};
    const auto rotary = mrope_of(options, c.sections, c.order);
    constexpr std::size_t batch = 2, count = 5, heads = 2;
    const auto ids = random_ids(batch * count, generator, c.sections.size());
    const auto x = fractions(batch * count * heads * c.dim, generator.next());
    const auto y = rotated(rotary, x, {batch, count, heads, options.dim}, Points::axes_first(ids));
    const auto axes = axes_of_dims(c.sections, c.order, c.dim / 2);
    REQUIRE(axes.size() == c.dim);
    for (std::size_t row = 0; row < x.size() / c.dim; ++row) {
      std::vector<Quad> angles;
      for (std::size_t i = 0; i < c.dim / 2; ++i) {
        REQUIRE(axes[i] == axes[i + c.dim / 2]);
        angles.push_back(reference::ladder(ids[axes[i] * batch * count + row / heads], c.dim, 1e6)[i]);
      }
      reference::DimAngles dims;
      add_halves(dims, angles);
      const auto head = std::span(x).subspan(row * c.dim, c.dim);
      const auto expected = reference::rotated_dims(dims, head, posenc::Direction::forward);
      worst = std::max(worst, reference::worst_ratio(std::span(y).subspan(row * c.dim, c.dim), expected));
    }
  }
  std::printf("largest error: mrope apply: %.4f of 3 * 2^-24 * (|a| + |b|)\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("mrope: text alone is the rotation of text, bit for bit, with every kind of scaling", "[grid][mrope]") {
  for (const Layout layout : {Layout::half, Layout::interleaved})
    for (const posenc::Scaling& rule :
         {posenc::Scaling(scaling::Default{}), posenc::Scaling(scaling::Yarn{.factor = 4, .original_length = 4096}),
          posenc::Scaling(scaling::Llama3{8, 1, 4, 8192}), posenc::Scaling(scaling::Proportional{.fraction = 0.5})})
      for (const MropeOrder order : {MropeOrder::chunked, MropeOrder::interleaved}) {
        const RotaryOptions options{.dim = 70, .layout = layout, .rotary_dim = 64, .scaling = rule};
        const std::vector<double> line{-3, 0, 1, 32767, 2147483648.0, 0.5};
        std::vector<double> ids;
        for (int axis = 0; axis < 3; ++axis) ids.insert(ids.end(), line.begin(), line.end());
        const auto rotary = mrope_of(options, {12, 10, 10}, order);
        const auto x = fractions(6 * 3 * 70, 4);
        const auto y = rotated(rotary, x, {6, 3, 70}, Points::axes_first(ids));
        CHECK(same_bits(y, rotated(options, x, Shape{6, 3, 70}, posenc::Positions::list(line))));
        const auto text = value_of(posenc::Rotary::make(options));
        CHECK(rotary.attention_factor() == text.attention_factor());
        std::vector<float> cosines(6 * 32), sines(6 * 32);
        value_of(text.cache(posenc::Positions::list(line), cosines, sines));
        const auto cache = testing::cache_of(rotary, Points::axes_first(ids));
        CHECK(same_bits(cache.cosines, cosines));
        CHECK(same_bits(cache.sines, sines));
      }
}

// Rows of coordinates that come again are kept.
TEST_CASE("mrope: tokens whose coordinates others had are what each is alone, bit for bit", "[grid][mrope]") {
  constexpr double kinds[]{5, 133, 5.5, -5, 0, 128, -0.0, 261, 0.25, 1e9, 1073741829, -133};
  constexpr std::size_t tokens = 400, dim = 16, axes = 3;
  testing::Generator generator(11);
  std::vector<double> ids(axes * tokens);
  for (double& id : ids) id = kinds[generator.below(std::size(kinds))];
  for (const auto direction : {posenc::Direction::forward, posenc::Direction::inverse})
    for (const MropeOrder order : {MropeOrder::chunked, MropeOrder::interleaved}) {
      const auto rotary = mrope_of({.dim = dim, .layout = Layout::half}, {4, 2, 2}, order);
      const auto x = fractions(tokens * dim, 5);
      const auto all = rotated(rotary, x, {tokens, dim}, Points::axes_first(ids), {}, direction);
      for (std::size_t token = 0; token < tokens; ++token) {
        const std::vector<double> own{ids[token], ids[tokens + token], ids[2 * tokens + token]};
        const std::span<const float> of(x.data() + token * dim, dim);
        const auto alone = rotated(rotary, {of.begin(), of.end()}, {1, dim}, Points::axes_first(own), {}, direction);
        CHECK(same_bits(alone, {all.begin() + static_cast<std::ptrdiff_t>(token * dim),
                                all.begin() + static_cast<std::ptrdiff_t>((token + 1) * dim)}));
      }
    }
}

TEST_CASE("mrope: a batch is its rows, bit for bit", "[grid][mrope]") {
  testing::Generator generator(15);
  const auto rotary = mrope_of({.dim = 16, .layout = Layout::half}, {2, 3, 3}, MropeOrder::chunked);
  constexpr std::size_t batch = 3, count = 4, heads = 2, row = heads * count * 16;
  const auto ids = random_ids(batch * count, generator);
  const auto x = fractions(batch * row, 3);
  const auto y =
      rotated(rotary, x, {batch, heads, count, 16}, Points::axes_first(ids), {}, posenc::Direction::forward, 2);
  for (std::size_t b = 0; b < batch; ++b) {
    std::vector<double> own;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t i = 0; i < count; ++i) own.push_back(ids[(axis * batch + b) * count + i]);
    const std::vector<float> part(x.begin() + static_cast<std::ptrdiff_t>(b * row),
                                  x.begin() + static_cast<std::ptrdiff_t>((b + 1) * row));
    const auto alone =
        rotated(rotary, part, {heads, count, 16}, Points::axes_first(own), {}, posenc::Direction::forward, 1);
    CHECK(same_bits(std::span(y).subspan(b * row, row), alone));
  }
}

TEST_CASE("mrope: wrong options are Errors", "[grid][mrope]") {
  const RotaryOptions good{.dim = 16, .layout = Layout::half};
  const auto refused = [&](const RotaryOptions& options, const Sections& sections, MropeOrder order,
                           std::string_view argument, std::string_view value) {
    require_error(posenc::mrope(options, sections, order), argument, value);
  };
  refused(good, {2, 3, 3}, MropeOrder::unnamed, "order", "");
  refused(good, {2, 3}, MropeOrder::chunked, "sections", "5");
  refused(good, {8}, MropeOrder::chunked, "sections", "1");
  refused(good, Sections(9, 1), MropeOrder::chunked, "sections", "9");
  refused(good, {2, 2, 2, 2}, MropeOrder::interleaved, "sections", "4");
  refused(good, {4, 4}, MropeOrder::time_last, "sections", "2");
  refused(good, {2, 2, 4}, MropeOrder::time_last, "sections", "4");
  refused(good, {2, 3, 2}, MropeOrder::chunked, "sections", "7");
  refused(good, {2, 3, 4}, MropeOrder::chunked, "sections", "9");
  refused(good, {9, -1, 0}, MropeOrder::chunked, "sections", "9");
  refused(good, {0, -1, 9}, MropeOrder::chunked, "sections", "-1");
  refused(good, {INT64_MAX, INT64_MAX, 10}, MropeOrder::chunked, "sections", "");
  refused(good, {4, 4, 0}, MropeOrder::interleaved, "sections", "4");
  refused(good, {5, 0, 3}, MropeOrder::interleaved, "sections", "3");
  CHECK(posenc::mrope(good, Sections{3, 3, 2}, MropeOrder::interleaved).has_value());
  refused(good, {4, 3, 2}, MropeOrder::interleaved, "sections", "9");
  refused({.dim = 72, .layout = Layout::half}, {8, 12, 12}, MropeOrder::chunked, "sections", "32");
  refused({.dim = 16}, {2, 3, 3}, MropeOrder::chunked, "layout", "");
  refused({.dim = 16, .layout = Layout::deinterleaved}, {2, 3, 3}, MropeOrder::chunked, "layout", "deinterleaved");
  refused({.dim = 15, .layout = Layout::half}, {2, 3, 3}, MropeOrder::chunked, "dim", "15");
  refused({.dim = 16, .layout = Layout::half, .rotary_dim = 18}, {2, 3, 3}, MropeOrder::chunked, "rotaryDim", "18");
  require_error(posenc::from_name<posenc::MropeOrder>("thw"), "order", "thw");
}

TEST_CASE("mrope: rotated values have the bits that are stored", "[hashes]") {
  // fractions(20 * 64, 14) of shape [20, 64], layout half, base 1000000, sections 11, 11, 10, interleaved; the
  // positions [3, 20] are 0, 7, 14, ... 413.
  std::vector<double> ids(60);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<double>(7 * i);
  const std::vector<std::int64_t> sections{11, 11, 10};
  const auto rotary = testing::value_of(posenc::mrope({.dim = 64, .layout = posenc::Layout::half, .base = 1e6},
                                                      sections, posenc::MropeOrder::interleaved));
  testing::check_hash(
      "mrope", "8e4267486c71c39d",
      {testing::rotated(rotary, testing::fractions(20 * 64, 14), {20, 64}, posenc::Points::axes_first(ids))});
}
