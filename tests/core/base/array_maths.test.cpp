/// Functions of vectors: their promised errors against 113 bits, their limits, and the same bits everywhere.

#include "posenc/base/array_maths.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "testing/reference.hpp"
#include "testing/testing.hpp"

using reference::Quad;

namespace {

double error_of(float value, Quad exact) { return reference::ulp_error(value, exact); }
double error_of(double value, Quad exact) { return reference::double_ulp_error(value, exact); }

/// `count` values from `first` to `last`, at equal steps or equal ratios.
template <class T>
std::vector<T> between(double first, double last, std::size_t count, bool ratios = false) {
  std::vector<T> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double at = (static_cast<double>(i) + 0.37) / static_cast<double>(count);
    out[i] = static_cast<T>(ratios ? first * std::pow(last / first, at) : first + (last - first) * at);
  }
  return out;
}

template <class T>
double worst_error(void (*function)(std::span<T>), Quad (*exact)(Quad), const std::vector<T>& x) {
  std::vector<T> values = x;
  function(values);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::fmax(worst, error_of(values[i], exact(x[i])));
  return worst;
}

Quad exact_logarithm_1p(Quad x) { return reference::logarithm(1 + x); }
Quad exact_sigmoid(Quad x) { return 1 / (1 + reference::exponential(-x)); }
Quad exact_tangent(Quad x) { return 1 - 2 / (reference::exponential(2 * x) + 1); }

template <class T>
void check_errors(double lowest, double highest) {
  const std::size_t count = 20011;
  CHECK(worst_error<T>(posenc::exponentials, reference::exponential, between<T>(-1, 1, count)) <= 1);
  CHECK(worst_error<T>(posenc::exponentials, reference::exponential, between<T>(lowest, highest, count)) <= 1);
  CHECK(worst_error<T>(posenc::logarithms, reference::logarithm, between<T>(0.5, 2, count)) <= 2);
  CHECK(worst_error<T>(posenc::logarithms, reference::logarithm, between<T>(1e-37, 1e38, count, true)) <= 2);
  CHECK(worst_error<T>(posenc::logarithms_1p, exact_logarithm_1p, between<T>(1e-6, 1e30, count, true)) <= 3);
  CHECK(worst_error<T>(posenc::sigmoids, exact_sigmoid, between<T>(lowest, -lowest, count)) <= 3);
  CHECK(worst_error<T>(posenc::sigmoids, exact_sigmoid, between<T>(-4, 4, count)) <= 3);
  CHECK(worst_error<T>(posenc::hyperbolic_tangents, exact_tangent, between<T>(-30, 30, count)) <= 3);
  CHECK(worst_error<T>(posenc::hyperbolic_tangents, exact_tangent, between<T>(1e-5, 1, count, true)) <= 3);
}

template <class T>
void check_limits() {
  const T infinite = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const std::vector<T> x{infinite, -infinite, T(1e6), T(-1e6), 0, nan, T(-745)};
  auto y = x;
  posenc::exponentials(std::span(y));
  CHECK((y[0] == infinite && y[1] == 0 && y[2] == infinite && y[3] == 0 && y[4] == 1 && y[5] != y[5] && y[6] == 0));
  y = x;
  posenc::sigmoids(std::span(y));
  CHECK((y[0] == 1 && y[1] == 0 && y[2] == 1 && y[3] == 0 && y[4] == T(0.5) && y[5] != y[5]));
  y = x;
  posenc::hyperbolic_tangents(std::span(y));
  CHECK((y[0] == 1 && y[1] == -1 && y[2] == 1 && y[3] == -1 && y[4] == 0 && y[5] != y[5]));
  y = {T(1e-30), 0};
  posenc::logarithms_1p(std::span(y));
  CHECK((y[0] == T(1e-30) && y[1] == 0));
}

}  // namespace

TEST_CASE("array maths: within the promised errors", "[array_maths][accuracy]") {
  check_errors<float>(-86.6, 88.7);
  check_errors<double>(-707, 709.7);
}

TEST_CASE("array maths: infinities, NaN and zero", "[array_maths]") {
  check_limits<float>();
  check_limits<double>();
}

TEST_CASE("array maths: a value's bits do not depend on its place", "[array_maths]") {
  auto whole = between<float>(-20, 20, 67);
  auto parts = whole;
  posenc::exponentials(std::span(whole));
  for (std::size_t i = 0; i < parts.size(); ++i) posenc::exponentials(std::span(parts).subspan(i, 1));
  CHECK(testing::same_bits(whole, parts));
}

TEST_CASE("array maths: the same bits on every machine", "[array_maths][hashes]") {
  // 1000 draws of Generator(763), times 20; the double functions rounded to float32 after it.
  std::vector<std::vector<float>> outputs;
  const auto run = [&]<class T>(void (*function)(std::span<T>), bool positive) {
    std::vector<T> x;
    for (const float draw : testing::fractions(1000, 763))
      x.push_back(static_cast<T>(positive ? std::fabs(draw) * 20 + 0.001f : draw * 20));
    function(x);
    outputs.emplace_back(x.begin(), x.end());
  };
  const auto run_all = [&]<class T>(T) {
    run(posenc::exponentials<T>, false);
    run(posenc::logarithms<T>, true);
    run(posenc::logarithms_1p<T>, true);
    run(posenc::sigmoids<T>, false);
    run(posenc::hyperbolic_tangents<T>, false);
  };
  run_all(0.0f);
  run_all(0.0);
  std::vector<float> all;
  for (const auto& output : outputs) all.insert(all.end(), output.begin(), output.end());
  testing::check_hash("array maths", "1c62797c2a07e569", {all});
}
