#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "posenc/rotary/rotary_cache.hpp"
#include "testing/testing.hpp"

using posenc::CacheForm;
using posenc::Direction;
using posenc::Layout;
using posenc::Positions;
using posenc::Rotary;
using posenc::RotaryCache;
using posenc::SequenceShape;
using testing::fractions;
using testing::Generator;
using testing::require_error;
using testing::same_bits;
using testing::Shape;
using testing::value_of;

namespace {

constexpr CacheForm forms[] = {CacheForm::onnx, CacheForm::huggingface, CacheForm::huggingface_interleaved,
                               CacheForm::ggml};

struct Arrays {
  std::vector<float> cosines, sines;
};

Arrays cache_in(const Rotary& rotary, CacheForm form, const Positions& positions) {
  const std::size_t size = positions.count() * posenc::row_of(form, rotary.rotary_dim());
  Arrays arrays{std::vector<float>(size, testing::untouched),
                std::vector<float>(form == CacheForm::ggml ? 0 : size, testing::untouched)};
  value_of(posenc::write_rotary_cache(rotary, form, positions, arrays.cosines, arrays.sines));
  return arrays;
}

RotaryCache view(CacheForm form, const Rotary& rotary, const Arrays& arrays) {
  return {form, static_cast<std::int64_t>(rotary.rotary_dim()), arrays.cosines, arrays.sines};
}

/// Where the definition of each form puts pair i of r / 2.
std::vector<std::size_t> places(CacheForm form, std::size_t i, std::size_t r) {
  if (form == CacheForm::onnx) return {i};
  if (form == CacheForm::huggingface) return {i, i + r / 2};
  return {2 * i, 2 * i + 1};
}

/// Rows of an ONNX cache of 2 pairs, and what is wrong with everything around it.
void check_refused(RotaryCache cache, const Positions& rows, std::string_view argument, std::string_view value,
                   Layout layout = Layout::half) {
  const auto before = fractions(3 * 6, 4);
  auto x = before;
  require_error(posenc::rotate_with_cache(cache, layout, x, testing::sequence_first(Shape{3, 6}), rows), argument,
                value);
  CHECK(same_bits(x, before));
}

}  // namespace

TEST_CASE("rotary cache forms: every number stands where the form has it", "[rotary]") {
  const auto rotary = value_of(Rotary::make({.dim = 20, .layout = Layout::half, .rotary_dim = 12}));
  const auto positions = Positions::range(5, -1.5);
  std::vector<float> cosines(5 * 6), sines(5 * 6);
  value_of(rotary.cache(positions, cosines, sines));
  for (const CacheForm form : forms) {
    const Arrays arrays = cache_in(rotary, form, positions);
    const std::size_t row = posenc::row_of(form, 12);
    REQUIRE(arrays.cosines.size() == 5 * row);
    for (std::size_t at = 0; at < cosines.size(); ++at) {
      const auto where = places(form, at % 6, 12);
      const std::size_t start = at / 6 * row;
      if (form == CacheForm::ggml) {
        CHECK(same_bits(arrays.cosines[start + where[0]], cosines[at]));
        CHECK(same_bits(arrays.cosines[start + where[1]], sines[at]));
        continue;
      }
      for (const std::size_t dimension : where) {
        CHECK(same_bits(arrays.cosines[start + dimension], cosines[at]));
        CHECK(same_bits(arrays.sines[start + dimension], sines[at]));
      }
    }
  }
}

TEST_CASE("rotary cache forms: rotation by a cache is rotation by the frequencies, bit for bit", "[rotary]") {
  Generator generator(51);
  for (const CacheForm form : forms)
    for (const Layout layout : {Layout::half, Layout::interleaved, Layout::deinterleaved})
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const posenc::RotaryOptions options{.dim = 14,
                                            .layout = layout,
                                            .rotary_dim = 10,
                                            .scaling = posenc::scaling::Yarn{.factor = 4, .original_length = 64}};
        const auto rotary = value_of(Rotary::make(options));
        const Arrays arrays = cache_in(rotary, form, Positions::range(40));
        std::vector<double> ids(2 * 7);
        for (double& id : ids) id = static_cast<double>(generator.below(40));
        const auto shape = value_of(SequenceShape::make(Shape{7, 14, 2, 3}, {.sequence = 0, .dim = 1, .batch = 2}));
        auto x = fractions(shape.size(), generator.next());
        auto expected = x;
        value_of(rotary.apply(expected, shape, Positions::lists(ids, 2), direction));
        value_of(posenc::rotate_with_cache(view(form, rotary, arrays), layout, x, shape, Positions::lists(ids, 2),
                                           direction));
        CHECK(same_bits(x, expected));
      }
}

TEST_CASE("rotary cache forms: go by name", "[rotary]") {
  const char* const names[] = {"onnx", "huggingface", "huggingface-interleaved", "ggml"};
  for (std::size_t i = 0; i < 4; ++i) CHECK(value_of(posenc::from_name<posenc::CacheForm>(names[i])) == forms[i]);
  require_error(posenc::from_name<posenc::CacheForm>("hf"), "form", "hf");
}

TEST_CASE("rotary cache forms: what is wrong is an Error and nothing is written", "[rotary]") {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};  // three rows of two pairs
  const RotaryCache cache{CacheForm::onnx, 4, values, values};
  const auto rows = Positions::range(3);
  check_refused(cache, rows, "layout", "", Layout::unnamed);
  for (const std::int64_t wrong : {0, -2, 3, 8}) {
    RotaryCache other = cache;
    other.rotary_dim = wrong;
    check_refused(other, rows, "rotaryDim", std::to_string(wrong));
  }
  check_refused({CacheForm::onnx, 4, std::span(values).first(5), values}, rows, "cosines", "5");
  check_refused({CacheForm::onnx, 4, values, std::span(values).first(4)}, rows, "sines", "4");
  check_refused({CacheForm::ggml, 2, values, values}, rows, "sines", "6");
  check_refused(cache, Positions::range(2), "positions", "2");
  check_refused(cache, Positions::range(3, 1), "positions", "3");
  check_refused(cache, Positions::range(3, -1), "positions", "-1");
  check_refused(cache, Positions::range(3, 0.5), "positions", "0.5");
  check_refused(cache, Positions::repeat(3, std::nan("")), "positions", "nan");
  // Rows of [c0, c1] twice, read as interleaved pairs, and vice versa.
  const std::vector<float> twice{1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6};
  const std::vector<float> each{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6};
  check_refused({CacheForm::huggingface_interleaved, 4, twice, twice}, rows, "cosines", "2");
  check_refused({CacheForm::huggingface, 4, each, each}, rows, "cosines", "2");
  check_refused({CacheForm::huggingface, 4, twice, each}, rows, "sines", "2");
}

TEST_CASE("rotary cache forms: a cache of another size is an Error and nothing is written", "[rotary]") {
  const auto rotary = value_of(Rotary::make({.dim = 8, .layout = Layout::half}));
  for (const CacheForm form : forms) {
    const std::size_t row = posenc::row_of(form, 8);
    std::vector<float> out(2 * row + 1, testing::untouched);
    const auto all = std::span(out).first(2 * row);
    const auto refused = [&](std::span<float> cosines, std::span<float> sines, std::string_view argument) {
      require_error(posenc::write_rotary_cache(rotary, form, Positions::range(2), cosines, sines), argument, "");
    };
    refused(out, all, "cosines");
    refused(std::span(out).first(row), all, "cosines");
    refused(all, out, "sines");
    if (form == CacheForm::ggml) refused(all, all, "sines");
    CHECK(testing::is_untouched(out));
  }
}
