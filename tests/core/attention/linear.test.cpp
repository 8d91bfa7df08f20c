/// Linear layers, sums with a table, heads split and merged: forward and backward.

#include "posenc/attention/linear.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <tuple>
#include <vector>

#include "attention/attention_reference.hpp"
#include "posenc/attention/add.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/attention/multi_head.hpp"
#include "testing/testing.hpp"

using posenc::LinearExtents;
using posenc::SumPrecision;
using reference::Quad;
using reference::Sum;
using testing::fractions;
using testing::require_error;
using testing::same_bits;
using testing::value_of;

namespace {

using Floats = std::vector<float>;

/// The largest error as a share of what is promised for sums of so many terms.
double worst_rounding(std::span<const float> actual, const std::vector<Sum>& exact, std::size_t terms,
                      SumPrecision precision = SumPrecision::exact) {
  if (actual.size() != exact.size()) return HUGE_VAL;
  double worst = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const auto value = static_cast<double>(exact[i].value);
    const double ulp = value == 0 ? 0 : std::ldexp(1.0, std::ilogb(value) - 23);
    const auto size = static_cast<double>(exact[i].size);
    const double allowed = precision == SumPrecision::exact
                               ? 0.501 * ulp + 0x1p-52 * static_cast<double>(terms + 1) * size + 0x1p-149
                               : 0x1p-24 * static_cast<double>(terms + 2) * size;
    worst = std::fmax(worst, static_cast<double>(reference::magnitude(actual[i] - exact[i].value)) / allowed);
  }
  return worst;
}

Floats transposed(const Floats& x, std::size_t columns) {
  Floats out(x.size());
  const std::size_t rows = columns == 0 ? 0 : x.size() / columns;
  for (std::size_t i = 0; i < x.size(); ++i) out[i % columns * rows + i / columns] = x[i];
  return out;
}

}  // namespace

TEST_CASE("linear layer: forward and backward within their promised errors", "[linear][accuracy]") {
  testing::Generator generator(740);
  for (int round = 0; round < 120; ++round) {
    const SumPrecision precision = round % 2 == 0 ? SumPrecision::exact : SumPrecision::float32;
    const LinearExtents e{1 + generator.below(9), 1 + generator.below(20), 1 + generator.below(9)};
    const auto x = fractions(e.rows * e.in, generator.next());
    const auto weight = fractions(e.out * e.in, generator.next());
    const auto bias = fractions(generator.below(3) == 0 ? 0 : e.out, generator.next());
    const auto dy = fractions(e.rows * e.out, generator.next());
    Floats y(e.rows * e.out, testing::untouched);
    value_of(posenc::linear({weight, bias}, e, precision, x, y));
    const auto wide = [](const Floats& values) { return reference::widened(values); };
    REQUIRE(worst_rounding(y, reference::linear(wide(x), wide(weight), wide(bias), e.in), e.in, precision) <= 1);

    Floats dx(x.size(), testing::untouched), d_weight(weight.size(), testing::untouched),
        d_bias(e.out, testing::untouched);
    value_of(posenc::linear_backward({weight, bias}, e, precision, x, dy, {dx, d_weight, d_bias}));
    // dx = dy W; dW = dy^T x; db = dy^T 1.
    REQUIRE(worst_rounding(dx, reference::linear(wide(dy), wide(transposed(weight, e.in)), {}, e.out), e.out,
                           precision) <= 1);
    REQUIRE(worst_rounding(d_weight,
                           reference::linear(wide(transposed(dy, e.out)), wide(transposed(x, e.in)), {}, e.rows),
                           e.rows, precision) <= 1);
    REQUIRE(worst_rounding(d_bias,
                           reference::linear(wide(transposed(dy, e.out)), reference::Values(e.rows, 1), {}, e.rows),
                           e.rows, precision) <= 1);
  }
}

TEST_CASE("linear layer: without a bias it has the bits of linear", "[linear]") {
  const auto x = fractions(5 * 7, 741);
  const auto weight = fractions(3 * 7, 742);
  Floats with(15), without(15);
  value_of(posenc::linear({weight, {}}, {5, 7, 3}, SumPrecision::exact, x, with));
  value_of(posenc::linear(x, weight, 7, SumPrecision::exact, without));
  CHECK(same_bits(with, without));
}

TEST_CASE("linear layer: with packed weights it has the bits of linear in float32", "[linear]") {
  for (const LinearExtents e :
       {LinearExtents{1, 7, 3}, {5, 0, 3}, {0, 7, 3}, {3, 300, 17}, {9, 513, 257}, {33, 32, 300}}) {
    auto x = fractions(e.rows * e.in, 747);
    const auto weight = fractions(e.out * e.in, 748);
    if (!x.empty()) x.back() = std::numeric_limits<float>::quiet_NaN();
    Floats usual(e.rows * e.out), packed(e.rows * e.out, testing::untouched);
    value_of(posenc::linear({weight, {}}, e, SumPrecision::float32, x, usual));
    value_of(posenc::packed_linear(weight, e, x, packed));
    CHECK(same_bits(usual, packed));
  }
  Floats y(6, testing::untouched);
  testing::require_error(posenc::packed_linear(fractions(6, 1), {2, 2, 3}, fractions(5, 2), y), "x", "5");
  CHECK(y == Floats(6, testing::untouched));
}

TEST_CASE("linear layer: the gradients are those of finite differences", "[linear]") {
  const LinearExtents e{3, 4, 2};
  const auto x = fractions(12, 743), weight = fractions(8, 744), bias = fractions(2, 745), dy = fractions(6, 746);
  Floats dx(12), d_weight(8), d_bias(2);
  value_of(posenc::linear_backward({weight, bias}, e, SumPrecision::exact, x, dy, {dx, d_weight, d_bias}));
  const auto loss = [&](const reference::Values& at_x, const reference::Values& at_weight,
                        const reference::Values& at_bias) {
    const auto y = reference::linear(at_x, at_weight, at_bias, 4);
    Quad sum = 0;
    for (std::size_t i = 0; i < dy.size(); ++i) sum += y[i].value * dy[i];
    return sum;
  };
  const auto wide_x = reference::widened(x), wide_weight = reference::widened(weight),
             wide_bias = reference::widened(bias);
  const auto in_x = reference::differences([&](const auto& at) { return loss(at, wide_weight, wide_bias); }, wide_x);
  const auto in_weight =
      reference::differences([&](const auto& at) { return loss(wide_x, at, wide_bias); }, wide_weight);
  const auto in_bias = reference::differences([&](const auto& at) { return loss(wide_x, wide_weight, at); }, wide_bias);
  CHECK(reference::worst_of_largest(dx, in_x) <= 6e-8);
  CHECK(reference::worst_of_largest(d_weight, in_weight) <= 6e-8);
  CHECK(reference::worst_of_largest(d_bias, in_bias) <= 6e-8);
}

TEST_CASE("linear layer: empty extents", "[linear]") {
  Floats y(6, testing::untouched);
  value_of(posenc::linear({{}, Floats{1, 2, 3}}, {2, 0, 3}, SumPrecision::exact, {}, y));
  CHECK(y == Floats{1, 2, 3, 1, 2, 3});
  value_of(posenc::linear({fractions(6, 1), {}}, {0, 2, 3}, SumPrecision::exact, {}, {}));
  Floats d_weight(6, testing::untouched), d_bias(3, testing::untouched);
  value_of(posenc::linear_backward({fractions(6, 1), {}}, {0, 2, 3}, SumPrecision::exact, {}, {},
                                   {.weight = d_weight, .bias = d_bias}));
  CHECK(same_bits(d_weight, Floats(6)));
  CHECK(same_bits(d_bias, Floats(3)));
}

TEST_CASE("linear layer: sizes that do not fit are Errors and nothing is written", "[linear]") {
  const auto x = fractions(6, 1), weight = fractions(8, 2), bias = fractions(4, 3), dy = fractions(12, 4);
  Floats out(40, testing::untouched);
  const std::span<float> all(out);
  const LinearExtents e{3, 2, 4};
  const auto refused = [&](const posenc::Expected<void>& result, std::string_view argument) {
    require_error(result, argument, "");
    CHECK(testing::is_untouched(out));
  };
  const std::span<const float> wide_x(x), wide_weight(weight), wide_bias(bias);
  refused(posenc::linear({weight, bias}, e, SumPrecision::exact, wide_x.first(5), all.first(12)), "x");
  refused(posenc::linear({wide_weight.first(7), bias}, e, SumPrecision::exact, x, all.first(12)), "weight");
  refused(posenc::linear({weight, wide_bias.first(3)}, e, SumPrecision::exact, x, all.first(12)), "bias");
  refused(posenc::linear({weight, bias}, e, SumPrecision::exact, x, all.first(13)), "y");
  refused(posenc::linear_backward({weight, bias}, e, SumPrecision::exact, x, std::span(dy).first(11), {}), "gradient");
  refused(posenc::linear_backward({weight, bias}, e, SumPrecision::exact, x, dy, {.x = all.first(5)}), "gradients.x");
  refused(posenc::linear_backward({weight, bias}, e, SumPrecision::exact, x, dy,
                                  {.x = all.first(6), .weight = all.first(7)}),
          "gradients.weight");
  refused(
      posenc::linear_backward({weight, bias}, e, SumPrecision::exact, x, dy, {.x = all.first(6), .bias = all.first(3)}),
      "gradients.bias");
}

TEST_CASE("absolute: the table's gradient sums the batch", "[absolute][accuracy]") {
  testing::Generator generator(747);
  for (int round = 0; round < 40; ++round) {
    const std::size_t batch = generator.below(6), rows = 1 + generator.below(5), dim = 1 + generator.below(6);
    const std::size_t spare = generator.below(3);
    const auto d_out = fractions(batch * rows * dim, generator.next());
    Floats d_table((rows + spare) * dim, testing::untouched);
    value_of(posenc::add_backward(d_out, rows, dim, d_table));
    std::vector<Sum> exact(d_table.size());
    for (std::size_t i = 0; i < d_out.size(); ++i) exact[i % (rows * dim)].add(d_out[i]);
    REQUIRE(worst_rounding(d_table, exact, batch) <= 1);
  }
  Floats out(5, testing::untouched);
  require_error(posenc::add_backward(fractions(12, 1), 3, 2, out), "table", "2");
  require_error(posenc::add_backward(fractions(7, 1), 1, 2, out), "gradient", "7");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("heads: split and merged", "[heads]") {
  testing::Generator generator(748);
  for (int round = 0; round < 40; ++round) {
    const posenc::HeadsShape shape{generator.below(4), 1 + generator.below(4), generator.below(5),
                                   1 + generator.below(5)};
    const auto x = fractions(shape.batch * shape.heads * shape.rows * shape.dim, generator.next());
    Floats split(x.size(), testing::untouched), merged(x.size(), testing::untouched);
    value_of(posenc::split_heads(shape, x, split));
    REQUIRE(same_bits(split, reference::split(x, shape.batch, shape.heads, shape.rows, shape.dim)));
    value_of(posenc::merge_heads(shape, split, merged));
    REQUIRE(same_bits(merged, x));
  }
  Floats out(5, testing::untouched);
  const auto x = fractions(6, 1);
  require_error(posenc::split_heads({1, 2, 2, 2}, x, out), "x", "6");
  require_error(posenc::merge_heads({1, 1, 3, 2}, x, out), "out", "5");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("linear: outputs have the bits that are stored", "[hashes]") {
  // x = fractions(6 * 40, 4), shape [6, 40]; weight = fractions(10 * 40, 5), shape [10, 40].
  std::vector<float> y(6 * 10);
  testing::value_of(
      posenc::linear(testing::fractions(6 * 40, 4), testing::fractions(10 * 40, 5), 40, SumPrecision::exact, y));
  testing::check_hash("linear exact", "7bbffa2cdfa7a51f", {y});
  testing::value_of(
      posenc::linear(testing::fractions(6 * 40, 4), testing::fractions(10 * 40, 5), 40, SumPrecision::float32, y));
  testing::check_hash("linear", "92ca512a883028dd", {y});
}

TEST_CASE("linear layer: gradients have the bits that are stored", "[hashes]") {
  // x = fractions(37 * 40, 764), [37, 40]; weight = fractions(19 * 40, 765); dy = fractions(37 * 19, 766).
  const LinearExtents e{37, 40, 19};
  for (const auto& [precision, name, stored] :
       {std::tuple(SumPrecision::float32, "linear gradients", "978c46600ec03350"),
        std::tuple(SumPrecision::exact, "linear gradients exact", "5703376f7587baa9")}) {
    Floats dx(37 * 40), d_weight(19 * 40), d_bias(19);
    value_of(posenc::linear_backward({fractions(19 * 40, 765), {}}, e, precision, fractions(37 * 40, 764),
                                     fractions(37 * 19, 766), {dx, d_weight, d_bias}));
    testing::check_hash(name, stored, {dx, d_weight, d_bias});
  }
}

TEST_CASE("linear layer: a slice of rows or outputs has the bits of the whole, whatever the parts it goes by",
          "[linear]") {
  // Deeper, higher and wider than one part; rows of a part are fewer where it is wider.
  for (const SumPrecision precision : {SumPrecision::float32, SumPrecision::exact})
    for (const LinearExtents& e :
         {LinearExtents{5, 4999, 33}, LinearExtents{2311, 31, 67}, LinearExtents{37, 3, 4001}}) {
      const auto x = fractions(e.rows * e.in, 767), weight = fractions(e.out * e.in, 768), bias = fractions(e.out, 769);
      Floats whole(e.rows * e.out);
      value_of(posenc::linear({weight, bias}, e, precision, x, whole));
      for (const std::size_t row : {std::size_t{0}, e.rows / 2, e.rows - 1}) {
        Floats part(e.out);
        value_of(
            posenc::linear({weight, bias}, {1, e.in, e.out}, precision, std::span(x).subspan(row * e.in, e.in), part));
        REQUIRE(same_bits(part, std::span(whole).subspan(row * e.out, e.out)));
      }
      for (const std::size_t out : {std::size_t{0}, e.out - 1}) {
        Floats part(e.rows);
        value_of(posenc::linear({std::span(weight).subspan(out * e.in, e.in), std::span(bias).subspan(out, 1)},
                                {e.rows, e.in, 1}, precision, x, part));
        for (std::size_t r = 0; r < e.rows; ++r) REQUIRE(same_bits(part[r], whole[r * e.out + out]));
      }
    }
}

TEST_CASE("linear layer: a million rows", "[linear]") {
  const LinearExtents e{1000003, 2, 3};
  const auto x = fractions(e.rows * e.in, 770), weight = fractions(6, 771);
  Floats y(e.rows * e.out), d_weight(6), d_bias(3);
  value_of(posenc::linear({weight, {}}, e, SumPrecision::float32, x, y));
  for (const std::size_t at : {std::size_t{0}, y.size() - 1}) {
    const float* const row = x.data() + at / 3 * 2;
    const float first = row[0] * weight[at % 3 * 2], second = row[1] * weight[at % 3 * 2 + 1];
    CHECK(y[at] == first + second);
  }
  value_of(posenc::linear_backward({weight, {}}, e, SumPrecision::exact, x, y, {.weight = d_weight, .bias = d_bias}));
  double sum = 0;
  for (std::size_t r = 0; r < e.rows; ++r) sum += static_cast<double>(y[r * 3 + 2]);
  CHECK(d_bias[2] == static_cast<float>(sum));
}

TEST_CASE("linear layer: NaN is one NaN", "[linear]") {
  const float infinite = testing::float_infinity;
  Floats y(1);
  for (const SumPrecision precision : {SumPrecision::float32, SumPrecision::exact}) {
    value_of(posenc::linear({Floats{1, 1}, Floats{3}}, {1, 2, 1}, precision, Floats{infinite, -infinite}, y));
    CHECK(same_bits(y[0], std::numeric_limits<float>::quiet_NaN()));
    value_of(posenc::linear({Floats{1}, Floats{-std::nanf("1")}}, {1, 1, 1}, precision, Floats{1}, y));
    CHECK(same_bits(y[0], std::numeric_limits<float>::quiet_NaN()));
  }
}
