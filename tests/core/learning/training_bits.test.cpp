/// The same bits on every machine: of trainings with all that steps may have (dropout, weight decay, layers, drawn
/// positions), of each task, and of a published run.

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "posenc/learning/training.hpp"
#include "testing/testing.hpp"

namespace learning = posenc::learning;
using learning::EncodingType;
using learning::TaskType;
using learning::Training;
using testing::check_hash;
using testing::value_of;

namespace {

/// Parameters after the last step, and as a float the loss of a test on 8 examples.
std::vector<float> bits_of(learning::TrainingOptions options) {
  options.optimizer = {.steps = 12, .batch = 6, .rate = 0.01, .warm_up = 3, .clip = 1, .weight_decay = 0.01};
  options.stretch = 2;
  options.seed = 5;
  auto training = value_of(Training::make(options));
  while (training.steps() < options.optimizer.steps) value_of(training.step());
  std::vector<float> bits(training.values().begin(), training.values().end());
  bits.push_back(static_cast<float>(value_of(training.evaluate({.sequences = 8})).loss));
  return bits;
}

std::vector<float> encoding_bits(EncodingType type) {
  learning::TrainingOptions options;
  options.task.longest = 6;
  options.encoding.type = type;
  options.model = {.layers = 2, .width = 16, .heads = 2, .dropout = 0.1};
  options.sampling = learning::PositionSampling::random;
  return bits_of(options);
}

std::vector<float> task_bits(TaskType type) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "The cat sat on the mat. A dog ate the hat. ";
  learning::TrainingOptions options;
  options.task = {.type = type, .text = text};
  options.encoding.type = EncodingType::alibi;
  options.model = {.width = 8, .heads = 1, .causal = type == TaskType::text, .ties_output = true};
  options.sampling = learning::PositionSampling::offset;
  return bits_of(options);
}

/// The options of the task order: 1 layer, width 32, 2 heads, 32 examples of n 2 to 16 a step, rate 3e-3.
learning::TrainingOptions order(EncodingType type) {
  learning::TrainingOptions options;
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

TEST_CASE("learning: with each encoding a training has the bits that are stored", "[learning][hashes]") {
  check_hash("training none", "d3a2b80ecb7abaa4", {encoding_bits(EncodingType::none)});
  check_hash("training sinusoid", "7da2c3b581ec845d", {encoding_bits(EncodingType::sinusoid)});
  check_hash("training concatenated", "ded3981b97cc37db", {encoding_bits(EncodingType::concatenated)});
  check_hash("training learned", "80ea27fd538e66f6", {encoding_bits(EncodingType::learned)});
  check_hash("training rope", "3e4eae03a5912cc4", {encoding_bits(EncodingType::rope)});
  check_hash("training alibi", "cd90166577b6afee", {encoding_bits(EncodingType::alibi)});
  check_hash("training t5", "6742b3e0316e0ea2", {encoding_bits(EncodingType::t5)});
  check_hash("training fire", "043d91b054c78305", {encoding_bits(EncodingType::fire)});
  check_hash("training shaw", "f6a8e90bdc59a8a2", {encoding_bits(EncodingType::shaw)});
  check_hash("training fox", "778a2f7b52163029", {encoding_bits(EncodingType::fox)});
}

TEST_CASE("learning: of each task a training has the bits that are stored", "[learning][hashes]") {
  check_hash("training of order", "7eabd5564d111cf8", {task_bits(TaskType::order)});
  check_hash("training of roles", "56b5cf68b87e6402", {task_bits(TaskType::roles)});
  check_hash("training of back", "5930cfaa4456d365", {task_bits(TaskType::back)});
  check_hash("training of text", "0562a564467ffc27", {task_bits(TaskType::text)});
}

TEST_CASE("learning: order has the same bits after 1, 10 and 100 steps", "[learning][hashes]") {
  for (const auto& [type, one, ten, hundred] : stored_trainings) {
    auto training = value_of(Training::make(order(type)));
    const auto check_after = [&](int steps, const char* stored) {
      learning::StepReport report;
      while (training.steps() < steps) report = value_of(training.step());
      const auto loss = static_cast<float>(report.loss);
      check_hash("order, " + std::string(posenc::name_of(type)) + ", steps: " + std::to_string(steps), stored,
                 {training.values(), {&loss, 1}});
    };
    check_after(1, one);
    check_after(10, ten);
    check_after(100, hundred);
  }
}
