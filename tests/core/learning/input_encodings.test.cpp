/// No encoding, and those at a model's input: sinusoids, added or beside it, and learned rows.

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <map>
#include <vector>

#include "learning/encoding_reference.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "testing/testing.hpp"

namespace learning = posenc::learning;
using learning::EncodingType;
using reference::Quad;
using testing::require_error;
using testing::value_of;

namespace {

/// PE(pos, 2i) = sin(pos base^(-2i/d)), PE(pos, 2i + 1) = its cosine. Each is computed once.
class Sinusoids {
 public:
  explicit Sinusoids(std::size_t dims) : dims_(dims) {}

  Quad operator()(const reference::EncodingProblem& problem, std::int32_t position, std::size_t dimension) {
    std::vector<Quad>& row = known_[position];
    for (std::size_t i = 0; row.size() < dims_; ++i) {
      const Quad exponent = static_cast<Quad>(2 * i) / static_cast<Quad>(dims_);
      const auto [sine, cosine] = reference::phase(position / reference::power(problem.options.base, exponent));
      row.push_back(sine);
      row.push_back(cosine);
    }
    return row[dimension];
  }

 private:
  std::size_t dims_;
  std::map<std::int32_t, std::vector<Quad>> known_;
};

reference::EncodingFormula learned_formula() {
  return {.input = [](const reference::EncodingProblem& problem, const reference::Values& parameters,
                      std::int32_t position, std::size_t dimension) {
    const learning::Parameter* table = problem.list.find("positions");
    REQUIRE(table != nullptr);
    return parameters[table->first + static_cast<std::size_t>(position) * table->columns + dimension];
  }};
}

}  // namespace

// Each is added with one rounding, to a table with one; attention without an encoding has 1e-6.

TEST_CASE("learning: attention without an encoding, and its gradients", "[learning]") {
  testing::check_encoding({}, {}, 1e-6);
}

TEST_CASE("learning: sinusoids at the input", "[learning]") {
  for (const double base : {10000.0, 50.0, 0.5}) {
    Sinusoids sinusoids(8);
    const auto input = [&](const reference::EncodingProblem& problem, const reference::Values&, std::int32_t position,
                           std::size_t dimension) { return sinusoids(problem, position, dimension); };
    testing::check_encoding({.type = EncodingType::sinusoid, .base = base}, {.input = input}, 1e-6);
  }
}

TEST_CASE("learning: sinusoids beside the input's lower half", "[learning]") {
  for (const double base : {10000.0, 0.5}) {
    Sinusoids sinusoids(4);
    const auto input = [&](const reference::EncodingProblem& problem, const reference::Values&, std::int32_t position,
                           std::size_t dimension) {
      return dimension < 4 ? Quad(0) : sinusoids(problem, position, dimension - 4);
    };
    testing::check_encoding({.type = EncodingType::concatenated, .base = base}, {.input = input, .replaced_from = 4},
                            1e-6);
  }
}

TEST_CASE("learning: learned rows at the input", "[learning]") {
  testing::check_encoding({.type = EncodingType::learned, .rows = 24}, learned_formula(), 1e-6);

  const auto encoding = value_of(learning::make_encoding({.type = EncodingType::learned, .rows = 24}));
  learning::ParameterList list;
  encoding->declare({.layers = 3, .heads = 2, .width = 8}, list);
  // Every position has a row, or there is an Error.
  const learning::PassShape shape{1, 4, 3, 2, 8};
  value_of(encoding->reserve({shape, 23}));
  require_error(encoding->reserve({shape, 24}), "rows", "24");
}

TEST_CASE("learning: errors of encodings at the input", "[learning]") {
  for (const double base : {0.0, -1.0, testing::infinity, std::numeric_limits<double>::quiet_NaN()})
    for (const EncodingType type : {EncodingType::sinusoid, EncodingType::concatenated})
      require_error(learning::make_encoding({.type = type, .base = base}), "base", "");
  for (const std::int64_t rows : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{65536}})
    require_error(learning::make_encoding({.type = EncodingType::learned, .rows = rows}), "rows", "");
  // Every base has a first frequency of 1; the last one of this width is 1e225.
  const auto encoding = value_of(learning::make_encoding({.type = EncodingType::sinusoid, .base = 1e-300}));
  require_error(encoding->reserve({{1, 4, 1, 2, 8}, 3}), "base", "1e-300");
}
