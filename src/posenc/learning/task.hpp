#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"

namespace posenc::learning {

/// Lists what a model can be trained on. The length of an example is counted in n. Each symbol is drawn as often as the
/// others, any number of times unless noted.
enum class TaskType : std::uint8_t {
  order,  ///< n symbols, among them A and B once each, and a question mark: is A before B?
  roles,  ///< "A loves B", and who: which of the two loves (or is loved)? Always four tokens, so that n is always 3
  back,   ///< n symbols: at each, the one `distance` before it
  text,   ///< n characters of a text: at each, the next. The last tenth is for testing
};

struct TaskOptions {
  TaskType type = TaskType::order;
  /// n in training, 2 ... 2^20 (roles: 3). 0: order 2 ... 16; back 8 ... 32; text 32; or the one that is given, where
  /// that is outside.
  std::int64_t shortest = 0, longest = 0;
  /// The number of different symbols of order (besides A and B), roles and back: 1 (order) or 2 ... 1024. 0: 8, 4, 16.
  /// A text leaves it unread.
  std::int64_t symbols = 0;
  std::int64_t distance = 3;   ///< of back, 1 ... shortest - 1
  std::string_view text = {};  ///< of text, UTF-8: at least 10 * (longest + 1) characters
  std::uint64_t seed = 0;      ///< of the training's examples, below 2^53; those of tests are the same for all
};

/// Examples for testing are drawn with other random numbers, or from another part of the text, than those for training.
/// Where there are few different ones (of a small n), both have the same among them.
enum class ExampleUse : std::uint8_t { training, testing };

/// The index of an example: sequence `first` and those after it of step or round `step`. Given the task and n, an
/// example depends on nothing else, so that a batch may be cut anywhere. Sequences are counted modulo 2^32.
struct ExampleIndex {
  ExampleUse use = ExampleUse::training;
  std::uint32_t step = 0, first = 0;
};

/// The target of a token at which nothing is asked.
inline constexpr std::int32_t not_asked = -1;

class Task {
 public:
  /// Errors: an option out of range, named "task.shortest" and so on; a text that is no UTF-8 or too short; memory.
  [[nodiscard]] static Expected<Task> make(const TaskOptions& options);

  /// The options with defaults in place of 0, and without the text, which need not outlive `make`.
  [[nodiscard]] const TaskOptions& options() const { return options_; }
  /// The number of different tokens, 0 ... vocabulary - 1.
  [[nodiscard]] std::size_t vocabulary() const { return words_.size(); }
  /// The word of each token: "A", "?", "w". A text has its characters in the order of their code points; of more than
  /// 1024 the most frequent, and "\uFFFD" for the others.
  [[nodiscard]] std::span<const std::string> words() const { return words_; }
  /// The number of tokens in an example of n.
  [[nodiscard]] std::size_t tokens_of(std::int64_t n) const;
  /// The n of a training step: from shortest to longest, each as often, one for the whole batch; text has the longest.
  [[nodiscard]] std::int64_t size_at(std::uint32_t step) const;

  /// Writes examples, tokens and targets [sequences, tokens_of(n)], as many as fit. Windows of a text begin at random
  /// characters; for testing they are spread evenly over its part, however many there are. Errors: n below 2, above
  /// 2^20, or what the task has no examples of (roles: not 3; back: at most `distance`; text: longer than the part);
  /// sizes that differ or are no multiple.
  [[nodiscard]] Expected<void> write(const ExampleIndex& index, std::int64_t n, std::span<std::int32_t> tokens,
                                     std::span<std::int32_t> targets) const;

 private:
  Task() = default;

  TaskOptions options_;
  std::vector<std::string> words_;
  AlignedArray<std::int32_t> text_;  ///< of text: its characters as tokens
};

}  // namespace posenc::learning

namespace posenc {

template <>
inline constexpr auto names_of<learning::TaskType> = Names("task.type", {{"order", learning::TaskType::order},
                                                                         {"roles", learning::TaskType::roles},
                                                                         {"back", learning::TaskType::back},
                                                                         {"text", learning::TaskType::text}});

}  // namespace posenc
