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
    {EncodingType::none, "f873ce75242cb859", "d574b8209169f8bc", "bf906679cb2ea7f9"},
    {EncodingType::sinusoid, "651d061194f5f023", "e2bf8ab9f567a778", "fa4c33827bdae1b1"},
    {EncodingType::rope, "d5bb994f35ff64ab", "32421939d20c4bb1", "3a325256dc2e94cb"},
    {EncodingType::alibi, "28647d893d7a4536", "45504ee1283c0ab7", "c7b7e152b8eaffb5"},
    {EncodingType::t5, "faad984838d688bf", "ff79d349c593885d", "bf729c0da8aee5c0"},
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
