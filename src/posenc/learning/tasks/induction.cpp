#include "posenc/learning/tasks/task_kind.hpp"

namespace posenc::learning {
namespace {

std::vector<std::string> induction_words(std::int64_t symbols) { return with_symbols({}, 'a', symbols); }

std::size_t induction_tokens(std::size_t n) { return n + 1; }

void write_induction(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row) {
  const std::uint32_t once = stream.below(plan.symbols);
  const std::uint32_t index = stream.below(plan.n - 1);  // one comes after it
  for (std::uint32_t i = 0; i < plan.n; ++i) {
    const std::uint32_t other = stream.below(plan.symbols - 1);
    row.tokens[i] = static_cast<std::int32_t>(i == index ? once : other + (other >= once ? 1 : 0));
  }
  row.tokens[plan.n] = static_cast<std::int32_t>(once);
  row.targets[plan.n] = row.tokens[index + 1];
}

}  // namespace

constinit const TaskKind induction_kind{.type = TaskType::induction,
                                        .name = "induction",
                                        .shortest = 4,
                                        .longest = 24,
                                        .symbols = 16,
                                        .least_symbols = 2,
                                        .words = induction_words,
                                        .tokens_of = induction_tokens,
                                        .write = write_induction};

}  // namespace posenc::learning
