#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "base/dtype_reference.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"
#include "posenc/rotary/rotary_cache.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"
#include "rotary/rotary_reference.hpp"
#include "testing/testing.hpp"

using posenc::BFloat16;
using posenc::CacheForm;
using posenc::Float16;
using posenc::Layout;
using posenc::Order;
using posenc::Positions;
using reference::digits_of;
using reference::Format16;
using reference::min_exponent_of;
using reference::Quad;
using testing::require_error;
using testing::Shape;
using testing::value_of;

namespace {

template <class T>
std::vector<T> table16_of(const posenc::SinusoidalOptions& options, const Positions& positions) {
  const auto encoding = value_of(posenc::Sinusoidal::make(options));
  std::vector<T> out(positions.count() * encoding.dim(), T{0x1234});
  value_of(encoding.table(positions, std::span(out)));
  return out;
}

template <class T>
posenc::Expected<void> write_onnx(const posenc::Rotary& rotary, const Positions& positions, std::span<T> cosines,
                                  std::span<T> sines) {
  return posenc::write_rotary_cache(rotary, CacheForm::onnx, positions, cosines, sines);
}

/// How a set of exact values was rounded.
template <class T>
struct Roundings {
  std::size_t values = 0;
  std::size_t wrong = 0;       ///< not the nearest
  std::size_t told_apart = 0;  ///< where rounding to float32 first would give another value

  void note(T got, Quad exact) {
    const auto& format = Format16::of<T>();
    const std::uint16_t nearest = format.nearest(exact);
    ++values;
    if ((got.bits & 0x7fff) != (nearest & 0x7fff) || (exact != 0 && got.bits != nearest)) ++wrong;
    if (format.nearest(static_cast<float>(exact)) != nearest) ++told_apart;
  }
};

/// Interleaved: sine and cosine of each frequency, alternating.
template <class T>
Roundings<T> measure(const posenc::SinusoidalOptions& options, const std::vector<double>& positions) {
  const auto table = table16_of<T>(options, Positions::list(positions));
  const auto frequencies = reference::frequencies(options.frequencies);
  Roundings<T> roundings;
  std::size_t at = 0;
  for (const double position : positions)
    for (const Quad frequency : frequencies) {
      const reference::Phase phase = reference::phase(frequency * position);
      roundings.note(table[at++], options.amplitude * phase.sine);
      roundings.note(table[at++], options.amplitude * phase.cosine);
    }
  return roundings;
}

template <class T>
struct Cache {
  std::vector<T> cosines, sines;
};

template <class T>
Cache<T> cache_of(const posenc::RotaryOptions& options, const Positions& positions, CacheForm form = CacheForm::onnx) {
  const auto rotary = value_of(posenc::Rotary::make(options));
  const std::size_t size = positions.count() * posenc::row_of(form, rotary.rotary_dim());
  Cache<T> cache{std::vector<T>(size, T{0x1234}), std::vector<T>(form == CacheForm::ggml ? 0 : size, T{0x1234})};
  value_of(posenc::write_rotary_cache(rotary, form, positions, std::span(cache.cosines), std::span(cache.sines)));
  return cache;
}

}  // namespace

TEMPLATE_TEST_CASE("sinusoid in 16 bits: the last of an odd number of columns is 0", "[sinusoid][dtype]", Float16,
                   BFloat16) {
  const auto table =
      table16_of<TestType>({.frequencies = {.dim = 5, .exponent = posenc::Exponent::half}}, Positions::range(3));
  REQUIRE(table.size() == 15);
  for (const std::size_t row : {0uz, 1uz, 2uz}) CHECK(table[5 * row + 4].bits == 0);
}

TEMPLATE_TEST_CASE("dtype: a table's values are rounded once", "[dtype][sinusoid][accuracy]", Float16, BFloat16) {
  std::vector<double> positions{-1, 0.25, 131071, 1048575, 2147483648.0, 0x1p53};
  for (int i = 0; i < 600; ++i) positions.push_back(i);
  auto roundings = measure<TestType>({.frequencies = {.dim = 128}}, positions);
  CHECK(roundings.wrong == 0);
  roundings = measure<TestType>({.frequencies = {.dim = 64}, .amplitude = 1000.3}, positions);
  CHECK(roundings.wrong == 0);
}

TEMPLATE_TEST_CASE("dtype: a table's subnormal values are the nearest too", "[dtype][sinusoid]", Float16, BFloat16) {
  const double smallest = std::ldexp(1.0, min_exponent_of<TestType> - digits_of<TestType> + 1);
  std::vector<double> positions;
  for (int i = 0; i < 40; ++i) positions.push_back(i);
  for (const double times : {0.7, 5.3, 100.9, 1000.1}) {
    const auto roundings = measure<TestType>({.frequencies = {.dim = 32}, .amplitude = times * smallest}, positions);
    CHECK(roundings.values == 40 * 32);
    CHECK(roundings.wrong == 0);
  }
}

TEMPLATE_TEST_CASE("dtype: next to zeros of sines and cosines values are the nearest too", "[dtype][accuracy]", Float16,
                   BFloat16) {
  std::vector<double> positions{8958937768937, 428224593349304, 6134899525417045, 22, 355, 103993};
  // Doubles next to quarters of cycles, and the whole numbers there.
  for (double quarters = 1; quarters < 0x1p52; quarters *= 1.37) {
    const double x = std::round(quarters) * 1.5707963267948966;
    for (const double near : {x, std::nextafter(x, 0), std::nextafter(x, 2 * x), std::round(x)})
      if (near < 0x1p53) positions.push_back(near), positions.push_back(-near);
  }
  const auto table = table16_of<TestType>({.frequencies = {.dim = 2}}, Positions::list(positions));
  const auto cache = cache_of<TestType>({.dim = 2, .layout = Layout::half}, Positions::list(positions));
  Roundings<TestType> roundings;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto [sine, cosine] = reference::phase(positions[i]);
    roundings.note(table[2 * i], sine);
    roundings.note(table[2 * i + 1], cosine);
    roundings.note(cache.sines[i], sine);
    roundings.note(cache.cosines[i], cosine);
  }
  CHECK(roundings.values > 3000);
  CHECK(roundings.wrong == 0);
}

TEMPLATE_TEST_CASE("dtype: a table's dimensions and slices are where float32's are", "[dtype][sinusoid]", Float16,
                   BFloat16) {
  for (const Order order : {Order::interleaved, Order::split, Order::cosines_first})
    for (const std::int64_t dim : {1, 2, 7, 30}) {
      const posenc::SinusoidalOptions options{.frequencies = {.dim = dim}, .order = order};
      const auto table = table16_of<TestType>(options, Positions::range(20, -3));
      const auto wide = testing::table_of(options, Positions::range(20, -3));
      REQUIRE(table.size() == wide.size());
      const auto& format = Format16::of<TestType>();
      for (std::size_t i = 0; i < wide.size(); ++i) {
        const double value = static_cast<double>(format.value(table[i].bits));
        CHECK(std::fabs(value - wide[i]) <= std::ldexp(std::fabs(wide[i]), -digits_of<TestType>) * 1.001);
      }
      const auto slice = table16_of<TestType>(options, Positions::range(5, 4));
      CHECK(std::ranges::equal(slice, std::span(table).subspan(7 * static_cast<std::size_t>(dim), slice.size())));
    }
}

TEMPLATE_TEST_CASE("dtype: a grid's values are those of its axes' tables", "[dtype][axial]", Float16, BFloat16) {
  const auto made = value_of(posenc::SinusoidalGrid::make(
      value_of(posenc::resolve({.dim = 24, .preset = posenc::SinusoidalGridPreset::mae}, 2)), Shape{3, 5}));
  std::vector<TestType> grid(made.size(), TestType{0x1234});
  value_of(made.table(std::span(grid)));
  // MAE: the column's dimensions first, sines and then cosines of each.
  const posenc::SinusoidalOptions axis{.frequencies = {.dim = 12}, .order = Order::split};
  const auto rows = table16_of<TestType>(axis, Positions::range(5));
  for (std::size_t y = 0; y < 3; ++y)
    for (std::size_t x = 0; x < 5; ++x) {
      const auto cell = std::span(grid).subspan((y * 5 + x) * 24, 24);
      CHECK(std::ranges::equal(cell.first(12), std::span(rows).subspan(x * 12, 12)));
      CHECK(std::ranges::equal(cell.last(12), std::span(rows).subspan(y * 12, 12)));
    }
  std::vector<TestType> wrong(made.size() - 1, TestType{0x1234});
  require_error(made.table(std::span(wrong)), "out", "359");
  CHECK(std::ranges::count(wrong, TestType{0x1234}) == 359);
}

TEMPLATE_TEST_CASE("dtype: a cache's values are rounded once", "[dtype][rotary][accuracy]", Float16, BFloat16) {
  std::vector<double> positions{-3, 0.5, 1048575};
  for (int i = 0; i < 400; ++i) positions.push_back(i);
  for (const double factor : {1.0, 1.2345}) {
    const posenc::RotaryOptions options{
        .dim = 128, .layout = Layout::half, .scaling = posenc::scaling::Linear{.factor = 1}};
    posenc::RotaryOptions scaled = options;
    scaled.scaling = posenc::scaling::Yarn{.factor = 1, .original_length = 4096, .attention_factor = factor};
    const auto cache = cache_of<TestType>(scaled, Positions::list(positions));
    const auto frequencies = reference::rotary_frequencies(options);
    Roundings<TestType> roundings;
    std::size_t at = 0;
    for (const double position : positions)
      for (const Quad frequency : frequencies) {
        const reference::Phase phase = reference::phase(frequency * position);
        roundings.note(cache.cosines[at], factor * phase.cosine);
        roundings.note(cache.sines[at++], factor * phase.sine);
      }
    CHECK(roundings.wrong == 0);
  }
}

TEMPLATE_TEST_CASE("dtype: what float32 would make a tie is not one", "[dtype][sinusoid][rotary][accuracy]", Float16,
                   BFloat16) {
  // At position 0 a cosine is 1: what it is multiplied by is what is rounded.
  testing::Generator generator(41);
  Roundings<TestType> roundings;
  for (int i = 0; i < 100; ++i) {
    const double last_bit = std::ldexp(1.0, 1 - digits_of<TestType>);
    const auto steps = static_cast<double>(generator.below(std::size_t{1} << (digits_of<TestType> - 1)));
    const double value = 1 + (steps + 0.5) * last_bit + (i % 2 == 0 ? 0x1p-40 : -0x1p-40);
    const auto table = table16_of<TestType>({.frequencies = {.dim = 2}, .amplitude = value}, Positions::range(1));
    roundings.note(table[1], value);
    const auto cache = cache_of<TestType>(
        {.dim = 2,
         .layout = Layout::half,
         .scaling = posenc::scaling::Yarn{.factor = 1, .original_length = 64, .attention_factor = value}},
        Positions::range(1));
    CHECK(cache.cosines[0] == table[1]);
  }
  CHECK(roundings.wrong == 0);
  CHECK(roundings.told_apart > 20);
}

TEMPLATE_TEST_CASE("dtype: a cache has every form", "[dtype][rotary]", Float16, BFloat16) {
  const posenc::RotaryOptions options{.dim = 10, .layout = Layout::half};
  const auto plain = cache_of<TestType>(options, Positions::range(7, 2));
  const auto ggml = cache_of<TestType>(options, Positions::range(7, 2), CacheForm::ggml);
  const auto hf = cache_of<TestType>(options, Positions::range(7, 2), CacheForm::huggingface);
  for (std::size_t row = 0; row < 7; ++row)
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(ggml.cosines[row * 10 + 2 * i] == plain.cosines[row * 5 + i]);
      CHECK(ggml.cosines[row * 10 + 2 * i + 1] == plain.sines[row * 5 + i]);
      CHECK(hf.cosines[row * 10 + i] == plain.cosines[row * 5 + i]);
      CHECK(hf.sines[row * 10 + 5 + i] == plain.sines[row * 5 + i]);
    }
}

TEMPLATE_TEST_CASE("dtype: wrong tables and caches are an Error and nothing is written", "[dtype]", Float16, BFloat16) {
  const TestType mark{0x1234};
  std::vector<TestType> out(16, mark), other(16, mark);
  const auto sinusoid = value_of(posenc::Sinusoidal::make({.frequencies = {.dim = 8}}));
  require_error(sinusoid.table(Positions::range(3), std::span(out)), "out", "16");
  require_error(sinusoid.table(Positions::range(2, std::nan("")), std::span(out)), "offset", "nan");
  const auto rotary = value_of(posenc::Rotary::make({.dim = 16, .layout = Layout::half}));
  require_error(write_onnx(rotary, Positions::range(3), std::span(out), std::span(other)), "cosines", "16");
  require_error(write_onnx(rotary, Positions::range(2), std::span(out), std::span(other).first(15)), "sines", "15");
  require_error(write_onnx(rotary, Positions::range(2, 1e300), std::span(out), std::span(other)), "offset", "1e+300");
  CHECK(std::ranges::count(out, mark) == 16);
  CHECK(std::ranges::count(other, mark) == 16);
  CHECK(table16_of<TestType>({.frequencies = {.dim = 8}}, Positions::range(0)).empty());
}

TEST_CASE("dtype: float16 cannot hold every amplitude", "[dtype]") {
  std::vector<Float16> out(16, Float16{0x1234});
  const auto loud = value_of(posenc::Sinusoidal::make({.frequencies = {.dim = 8}, .amplitude = -65505}));
  require_error(loud.table(Positions::range(2), std::span(out)), "amplitude", "-65505");
  CHECK(std::ranges::count(out, Float16{0x1234}) == 16);
  const auto largest = value_of(posenc::Sinusoidal::make({.frequencies = {.dim = 8}, .amplitude = 65504}));
  value_of(largest.table(Positions::range(2), std::span(out)));
  CHECK(out[1] == Float16{0x7bff});
  const auto rotary = value_of(posenc::Rotary::make(
      {.dim = 16,
       .layout = Layout::half,
       .scaling = posenc::scaling::Yarn{.factor = 4, .original_length = 64, .attention_factor = 70000}}));
  std::vector<Float16> other(16, Float16{0x1234});
  require_error(write_onnx(rotary, Positions::range(2), std::span(out), std::span(other)), "attentionFactor", "70000");
  CHECK(std::ranges::count(other, Float16{0x1234}) == 16);
  std::vector<BFloat16> wide(16);
  value_of(value_of(posenc::Sinusoidal::make({.frequencies = {.dim = 8}, .amplitude = 0x1p127}))
               .table(Positions::range(2), std::span(wide)));
  CHECK(wide[1] == BFloat16{0x7f00});
}

TEMPLATE_TEST_CASE("dtype: tables have the bits that are stored", "[hashes]", posenc::Float16, posenc::BFloat16) {
  // 100 rows of dim 64, from position 1000; what they stand for, in float32.
  std::vector<TestType> out(100 * 64);
  const auto sinusoidal = testing::value_of(posenc::Sinusoidal::make({.frequencies = {.dim = 64}}));
  testing::value_of(sinusoidal.table(posenc::Positions::range(100, 1000), std::span(out)));
  std::vector<float> wide(out.size());
  testing::value_of(posenc::convert(std::span<const TestType>(out), std::span(wide)));
  if (std::is_same_v<TestType, posenc::Float16>)
    testing::check_hash("table float16", "54da0ed2db677657", {wide});
  else
    testing::check_hash("table bfloat16", "5e06341802138bf1", {wide});
}
