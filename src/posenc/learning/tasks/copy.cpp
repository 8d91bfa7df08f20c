#include "posenc/learning/tasks/task_kind.hpp"

namespace posenc::learning {
namespace {

enum CopyToken : std::uint8_t { copy_separator, copy_symbols };

std::vector<std::string> copy_words(std::int64_t symbols) { return with_symbols({"|"}, 'a', symbols); }

/// The last symbol is only asked for.
std::size_t copy_tokens(std::size_t n) { return 2 * n; }

void write_copy(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row) {
  row.tokens[plan.n] = copy_separator;
  for (std::uint32_t i = 0; i < plan.n; ++i) {
    const auto symbol = copy_symbols + static_cast<std::int32_t>(stream.below(plan.symbols));
    row.tokens[i] = symbol;
    row.targets[plan.n + i] = symbol;
    if (i + 1 < plan.n) row.tokens[plan.n + 1 + i] = symbol;
  }
}

}  // namespace

constinit const TaskKind copy_kind{.type = TaskType::copy,
                                   .name = "copy",
                                   .shortest = 2,
                                   .longest = 16,
                                   .symbols = 16,
                                   .least_symbols = 2,
                                   .words = copy_words,
                                   .tokens_of = copy_tokens,
                                   .write = write_copy};

}  // namespace posenc::learning
