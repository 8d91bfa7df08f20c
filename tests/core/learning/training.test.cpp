/// Training: steps, tests at any length, text that is made.

#include "posenc/learning/training.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "posenc/learning/training_state.hpp"
#include "testing/allocations.hpp"
#include "testing/testing.hpp"

namespace learning = posenc::learning;
using learning::EncodingType;
using learning::TaskType;
using learning::Training;
using learning::TrainingOptions;
using testing::require_error;
using testing::same_bits;
using testing::value_of;

namespace {

using Weights = std::vector<float>;

TrainingOptions small(EncodingType type, TaskType task = TaskType::order) {
  TrainingOptions options;
  options.task.type = task;
  options.encoding.type = type;
  options.model = {.layers = 1, .width = 16, .heads = 2};
  options.optimizer = {.steps = 40, .batch = 10, .rate = 3e-3, .warm_up = 10};
  options.stretch = 2;
  options.seed = 7;
  return options;
}

Weights weights_of(const Training& training) { return {training.values().begin(), training.values().end()}; }

void make_steps(Training& training, int count) {
  for (int i = 0; i < count; ++i) value_of(training.step());
}

}  // namespace

TEST_CASE("learning: a step asks for no memory", "[learning][training]") {
  using enum EncodingType;
  for (const EncodingType type : {none, sinusoid, concatenated, learned, rope, alibi, t5, fire, shaw, fox}) {
    CAPTURE(posenc::name_of(type));
    TrainingOptions options = small(type);
    options.model.dropout = 0.1;
    const std::size_t before = testing::allocations();
    auto training = value_of(Training::make(options));
    const std::size_t made = testing::allocations();
    REQUIRE(made > before);
    for (int step = 0; step < 5; ++step) REQUIRE(training.step());
    REQUIRE(testing::allocations() == made);
  }
}

TEST_CASE("learning: the rate rises in a line and falls as half a cosine wave", "[learning][training]") {
  auto training = value_of(Training::make(small(EncodingType::none)));
  for (int step = 1; step <= 40; ++step) {
    const double rate = value_of(training.step()).rate;
    const double expected = step <= 10 ? 3e-3 * step / 10 : 3e-3 * (1 + std::cos(M_PI * (step - 11) / 30)) / 2;
    CHECK(std::fabs(rate - expected) < 1e-15);
  }
  const Weights last = weights_of(training);
  require_error(training.step(), "step", "41");
  CHECK(same_bits(training.values(), last));
}

TEST_CASE("learning: order is learned with positions, and not without", "[learning][training]") {
  for (const auto type : {EncodingType::none, EncodingType::rope}) {
    TrainingOptions options = small(type);
    options.optimizer.steps = 300;
    options.model.width = 32;
    options.task.longest = 8;
    auto training = value_of(Training::make(options));
    make_steps(training, 300);
    const auto tested = value_of(training.evaluate({}));
    CHECK(tested.asked == 256);
    if (type == EncodingType::rope)
      CHECK(tested.accuracy > 0.9);
    else
      CHECK(std::fabs(tested.accuracy - 0.5) < 0.15);
    CHECK(std::fabs(tested.perplexity - std::exp(tested.loss)) < 1e-9 * tested.perplexity);
  }
}

TEST_CASE("learning: tests change nothing, reach the stretched length, and take other encodings",
          "[learning][training]") {
  auto training = value_of(Training::make(small(EncodingType::rope)));
  make_steps(training, 10);
  const Weights before = weights_of(training);
  const auto plain = value_of(training.evaluate({.n = 32, .sequences = 20}));
  learning::EncodingOptions scaled{.type = EncodingType::rope};
  scaled.scaling = posenc::scaling::Linear{2};
  const auto interpolated = value_of(training.evaluate({.n = 32, .sequences = 20, .encoding = scaled}));
  CHECK(plain.loss != interpolated.loss);
  CHECK(value_of(training.evaluate({.n = 32, .sequences = 20})).loss == plain.loss);
  // Without its rotation, as DroPE is tested.
  CHECK(value_of(training.evaluate({.n = 32, .sequences = 20, .encoding = learning::EncodingOptions{}})).asked == 20);
  CHECK(same_bits(training.values(), before));

  require_error(training.evaluate({.n = 33}), "n", "33");
  require_error(training.evaluate({.sequences = 0}), "sequences", "0");
  require_error(training.evaluate({.encoding = learning::EncodingOptions{.type = EncodingType::t5}}), "encoding.type",
                "t5");
}

TEST_CASE("learning: the maps of attention are causal and sum to 1", "[learning][training]") {
  auto training = value_of(Training::make(small(EncodingType::alibi)));
  const std::vector<std::int32_t> tokens{0, 1, 5, 4};
  Weights maps(std::size_t{2} * 4 * 4, testing::untouched);
  value_of(training.attention(tokens, maps));
  for (std::size_t row = 0; row < 8; ++row) {
    const auto of_row = std::span(maps).subspan(row * 4, 4);
    CHECK(std::fabs(std::accumulate(of_row.begin(), of_row.end(), 0.0) - 1) < 1e-6);
    for (std::size_t key = row % 4 + 1; key < 4; ++key) CHECK(of_row[key] == 0);
  }
  Weights untouched(32, testing::untouched);
  require_error(training.attention(std::vector<std::int32_t>{0, 99}, std::span(untouched).first(8)), "tokens", "99");
  require_error(training.attention(tokens, std::span(untouched).first(31)), "weights", "31");
  require_error(training.attention({}, {}), "tokens", "0");
  CHECK(testing::is_untouched(untouched));
}

TEST_CASE("learning: text is made from its seed, at any temperature", "[learning][training]") {
  TrainingOptions options = small(EncodingType::rope, TaskType::text);
  std::string text;
  for (int i = 0; i < 60; ++i) text += "the cat sat on the mat. ";
  options.task.text = text;
  options.task.longest = 12;
  options.optimizer.steps = 300;
  auto training = value_of(Training::make(options));
  make_steps(training, 300);
  const auto token_of = [&](char letter) {
    const auto words = training.task().words();
    return static_cast<std::int32_t>(std::ranges::find(words, std::string(1, letter)) - words.begin());
  };
  std::vector<std::int32_t> prompt;
  for (const char letter : std::string("the cat sat ")) prompt.push_back(token_of(letter));
  std::vector<std::int32_t> likeliest(11), drawn(50), again(50), other(50);
  value_of(training.generate(prompt, 12, 0, 0, likeliest));
  std::string made;
  for (const std::int32_t token : likeliest) made += training.task().words()[static_cast<std::size_t>(token)];
  CHECK(made == "on the mat.");
  value_of(training.generate(prompt, 12, 3, 1, drawn));
  value_of(training.generate(prompt, 12, 3, 1, again));
  value_of(training.generate(prompt, 12, 3, 2, other));
  CHECK(drawn == again);
  CHECK(drawn != other);
  require_error(training.generate({}, 12, 0, 0, drawn), "prompt", "0");
  require_error(training.generate(prompt, 0, 0, 0, drawn), "window", "0");
  require_error(training.generate(prompt, 12, -1, 0, drawn), "temperature", "-1");
  CHECK(drawn == again);
}

TEST_CASE("learning: what a training cannot be made of is named", "[learning][training]") {
  const auto refused = [](std::string_view argument, std::string_view value, const auto& change) {
    TrainingOptions options = small(EncodingType::rope);
    change(options);
    require_error(Training::make(options), argument, value);
  };
  refused("encoding.rotated", "2", [](auto& of) { of.encoding.rotated = 2; });
  refused("encoding.base", "-1", [](auto& of) { of.encoding.base = -1; });
  refused("encoding.scaling.factor", "0", [](auto& of) { of.encoding.scaling = posenc::scaling::Linear{}; });
  refused("encoding.rows", "5", [](auto& of) { of.encoding = {.type = EncodingType::learned, .rows = 5}; });
  refused("encoding.maxDistance", "0", [](auto& of) { of.encoding = {.type = EncodingType::shaw, .max_distance = 0}; });
  refused("optimizer.steps", "0", [](auto& of) { of.optimizer.steps = 0; });
  refused("optimizer.batch", "4097", [](auto& of) { of.optimizer.batch = 4097; });
  refused("optimizer.rate", "0", [](auto& of) { of.optimizer.rate = 0; });
  refused("optimizer.rate", "nan", [](auto& of) { of.optimizer.rate = std::nan(""); });
  refused("optimizer.warmUp", "-1", [](auto& of) { of.optimizer.warm_up = -1; });
  refused("optimizer.clip", "-1", [](auto& of) { of.optimizer.clip = -1; });
  refused("optimizer.weightDecay", "2", [](auto& of) { of.optimizer.weight_decay = 2; });
  refused("stretch", "65", [](auto& of) { of.stretch = 65; });
  refused("seed", "-1", [](auto& of) { of.seed = -1; });
  refused("model.width", "18", [](auto& of) { of.model.width = 18; });
  refused("encoding.map", "given", [](auto& of) { of.encoding.map = posenc::PositionMapOptions{}; });
}

TEST_CASE("learning: the gradient of a step is the mean of its parts, no longer than asked", "[learning][training]") {
  const Weights one{3, -1, 0}, other{1, 1, 12};
  const float* const parts[]{one.data(), other.data()};
  // (4, 0, 12) / 2 has a norm of 2 sqrt(10).
  const double norm = std::sqrt(40.0);
  for (const double clip : {0.0, 7.0, 0.5}) {
    Weights gradient(3);
    CHECK(std::fabs(value_of(learning::mean_gradient(parts, 2, clip, gradient)) - norm) < 1e-12);
    const double factor = clip == 0.5 ? clip / norm : 1;
    for (const auto& [at, value] : {std::pair{0, 2.0}, {1, 0.0}, {2, 6.0}})
      CHECK(std::fabs(static_cast<double>(gradient[static_cast<std::size_t>(at)]) - factor * value) < 1e-6);
  }
}

TEST_CASE("learning: a loss that is not finite is an Error, and nothing has changed", "[learning][training]") {
  auto training = value_of(Training::make(small(EncodingType::none)));
  make_steps(training, 3);
  // No rate makes them so large in few steps.
  std::fill_n(const_cast<float*>(training.values().data()), training.values().size(), 3e38f);
  const Weights values = weights_of(training);
  CHECK_FALSE(training.step().has_value());
  CHECK(training.steps() == 3);
  CHECK(same_bits(training.values(), values));
  // A logit that overflows, and a gradient that does.
  auto model = value_of(learning::Transformer::make(2, {.width = 2, .heads = 1}, {}));
  value_of(model.reserve(1, 1, 0, true));
  const std::vector<std::int32_t> token{0};
  require_error(model.run({1, 1, token, token}, token, Weights(model.parameters().size(), 3e38f)), "loss", "");
  const Weights large{1e30f};
  const float* const parts[]{large.data()};
  Weights gradient(1);
  require_error(learning::mean_gradient(parts, 1, 1, gradient), "loss", "inf");
}
