#include "posenc/relative/cope.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "relative/relative_testing.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::Future;
using posenc::RelativePositions;
using reference::Quad;
using testing::fractions;
using testing::require_error;
using testing::value_of;

TEST_CASE("cope: gates summed from the end, clamped, embeddings interpolated", "[cope][accuracy]") {
  testing::Generator generator(390);
  double worst = 0;
  for (int round = 0; round < 100; ++round) {
    constexpr std::size_t dim = 6;
    // Some of several blocks of queries.
    const bool is_large = round % 10 == 0;
    const auto positions = value_of(RelativePositions::make(
        is_large ? posenc::BiasShape{2, 19, 45, static_cast<std::int64_t>(generator.below(60)) - 15}
                 : testing::random_shape(generator)));
    const std::size_t keys = positions.keys(), pairs = positions.heads() * positions.queries() * keys;
    const std::size_t embeddings = 1 + generator.below(is_large ? 50 : 6);
    const auto query = fractions(pairs == 0 ? positions.heads() * positions.queries() * dim : pairs / keys * dim, 391);
    auto logits = fractions(pairs, generator.next());
    for (float& logit : logits) logit *= 4;
    const auto embedding = fractions(embeddings * dim, 392);
    const Future future = generator.below(2) == 0 ? Future::keep : Future::mask;
    std::vector<float> bias(pairs), counts(pairs);
    value_of(posenc::cope_bias(positions, {dim, future, query, logits, embedding}, bias, counts));
    for (std::size_t at = 0; at < pairs; ++at) {
      const std::size_t row = at / keys;
      const std::size_t i = row % positions.queries();
      const std::size_t seen = future == Future::mask ? positions.keys_up_to(i) : keys;
      Quad position = 0;
      for (std::size_t j = at % keys; j < seen; ++j)
        position += 1 / (1 + reference::exponential(-static_cast<Quad>(logits[row * keys + j])));
      if (position > embeddings - 1) position = embeddings - 1;
      CHECK(reference::ulp_error(counts[at], position) <= 0.501);
      if (at % keys >= seen) {
        REQUIRE(bias[at] == -std::numeric_limits<float>::infinity());
        continue;
      }
      const auto lower = static_cast<std::size_t>(position);
      const Quad share = position - static_cast<Quad>(lower);
      Quad exact = 0;
      for (std::size_t d = 0; d < dim; ++d) {
        const Quad low = embedding[lower * dim + d];
        const Quad high = lower + 1 < embeddings ? static_cast<Quad>(embedding[(lower + 1) * dim + d]) : low;
        exact += query[row * dim + d] * (low + share * (high - low));
      }
      const double ulp = std::ldexp(1.0, std::ilogb(static_cast<double>(exact == 0 ? 1 : exact)) - 23);
      worst = std::fmax(worst, static_cast<double>(reference::magnitude(bias[at] - exact)) /
                                   (0.5 * ulp + static_cast<double>(keys * dim) * 1e-15));
    }
  }
  std::printf("largest error: cope: %.4f of what is promised\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("cope: open gates count keys, closed ones do not", "[cope]") {
  const auto positions = value_of(RelativePositions::make({.queries = 1, .keys = 4, .query_offset = 3}));
  constexpr float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> query{1}, logits{inf, -inf, inf, inf}, embedding{10, 20, 30, 40, 50};
  std::vector<float> bias(4), counts(4);
  value_of(posenc::cope_bias(positions, {1, Future::mask, query, logits, embedding}, bias, counts));
  CHECK(counts == std::vector<float>{3, 2, 2, 1});
  CHECK(bias == std::vector<float>{40, 30, 30, 20});
}

TEST_CASE("cope: sizes that do not fit and NaN are Errors and nothing is written", "[cope]") {
  const auto positions = value_of(RelativePositions::make({.queries = 2, .keys = 3}));
  const auto query = fractions(4, 393), logits = fractions(6, 394), embedding = fractions(8, 395);
  std::vector<float> bias(6, testing::untouched), counts(6, testing::untouched);
  const posenc::CopeInputs good{2, Future::keep, query, logits, embedding};
  const auto refused = [&](auto change, std::string_view argument) {
    auto inputs = good;
    change(inputs);
    require_error(posenc::cope_bias(positions, inputs, bias, counts), argument, "");
    CHECK(testing::is_untouched(bias));
    CHECK(testing::is_untouched(counts));
  };
  const std::vector<float> nan{0, 0, std::nanf(""), 0, 0, 0};
  refused([](auto& in) { in.query = in.query.subspan(1); }, "query");
  refused([](auto& in) { in.logits = in.logits.subspan(1); }, "logits");
  refused([&](auto& in) { in.logits = nan; }, "logits");
  refused([](auto& in) { in.embedding = in.embedding.subspan(1); }, "embedding");
  refused([](auto& in) { in.embedding = {}; }, "embedding");
  refused([](auto& in) { in.dim = 0; }, "embedding");
  require_error(posenc::cope_bias(positions, good, std::span(bias).first(5), counts), "bias", "5");
  require_error(posenc::cope_bias(positions, good, bias, std::span(counts).first(5)), "counts", "5");
}
