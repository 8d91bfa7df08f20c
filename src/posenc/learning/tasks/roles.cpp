#include "posenc/learning/tasks/task_kind.hpp"

namespace posenc::learning {
namespace {

enum RolesToken : std::uint8_t { roles_verb, roles_who, roles_whom, roles_names };

std::vector<std::string> roles_words(std::int64_t symbols) {
  return with_symbols({"loves", "who?", "whom?"}, 'A', symbols);
}

std::size_t roles_tokens(std::size_t /*n*/) { return 4; }

void write_roles(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row) {
  const auto [one, other] = stream.two_below(plan.symbols);
  const bool asks_whom = stream.below(2) == 1;
  row.tokens[0] = roles_names + static_cast<std::int32_t>(one);
  row.tokens[1] = roles_verb;
  row.tokens[2] = roles_names + static_cast<std::int32_t>(other);
  row.tokens[3] = asks_whom ? roles_whom : roles_who;
  row.targets[3] = row.tokens[asks_whom ? 2 : 0];
}

}  // namespace

constinit const TaskKind roles_kind{.type = TaskType::roles,
                                    .name = "roles",
                                    .shortest = 3,
                                    .longest = 3,
                                    .symbols = 4,
                                    .least_symbols = 2,
                                    .words = roles_words,
                                    .tokens_of = roles_tokens,
                                    .write = write_roles,
                                    .least = 3,
                                    .most = 3};

}  // namespace posenc::learning
