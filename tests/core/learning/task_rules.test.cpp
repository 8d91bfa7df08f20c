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

TEST_CASE("task copy: the same again", "[learning][task]") {
  const Task task = value_of(Task::make({.type = TaskType::copy, .seed = 4}));
  for (const std::int64_t n : {2, 5, 16, 64}) {
    INFO(n);
    Tally symbols;
    for_examples(task, n, [&](const Words& tokens, const Words& targets) {
      const auto length = static_cast<std::ptrdiff_t>(n);
      // The whole line, of which a model sees all but the last.
      Words line(tokens.begin(), tokens.begin() + length);
      for (const std::string& symbol : line) ++symbols[symbol];
      line.emplace_back("|");
      line.insert(line.end(), tokens.begin(), tokens.begin() + length);
      REQUIRE(tokens == Words(line.begin(), line.end() - 1));
      Words expected(static_cast<std::size_t>(n));
      expected.insert(expected.end(), line.begin() + length + 1, line.end());
      REQUIRE(targets == expected);
    });
    check_even(symbols, 16);
    for (const auto& [symbol, count] : symbols) CHECK(is_letter_to('p', symbol));
  }
}

TEST_CASE("task flip-flop: what was written last", "[learning][task]") {
  const Task task = value_of(Task::make({.type = TaskType::flip_flop, .seed = 5}));
  for (const std::int64_t n : {2, 4, 24, 50}) {
    INFO(n);
    Tally instructions, written, ignored, answers;
    for_examples(task, n, [&](const Words& tokens, const Words& targets) {
      REQUIRE(tokens.size() == static_cast<std::size_t>(2 * n - 1));
      REQUIRE(tokens.front() == "w");
      REQUIRE(tokens.back() == "r");
      std::string memory;
      Words expected;
      for (std::size_t i = 0; i < tokens.size(); i += 2) {
        const std::string& instruction = tokens[i];
        const bool reads = instruction == "r", is_last = i + 1 == tokens.size();
        if (i > 0 && !is_last) ++instructions[instruction];
        expected.push_back(reads ? memory : "");
        if (is_last) break;
        expected.emplace_back();
        const std::string& bit = tokens[i + 1];
        if (reads && bit != memory) FAIL("a read of another bit");
        if (instruction == "w") memory = bit;
        if (!reads) ++(instruction == "w" ? written : ignored)[bit];
      }
      REQUIRE(targets == expected);
      ++answers[memory];
    });
    const std::size_t drawn = 4000 * static_cast<std::size_t>(n - 2);
    if (n > 2) {
      check_share(instructions["w"], drawn, 0.1);
      check_share(instructions["r"], drawn, 0.1);
      check_share(instructions["i"], drawn, 0.8);
      CHECK(instructions.size() == 3);
      check_even(ignored, 2);
    }
    check_even(written, 2);
    check_even(answers, 2);
  }
}

TEST_CASE("task majority: of which bit there are more", "[learning][task]") {
  const Task task = value_of(Task::make({.type = TaskType::majority, .seed = 6}));
  for (const std::int64_t n : {2, 3, 4, 10, 23, 100}) {
    INFO(n);
    Tally answers, words;
    std::vector<std::size_t> ones_at(static_cast<std::size_t>(n));
    std::map<std::ptrdiff_t, std::size_t> sums;
    for_examples(task, n, [&](const Words& tokens, const Words& targets) {
      REQUIRE(tokens.size() == static_cast<std::size_t>(n + 1));
      REQUIRE(tokens.back() == "?");
      REQUIRE(asks_last(targets));
      const auto zeros = std::ranges::count(tokens, "0"), ones = std::ranges::count(tokens, "1");
      REQUIRE(zeros + ones == n);
      REQUIRE(zeros != ones);
      REQUIRE(targets.back() == (ones > zeros ? "1" : "0"));
      ++answers[targets.back()];
      ++sums[ones];
      std::string line;
      for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        line += tokens[i];
        if (tokens[i] == "1") ++ones_at[i];
      }
      ++words[line];
    });
    check_even(answers, 2);
    for (const std::size_t ones : ones_at) check_share(ones, 4000, 0.5);
    // Every line is as likely where n is odd; where it is even those with a bit more replace the ties.
    if (n == 3) check_even(words, 8);
    if (n == 2) check_even(words, 2);
    if (n == 4) {
      check_share(sums[0], 4000, 1 / 16.0);
      check_share(sums[1], 4000, 4 / 16.0 + 3 / 16.0);
      check_share(sums[3], 4000, 4 / 16.0 + 3 / 16.0);
      for (const char* line : {"0001", "0010", "0100", "1000", "0111", "1011", "1101", "1110"})
        check_share(words[line], 4000, 7 / 64.0);
    }
  }
}

TEST_CASE("task induction: what came after it the first time", "[learning][task]") {
  for (const std::int64_t symbols : {0, 2, 5}) {
    const Task task = value_of(Task::make({.type = TaskType::induction, .symbols = symbols, .seed = 7}));
    const std::size_t different = symbols == 0 ? 16 : static_cast<std::size_t>(symbols);
    const auto last = static_cast<char>('a' + different - 1);
    for (const std::int64_t n : {2, 4, 24, 64}) {
      INFO(symbols << " symbols, n " << n);
      Tally asked, answers, indices;
      for_examples(task, n, [&](const Words& tokens, const Words& targets) {
        REQUIRE(tokens.size() == static_cast<std::size_t>(n + 1));
        REQUIRE(asks_last(targets));
        REQUIRE(std::ranges::all_of(tokens, [&](const auto& word) { return is_letter_to(last, word); }));
        REQUIRE(std::ranges::count(tokens, tokens.back()) == 2);
        const std::size_t index = index_of(tokens, tokens.back());
        REQUIRE(index + 2 <= static_cast<std::size_t>(n));
        REQUIRE(targets.back() == tokens[index + 1]);
        ++asked[tokens.back()];
        ++answers[targets.back()];
        ++indices[std::to_string(index)];
      });
      check_even(asked, different);
      check_even(answers, different);
      check_even(indices, static_cast<std::size_t>(n - 1));
    }
  }
}
