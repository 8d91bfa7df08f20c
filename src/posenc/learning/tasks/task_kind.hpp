#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/base/philox.hpp"
#include "posenc/learning/task.hpp"

namespace posenc::learning {

/// The last word of Philox's counter. The core's other random numbers have 0 there, and so differ for the same seed.
enum class StreamUse : std::uint8_t { training = 1, testing, sizes };

/// The random numbers of one example: Philox with the seed as the key and (block, sequence, step, use) as the counter.
class ExampleStream {
 public:
  ExampleStream(std::uint64_t seed, StreamUse use, std::uint32_t step, std::uint32_t sequence)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        counter_{0, sequence, step, std::to_underlying(use)} {}

  /// One of 0 ... count - 1: of so many equal parts of 0 ... 2^32, the one in which a random word lies. As these hold
  /// 2^32 / count words rounded down or up, a probability is off by less than 2^-32.
  [[nodiscard]] std::uint32_t below(std::uint32_t count) { return part_of(next(), count); }

  /// Two different ones of 0 ... count - 1, each pair as often.
  [[nodiscard]] std::array<std::uint32_t, 2> two_below(std::uint32_t count) {
    const std::uint32_t one = below(count);
    const std::uint32_t other = below(count - 1);
    return {one, other + (other >= one ? 1 : 0)};
  }

  /// One of 0 ... count - 1 that is not random: over the sequences of a step they are spread evenly, however many there
  /// are, as multiples of the golden ratio are modulo 1. Another step moves them all.
  [[nodiscard]] std::uint32_t spread_below(std::uint32_t count) const {
    return part_of(counter_[1] * 0x9E3779B9 + counter_[2] * 0xBB67AE85, count);
  }

 private:
  static std::uint32_t part_of(std::uint32_t word, std::uint32_t count) {
    return static_cast<std::uint32_t>(std::uint64_t{word} * count >> 32);
  }

  std::uint32_t next() {
    if (left_ == 0) {
      words_ = philox(counter_, key_);
      ++counter_[0];
      left_ = words_.size();
    }
    return words_[words_.size() - left_--];
  }

  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> words_{};
  std::size_t left_ = 0;
};

/// The properties that the examples of a call share.
struct ExamplePlan {
  std::uint32_t n;
  std::uint32_t symbols;
  std::uint32_t distance;
  ExampleUse use;
  std::span<const std::int32_t> text;  ///< the part for this use
};

/// The buffers of an example; all targets are not_asked before it is written.
struct ExampleRow {
  std::span<std::int32_t> tokens, targets;
};

/// The largest n, and the largest number of symbols.
inline constexpr std::int64_t largest_example = 1 << 20, most_symbols = 1024;

/// The properties of a task.
struct TaskKind {
  TaskType type;
  std::string_view name;
  std::int64_t shortest, longest;       ///< n in training, where the options have none
  std::int64_t symbols, least_symbols;  ///< default and minimum; 0: the task has none to choose
  /// Writes all words in the order of tokens; null where they come from the text.
  std::vector<std::string> (*words)(std::int64_t symbols);
  std::size_t (*tokens_of)(std::size_t n);
  void (*write)(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row);
  std::int64_t least = 2, most = largest_example;  ///< n
  bool reads_distance = false;                     ///< and needs an n above it
};

// Each is defined in the source of its name.
extern const TaskKind order_kind, roles_kind, back_kind, copy_kind, flip_flop_kind, majority_kind, induction_kind,
    text_kind;

/// These words and `symbols` more: letters from `first`, 'a' or 'A', on; after the alphabet "a1", "b1" and so on.
[[nodiscard]] std::vector<std::string> with_symbols(std::vector<std::string> words, char first, std::int64_t symbols);

/// A text as tokens.
struct TextTokens {
  std::vector<std::string> words;
  AlignedArray<std::int32_t> tokens;
};

/// Errors: bytes that are no UTF-8, named "task.text"; memory. Tokens are as in Task::words.
[[nodiscard]] Expected<TextTokens> read_text(std::string_view text);

}  // namespace posenc::learning
