#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "posenc/base/philox.hpp"

namespace posenc::learning {

/// The last word of Philox's counter. The core's other random numbers have 0 there, and so differ for the same seed.
enum class StreamUse : std::uint32_t {
  training = 1,
  testing,
  sizes,
  training_positions = 0x706f7300,
  testing_positions
};

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

}  // namespace posenc::learning
