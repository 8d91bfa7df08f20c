#include "posenc/attention/softmax.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <tuple>
#include <vector>

#include "attention/attention_reference.hpp"
#include "testing/testing.hpp"

using posenc::SumPrecision;
using reference::Quad;
using testing::float_infinity;
using testing::fractions;
using testing::same_bits;
using testing::value_of;

namespace {

std::vector<float> softmax_of(std::size_t width, const std::vector<float>& x,
                              SumPrecision precision = SumPrecision::exact) {
  std::vector<float> out(x.size(), testing::untouched);
  value_of(posenc::softmax(width, precision, x, out));
  return out;
}

reference::Values exact_row(std::span<const float> x) {
  reference::Values row;
  Quad sum = 0;
  for (const float value : x)
    sum += row.emplace_back(std::isinf(value) ? static_cast<Quad>(0) : reference::exponential(value));
  for (Quad& value : row) value /= sum;
  return row;
}

}  // namespace

TEST_CASE("softmax: weights are accurate and rows sum to 1", "[softmax][accuracy]") {
  testing::Generator generator(710);
  double worst = 0;
  for (int round = 0; round < 100; ++round) {
    const std::size_t width = 1 + generator.below(60);
    auto x = fractions(3 * width, generator.next());
    for (float& value : x) value *= static_cast<float>(generator.below(100));
    for (std::size_t i = 0; i < x.size(); ++i)
      if (i % width != 0 && generator.below(5) == 0) x[i] = -float_infinity;
    const auto out = softmax_of(width, x);
    for (std::size_t start = 0; start < x.size(); start += width) {
      const auto exact = exact_row(std::span(x).subspan(start, width));
      double sum = 0;
      for (std::size_t k = 0; k < width; ++k) {
        const double error = static_cast<double>(reference::magnitude(out[start + k] - exact[k]));
        worst = std::fmax(worst, error / (1.2e-7 * static_cast<double>(exact[k]) + 0x1p-149));
        sum += out[start + k];
      }
      REQUIRE(std::abs(sum - 1) <= 1.2e-7);
    }
  }
  std::printf("largest error: softmax: %.4f of 1.2e-7\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("softmax: in float32 within the promised error", "[softmax][accuracy]") {
  testing::Generator generator(716);
  double worst = 0;
  for (int round = 0; round < 200; ++round) {
    const std::size_t width = 1 + generator.below(round % 10 == 0 ? 1500 : 70);
    auto x = fractions(width, generator.next());
    for (float& value : x) value *= static_cast<float>(generator.below(60));
    for (std::size_t i = 1; i < width; ++i)
      if (generator.below(5) == 0) x[i] = -float_infinity;
    const auto out = softmax_of(width, x, SumPrecision::float32);
    const auto exact = exact_row(x);
    float largest = x[0], smallest = x[0];
    for (const float value : x) {
      largest = std::fmax(largest, value);
      if (!std::isinf(value)) smallest = std::fmin(smallest, value);
    }
    const double apart = std::fmin(86.0, static_cast<double>(largest) - static_cast<double>(smallest));
    const double share = 0x1p-24 * (2 * apart + static_cast<double>(width) / 16 + 12);
    for (std::size_t k = 0; k < width; ++k) {
      const double error = static_cast<double>(reference::magnitude(out[k] - exact[k]));
      worst = std::fmax(worst, error / (share * static_cast<double>(exact[k]) + 0x1p-124));
    }
  }
  std::printf("largest error: softmax in float32: %.4f of what is promised\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("softmax: the gradient in float32 within the promised error", "[softmax][accuracy]") {
  testing::Generator generator(717);
  double worst = 0;
  for (int round = 0; round < 100; ++round) {
    const std::size_t width = 1 + generator.below(round % 10 == 0 ? 900 : 70);
    const auto weights = fractions(width, generator.next());
    const auto d_weights = fractions(width, generator.next());
    std::vector<float> dx(width, testing::untouched);
    value_of(posenc::softmax_backward(width, SumPrecision::float32, weights, d_weights, dx));
    reference::Sum mean;
    for (std::size_t k = 0; k < width; ++k) mean.add(static_cast<Quad>(weights[k]) * d_weights[k]);
    for (std::size_t k = 0; k < width; ++k) {
      const Quad exact = weights[k] * (d_weights[k] - mean.value);
      const double allowed =
          0x1p-24 * std::fabs(weights[k]) *
          (3 * std::fabs(d_weights[k]) + (static_cast<double>(width) / 16 + 9) * static_cast<double>(mean.size));
      worst = std::fmax(worst, static_cast<double>(reference::magnitude(dx[k] - exact)) / (allowed + 0x1p-140));
    }
  }
  std::printf("largest error: softmax_backward in float32: %.4f of what is promised\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("softmax: outputs have the bits that are stored", "[softmax][hashes]") {
  // x = 10 * fractions(5 * 67, 718), [5, 67], every seventh -infinity; its gradient from fractions(5 * 67, 719).
  auto x = fractions(5 * 67, 718);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 7 == 0 ? -float_infinity : 10 * x[i];
  for (const auto& [precision, name, stored] : {std::tuple(SumPrecision::float32, "softmax", "5db1b34f4d16e765"),
                                                std::tuple(SumPrecision::exact, "softmax exact", "f002f846a884d57a")}) {
    const auto weights = softmax_of(67, x, precision);
    std::vector<float> dx(x.size());
    value_of(posenc::softmax_backward(67, precision, weights, fractions(5 * 67, 719), dx));
    testing::check_hash(name, stored, {weights, dx});
  }
}

TEST_CASE("softmax: the largest numbers, equal numbers, masked rows", "[softmax]") {
  constexpr float largest = std::numeric_limits<float>::max();
  const SumPrecision precision = GENERATE(SumPrecision::float32, SumPrecision::exact);
  CHECK(
      same_bits(softmax_of(2, {largest, -largest, largest, largest}, precision), std::vector{1.0f, 0.0f, 0.5f, 0.5f}));
  CHECK(same_bits(softmax_of(3, std::vector<float>(3, -largest), precision),
                  std::vector<float>(3, static_cast<float>(1.0 / 3))));
  CHECK(
      same_bits(softmax_of(3, {-float_infinity, -float_infinity, -float_infinity, -float_infinity, 2, -float_infinity},
                           precision),
                std::vector<float>{0, 0, 0, 0, 1, 0}));
  CHECK(softmax_of(4, {}, precision).empty());
  CHECK(softmax_of(0, {}, precision).empty());
}

TEST_CASE("softmax: rows are independent, and x may be the output", "[softmax]") {
  const SumPrecision precision = GENERATE(SumPrecision::float32, SumPrecision::exact);
  const auto x = fractions(7 * 9, 711);
  const auto whole = softmax_of(9, x, precision);
  for (std::size_t row = 0; row < 7; ++row) {
    const auto part = std::span(x).subspan(row * 9, 9);
    REQUIRE(same_bits(softmax_of(9, {part.begin(), part.end()}, precision), std::span(whole).subspan(row * 9, 9)));
  }
  auto own = x;
  value_of(posenc::softmax(9, precision, own, own));
  CHECK(same_bits(own, whole));
}

TEST_CASE("softmax: the gradient is that of finite differences", "[softmax][accuracy]") {
  testing::Generator generator(712);
  double worst = 0;
  for (int round = 0; round < 30; ++round) {
    const std::size_t width = 2 + generator.below(8);
    const auto x = fractions(width, generator.next());
    const auto d_weights = fractions(width, generator.next());
    const auto exact = reference::differences(
        [&](const reference::Values& at) {
          Quad sum = 0, loss = 0;
          for (const Quad value : at) sum += reference::exponential(value);
          for (std::size_t k = 0; k < width; ++k) loss += reference::exponential(at[k]) / sum * d_weights[k];
          return loss;
        },
        reference::widened(x));
    std::vector<float> dx(width, testing::untouched);
    value_of(posenc::softmax_backward(width, SumPrecision::exact, softmax_of(width, x), d_weights, dx));
    worst = std::fmax(worst, reference::worst_of_largest(dx, exact));
  }
  std::printf("largest error: softmax_backward: %.3g of the largest gradient\n", worst);
  CHECK(worst <= 1e-6);  // the weights have been rounded, and w dw may nearly cancel
}

TEST_CASE("softmax: the gradient from given weights is rounded once", "[softmax][accuracy]") {
  testing::Generator generator(715);
  for (int round = 0; round < 50; ++round) {
    const std::size_t width = 1 + generator.below(50);
    const auto weights = fractions(width, generator.next());
    const auto d_weights = fractions(width, generator.next());
    std::vector<float> dx(width, testing::untouched);
    value_of(posenc::softmax_backward(width, SumPrecision::exact, weights, d_weights, dx));
    reference::Sum mean;
    for (std::size_t k = 0; k < width; ++k) mean.add(static_cast<Quad>(weights[k]) * d_weights[k]);
    for (std::size_t k = 0; k < width; ++k) {
      const Quad exact = weights[k] * (d_weights[k] - mean.value);
      const double ulp = std::ldexp(1.0, std::ilogb(static_cast<double>(exact)) - 23);
      const double sums =
          0x1p-52 * static_cast<double>(width) * static_cast<double>(reference::magnitude(weights[k] * mean.size));
      REQUIRE(static_cast<double>(reference::magnitude(dx[k] - exact)) <= 0.501 * ulp + sums);
    }
  }
}

TEST_CASE("softmax: the gradient of masked scores is 0, in place too", "[softmax]") {
  const auto weights = softmax_of(4, {1, -float_infinity, 2, -float_infinity});
  auto gradient = fractions(4, 713);
  value_of(posenc::softmax_backward(4, SumPrecision::exact, weights, gradient, gradient));
  CHECK(gradient[1] == 0);
  CHECK(gradient[3] == 0);
  CHECK(std::abs(gradient[0] + gradient[2]) <= 1.2e-7);
}

TEST_CASE("softmax: NaN, float_infinity and sizes that do not fit are Errors and nothing is written", "[softmax]") {
  std::vector<float> out(6, testing::untouched);
  const auto refused = [&](std::size_t width, const std::vector<float>& x, std::size_t size,
                           std::string_view argument) {
    testing::require_error(posenc::softmax(width, SumPrecision::exact, x, std::span(out).first(size)), argument, "");
    CHECK(testing::is_untouched(out));
  };
  refused(3, {1, 2, 3, 4, 5, std::nanf("")}, 6, "x");
  refused(3, {1, 2, 3, 4, float_infinity, 6}, 6, "x");
  refused(4, fractions(6, 1), 6, "x");
  refused(0, fractions(6, 1), 6, "x");
  refused(3, fractions(6, 1), 5, "out");
  const auto weights = fractions(6, 2);
  testing::require_error(posenc::softmax_backward(4, SumPrecision::exact, weights, weights, out), "weights", "6");
  testing::require_error(posenc::softmax_backward(3, SumPrecision::exact, weights, fractions(5, 1), out), "gradient",
                         "5");
  testing::require_error(posenc::softmax_backward(3, SumPrecision::exact, weights, weights, std::span(out).first(3)),
                         "out", "3");
  CHECK(testing::is_untouched(out));
}
