/// FIRE: a perceptron of distances, measured by the position of the query.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "learning/bias_testing.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "testing/testing.hpp"

using posenc::learning::EncodingOptions;
using posenc::learning::EncodingType;
using reference::Quad;
using reference::QueryContext;

namespace {

/// The authors' code: nn.Linear(1, width), ReLU, nn.Linear(width, heads), of log(|c d| + 1) / (log(|c max(i, |L|)| + 1)
/// + 1e-6).
reference::EncodingFormula fire_formula() {
  const auto known = std::make_shared<testing::Remembered<std::pair<Quad, std::int32_t>>>();
  return testing::size_formula(testing::BiasOf::distance_and_query, [known](const QueryContext& context, Quad size) {
    const Quad c = reference::magnitude(context.parameter("fire.c", 0, 0));
    const Quad threshold = reference::magnitude(context.parameter("fire.threshold", 0, 0));
    const std::int32_t position = context.position(context.query);
    const Quad x = known->of({c, threshold}, {size, position}, [&] {
      const Quad length = std::max(static_cast<Quad>(position), threshold);
      return reference::logarithm(c * size + 1) / (reference::logarithm(c * length + 1) + static_cast<Quad>(1e-6));
    });
    Quad sum = context.parameter("fire.bias2", 0, context.head);
    for (std::size_t unit = 0; unit < static_cast<std::size_t>(context.problem.options.hidden); ++unit) {
      const Quad before = context.parameter("fire.weight1", unit, 0) * x + context.parameter("fire.bias1", 0, unit);
      if (before > 0) sum += context.parameter("fire.weight2", context.head, unit) * before;
    }
    return sum;
  });
}

}  // namespace

TEST_CASE("learning: FIRE's bias, and its gradients over layers", "[learning][fire_encoding]") {
  // Thresholds before all queries but the first, between them, beyond all of them; c of either sign. None is a
  // query's position, where its gradient has a step.
  for (const float threshold : {0.25f, 4.5f, -33.5f, 100.0f})
    for (const float c : {0.1f, -1.25f})
      for (const bool is_causal : {true, false})
        for (const std::int64_t hidden : {1, 5}) {
          INFO("threshold " << threshold << ", c " << c << (is_causal ? ", causal" : "") << ", hidden " << hidden);
          const auto check = [&](const posenc::learning::PassShape& shape, const std::vector<std::int32_t>& positions) {
            // The sum of some thirty terms, each sum rounded to 6e-8 of its size.
            testing::check_bias({{.type = EncodingType::fire, .hidden = hidden},
                                 shape,
                                 positions,
                                 is_causal,
                                 {-1, 1},
                                 {{"fire.c", c}, {"fire.threshold", threshold}}},
                                fire_formula(), 1e-6, 1e-6);
          };
          check({3, 6, 2, 3, 6}, {0, 1, 2, 3, 4, 5});
          check({2, 4, 3, 2, 8}, {5, 6, 7, 40, 0, 3, 4, 25});
          check({1, 1, 1, 1, 8}, {3});
        }
}

TEST_CASE("learning: FIRE without c adds the same to every pair", "[learning][fire_encoding]") {
  // x is 0, and moves with neither c, whose sign is nothing there, nor the threshold.
  const auto formula = fire_formula();
  const auto made = testing::check_bias(
      {{.type = EncodingType::fire, .hidden = 4}, {1, 5, 1, 2, 8}, {0, 1, 2, 3, 4}, false, {}, {{"fire.c", 0.0f}}},
      formula, 1e-6, 1e-6);
  CHECK(std::ranges::all_of(std::span(made.bias).first(25), [&](float value) { return value == made.bias[0]; }));
  CHECK(made.d_parameters[0] == 0);
  CHECK(made.d_parameters[1] == 0);
}

TEST_CASE("learning: FIRE has the same bits everywhere", "[learning][fire_encoding][hashes]") {
  std::vector<std::int32_t> positions(19);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<std::int32_t>(i + i / 12);
  for (const auto& [is_causal, stored] : {std::pair{true, "3090552f0b6101d1"}, std::pair{false, "098c818e001fcf97"}}) {
    const auto made = testing::check_bias({{.type = EncodingType::fire, .hidden = 7},
                                           {2, 19, 2, 3, 6},
                                           positions,
                                           is_causal,
                                           {-1, 1},
                                           {{"fire.c", 0.1f}, {"fire.threshold", 10.5f}}},
                                          fire_formula(), 1e-6, 1e-6);
    testing::check_hash("learning fire", stored, {made.bias, made.d_parameters});
  }
}

TEST_CASE("learning: FIRE's options out of range are Errors", "[learning][fire_encoding]") {
  for (const std::int64_t hidden : {std::int64_t{0}, std::int64_t{4097}})
    testing::require_error(posenc::learning::make_encoding({.type = EncodingType::fire, .hidden = hidden}),
                           "encoding.hidden", hidden == 0 ? "0" : "4097");
}
