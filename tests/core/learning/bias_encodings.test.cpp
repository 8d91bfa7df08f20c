/// Biases that depend on the head and the distance: ALiBi and T5.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "learning/bias_testing.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "testing/testing.hpp"

using posenc::learning::EncodingOptions;
using posenc::learning::EncodingType;
using reference::Quad;
using reference::QueryContext;

namespace {

/// The tolerance of a bias: computed in double, or exactly, and rounded once; added to 0.
constexpr double bias_tolerance = 0x1p-24;
/// The tolerance of gradients: some hundred terms are added in float32, each sum rounded to 6e-8 of its size at most;
/// terms of both signs leave as little as a tenth of what they are.
constexpr double gradient_tolerance = 4e-6;

Quad head_number(const QueryContext& context) { return static_cast<Quad>(context.head + 1); }
Quad heads_of(const QueryContext& context) { return static_cast<Quad>(context.problem.shape.heads); }

reference::EncodingFormula alibi_formula() {
  return testing::size_formula(testing::BiasOf::distance, [](const QueryContext& context, Quad size) {
    return -reference::power(2, -8 * head_number(context) / heads_of(context)) * size;
  });
}

/// `_relative_position_bucket` of Hugging Face, without its rounding.
std::int64_t t5_bucket(const QueryContext& context, std::int64_t distance) {
  const EncodingOptions& options = context.problem.options;
  const bool is_causal = context.problem.is_causal, is_after = distance > 0;
  const std::int64_t buckets = options.buckets / (is_causal ? 1 : 2), exact = buckets / 2;
  const std::int64_t first = is_after && !is_causal ? buckets : 0;
  const std::int64_t size = is_after ? (is_causal ? 0 : distance) : -distance;
  if (size < exact) return first + size;
  const auto logarithm = [exact](std::int64_t x) {
    return reference::logarithm(static_cast<Quad>(x) / static_cast<Quad>(exact));
  };
  const Quad steps = static_cast<Quad>(buckets - exact) * logarithm(size) / logarithm(options.max_distance);
  // + 1e-25: boundaries at exact powers count as reached.
  return first + std::min(exact + static_cast<std::int64_t>(steps + static_cast<Quad>(1e-25)), buckets - 1);
}

reference::EncodingFormula t5_formula() {
  return testing::bias_formula(testing::BiasOf::distance, [](const QueryContext& context, std::int32_t distance) {
    return context.parameter("distance_table", static_cast<std::size_t>(t5_bucket(context, distance)), context.head);
  });
}

struct LineCase {
  EncodingOptions options;
  reference::EncodingFormula formula;
};

/// T5 with few buckets has an odd number of them.
std::vector<LineCase> line_cases() {
  return {
      {{.type = EncodingType::alibi}, alibi_formula()},
      {{.type = EncodingType::t5}, t5_formula()},
      {{.type = EncodingType::t5, .buckets = 5, .max_distance = 6}, t5_formula()},
  };
}

}  // namespace

TEST_CASE("learning: biases of distances and the gradients of their parameters over layers", "[learning][line_bias]") {
  for (const auto& [options, formula] : line_cases())
    for (const bool is_causal : {true, false}) {
      INFO(posenc::name_of(options.type) << ", " << options.buckets << " buckets" << (is_causal ? ", causal" : ""));
      // From 0 on, later, with gaps, two sequences that differ, one without gaps, and a single token.
      for (const std::vector<std::int32_t>& positions : std::vector<std::vector<std::int32_t>>{
               {0, 1, 2, 3, 4, 5, 6}, {30, 31, 32, 33, 34, 35, 36}, {1, 2, 3, 9, 10, 11, 40}})
        testing::check_bias({options, {3, 7, 2, 4, 8}, positions, is_causal, {}}, formula, bias_tolerance,
                            gradient_tolerance);
      testing::check_bias({options, {2, 4, 3, 2, 8}, {5, 6, 7, 8, 0, 3, 4, 25}, is_causal, {}}, formula, bias_tolerance,
                          gradient_tolerance);
      testing::check_bias({options, {1, 1, 1, 1, 8}, {0}, is_causal, {}}, formula, bias_tolerance, gradient_tolerance);
    }
}

TEST_CASE("learning: biases of distances have the same bits everywhere", "[learning][line_bias][hashes]") {
  std::vector<std::int32_t> positions(40);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<std::int32_t>(i + i / 25);
  const auto t5 = testing::check_bias({{.type = EncodingType::t5}, {2, 40, 2, 3, 6}, positions, false, {0.02f, 1.9f}},
                                      t5_formula(), bias_tolerance, gradient_tolerance);
  testing::check_hash("learning distance lines", "2c7ab9cffa5a1a74", {t5.bias, t5.d_parameters});
}

TEST_CASE("learning: options of biases out of range are Errors", "[learning][line_bias]") {
  const auto require_wrong = [](const EncodingOptions& options, std::string_view argument, std::string_view value) {
    testing::require_error(posenc::learning::make_encoding(options), argument, value);
  };
  require_wrong({.type = EncodingType::t5, .buckets = 3}, "encoding.buckets", "3");
  require_wrong({.type = EncodingType::t5, .buckets = 4097}, "encoding.buckets", "4097");
  require_wrong({.type = EncodingType::t5, .buckets = 16, .max_distance = 8}, "encoding.maxDistance", "8");
  require_wrong({.type = EncodingType::t5, .max_distance = std::int64_t{1} << 40}, "encoding.maxDistance", "");
  // ALiBi ignores the options of others.
  CHECK(posenc::learning::make_encoding({.type = EncodingType::alibi, .buckets = 0, .max_distance = -1}).has_value());
}

TEST_CASE("learning: positions beyond all distances are an Error", "[learning][line_bias]") {
  const auto encoding = testing::value_of(posenc::learning::make_encoding({.type = EncodingType::alibi}));
  testing::require_error(encoding->reserve({{1, 1, 1, 1, 1}, std::int32_t{1} << 29}), "positions", "536870912");
}
