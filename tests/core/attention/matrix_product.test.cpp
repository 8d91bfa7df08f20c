/// The product of matrices: every fringe, layout and blocking, against the chain it promises.

#include "posenc/attention/kernels/matrix_product.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "posenc/attention/kernels/stored_product.hpp"
#include "testing/testing.hpp"

using posenc::Strided;
using testing::fractions;

namespace {

/// A [rows, columns] matrix over as many values, row-major or its transpose. From no values nothing is counted.
Strided<const float> matrix(const std::vector<float>& values, std::size_t rows, std::size_t columns,
                            bool is_transposed) {
  if (values.empty()) return {};
  return is_transposed ? Strided<const float>{values.data(), 1, rows} : Strided<const float>{values.data(), columns, 1};
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Multiplies by a b whose rows or, if it is transposed, columns are stored.
template <class T>
void multiply_stored(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const T>& a,
                     const posenc::StoredRows& b, bool b_transposed, T* c, std::size_t c_stride, bool accumulate) {
  std::vector<T> scratch(posenc::stored_scratch<T>(b.width));
  if (b_transposed)
    posenc::multiply_stored_columns<T>(rows, columns, a, b, c, c_stride, accumulate, scratch.data());
  else
    posenc::multiply_stored_rows<T>(rows, depth, a, b, c, c_stride, accumulate, scratch.data());
}

template <class T>
void check_product(std::size_t rows, std::size_t depth, std::size_t columns, bool a_transposed, bool b_transposed,
                   bool accumulate) {
  const auto a_values = fractions(rows * depth, 760), b_values = fractions(depth * columns, 761);
  const auto a = matrix(a_values, rows, depth, a_transposed), b = matrix(b_values, depth, columns, b_transposed);
  const std::size_t stride = columns + 3;
  std::vector<T> expected(rows * stride, T(0.375));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      T sum = accumulate ? T(0.375) : T(0);
      for (std::size_t k = 0; k < depth; ++k) {
        const T product = static_cast<T>(*a.at(i, k)) * static_cast<T>(*b.at(k, j));
        sum += product;
      }
      expected[i * stride + j] = sum;
    }
  INFO(rows << " x " << depth << " x " << columns << (a_transposed ? ", a transposed" : "")
            << (b_transposed ? ", b transposed" : "") << (accumulate ? ", accumulated" : ""));
  std::vector<T> panels(posenc::panels_size<T>(depth, columns));
  posenc::pack_panels<T>(depth, columns, b, panels.data());
  std::vector<T> actual(rows * stride, T(0.375));
  posenc::multiply_panels<T>(rows, depth, columns, a, panels.data(), actual.data(), stride, accumulate);
  REQUIRE(same(actual, expected));
  if (depth == 0) return;
  std::fill(actual.begin(), actual.end(), T(0.375));
  const std::vector<T> a_wide(a_values.begin(), a_values.end());
  const std::size_t b_width = b_transposed ? depth : columns;
  const Strided<const T> a_as{a_wide.data(), a.row_stride, a.column_stride};
  multiply_stored<T>(rows, depth, columns, a_as, {b_values.data(), b_width, b_width}, b_transposed, actual.data(),
                     stride, accumulate);
  REQUIRE(same(actual, expected));
}

}  // namespace

TEST_CASE("matrix product: the chain over the depth, whatever the shape and layout", "[matrix_product]") {
  for (const std::size_t rows : {0U, 1U, 3U, 4U, 5U, 131U})
    for (const std::size_t depth : {0U, 1U, 2U, 7U, 8U, 17U, 521U})
      for (const std::size_t columns : {0U, 1U, 7U, 8U, 13U, 32U, 67U})
        for (const int layout : {0, 1, 2, 3, 4, 7}) {
          if (rows * depth * columns > 600000) continue;
          check_product<float>(rows, depth, columns, (layout & 1) != 0, (layout & 2) != 0, (layout & 4) != 0);
          check_product<double>(rows, depth, columns, (layout & 1) != 0, (layout & 2) != 0, (layout & 4) != 0);
        }
}

TEST_CASE("matrix product: operands in double, and a depth in parts", "[matrix_product]") {
  const std::size_t rows = 5, depth = 23, columns = 19;
  const auto floats = fractions(rows * depth + depth * columns, 762);
  const std::vector<double> values(floats.begin(), floats.end());
  const Strided<const double> a{values.data(), depth, 1}, b{values.data() + rows * depth, 1, depth};
  std::vector<double> panels(posenc::panels_size<double>(depth, columns));
  std::vector<double> whole(rows * columns), parts(whole), stored(whole);
  posenc::pack_panels<double>(depth, columns, b, panels.data());
  posenc::multiply_panels<double>(rows, depth, columns, a, panels.data(), whole.data(), columns, false);
  for (const std::size_t k : {std::size_t{0}, std::size_t{11}}) {
    const std::size_t deep = k == 0 ? 11 : depth - k;
    posenc::pack_panels<double>(deep, columns, b.from(k, 0), panels.data());
    posenc::multiply_panels<double>(rows, deep, columns, a.from(0, k), panels.data(), parts.data(), columns, k > 0);
  }
  REQUIRE(same(parts, whole));
  multiply_stored<double>(rows, depth, columns, a, {floats.data() + rows * depth, depth, depth}, true, stored.data(),
                          columns, false);
  REQUIRE(same(stored, whole));
}

TEST_CASE("matrix product: one NaN, whatever came together", "[matrix_product]") {
  const float infinite = std::numeric_limits<float>::infinity();
  const std::vector<float> a{infinite, -infinite, 1}, b{1, 1, -std::numeric_limits<float>::quiet_NaN()};
  const std::vector<float> expected{std::numeric_limits<float>::quiet_NaN()};
  std::vector<float> panels(posenc::panels_size<float>(3, 1)), actual(1);
  for (const std::size_t depth : {2U, 3U}) {
    posenc::pack_panels<float>(depth, 1, Strided<const float>{b.data(), 1, 1}, panels.data());
    posenc::multiply_panels<float>(1, depth, 1, Strided<const float>{a.data(), 3, 1}, panels.data(), actual.data(), 1,
                                   false);
    REQUIRE(same(actual, expected));
    for (const bool is_transposed : {false, true}) {
      multiply_stored<float>(1, depth, 1, {a.data(), 3, 1},
                             {b.data(), is_transposed ? depth : 1, is_transposed ? depth : 1}, is_transposed,
                             actual.data(), 1, false);
      REQUIRE(same(actual, expected));
    }
  }
}

TEST_CASE("matrix product: stored rows of 16 bits are those of their values, whatever their stride",
          "[matrix_product]") {
  for (const posenc::DType dtype : {posenc::DType::float16, posenc::DType::bfloat16})
    for (const std::size_t rows : {1U, 3U, 4U, 9U})
      for (const std::size_t width : {1U, 8U, 20U, 64U, 300U})
        for (const std::size_t count : {1U, 8U, 16U, 39U})
          for (const bool is_transposed : {false, true}) {
            const std::size_t stride = width + 5;
            auto values = fractions(count * stride, 763);
            std::vector<std::uint16_t> bits(values.size());
            testing::value_of(posenc::convert(values, posenc::Span16(dtype, bits)));
            testing::value_of(posenc::convert(posenc::ConstSpan16(dtype, bits), values));
            const std::size_t depth = is_transposed ? width : count, columns = is_transposed ? count : width;
            const auto a = fractions(rows * depth, 764);
            const auto both = [&]<class T>(T) {
              const std::vector<T> wide(a.begin(), a.end());
              std::vector<T> expected(rows * columns), actual(expected), scratch(posenc::stored_scratch<T>(width));
              std::vector<T> panels(posenc::panels_size<T>(depth, columns));
              const Strided<const float> b{values.data(), is_transposed ? 1 : stride, is_transposed ? stride : 1};
              posenc::pack_panels<T>(depth, columns, b, panels.data());
              const Strided<const T> from{wide.data(), depth, 1};
              posenc::multiply_panels<T>(rows, depth, columns, from, panels.data(), expected.data(), columns, false);
              const posenc::StoredRows stored{bits.data(), width, stride, dtype};
              if (is_transposed)
                posenc::multiply_stored_columns<T>(rows, columns, from, stored, actual.data(), columns, false,
                                                   scratch.data());
              else
                posenc::multiply_stored_rows<T>(rows, depth, from, stored, actual.data(), columns, false,
                                                scratch.data());
              REQUIRE(same(actual, expected));
            };
            both(float{});
            both(double{});
          }
}
