/// Linear layers, sums with a table, heads split and merged: forward and backward.

#include "posenc/attention/linear.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "attention/attention_reference.hpp"
#include "posenc/attention/add.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/attention/multi_head.hpp"
#include "testing/testing.hpp"

using posenc::LinearExtents;
using reference::Quad;
using reference::Sum;
using testing::fractions;
using testing::require_error;
using testing::same_bits;
using testing::value_of;

namespace {

using Floats = std::vector<float>;

/// 0.501 ulp of the result, and what sums in double may lose.
double worst_rounding(std::span<const float> actual, const std::vector<Sum>& exact, std::size_t terms) {
  if (actual.size() != exact.size()) return HUGE_VAL;
  double worst = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const auto value = static_cast<double>(exact[i].value);
    const double ulp = value == 0 ? 0 : std::ldexp(1.0, std::ilogb(value) - 23);
    const double allowed =
        0.501 * ulp + 0x1p-52 * static_cast<double>(terms + 1) * static_cast<double>(exact[i].size) + 0x1p-149;
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
  for (int round = 0; round < 60; ++round) {
    const LinearExtents e{1 + generator.below(9), 1 + generator.below(20), 1 + generator.below(9)};
    const auto x = fractions(e.rows * e.in, generator.next());
    const auto weight = fractions(e.out * e.in, generator.next());
    const auto bias = fractions(generator.below(3) == 0 ? 0 : e.out, generator.next());
    const auto dy = fractions(e.rows * e.out, generator.next());
    Floats y(e.rows * e.out, testing::untouched);
    value_of(posenc::linear({weight, bias}, e, x, y));
    const auto wide = [](const Floats& values) { return reference::widened(values); };
    REQUIRE(worst_rounding(y, reference::linear(wide(x), wide(weight), wide(bias), e.in), e.in) <= 1);

    Floats dx(x.size(), testing::untouched), d_weight(weight.size(), testing::untouched),
        d_bias(e.out, testing::untouched);
    value_of(posenc::linear_backward({weight, bias}, e, x, dy, {dx, d_weight, d_bias}));
    // dx = dy W; dW = dy^T x; db = dy^T 1.
    REQUIRE(worst_rounding(dx, reference::linear(wide(dy), wide(transposed(weight, e.in)), {}, e.out), e.out) <= 1);
    REQUIRE(worst_rounding(d_weight,
                           reference::linear(wide(transposed(dy, e.out)), wide(transposed(x, e.in)), {}, e.rows),
                           e.rows) <= 1);
    REQUIRE(worst_rounding(d_bias,
                           reference::linear(wide(transposed(dy, e.out)), reference::Values(e.rows, 1), {}, e.rows),
                           e.rows) <= 1);
  }
}

TEST_CASE("linear layer: without a bias it has the bits of linear", "[linear]") {
  const auto x = fractions(5 * 7, 741);
  const auto weight = fractions(3 * 7, 742);
  Floats with(15), without(15);
  value_of(posenc::linear({weight, {}}, {5, 7, 3}, x, with));
  value_of(posenc::linear(x, weight, 7, without));
  CHECK(same_bits(with, without));
}

TEST_CASE("linear layer: the gradients are those of finite differences", "[linear]") {
  const LinearExtents e{3, 4, 2};
  const auto x = fractions(12, 743), weight = fractions(8, 744), bias = fractions(2, 745), dy = fractions(6, 746);
  Floats dx(12), d_weight(8), d_bias(2);
  value_of(posenc::linear_backward({weight, bias}, e, x, dy, {dx, d_weight, d_bias}));
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
  value_of(posenc::linear({{}, Floats{1, 2, 3}}, {2, 0, 3}, {}, y));
  CHECK(y == Floats{1, 2, 3, 1, 2, 3});
  value_of(posenc::linear({fractions(6, 1), {}}, {0, 2, 3}, {}, {}));
  Floats d_weight(6, testing::untouched), d_bias(3, testing::untouched);
  value_of(posenc::linear_backward({fractions(6, 1), {}}, {0, 2, 3}, {}, {}, {.weight = d_weight, .bias = d_bias}));
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
  refused(posenc::linear({weight, bias}, e, wide_x.first(5), all.first(12)), "x");
  refused(posenc::linear({wide_weight.first(7), bias}, e, x, all.first(12)), "weight");
  refused(posenc::linear({weight, wide_bias.first(3)}, e, x, all.first(12)), "bias");
  refused(posenc::linear({weight, bias}, e, x, all.first(13)), "y");
  refused(posenc::linear_backward({weight, bias}, e, x, std::span(dy).first(11), {}), "gradient");
  refused(posenc::linear_backward({weight, bias}, e, x, dy, {.x = all.first(5)}), "gradients.x");
  refused(posenc::linear_backward({weight, bias}, e, x, dy, {.x = all.first(6), .weight = all.first(7)}),
          "gradients.weight");
  refused(posenc::linear_backward({weight, bias}, e, x, dy, {.x = all.first(6), .bias = all.first(3)}),
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
  testing::value_of(posenc::linear(testing::fractions(6 * 40, 4), testing::fractions(10 * 40, 5), 40, y));
  testing::check_hash("linear", "7bbffa2cdfa7a51f", {y});
}
