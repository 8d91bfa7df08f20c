#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "posenc/learning/task.hpp"
#include "testing/testing.hpp"

namespace testing {

using posenc::learning::ExampleIndex;
using posenc::learning::ExampleUse;
using posenc::learning::Task;
using posenc::learning::TaskOptions;
using posenc::learning::TaskType;

/// Examples, each a row of `length` tokens and targets.
struct Examples {
  std::size_t length = 0;
  std::vector<std::int32_t> tokens, targets;

  [[nodiscard]] std::size_t count() const { return tokens.size() / length; }
  [[nodiscard]] std::span<const std::int32_t> tokens_of(std::size_t i) const {
    return std::span(tokens).subspan(i * length, length);
  }
  [[nodiscard]] std::span<const std::int32_t> targets_of(std::size_t i) const {
    return std::span(targets).subspan(i * length, length);
  }
  bool operator==(const Examples&) const = default;
};

[[nodiscard]] inline Examples examples_of(const Task& task, const ExampleIndex& index, std::int64_t n,
                                          std::size_t count) {
  Examples made{task.tokens_of(n), {}, {}};
  made.tokens.resize(count * made.length, -7);
  made.targets.resize(count * made.length, -7);
  value_of(task.write(index, n, made.tokens, made.targets));
  return made;
}

/// The words of tokens; "" where nothing is asked.
[[nodiscard]] inline std::vector<std::string> spelt(const Task& task, std::span<const std::int32_t> tokens) {
  std::vector<std::string> words;
  for (const std::int32_t token : tokens) {
    const bool is_token = token >= 0 && static_cast<std::size_t>(token) < task.vocabulary();
    if (!is_token && token != posenc::learning::not_asked) FAIL("no token: " << token);
    words.push_back(is_token ? task.words()[static_cast<std::size_t>(token)] : "");
  }
  return words;
}

/// An event of this probability, within four standard deviations.
inline void check_share(std::size_t count, std::size_t total, double probability) {
  const double mean = static_cast<double>(total) * probability;
  INFO(count << " of " << total << ", expected " << mean);
  CHECK(std::fabs(static_cast<double>(count) - mean) <= 4 * std::sqrt(mean * (1 - probability)));
}

/// Tokens, then targets, each of which is exact as a float.
[[nodiscard]] inline std::vector<float> as_floats(const Examples& examples) {
  std::vector<float> floats(examples.tokens.begin(), examples.tokens.end());
  floats.insert(floats.end(), examples.targets.begin(), examples.targets.end());
  return floats;
}

}  // namespace testing
