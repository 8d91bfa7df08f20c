#include "posenc/learning/sampled_positions.hpp"

#include <numeric>

#include "posenc/learning/tasks/example_stream.hpp"

namespace posenc::learning {
namespace {

/// Chooses out.size() positions below `reach`, in order, each set as likely (Knuth, The Art of Computer Programming
/// 3.4.2, S).
void choose_positions(ExampleStream& stream, std::int32_t reach, std::span<std::int32_t> out) {
  auto left = static_cast<std::uint32_t>(out.size());
  auto to = out.begin();
  for (std::int32_t position = 0; left > 0; ++position)
    if (stream.below(static_cast<std::uint32_t>(reach - position)) < left) {
      *to++ = position;
      --left;
    }
}

}  // namespace

void write_positions(PositionSampling sampling, std::uint64_t seed, const ExampleIndex& index, std::size_t length,
                     std::int32_t reach, std::span<std::int32_t> positions) {
  const auto use = index.use == ExampleUse::testing ? StreamUse::testing_positions : StreamUse::training_positions;
  std::uint32_t sequence = index.first;
  for (std::size_t first = 0; first < positions.size(); first += length, ++sequence) {
    const auto of_one = positions.subspan(first, length);
    ExampleStream stream(seed, use, index.step, sequence);
    if (sampling == PositionSampling::random) {
      choose_positions(stream, reach, of_one);
      continue;
    }
    const auto starts = static_cast<std::uint32_t>(reach) - static_cast<std::uint32_t>(length) + 1;
    const bool is_plain = sampling == PositionSampling::plain;
    std::iota(of_one.begin(), of_one.end(), is_plain ? 0 : static_cast<std::int32_t>(stream.below(starts)));
  }
}

}  // namespace posenc::learning
