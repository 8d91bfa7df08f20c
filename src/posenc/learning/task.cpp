#include "posenc/learning/task.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/tasks/task_kind.hpp"

namespace posenc::learning {
namespace {

constexpr const TaskKind* kinds[]{&order_kind,     &roles_kind,    &back_kind,      &copy_kind,
                                  &flip_flop_kind, &majority_kind, &induction_kind, &text_kind};

const TaskKind& kind_of(TaskType type) { return **std::ranges::find(kinds, type, &TaskKind::type); }

/// Fills in shortest and longest where they are 0, and checks them.
Expected<void> complete_sizes(const TaskKind& kind, TaskOptions& options) {
  std::int64_t &shortest = options.shortest, &longest = options.longest;
  for (const auto& [argument, n] : {std::pair("task.shortest", shortest), std::pair("task.longest", longest)})
    if (n != 0) POSENC_TRY(check_whole(argument, n, kind.least, kind.most));
  if (shortest == 0) shortest = longest == 0 ? kind.shortest : std::min(kind.shortest, longest);
  if (longest == 0) longest = std::max(kind.longest, shortest);
  POSENC_TRY(check_whole("task.longest", longest, shortest, kind.most));
  if (!kind.reads_distance) return {};
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

std::span<const std::int32_t> part_for(ExampleUse use, std::span<const std::int32_t> text) {
  const std::size_t tests = text.size() / 10;
  return use == ExampleUse::testing ? text.last(tests) : text.first(text.size() - tests);
}

}  // namespace

std::string_view name_of(TaskType type) { return kind_of(type).name; }

std::vector<std::string> with_symbols(std::vector<std::string> words, char first, std::int64_t symbols) {
  for (std::int64_t i = 0; i < symbols; ++i) {
    std::string word(1, static_cast<char>(first + i % 26));
    if (i >= 26) word += decimal(i / 26);
    words.push_back(std::move(word));
  }
  return words;
}

Expected<Task> Task::make(const TaskOptions& options) {
  Task task;
  task.options_ = options;
  const TaskKind& kind = kind_of(options.type);
  task.kind_ = &kind;
  POSENC_TRY(complete_sizes(kind, task.options_));
  POSENC_TRY(complete_symbols(kind, task.options_));
  POSENC_TRY(check_seed(options.seed));
  task.options_.text = {};
  if (kind.words != nullptr) {
    task.words_ = kind.words(task.options_.symbols);
    return task;
  }
  POSENC_TRY_LET(read, read_text(options.text));
  POSENC_TRY(check_characters(read.tokens.size(), task.options_.longest));
  task.words_ = std::move(read.words);
  task.text_ = std::move(read.tokens);
  return task;
}

std::size_t Task::tokens_of(std::int64_t n) const { return kind_->tokens_of(static_cast<std::size_t>(n)); }

std::int64_t Task::size_at(std::uint32_t step) const {
  if (options_.type == TaskType::text) return options_.longest;
  ExampleStream stream(options_.seed, StreamUse::sizes, step, 0);
  return options_.shortest + stream.below(static_cast<std::uint32_t>(options_.longest - options_.shortest + 1));
}

Expected<void> Task::write(const ExampleIndex& index, std::int64_t n, std::span<std::int32_t> tokens,
                           std::span<std::int32_t> targets) const {
  const auto text = part_for(index.use, text_.span());
  const std::int64_t least = kind_->reads_distance ? options_.distance + 1 : kind_->least;
  const std::int64_t most = text.empty() ? kind_->most : std::min<std::int64_t>(kind_->most, std::ssize(text) - 1);
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
    kind_->write(plan, stream, {tokens.subspan(i, length), targets.subspan(i, length)});
  }
  return {};
}

}  // namespace posenc::learning

namespace posenc {

template <>
Expected<learning::TaskType> from_name(std::string_view name) {
  std::vector<Name> names;
  for (const learning::TaskKind* kind : learning::kinds) names.emplace_back(kind->name, kind->type);
  return from_name<learning::TaskType>(names, "task.type", name);
}

}  // namespace posenc
