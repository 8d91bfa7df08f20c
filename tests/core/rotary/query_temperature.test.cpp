/// Expected values: the formula in 113-bit arithmetic. Options of Llama 4 and Ministral 3: get_llama_4_attn_scale in
/// modeling_ministral3.py, Llama4TextAttention in modeling_llama4.py.

#include "posenc/rotary/query_temperature.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::Positions;
using posenc::QueryTemperature;
using posenc::SequenceShape;

namespace {

SequenceShape queries_of(const testing::Shape& shape, posenc::SequenceAxes axes = {}) {
  if (!axes.sequence && shape.size() > 2) axes.sequence = -3;
  return testing::value_of(SequenceShape::make(shape, axes));
}

}  // namespace

TEST_CASE("query temperature: each query by its position's factor, rounded once", "[query_temperature]") {
  const QueryTemperature temperatures[]{{0.1, 1, 8192}, {0.1, 0, 16384}, {0.25, 0, 3}};
  for (const QueryTemperature& temperature : temperatures) {
    const std::vector<double> positions{0, 1, 2, 8190, 8191, 8192, 16383, 16384, 131071, 1048575};
    const std::vector<float> before = testing::fractions(positions.size() * 2 * 6, 7);
    std::vector<float> x = before;
    testing::value_of(posenc::scale_queries(temperature, x, queries_of({10, 2, 6}), Positions::list(positions)));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double p = positions[i / 12];
      const auto periods = std::floor((p + temperature.shift) / temperature.period);
      const reference::Quad factor =
          1 + reference::Quad(temperature.slope) * reference::logarithm(1 + reference::Quad(periods));
      INFO("position " << p << ", dimension " << i % 12);
      CHECK(x[i] == before[i] * static_cast<float>(factor));
    }
  }
}

TEST_CASE("query temperature: any order of the axes, and a list for each row of a batch", "[query_temperature]") {
  const std::vector<double> positions{5, 9000, 70000, 3, 20000, 40000};
  const QueryTemperature temperature{0.1, 1, 8192};
  const std::vector<float> before = testing::fractions(2 * 3 * 4, 3);
  std::vector<float> rows = before;
  testing::value_of(posenc::scale_queries(temperature, rows, queries_of({2, 3, 4}, {.sequence = 1, .batch = 0}),
                                          Positions::lists(positions, 2)));
  std::vector<float> flat = before;
  testing::value_of(posenc::scale_queries(temperature, flat, queries_of({6, 4}), Positions::list(positions)));
  CHECK(testing::same_bits(rows, flat));
  // [dim, seq] in place of [seq, dim].
  std::vector<float> transposed(before.size());
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t dimension = 0; dimension < 4; ++dimension)
      transposed[dimension * 6 + i] = before[i * 4 + dimension];
  testing::value_of(posenc::scale_queries(temperature, transposed, queries_of({4, 6}, {.sequence = 1, .dim = 0}),
                                          Positions::list(positions)));
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t dimension = 0; dimension < 4; ++dimension)
      CHECK(transposed[dimension * 6 + i] == flat[i * 4 + dimension]);
}

TEST_CASE("query temperature: what cannot be meant is an Error, and x as it was", "[query_temperature]") {
  const auto refuse = [](const QueryTemperature& temperature, std::vector<double> positions, std::string_view argument,
                         std::string_view value) {
    std::vector<float> x(positions.size() * 4, testing::untouched);
    testing::require_error(
        posenc::scale_queries(temperature, x, queries_of({std::ssize(positions), 4}), Positions::list(positions)),
        argument, value);
    CHECK(testing::is_untouched(x));
  };
  refuse({NAN, 0, 8}, {0}, "slope", "nan");
  refuse({0.1, testing::infinity, 8}, {0}, "shift", "inf");
  refuse({0.1, 0, 0}, {0}, "period", "0");
  refuse({0.1, 0, -8}, {0}, "period", "-8");
  refuse({0.1, 0, 8}, {4, -1}, "positions", "-1");
  refuse({0.1, 0, 8}, {4, testing::infinity}, "positions", "inf");
  std::vector<float> x(8, testing::untouched);
  testing::require_error(posenc::scale_queries({}, x, queries_of({2, 4}), Positions::range(3)), "positions", "3");
  testing::require_error(posenc::scale_queries({}, x, queries_of({3, 4}), Positions::range(3)), "x", "8");
  CHECK(testing::is_untouched(x));
}

TEST_CASE("sequence shape: some dimensions of each head, and the others as they were", "[query_temperature][rotary]") {
  const posenc::Rotary rotary =
      testing::value_of(posenc::Rotary::make({.dim = 4, .layout = posenc::Layout::deinterleaved}));
  const std::vector<float> before = testing::fractions(3 * 2 * 10, 11);
  for (const std::int64_t first : {0, 3, 6}) {
    std::vector<float> x = before;
    const SequenceShape dims = testing::value_of(queries_of({3, 2, 10}).dims(first, 4));
    testing::value_of(rotary.apply(x, dims, Positions::range(3, 5)));
    for (std::size_t head = 0; head < 6; ++head) {
      const auto begin = before.begin() + static_cast<std::ptrdiff_t>(static_cast<std::int64_t>(head) * 10 + first);
      const std::vector<float> alone(begin, begin + 4);
      const std::vector<float> expected =
          testing::rotated({.dim = 4, .layout = posenc::Layout::deinterleaved}, alone, testing::Shape{1, 4},
                           Positions::range(1, 5.0 + static_cast<double>(head / 2)));
      for (std::size_t dimension = 0; dimension < 10; ++dimension) {
        const auto place = static_cast<std::int64_t>(dimension) - first;
        const bool is_seen = place >= 0 && place < 4;
        CHECK(x[head * 10 + dimension] ==
              (is_seen ? expected[static_cast<std::size_t>(place)] : before[head * 10 + dimension]));
      }
    }
  }
  testing::require_error(queries_of({3, 2, 10}).dims(7, 4), "firstDim", "7");
  testing::require_error(queries_of({3, 2, 10}).dims(-1, 4), "firstDim", "-1");
}
