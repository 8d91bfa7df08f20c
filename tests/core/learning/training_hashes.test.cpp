/// Parameters and losses of a published run after so many steps: the same bits on every machine.

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "posenc/learning/training.hpp"
#include "testing/testing.hpp"

namespace learning = posenc::learning;
using learning::EncodingType;
using learning::Training;
using learning::TrainingOptions;
using testing::value_of;

namespace {

/// The options of the task order: 1 layer, width 32, 2 heads, 32 examples of n 2 to 16 a step, rate 3e-3.
TrainingOptions order(EncodingType type) {
  TrainingOptions options;
  options.encoding.type = type;
  options.model = {.layers = 1, .width = 32, .heads = 2};
  options.optimizer = {.steps = 1500, .batch = 32, .rate = 3e-3};
  options.seed = 1;
  return options;
}

struct StoredTraining {
  EncodingType type;
  const char *one, *ten, *hundred;  ///< after so many steps
};

constexpr StoredTraining stored_trainings[]{
    {EncodingType::none, "04d4fb0c74ffd84c", "fd964f889bfcc1fe", "425d49713eee8cb6"},
    {EncodingType::sinusoid, "ec195335ca683793", "d93c1ae40b8c76ff", "fc344ac001b50b23"},
    {EncodingType::rope, "31dc9ee38e0ee9be", "1c2a8d14749d9f9f", "280d9085b4db8910"},
    {EncodingType::alibi, "6a97cbb6b5aa14e4", "6f8952b19056f3d6", "6850a95ecf41e382"},
    {EncodingType::t5, "c0d83ed2fad07334", "98743e01a2c65018", "3a77ebe6575adab9"},
    {EncodingType::fox_rope, "55dd3cb4dd7c4eb9", "6afb6c092c9c7867", "3850c7560f85c157"},
};

}  // namespace

TEST_CASE("learning: order has the same bits after 1, 10 and 100 steps", "[learning][hashes]") {
  for (const auto& [type, one, ten, hundred] : stored_trainings) {
    auto training = value_of(Training::make(order(type)));
    const auto check_after = [&](int steps, const char* stored) {
      learning::StepReport report;
      while (training.steps() < steps) report = value_of(training.step());
      const auto loss = static_cast<float>(report.loss);
      testing::check_hash("order, " + std::string(name_of(type)) + ", steps: " + std::to_string(steps), stored,
                          {training.values(), {&loss, 1}});
    };
    check_after(1, one);
    check_after(10, ten);
    check_after(100, hundred);
  }
}
