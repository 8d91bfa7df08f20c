/// The examples of each task but text, by its description, and how often what comes.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <vector>

#include "learning/task_examples.hpp"

namespace {

using testing::check_share;
using testing::examples_of;
using testing::spelt;
using testing::Task;
using testing::TaskOptions;
using testing::TaskType;
using testing::value_of;

using Words = std::vector<std::string>;

/// Counts how often each came.
using Tally = std::map<std::string, std::size_t>;

/// So many different ones, each as often.
void check_even(const Tally& tally, std::size_t different) {
  REQUIRE(tally.size() == different);
  std::size_t total = 0;
  for (const auto& [word, count] : tally) total += count;
  for (const auto& [word, count] : tally) {
    INFO(word);
    check_share(count, total, 1 / static_cast<double>(different));
  }
}

/// Calls visit(words of the tokens, words of the targets) for examples of several steps.
template <class Visit>
void for_examples(const Task& task, std::int64_t n, Visit visit) {
  for (std::uint32_t step = 0; step < 4; ++step) {
    const auto examples = examples_of(task, {.step = step}, n, 1000);
    for (std::size_t i = 0; i < examples.count(); ++i)
      visit(spelt(task, examples.tokens_of(i)), spelt(task, examples.targets_of(i)));
  }
}

/// Where nothing is asked but at the last token.
bool asks_last(const Words& targets) {
  return !targets.back().empty() &&
         std::all_of(targets.begin(), targets.end() - 1, [](const std::string& target) { return target.empty(); });
}

std::size_t index_of(const Words& words, const std::string& word) {
  return static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
}

bool is_letter_to(char last, const std::string& word) { return word.size() == 1 && word[0] >= 'a' && word[0] <= last; }

std::string pair_of(std::size_t a, std::size_t b) { return std::to_string(a) + " " + std::to_string(b); }

}  // namespace

TEST_CASE("task order: is A before B", "[learning][task]") {
  const Task task = value_of(Task::make({.type = TaskType::order, .seed = 1}));
  for (const std::int64_t n : {2, 3, 7, 16, 100}) {
    INFO(n);
    Tally answers, indices, fillers;
    for_examples(task, n, [&](const Words& tokens, const Words& targets) {
      const auto length = static_cast<std::size_t>(n);
      REQUIRE(tokens.size() == length + 1);
      REQUIRE(tokens.back() == "?");
      REQUIRE(asks_last(targets));
      REQUIRE(std::ranges::count(tokens, "A") == 1);
      REQUIRE(std::ranges::count(tokens, "B") == 1);
      REQUIRE(std::ranges::count_if(tokens, [](const auto& word) { return is_letter_to('h', word); }) == n - 2);
      REQUIRE(targets.back() == (index_of(tokens, "A") < index_of(tokens, "B") ? "yes" : "no"));
      ++answers[targets.back()];
      ++indices[pair_of(index_of(tokens, "A"), index_of(tokens, "B"))];
      for (const std::string& token : tokens)
        if (is_letter_to('h', token)) ++fillers[token];
    });
    check_even(answers, 2);
    if (n <= 16) check_even(indices, static_cast<std::size_t>(n * (n - 1)));
    if (n > 2) check_even(fillers, 8);
  }
}

TEST_CASE("task roles: who loves whom", "[learning][task]") {
  for (const std::int64_t symbols : {0, 2, 40}) {
    const Task task = value_of(Task::make({.type = TaskType::roles, .symbols = symbols, .seed = 2}));
    const auto names = static_cast<std::size_t>(symbols == 0 ? 4 : symbols);
    Tally sentences, questions, answers;
    for_examples(task, 3, [&](const Words& tokens, const Words& targets) {
      REQUIRE(tokens.size() == 4);
      REQUIRE(asks_last(targets));
      REQUIRE(tokens[1] == "loves");
      for (const std::size_t i : {0u, 2u}) REQUIRE((tokens[i][0] >= 'A' && tokens[i][0] <= 'Z'));
      REQUIRE(tokens[0] != tokens[2]);
      const bool asks_who = tokens[3] == "who?";
      if (!asks_who) REQUIRE(tokens[3] == "whom?");
      REQUIRE(targets[3] == (asks_who ? tokens[0] : tokens[2]));
      ++sentences[tokens[0] + tokens[1] + tokens[2]];
      ++questions[tokens[3]];
      ++answers[targets[3]];
    });
    if (names < 40) check_even(sentences, names * (names - 1));
    check_even(questions, 2);
    check_even(answers, names);
  }
}

TEST_CASE("task back: the symbol so far before", "[learning][task]") {
  for (const std::int64_t distance : {1, 3, 7}) {
    const Task task = value_of(Task::make({.type = TaskType::back, .distance = distance, .seed = 3}));
    for (const std::int64_t n : {distance + 1, std::int64_t{8}, std::int64_t{64}}) {
      INFO(distance << " of " << n);
      Tally symbols, pairs;
      for_examples(task, n, [&](const Words& tokens, const Words& targets) {
        REQUIRE(tokens.size() == static_cast<std::size_t>(n));
        const auto back = static_cast<std::size_t>(distance);
        Words expected(back);
        expected.insert(expected.end(), tokens.begin(), tokens.end() - static_cast<std::ptrdiff_t>(distance));
        REQUIRE(targets == expected);
        for (const std::string& token : tokens) ++symbols[token];
        for (std::size_t i = 1; i < tokens.size(); i += 2) ++pairs[tokens[i - 1] + tokens[i]];
      });
      check_even(symbols, 16);
      for (const auto& [symbol, count] : symbols) CHECK(is_letter_to('p', symbol));
      check_even(pairs, 256);
    }
  }
}
