#include "posenc/learning/tasks/task_kind.hpp"

namespace posenc::learning {
namespace {

enum MajorityToken : std::uint8_t { majority_zero, majority_one, majority_question };

std::vector<std::string> majority_words(std::int64_t /*symbols*/) { return {"0", "1", "?"}; }

std::size_t majority_tokens(std::size_t n) { return n + 1; }

void write_majority(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row) {
  std::uint32_t ones = 0;
  for (std::uint32_t i = 0; i < plan.n; ++i) {
    const std::uint32_t bit = stream.below(2);
    row.tokens[i] = static_cast<std::int32_t>(bit);
    ones += bit;
  }
  if (2 * ones == plan.n) {
    // A random bit is flipped: this favours neither answer and no index.
    std::int32_t& flipped = row.tokens[stream.below(plan.n)];
    flipped = flipped == majority_one ? majority_zero : majority_one;
    ones += flipped == majority_one ? 1 : -1u;
  }
  row.tokens[plan.n] = majority_question;
  row.targets[plan.n] = 2 * ones > plan.n ? majority_one : majority_zero;
}

}  // namespace

constinit const TaskKind majority_kind{.type = TaskType::majority,
                                       .name = "majority",
                                       .shortest = 3,
                                       .longest = 23,
                                       .symbols = 0,
                                       .least_symbols = 0,
                                       .words = majority_words,
                                       .tokens_of = majority_tokens,
                                       .write = write_majority};

}  // namespace posenc::learning
