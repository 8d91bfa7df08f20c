#include "posenc/learning/tasks/task_kind.hpp"

namespace posenc::learning {
namespace {

std::vector<std::string> back_words(std::int64_t symbols) { return with_symbols({}, 'a', symbols); }

std::size_t back_tokens(std::size_t n) { return n; }

void write_back(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row) {
  for (std::uint32_t i = 0; i < plan.n; ++i) {
    row.tokens[i] = static_cast<std::int32_t>(stream.below(plan.symbols));
    if (i >= plan.distance) row.targets[i] = row.tokens[i - plan.distance];
  }
}

}  // namespace

constinit const TaskKind back_kind{.type = TaskType::back,
                                   .name = "back",
                                   .shortest = 8,
                                   .longest = 32,
                                   .symbols = 16,
                                   .least_symbols = 2,
                                   .words = back_words,
                                   .tokens_of = back_tokens,
                                   .write = write_back,
                                   .reads_distance = true};

}  // namespace posenc::learning
