#include "posenc/learning/sampled_positions.hpp"

#include <array>
#include <numeric>

#include "posenc/base/philox.hpp"

namespace posenc::learning {
namespace {

/// Part of Philox's counter: positions have other random numbers than examples.
constexpr std::uint32_t positions_purpose = 0x706f7300;

/// The random words that an example's positions are drawn with, in order.
class PositionWords {
 public:
  PositionWords(std::uint64_t seed, const ExampleIndex& index, std::uint32_t sequence)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        counter_{0, sequence, index.step,
                 positions_purpose + static_cast<std::uint32_t>(index.use == ExampleUse::testing ? 1 : 0)} {}

  /// A random number of 0 ... count - 1.
  std::uint32_t below(std::uint32_t count) {
    if (used_ == words_.size()) {
      words_ = philox(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    return static_cast<std::uint32_t>(std::uint64_t{words_[used_++]} * count >> 32);
  }

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_, words_{};
  std::size_t used_ = 4;
};

/// Chooses out.size() positions below `reach`, in order, each set as likely (Knuth, The Art of Computer Programming
/// 3.4.2, S).
void choose_positions(PositionWords& words, std::int32_t reach, std::span<std::int32_t> out) {
  auto left = static_cast<std::uint32_t>(out.size());
  auto to = out.begin();
  for (std::int32_t position = 0; left > 0; ++position)
    if (words.below(static_cast<std::uint32_t>(reach - position)) < left) {
      *to++ = position;
      --left;
    }
}

}  // namespace

void write_positions(PositionSampling sampling, std::uint64_t seed, const ExampleIndex& index, std::size_t length,
                     std::int32_t reach, std::span<std::int32_t> positions) {
  std::uint32_t sequence = index.first;
  for (std::size_t first = 0; first < positions.size(); first += length, ++sequence) {
    const auto of_one = positions.subspan(first, length);
    PositionWords words(seed, index, sequence);
    if (sampling == PositionSampling::random)
      choose_positions(words, reach, of_one);
    else
      std::iota(of_one.begin(), of_one.end(),
                sampling == PositionSampling::plain
                    ? 0
                    : static_cast<std::int32_t>(
                          words.below(static_cast<std::uint32_t>(reach) - static_cast<std::uint32_t>(length) + 1)));
  }
}

}  // namespace posenc::learning
