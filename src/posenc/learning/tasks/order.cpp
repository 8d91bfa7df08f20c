#include "posenc/learning/tasks/task_kind.hpp"

namespace posenc::learning {
namespace {

enum OrderToken : std::uint8_t { order_a, order_b, order_question, order_yes, order_no, order_symbols };

std::vector<std::string> order_words(std::int64_t symbols) {
  return with_symbols({"A", "B", "?", "yes", "no"}, 'a', symbols);
}

std::size_t order_tokens(std::size_t n) { return n + 1; }

void write_order(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row) {
  const auto [a, b] = stream.two_below(plan.n);
  for (std::uint32_t i = 0; i < plan.n; ++i) {
    const auto other = order_symbols + static_cast<std::int32_t>(stream.below(plan.symbols));
    row.tokens[i] = i == a ? order_a : (i == b ? order_b : other);
  }
  row.tokens[plan.n] = order_question;
  row.targets[plan.n] = a < b ? order_yes : order_no;
}

}  // namespace

constinit const TaskKind order_kind{.type = TaskType::order,
                                    .name = "order",
                                    .shortest = 2,
                                    .longest = 16,
                                    .symbols = 8,
                                    .least_symbols = 1,
                                    .words = order_words,
                                    .tokens_of = order_tokens,
                                    .write = write_order};

}  // namespace posenc::learning
