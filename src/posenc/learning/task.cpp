#include "posenc/learning/task.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/tasks/example_stream.hpp"
#include "posenc/learning/tasks/text_tokens.hpp"

namespace posenc::learning {
namespace {

/// The largest n, and the largest number of symbols.
constexpr std::int64_t largest_example = 1 << 20, most_symbols = 1024;

/// The properties that the examples of a call share.
struct ExamplePlan {
  std::uint32_t n;
  std::uint32_t symbols;
  std::uint32_t distance;
  ExampleUse use;
  std::span<const std::int32_t> text;  ///< the part for this use
};

/// The buffers of an example; all targets are not_asked before it is written.
struct ExampleRow {
  std::span<std::int32_t> tokens, targets;
};

enum OrderToken : std::uint8_t { order_a, order_b, order_question, order_yes, order_no, order_symbols };
constexpr std::string_view order_words[]{"A", "B", "?", "yes", "no"};

void write_order(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row) {
  const auto [a, b] = stream.two_below(plan.n);
  for (std::uint32_t i = 0; i < plan.n; ++i) {
    const auto other = order_symbols + static_cast<std::int32_t>(stream.below(plan.symbols));
    row.tokens[i] = i == a ? order_a : (i == b ? order_b : other);
  }
  row.tokens[plan.n] = order_question;
  row.targets[plan.n] = a < b ? order_yes : order_no;
}

enum RolesToken : std::uint8_t { roles_verb, roles_who, roles_whom, roles_names };
constexpr std::string_view roles_words[]{"loves", "who?", "whom?"};

void write_roles(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row) {
  const auto [one, other] = stream.two_below(plan.symbols);
  const bool asks_whom = stream.below(2) == 1;
  row.tokens[0] = roles_names + static_cast<std::int32_t>(one);
  row.tokens[1] = roles_verb;
  row.tokens[2] = roles_names + static_cast<std::int32_t>(other);
  row.tokens[3] = asks_whom ? roles_whom : roles_who;
  row.targets[3] = row.tokens[asks_whom ? 2 : 0];
}

void write_back(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row) {
  for (std::uint32_t i = 0; i < plan.n; ++i) {
    row.tokens[i] = static_cast<std::int32_t>(stream.below(plan.symbols));
    if (i >= plan.distance) row.targets[i] = row.tokens[i - plan.distance];
  }
}

void write_window(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row) {
  const auto starts = static_cast<std::uint32_t>(plan.text.size()) - plan.n;
  const std::uint32_t start = plan.use == ExampleUse::testing ? stream.spread_below(starts) : stream.below(starts);
  std::ranges::copy(plan.text.subspan(start, plan.n), row.tokens.begin());
  std::ranges::copy(plan.text.subspan(start + 1, plan.n), row.targets.begin());
}

/// The properties of a task.
struct TaskKind {
  TaskType type;
  bool asks_last;  ///< one more token, the question, comes after the n
  char first_symbol;
  std::int64_t shortest, longest;           ///< n in training, where the options have none
  std::int64_t least, most;                 ///< n
  std::int64_t symbols, least_symbols;      ///< default and minimum; 0: the words come from the text
  std::span<const std::string_view> words;  ///< those before the symbols
  void (*write)(const ExamplePlan& plan, ExampleStream& stream, const ExampleRow& row);
};

constexpr TaskKind kinds[]{
    {TaskType::order, true, 'a', 2, 16, 2, largest_example, 8, 1, order_words, write_order},
    {TaskType::roles, true, 'A', 3, 3, 3, 3, 4, 2, roles_words, write_roles},
    {TaskType::back, false, 'a', 8, 32, 2, largest_example, 16, 2, {}, write_back},
    {TaskType::text, false, 'a', 32, 32, 2, largest_example, 0, 0, {}, write_window},
};

const TaskKind& kind_of(TaskType type) { return *std::ranges::find(kinds, type, &TaskKind::type); }

/// Fills in shortest and longest where they are 0, and checks them.
Expected<void> complete_sizes(const TaskKind& kind, TaskOptions& options) {
  std::int64_t &shortest = options.shortest, &longest = options.longest;
  for (const auto& [argument, n] : {std::pair("task.shortest", shortest), std::pair("task.longest", longest)})
    if (n != 0) POSENC_TRY(check_whole(argument, n, kind.least, kind.most));
  if (shortest == 0) shortest = longest == 0 ? kind.shortest : std::min(kind.shortest, longest);
  if (longest == 0) longest = std::max(kind.longest, shortest);
  POSENC_TRY(check_whole("task.longest", longest, shortest, kind.most));
  if (kind.type != TaskType::back) return {};
  return check_whole("task.distance", options.distance, 1, shortest - 1);
}

Expected<void> complete_symbols(const TaskKind& kind, TaskOptions& options) {
  if (kind.symbols == 0) return {};
  if (options.symbols == 0) options.symbols = kind.symbols;
  return check_whole("task.symbols", options.symbols, kind.least_symbols, most_symbols);
}

Expected<void> check_seed(std::uint64_t seed) {
  if (seed >> 53 == 0) return {};
  return invalid_argument("task.seed", static_cast<double>(seed), expected::whole_from_to, {0, "2^53 - 1"});
}

Expected<void> check_characters(std::size_t count, std::int64_t longest) {
  // The last tenth, for testing, has at least one window.
  const std::int64_t least = 10 * (longest + 1);
  if (std::cmp_greater_equal(count, least) && std::in_range<std::int32_t>(count)) return {};
  return invalid_argument("task.text", decimal(count) + " characters", {decimal(least), " to 2147483647 of them"});
}

/// All words in the order of tokens; after the alphabet symbols are "a1", "b1" and so on.
std::vector<std::string> words_of(const TaskKind& kind, std::int64_t symbols) {
  std::vector<std::string> words(kind.words.begin(), kind.words.end());
  for (std::int64_t i = 0; i < symbols; ++i) {
    std::string word(1, static_cast<char>(kind.first_symbol + i % 26));
    if (i >= 26) word += decimal(i / 26);
    words.push_back(std::move(word));
  }
  return words;
}

std::span<const std::int32_t> part_for(ExampleUse use, std::span<const std::int32_t> text) {
  const std::size_t tests = text.size() / 10;
  return use == ExampleUse::testing ? text.last(tests) : text.first(text.size() - tests);
}

}  // namespace

Expected<Task> Task::make(const TaskOptions& options) {
  Task task;
  task.options_ = options;
  const TaskKind& kind = kind_of(options.type);
  POSENC_TRY(complete_sizes(kind, task.options_));
  POSENC_TRY(complete_symbols(kind, task.options_));
  POSENC_TRY(check_seed(options.seed));
  task.options_.text = {};
  if (kind.type != TaskType::text) {
    task.words_ = words_of(kind, task.options_.symbols);
    return task;
  }
  POSENC_TRY_LET(read, read_text(options.text));
  POSENC_TRY(check_characters(read.tokens.size(), task.options_.longest));
  task.words_ = std::move(read.words);
  task.text_ = std::move(read.tokens);
  return task;
}

std::size_t Task::tokens_of(std::int64_t n) const {
  const TaskKind& kind = kind_of(options_.type);
  const bool has_one_length = kind.least == kind.most;
  return static_cast<std::size_t>((has_one_length ? kind.most : n) + (kind.asks_last ? 1 : 0));
}

std::int64_t Task::size_at(std::uint32_t step) const {
  if (options_.type == TaskType::text) return options_.longest;
  ExampleStream stream(options_.seed, StreamUse::sizes, step, 0);
  return options_.shortest + stream.below(static_cast<std::uint32_t>(options_.longest - options_.shortest + 1));
}

Expected<void> Task::write(const ExampleIndex& index, std::int64_t n, std::span<std::int32_t> tokens,
                           std::span<std::int32_t> targets) const {
  const TaskKind& kind = kind_of(options_.type);
  const auto text = part_for(index.use, text_.span());
  const std::int64_t least = kind.type == TaskType::back ? options_.distance + 1 : kind.least;
  const std::int64_t most = text.empty() ? kind.most : std::min<std::int64_t>(kind.most, std::ssize(text) - 1);
  POSENC_TRY(check_whole("n", n, least, most));
  const std::size_t length = tokens_of(n);
  if (tokens.size() % length != 0)
    return invalid_argument("tokens", static_cast<double>(tokens.size()), expected::multiple_of_values, {length});
  POSENC_TRY(check_size("targets", targets.size(), tokens.size()));

  std::ranges::fill(targets, not_asked);
  const ExamplePlan plan{static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(options_.symbols),
                         static_cast<std::uint32_t>(options_.distance), index.use, text};
  const bool tests = index.use == ExampleUse::testing;
  std::uint32_t sequence = index.first;
  for (std::size_t i = 0; i < tokens.size(); i += length, ++sequence) {
    ExampleStream stream(tests ? 0 : options_.seed, tests ? StreamUse::testing : StreamUse::training, index.step,
                         sequence);
    kind.write(plan, stream, {tokens.subspan(i, length), targets.subspan(i, length)});
  }
  return {};
}

}  // namespace posenc::learning
