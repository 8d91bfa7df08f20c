/// The task text: characters, windows and what is for testing.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "learning/task_examples.hpp"

namespace {

using testing::check_share;
using testing::Examples;
using testing::examples_of;
using testing::ExampleUse;
using testing::require_error;
using testing::spelt;
using testing::Task;
using testing::TaskType;
using testing::value_of;

using Characters = std::vector<std::string>;

std::string joined(const Characters& characters) {
  std::string text;
  for (const std::string& character : characters) text += character;
  return text;
}

/// The UTF-8 of a character of three bytes.
std::string ideograph(std::size_t i) {
  const auto code = static_cast<std::uint32_t>(0x4E00 + i);
  return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

Task text_task(std::string_view text, std::int64_t n, std::uint64_t seed = 0) {
  return value_of(Task::make({.type = TaskType::text, .shortest = n, .longest = n, .text = text, .seed = seed}));
}

/// All characters of the training's part, which is one window.
Characters training_part(const Task& task, std::size_t count) {
  const auto n = static_cast<std::int64_t>(count - 1);
  const Examples examples = examples_of(task, {}, n, 1);
  Characters characters = spelt(task, examples.tokens_of(0));
  characters.push_back(spelt(task, examples.targets_of(0)).back());
  return characters;
}

/// 100 different characters, whose windows of 4 begin at 86 characters of the training's part and at 6 in the other.
Characters hundred() {
  Characters characters;
  for (std::size_t i = 0; i < 100; ++i) characters.push_back(ideograph(i));
  return characters;
}

/// Where each window begins; tokens and targets are as they should be.
std::vector<std::size_t> starts_of(const Task& task, const Characters& characters, const Examples& examples) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < examples.count(); ++i) {
    const Characters tokens = spelt(task, examples.tokens_of(i)), targets = spelt(task, examples.targets_of(i));
    const auto start = std::ranges::find(characters, tokens[0]) - characters.begin();
    const auto length = static_cast<std::ptrdiff_t>(examples.length);
    REQUIRE(start + length + 1 <= std::ssize(characters));
    const auto first = characters.begin() + start;
    REQUIRE(tokens == Characters(first, first + length));
    REQUIRE(targets == Characters(first + 1, first + length + 1));
    starts.push_back(static_cast<std::size_t>(start));
  }
  return starts;
}

}  // namespace

TEST_CASE("task text: characters of any length are tokens in the order of code points", "[learning][task]") {
  // The first and the last of each number of bytes, and those beside the surrogates.
  const Characters known{std::string(1, '\0'),
                         "\n",
                         "b",
                         "\x7F",
                         "\xC2\x80",
                         "\xDF\xBF",
                         "\xE0\xA0\x80",
                         "你",
                         "我",
                         "爱",
                         "\xED\x9F\xBF",
                         "\xEE\x80\x80",
                         "\xEF\xBF\xBD",
                         "\xEF\xBF\xBF",
                         "\xF0\x90\x80\x80",
                         "😀",
                         "\xF4\x8F\xBF\xBF"};
  testing::Generator generator(1701);
  Characters characters;
  for (std::size_t i = 0; i < 1000; ++i)
    characters.push_back(known[i < known.size() ? i : generator.below(known.size())]);
  const Task task = text_task(joined(characters), 8);
  Characters sorted = known;
  std::ranges::sort(sorted);  // the order of bytes is that of code points
  CHECK(std::ranges::equal(task.words(), sorted));
  CHECK(training_part(task, 900) == Characters(characters.begin(), characters.begin() + 900));
}

TEST_CASE("task text: windows in training begin anywhere in the first nine tenths", "[learning][task]") {
  const Characters characters = hundred();
  const Task task = text_task(joined(characters), 4, 21);
  const auto starts = starts_of(task, characters, examples_of(task, {.step = 2}, 4, 20000));
  std::vector<std::size_t> counts(100);
  for (const std::size_t start : starts) ++counts[start];
  for (std::size_t start = 0; start < 100; ++start) {
    INFO(start << ": " << counts[start]);
    if (start < 86)
      check_share(counts[start], starts.size(), 1 / 86.0);
    else
      CHECK(counts[start] == 0);
  }
}

TEST_CASE("task text: windows of tests are spread evenly over the last tenth", "[learning][task]") {
  const Characters characters = hundred();
  const Task task = text_task(joined(characters), 4);
  for (const std::uint32_t step : {0u, 1u, 1000u}) {
    const auto starts =
        starts_of(task, characters, examples_of(task, {.use = ExampleUse::testing, .step = step}, 4, 500));
    std::vector<double> counts(6);
    double taken = 0, farthest = 0;
    for (const std::size_t start : starts) {
      REQUIRE(start >= 90);
      REQUIRE(start < 96);
      ++counts[start - 90];
      ++taken;
      for (const double count : counts) farthest = std::max(farthest, std::fabs(count - taken / 6));
    }
    CHECK(farthest < 3);
  }
}

TEST_CASE("task text: of more than 1024 characters the rarest are one", "[learning][task]") {
  // 1030 characters three times each, but every fiftieth once: 21, of which the six that are last in order are left
  // out.
  Characters characters, expected, left_out;
  for (std::size_t i = 0; i < 1030; ++i) {
    const bool rare = i % 50 == 3;
    for (int time = 0; time < (rare ? 1 : 3); ++time) characters.push_back(ideograph(i));
    (rare && i >= 753 ? left_out : expected).push_back(ideograph(i));
  }
  REQUIRE(left_out.size() == 6);
  // These belong to the test's part, and so are in no window of training.
  for (int i = 0; i < 400; ++i) characters.push_back(ideograph(0));
  const std::string replacement = "\xEF\xBF\xBD";
  Characters words = expected;
  words.push_back(replacement);
  const auto check = [&](const Characters& text) {
    const Task task = text_task(joined(text), 8);
    CHECK(std::ranges::equal(task.words(), words));
    Characters seen(text.begin(), text.begin() + 2900);
    for (std::string& character : seen)
      if (std::ranges::count(left_out, character) != 0) character = replacement;
    Characters part = training_part(task, text.size() - text.size() / 10);
    part.resize(2900);
    CHECK(part == seen);
  };
  check(characters);
  // The replacement character itself is among the others, however often it occurs.
  for (int i = 0; i < 10; ++i) characters.insert(characters.begin() + 100, replacement);
  check(characters);

  Characters fitting;
  for (std::size_t i = 0; i < 1024; ++i) fitting.push_back(ideograph(i));
  CHECK(text_task(joined(fitting), 8).vocabulary() == 1024);
  fitting.push_back(ideograph(1024));
  CHECK(text_task(joined(fitting), 8).vocabulary() == 1025);
  fitting.back() = replacement;
  CHECK(text_task(joined(fitting), 8).vocabulary() == 1025);
}

TEST_CASE("task text: what is no UTF-8", "[learning][task]") {
  const Characters wrong{"\x80",
                         "\xBF",
                         "\xC0\x80",
                         "\xC1\xBF",
                         "\xE0\x80\x80",
                         "\xE0\x9F\xBF",
                         "\xED\xA0\x80",
                         "\xED\xBF\xBF",
                         "\xF0\x80\x80\x80",
                         "\xF0\x8F\xBF\xBF",
                         "\xF4\x90\x80\x80",
                         "\xF5\x80\x80\x80",
                         "\xF8\x88\x80\x80\x80",
                         "\xFE",
                         "\xFF",
                         "\xE6\x88",
                         "\xC2",
                         "\xF0\x9F\x98",
                         "\xE6\x88我"};
  const std::string before = "我爱你 ab";  // twelve bytes
  const std::string after(1000, 'a');
  for (const std::string& bytes : wrong)
    for (const std::string& text : {before + bytes + after, before + bytes}) {
      const auto made = Task::make({.type = TaskType::text, .text = text});
      require_error(made, "task.text", "at byte 12");
      char hex[5];
      std::snprintf(hex, sizeof hex, "0x%02x", static_cast<unsigned>(static_cast<unsigned char>(bytes[0])));
      CHECK(testing::value_text(made.error()).find(hex) != std::string::npos);
    }
}

TEST_CASE("task text: too short a text", "[learning][task]") {
  const auto make = [](std::size_t characters, std::int64_t longest) {
    std::string text;
    for (std::size_t i = 0; i < characters; ++i) text += ideograph(i % 7);
    return Task::make({.type = TaskType::text, .longest = longest, .text = text});
  };
  require_error(make(0, 0), "task.text", "0 characters");
  require_error(make(329, 0), "task.text", "329 characters");
  const Task least = value_of(make(330, 0));
  CHECK(examples_of(least, {.use = ExampleUse::testing}, 32, 5).count() == 5);
  require_error(make(329, 32), "task.text", "329 characters");
  value_of(make(110, 10));
  // Other lengths than in training, as far as a part reaches: 297 characters and 33.
  std::vector<std::int32_t> tokens(33), targets(33);
  require_error(least.write({.use = ExampleUse::testing}, 33, tokens, targets), "n", "33");
  CHECK(examples_of(least, {}, 296, 2).count() == 2);
  tokens.resize(297);
  targets.resize(297);
  require_error(least.write({}, 297, tokens, targets), "n", "297");
}
