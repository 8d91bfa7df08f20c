#include "posenc/learning/tasks/task_kind.hpp"

namespace posenc::learning {
namespace {

enum FlipFlopToken : std::uint8_t { flip_flop_write, flip_flop_ignore, flip_flop_read, flip_flop_bits };

std::vector<std::string> flip_flop_words(std::int64_t /*symbols*/) { return {"w", "i", "r", "0", "1"}; }

/// The last bit is only asked for.
std::size_t flip_flop_tokens(std::size_t n) { return 2 * n - 1; }

/// Writes and reads are a tenth each (Liu et al. 2023, "Exposing Attention Glitches with Flip-Flop Language Modeling").
FlipFlopToken draw_instruction(ExampleStream& stream) {
  const std::uint32_t tenth = stream.below(10);
  return tenth == 0 ? flip_flop_write : (tenth == 1 ? flip_flop_read : flip_flop_ignore);
}

void write_flip_flop(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row) {
  std::int32_t written = flip_flop_bits;
  for (std::size_t i = 0; i < plan.n; ++i) {
    const FlipFlopToken drawn = draw_instruction(stream);
    const FlipFlopToken instruction = i == 0 ? flip_flop_write : (i + 1 == plan.n ? flip_flop_read : drawn);
    const auto random = flip_flop_bits + static_cast<std::int32_t>(stream.below(2));
    if (instruction == flip_flop_write) written = random;
    row.tokens[2 * i] = instruction;
    if (instruction == flip_flop_read) row.targets[2 * i] = written;
    if (i + 1 < plan.n) row.tokens[2 * i + 1] = instruction == flip_flop_read ? written : random;
  }
}

}  // namespace

constinit const TaskKind flip_flop_kind{.type = TaskType::flip_flop,
                                        .name = "flip-flop",
                                        .shortest = 4,
                                        .longest = 24,
                                        .symbols = 0,
                                        .least_symbols = 0,
                                        .words = flip_flop_words,
                                        .tokens_of = flip_flop_tokens,
                                        .write = write_flip_flop};

}  // namespace posenc::learning
