#include "posenc/learning/training.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/learned/optimizer.hpp"
#include "posenc/learned/table_init.hpp"
#include "posenc/learning/array_size.hpp"
#include "posenc/learning/sampled_positions.hpp"
#include "posenc/learning/training_state.hpp"

namespace posenc::learning {
namespace {

constexpr Name sampling_names[]{
    {"plain", PositionSampling::plain}, {"offset", PositionSampling::offset}, {"random", PositionSampling::random}};

/// The most workers that can share a step.
constexpr std::size_t most_shards = 4;
/// The most parameters of a model: each has a seed of its own.
constexpr std::int64_t most_parameters = 4096;

Expected<void> check_share(std::string_view argument, double value, double most) {
  if (value > 0 && value <= most) return {};
  return invalid_argument(argument, value, expected::above_to, {0, most});
}

Expected<void> check_from_zero(std::string_view argument, double value, double most) {
  if (value >= 0 && value <= most) return {};
  return invalid_argument(argument, value, expected::from_to, {0, most});
}

Expected<void> check_training(const TrainingOptions& options) {
  const OptimizerOptions& optimizer = options.optimizer;
  for (auto&& checked :
       {check_whole("optimizer.steps", optimizer.steps, 1, std::int64_t{1} << 20),
        check_whole("optimizer.batch", optimizer.batch, 1, 4096), check_share("optimizer.rate", optimizer.rate, 1),
        check_share("optimizer.encodingRate", optimizer.encoding_rate, 1000),
        check_whole("optimizer.warmUp", optimizer.warm_up, 0, std::int64_t{1} << 20),
        check_from_zero("optimizer.clip", optimizer.clip, 1e9),
        check_from_zero("optimizer.weightDecay", optimizer.weight_decay, 1),
        check_whole("stretch", options.stretch, 1, 64),
        check_whole("seed", options.seed, 0, (std::int64_t{1} << 32) - 1)})
    if (!checked) return checked;
  if (options.encoding.map)
    return invalid_argument("encoding.map", std::string("given"),
                            {"none: a map of positions is for tests of a trained model"});
  return {};
}

/// Writes the initial values of every parameter, from a seed of its own.
Expected<void> initialise(std::span<const Parameter> parameters, std::int64_t seed, std::span<float> values) {
  std::int64_t index = seed * most_parameters;
  for (const Parameter& parameter : parameters) {
    const std::span<float> of = values.subspan(parameter.first, parameter.size());
    const auto [value, deviation] = parameter.initial;
    std::ranges::fill(of, value);
    ++index;
    if (deviation == 0) continue;
    const TableInit init{static_cast<std::int64_t>(parameter.columns), index, TableDistribution::normal, deviation};
    POSENC_TRY(init_table(init, 0, of));
    for (float& number : of) number += value;
  }
  return {};
}

/// The rate of a step, 1, 2, ...: it rises in a line and falls as half a cosine wave, to 0 after the last step.
double rate_at(const OptimizerOptions& options, std::int64_t step) {
  const auto at = static_cast<double>(step), warm = static_cast<double>(options.warm_up);
  if (step <= options.warm_up) return options.rate * at / warm;
  alignas(64) double cycles[Frequencies::dim_block] = {};
  alignas(64) double sines[Frequencies::dim_block], cosines[Frequencies::dim_block];
  cycles[0] = (at - warm - 1) / (static_cast<double>(options.steps) - warm) / 2;
  sines_and_cosines(cycles, Frequencies::dim_block, sines, cosines);
  return options.rate * (1 + cosines[0]) / 2;
}

/// Multiplications and additions in a pass's products of matrices: of layers, of attention and of the output.
double operations_of(const Transformer& model, std::size_t sequences, std::size_t length, std::size_t asked) {
  const ModelOptions& options = model.options();
  const auto width = static_cast<double>(options.width), hidden = static_cast<double>(options.hidden);
  const auto rows = static_cast<double>(sequences * length), words = static_cast<double>(model.vocabulary());
  const double layer = rows * width * (4 * width + 2 * hidden) + 2 * rows * static_cast<double>(length) * width;
  return 2 * (static_cast<double>(options.layers) * layer + static_cast<double>(asked) * width * words);
}

}  // namespace

std::string_view name_of(PositionSampling sampling) { return name_of(sampling_names, sampling); }

std::pair<std::size_t, std::size_t> Training::State::sequences_of(std::size_t shard) const {
  const auto batch = static_cast<std::size_t>(options.optimizer.batch);
  return {shard * batch / shards, (shard + 1) * batch / shards};
}

Expected<void> Training::State::check_next() const {
  if (steps < options.optimizer.steps) return {};
  return invalid_argument("step", static_cast<double>(steps + 1),
                          {"a step of those that the training has, ", decimal(options.optimizer.steps)});
}

Training::Training(std::unique_ptr<State> state) : state_(std::move(state)) {}
Training::Training(Training&&) noexcept = default;
Training& Training::operator=(Training&&) noexcept = default;
Training::~Training() = default;

Expected<Training> Training::make(const TrainingOptions& given) {
  POSENC_TRY(check_training(given));
  TrainingOptions options = given;
  options.task.seed = static_cast<std::uint64_t>(options.seed);
  POSENC_TRY_LET(task, Task::make(options.task));
  options.task = task.options();
  const std::size_t length = task.tokens_of(options.task.longest);
  const std::size_t reach = task.tokens_of(options.task.longest * options.stretch);
  if (options.encoding.rows == 0) options.encoding.rows = static_cast<std::int64_t>(reach);
  POSENC_TRY_LET(model, Transformer::make(task.vocabulary(), options.model, options.encoding));
  options.model = model.options();
  auto state = std::make_unique<State>(options, std::move(task), std::move(model));
  const auto batch = static_cast<std::size_t>(options.optimizer.batch);
  state->reach = static_cast<std::int32_t>(reach);
  state->shards = std::min(most_shards, batch);
  const std::size_t sequences = (batch + state->shards - 1) / state->shards;
  POSENC_TRY(state->model.reserve(sequences, length, state->reach - 1, true));
  const std::size_t size = state->model.parameters().size();
  const std::size_t tokens = array_size({sequences, length});
  POSENC_TRY(allocate({{state->values, size},
                       {state->first_moments, size},
                       {state->second_moments, size},
                       {state->gradients, state->shards * size},
                       {state->gradient, size},
                       {state->tokens, tokens},
                       {state->targets, tokens},
                       {state->positions, tokens}}));
  POSENC_TRY(initialise(state->model.parameters().parameters(), options.seed, state->values.span()));
  return Training(std::move(state));
}

const TrainingOptions& Training::options() const { return state_->options; }
const Task& Training::task() const { return state_->task; }
std::int64_t Training::steps() const { return state_->steps; }
std::span<const Parameter> Training::parameters() const { return state_->model.parameters().parameters(); }
std::span<const float> Training::values() const { return std::as_const(state_->values).span(); }
std::span<const float> Training::first_moments() const { return std::as_const(state_->first_moments).span(); }
std::span<const float> Training::second_moments() const { return std::as_const(state_->second_moments).span(); }
double Training::operations() const { return state_->operations; }
std::size_t Training::shards() const { return state_->shards; }

Expected<ShardReport> Training::shard_gradient(std::size_t shard, std::span<float> gradient) {
  State& state = *state_;
  POSENC_TRY(state.check_next());
  if (shard >= state.shards)
    return invalid_argument("shard", static_cast<double>(shard), expected::whole_below, {state.shards});
  POSENC_TRY(check_size("gradient", gradient.size(), state.values.size()));
  const auto step = static_cast<std::uint32_t>(state.steps);
  const std::int64_t n = state.task.size_at(step);
  const auto [first, last] = state.sequences_of(shard);
  const std::size_t length = state.task.tokens_of(n), tokens = (last - first) * length;
  const ExampleIndex index{ExampleUse::training, step, static_cast<std::uint32_t>(first)};
  const std::span of_tokens(state.tokens.data(), tokens), targets(state.targets.data(), tokens);
  const std::span positions(state.positions.data(), tokens);
  POSENC_TRY(state.task.write(index, n, of_tokens, targets));
  write_positions(state.options.sampling, state.options.task.seed, index, length, state.reach, positions);
  const TokenBatch batch{last - first,
                         length,
                         of_tokens,
                         positions,
                         state.options.sampling == PositionSampling::plain,
                         (state.options.task.seed << 20) + step,
                         first};
  POSENC_TRY_LET(sums, state.model.run(batch, targets, state.values.span(), gradient));
  // The gradient of a product takes two more products.
  state.operations += 3 * operations_of(state.model, batch.sequences, length, sums.asked);
  return ShardReport{sums.loss, static_cast<std::int64_t>(sums.asked), static_cast<std::int64_t>(sums.correct)};
}

Expected<StepReport> Training::update(std::span<const ShardGradient> shards) {
  State& state = *state_;
  const std::size_t size = state.values.size();
  POSENC_TRY(state.check_next());
  if (shards.size() != state.shards)
    return invalid_argument("shards", static_cast<double>(shards.size()), {decimal(state.shards), ", all of a step"});
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if (const std::size_t given = shards[i].gradient.size(); given != size)
      return invalid_argument(std::string("shards[") + decimal(i) + "].gradient", static_cast<double>(given),
                              {decimal(size), " values"});
  }
  ShardReport total;
  const float* of_shards[most_shards];
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const auto& [of_shard, report] = shards[i];
    of_shards[i] = of_shard.data();
    total.loss += report.loss;
    total.asked += report.asked;
    total.correct += report.correct;
  }
  const auto asked = static_cast<double>(std::max<std::int64_t>(total.asked, 1));
  const std::span<float> gradient = state.gradient.span();
  const OptimizerOptions& optimizer = state.options.optimizer;
  const double norm = std::sqrt(add_arrays({of_shards, shards.size()}, gradient)) / asked;
  if (!std::isfinite(norm) || !std::isfinite(total.loss))
    return invalid_argument("loss", std::isfinite(total.loss) ? norm : total.loss,
                            {"a finite loss and gradient: the rate may be too high"});
  const double factor = optimizer.clip > 0 && norm > optimizer.clip ? optimizer.clip / norm : 1;
  scale_values(static_cast<float>(factor / asked), gradient);
  StepReport report{state.steps + 1, total.loss / asked, static_cast<double>(total.correct) / asked,
                    rate_at(optimizer, state.steps + 1), norm};
  AdamOptions adam{report.rate, 0.9, 0.98, 1e-9, optimizer.weight_decay, WeightDecay::decoupled, report.step};
  const auto learn = [&](std::size_t first, std::size_t count) {
    return adam_step(adam, gradient.subspan(first, count), state.values.span().subspan(first, count),
                     state.first_moments.span().subspan(first, count),
                     state.second_moments.span().subspan(first, count));
  };
  const std::size_t encoding = state.model.size_without_encoding();
  POSENC_TRY(learn(0, encoding));
  adam.lr *= optimizer.encoding_rate;
  POSENC_TRY(learn(encoding, size - encoding));
  state.steps = report.step;
  return report;
}

Expected<StepReport> Training::step() {
  State& state = *state_;
  ShardGradient shards[most_shards];
  const std::size_t size = state.values.size();
  for (std::size_t shard = 0; shard < state.shards; ++shard) {
    const std::span gradient = state.gradients.span().subspan(shard * size, size);
    POSENC_TRY_LET(report, shard_gradient(shard, gradient));
    shards[shard] = {gradient, report};
  }
  return update(std::span(shards, state.shards));
}

Expected<void> Training::restore(std::int64_t steps, std::span<const float> values,
                                 std::span<const float> first_moments, std::span<const float> second_moments) {
  State& state = *state_;
  POSENC_TRY(check_whole("step", steps, 0, state.options.optimizer.steps));
  const std::size_t size = state.values.size();
  POSENC_TRY(check_arrays({{"values", values.size(), {size}},
                           {"firstMoments", first_moments.size(), {size}},
                           {"secondMoments", second_moments.size(), {size}}}));
  for (const auto& [name, array] : std::initializer_list<std::pair<std::string_view, std::span<const float>>>{
           {"values", values}, {"firstMoments", first_moments}, {"secondMoments", second_moments}})
    for (const float number : array)
      if (!std::isfinite(number)) return invalid_argument(name, static_cast<double>(number), {"finite numbers"});
  std::ranges::copy(values, state.values.data());
  std::ranges::copy(first_moments, state.first_moments.data());
  std::ranges::copy(second_moments, state.second_moments.data());
  state.steps = steps;
  return {};
}

}  // namespace posenc::learning

namespace posenc {

template <>
Expected<learning::PositionSampling> from_name(std::string_view name) {
  return from_name<learning::PositionSampling>(learning::sampling_names, "sampling", name);
}

}  // namespace posenc
