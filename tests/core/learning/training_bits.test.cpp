/// The same with all that steps may have: dropout, weight decay, layers, drawn positions; and of each task.

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
  check_hash("training none", "21dfc3ec7f8c0384", {encoding_bits(EncodingType::none)});
  check_hash("training sinusoid", "dfa0955a2fdedd41", {encoding_bits(EncodingType::sinusoid)});
  check_hash("training learned", "da97032d841877ba", {encoding_bits(EncodingType::learned)});
  check_hash("training rope", "745534b623f5b10e", {encoding_bits(EncodingType::rope)});
  check_hash("training xpos", "24a81f7b18a7ec44", {encoding_bits(EncodingType::xpos)});
  check_hash("training alibi", "4c4fc6834764c612", {encoding_bits(EncodingType::alibi)});
  check_hash("training t5", "9aae162db4d2fccd", {encoding_bits(EncodingType::t5)});
  check_hash("training kerple", "2c98055a84ff8161", {encoding_bits(EncodingType::kerple)});
  check_hash("training kerple-power", "e31fa88d896b3c75", {encoding_bits(EncodingType::kerple_power)});
  check_hash("training fire", "d5a6e682c58cf187", {encoding_bits(EncodingType::fire)});
  check_hash("training sandwich", "d527cdaa4ad9cb1d", {encoding_bits(EncodingType::sandwich)});
  check_hash("training shaw", "b2776c0dfb62e04b", {encoding_bits(EncodingType::shaw)});
  check_hash("training transformer-xl", "93b3e61be31bcf09", {encoding_bits(EncodingType::transformer_xl)});
  check_hash("training cope", "6b82c018824a9a5d", {encoding_bits(EncodingType::cope)});
  check_hash("training deberta", "3e848892b231f5cd", {encoding_bits(EncodingType::deberta)});
  check_hash("training fox", "83a43e834c27a587", {encoding_bits(EncodingType::fox)});
  check_hash("training fox-rope", "a783dc67443b93b7", {encoding_bits(EncodingType::fox_rope)});
  check_hash("training selective-rope", "112bb1dd8d6c6058", {encoding_bits(EncodingType::selective_rope)});
  check_hash("training path", "e0fb4c19fdc36c15", {encoding_bits(EncodingType::path)});
}

TEST_CASE("learning: of each task a training has the bits that are stored", "[learning][hashes]") {
  check_hash("training of order", "add25f0454a83b2f", {task_bits(TaskType::order)});
  check_hash("training of roles", "5459f17bbdbdcb22", {task_bits(TaskType::roles)});
  check_hash("training of back", "ecf599b720ba5f9c", {task_bits(TaskType::back)});
  check_hash("training of copy", "3c592bc83273e650", {task_bits(TaskType::copy)});
  check_hash("training of flip-flop", "1009eb3b36a4858e", {task_bits(TaskType::flip_flop)});
  check_hash("training of majority", "43e4dbb23792b590", {task_bits(TaskType::majority)});
  check_hash("training of induction", "9f6e1c3edfdeffc2", {task_bits(TaskType::induction)});
  check_hash("training of text", "59329e0ddb620490", {task_bits(TaskType::text)});
}
