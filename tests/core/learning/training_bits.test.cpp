/// Trainings with all that steps may have: dropout, weight decay, layers, drawn positions; and of each task.

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
  check_hash("training of copy", "228fbeb1b93c5d8b", {task_bits(TaskType::copy)});
  check_hash("training of flip-flop", "3b25211f655c7bf8", {task_bits(TaskType::flip_flop)});
  check_hash("training of majority", "69c7596086005897", {task_bits(TaskType::majority)});
  check_hash("training of induction", "e6c1fbb1108a69ce", {task_bits(TaskType::induction)});
  check_hash("training of text", "0562a564467ffc27", {task_bits(TaskType::text)});
}
