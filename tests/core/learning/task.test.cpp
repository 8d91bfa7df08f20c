/// All tasks have this in common.

#include "posenc/learning/task.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "learning/task_examples.hpp"

namespace {

using testing::as_floats;
using testing::check_hash;
using testing::check_share;
using testing::Examples;
using testing::examples_of;
using testing::ExampleUse;
using testing::require_error;
using testing::Task;
using testing::TaskOptions;
using testing::TaskType;
using testing::value_of;

constexpr TaskType all_tasks[]{TaskType::order, TaskType::roles, TaskType::back, TaskType::text};

/// 6000 letters a ... p.
std::string letters() {
  testing::Generator generator(1700);
  std::string text;
  for (int i = 0; i < 6000; ++i) text += static_cast<char>('a' + generator.below(16));
  return text;
}

Task task_of(TaskType type, std::uint64_t seed = 0) {
  return value_of(Task::make({.type = type, .text = letters(), .seed = seed}));
}

/// Examples of the longest n in training.
Examples longest_examples(const Task& task, const testing::ExampleIndex& index, std::size_t count) {
  return examples_of(task, index, task.options().longest, count);
}

}  // namespace

TEST_CASE("tasks: their words and numbers", "[learning][task]") {
  struct Numbers {
    const char* name;
    std::int64_t shortest, longest, symbols;
    std::size_t vocabulary, tokens;  ///< of the longest
  };
  constexpr Numbers numbers[]{
      {"order", 2, 16, 8, 13, 17}, {"roles", 3, 3, 4, 7, 4}, {"back", 8, 32, 16, 16, 32}, {"text", 32, 32, 0, 16, 32}};
  for (std::size_t i = 0; i < std::size(numbers); ++i) {
    const auto& [name, shortest, longest, symbols, vocabulary, tokens] = numbers[i];
    INFO(name);
    CHECK(value_of(posenc::from_name<TaskType>(name)) == all_tasks[i]);
    const Task task = task_of(all_tasks[i]);
    CHECK(task.options().shortest == shortest);
    CHECK(task.options().longest == longest);
    CHECK(task.options().symbols == symbols);
    CHECK(task.options().text.empty());
    CHECK(task.vocabulary() == vocabulary);
    CHECK(task.words().size() == vocabulary);
    CHECK(task.tokens_of(longest) == tokens);
    std::vector<std::string> words(task.words().begin(), task.words().end());
    std::ranges::sort(words);
    CHECK(std::ranges::adjacent_find(words) == words.end());
  }
  require_error(posenc::from_name<TaskType>("Order"), "task.type", "Order");

  // One that is given moves the other's default.
  const Task longer = value_of(Task::make({.type = TaskType::order, .shortest = 20}));
  CHECK(longer.options().longest == 20);
  const Task shorter = value_of(Task::make({.type = TaskType::back, .longest = 5}));
  CHECK(shorter.options().shortest == 5);
  const Task many = value_of(Task::make({.type = TaskType::back, .symbols = 1024}));
  CHECK(many.words()[25] == "z");
  CHECK(many.words()[26] == "a1");
  CHECK(many.words()[1023] == "j39");
}

TEST_CASE("tasks: a batch may be cut anywhere", "[learning][task]") {
  for (const TaskType type : all_tasks) {
    const Task task = task_of(type, 11);
    for (const ExampleUse use : {ExampleUse::training, ExampleUse::testing}) {
      // 4294967290 + 24 is beyond 2^32.
      const std::uint32_t first = 4294967290;
      const Examples whole = longest_examples(task, {.use = use, .step = 9, .first = first}, 24);
      Examples parts{whole.length, {}, {}};
      std::uint32_t at = first;
      for (const std::uint32_t count : {1u, 0u, 5u, 18u}) {
        const Examples part = longest_examples(task, {.use = use, .step = 9, .first = at}, count);
        parts.tokens.insert(parts.tokens.end(), part.tokens.begin(), part.tokens.end());
        parts.targets.insert(parts.targets.end(), part.targets.begin(), part.targets.end());
        at += count;
      }
      CHECK(parts == whole);
    }
  }
}

TEST_CASE("tasks: what examples depend on", "[learning][task]") {
  for (const TaskType type : all_tasks) {
    INFO(static_cast<int>(type));
    const auto examples = [type](std::uint64_t seed, ExampleUse use, std::uint32_t step, std::uint32_t first) {
      return longest_examples(task_of(type, seed), {.use = use, .step = step, .first = first}, 16);
    };
    const Examples one = examples(0, ExampleUse::training, 3, 5);
    CHECK(examples(0, ExampleUse::training, 3, 5) == one);
    CHECK(examples(1, ExampleUse::training, 3, 5) != one);
    CHECK(examples(std::uint64_t{1} << 32, ExampleUse::training, 3, 5) != one);
    CHECK(examples(0, ExampleUse::training, 5, 3) != one);
    CHECK(examples(0, ExampleUse::training, 4, 5) != one);
    CHECK(examples(0, ExampleUse::training, 3, 21) != one);
    // Tests: the same for every seed, others than in training, of another round others.
    const Examples test = examples(0, ExampleUse::testing, 3, 5);
    CHECK(test != one);
    CHECK(examples(77, ExampleUse::testing, 3, 5) == test);
    CHECK(examples(0, ExampleUse::testing, 4, 5) != test);
    CHECK(examples(0, ExampleUse::testing, 3, 21) != test);
  }
}

TEST_CASE("tasks: the n of each step", "[learning][task]") {
  for (const TaskType type : all_tasks) {
    const Task task = task_of(type, 12), other = task_of(type, 13);
    const std::int64_t shortest = type == TaskType::text ? 32 : task.options().shortest;
    const std::int64_t different = task.options().longest - shortest + 1;
    std::map<std::int64_t, std::size_t> counts;
    std::size_t equal = 0;
    constexpr std::uint32_t steps = 20000;
    for (std::uint32_t step = 0; step < steps; ++step) {
      const std::int64_t n = task.size_at(step);
      ++counts[n];
      if (n == other.size_at(step)) ++equal;
    }
    CHECK(std::ssize(counts) == different);
    CHECK(counts.begin()->first == shortest);
    CHECK(counts.rbegin()->first == task.options().longest);
    for (const auto& [n, count] : counts) check_share(count, steps, 1 / static_cast<double>(different));
    // Those of another seed are others.
    check_share(equal, steps, 1 / static_cast<double>(different));
  }
  const std::string text = letters();
  CHECK(value_of(Task::make({.type = TaskType::text, .shortest = 8, .longest = 64, .text = text})).size_at(5) == 64);
}

TEST_CASE("tasks: options out of range", "[learning][task]") {
  const std::string text = letters();
  const auto require_wrong = [&](const TaskOptions& options, const char* argument, const char* value) {
    require_error(Task::make(options), argument, value);
  };
  constexpr std::int64_t too_long = (1 << 20) + 1;
  for (const TaskType type : all_tasks) {
    require_wrong({.type = type, .shortest = 1, .text = text}, "task.shortest", "1");
    require_wrong({.type = type, .shortest = -3, .text = text}, "task.shortest", "-3");
    require_wrong({.type = type, .shortest = too_long, .text = text}, "task.shortest", "1048577");
    require_wrong({.type = type, .longest = 1, .text = text}, "task.longest", "1");
    require_wrong({.type = type, .longest = too_long, .text = text}, "task.longest", "1048577");
    require_wrong({.type = type, .text = text, .seed = std::uint64_t{1} << 53}, "task.seed", "9007199254740992");
    if (type == TaskType::roles) continue;
    require_wrong({.type = type, .shortest = 9, .longest = 8, .text = text}, "task.longest", "8");
  }
  require_wrong({.type = TaskType::roles, .shortest = 4}, "task.shortest", "4");
  require_wrong({.type = TaskType::roles, .longest = 2}, "task.longest", "2");
  for (const auto& [type, least] :
       {std::pair(TaskType::order, 1), std::pair(TaskType::roles, 2), std::pair(TaskType::back, 2)}) {
    value_of(Task::make({.type = type, .symbols = least}));
    require_wrong({.type = type, .symbols = -1}, "task.symbols", "-1");
    if (least > 1) require_wrong({.type = type, .symbols = 1}, "task.symbols", "1");
    require_wrong({.type = type, .symbols = 1025}, "task.symbols", "1025");
  }
  require_wrong({.type = TaskType::back, .distance = 0}, "task.distance", "0");
  require_wrong({.type = TaskType::back, .distance = 8}, "task.distance", "8");
  require_wrong({.type = TaskType::back, .shortest = 20, .distance = 20}, "task.distance", "20");
  // Read by other tasks only.
  value_of(Task::make({.type = TaskType::order, .distance = -1, .text = "\xFF"}));
  value_of(Task::make({.type = TaskType::text, .symbols = -1, .text = text}));
}

TEST_CASE("tasks: examples that there are not, and arrays that do not fit", "[learning][task]") {
  for (const TaskType type : all_tasks) {
    INFO(static_cast<int>(type));
    const Task task = task_of(type);
    const std::int64_t least = type == TaskType::roles ? 3 : (type == TaskType::back ? 4 : 2);
    const std::int64_t most = type == TaskType::roles ? 3 : (type == TaskType::text ? 599 : 1 << 20);
    CHECK(examples_of(task, {.use = ExampleUse::testing}, least, 3).count() == 3);
    std::vector<std::int32_t> tokens(3 * task.tokens_of(least), 99), targets = tokens;
    const auto write = [&](std::int64_t n) { return task.write({.use = ExampleUse::testing}, n, tokens, targets); };
    require_error(write(least - 1), "n", std::to_string(least - 1));
    require_error(write(-1), "n", "-1");
    require_error(write(most + 1), "n", std::to_string(most + 1));
    tokens.pop_back();
    require_error(write(least), "tokens", std::to_string(tokens.size()));
    tokens.push_back(99);
    targets.pop_back();
    require_error(write(least), "targets", std::to_string(targets.size()));
    for (const auto& values : {tokens, targets})
      CHECK(std::ranges::all_of(values, [](std::int32_t value) { return value == 99; }));
  }
}

TEST_CASE("tasks: examples have the numbers that are stored", "[learning][task][hashes]") {
  // 32 sequences from 7 on of step 5, of the longest n, seed 2024.
  const auto numbers = [](TaskType type, ExampleUse use = ExampleUse::training) {
    return as_floats(longest_examples(task_of(type, 2024), {.use = use, .step = 5, .first = 7}, 32));
  };
  check_hash("task order", "4b8be9f16fb6a652", {numbers(TaskType::order)});
  check_hash("task roles", "14f6de23c37ae8c8", {numbers(TaskType::roles)});
  check_hash("task back", "1ab971375b34bb55", {numbers(TaskType::back)});
  // Letters 'a' + below(16) of Generator(1700), 6000 of them.
  check_hash("task text", "07f0c85c7ccc5e9b", {numbers(TaskType::text)});
  // Testing draws likewise.
  check_hash("task order testing", "d0faf4a84c8dae32", {numbers(TaskType::order, ExampleUse::testing)});
  check_hash("task text testing", "a3b1fa29c96a389b", {numbers(TaskType::text, ExampleUse::testing)});
  // The n of the steps 0 to 99 of order.
  std::vector<float> sizes;
  const Task task = task_of(TaskType::order, 2024);
  for (std::uint32_t step = 0; step < 100; ++step) sizes.push_back(static_cast<float>(task.size_at(step)));
  check_hash("task sizes", "0ec40cd766548912", {sizes});
}
