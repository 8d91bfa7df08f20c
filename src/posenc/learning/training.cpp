#include "posenc/learning/training.hpp"

#include <algorithm>
#include <cmath>
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

/// A batch has at most so many parts.
constexpr std::size_t most_parts = 4;
/// The most parameters of a model: each has a seed of its own.
constexpr std::int64_t most_parameters = 4096;

Expected<void> check_training(const TrainingOptions& options) {
  POSENC_TRY(check_ranges(options.optimizer));
  POSENC_TRY(check_ranges(options));
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

Expected<LossSums> Training::State::part_gradient(std::size_t part, std::span<float> of_part) {
  const auto batch = static_cast<std::size_t>(options.optimizer.batch);
  const std::size_t first = part * batch / parts, sequences = (part + 1) * batch / parts - first;
  const auto step = static_cast<std::uint32_t>(steps);
  const std::int64_t n = task.size_at(step);
  const std::size_t length = task.tokens_of(n), count = sequences * length;
  const ExampleIndex index{ExampleUse::training, step, static_cast<std::uint32_t>(first)};
  const std::span of_tokens(tokens.data(), count), of_targets(targets.data(), count);
  const std::span of_positions(positions.data(), count);
  POSENC_TRY(task.write(index, n, of_tokens, of_targets));
  write_positions(options.sampling, options.task.seed, index, length, reach, of_positions);
  const bool is_plain = options.sampling == PositionSampling::plain;
  const std::uint64_t dropout_seed = (options.task.seed << 20) + step;
  POSENC_TRY_LET(sums, model.run({sequences, length, of_tokens, of_positions, is_plain, dropout_seed, first},
                                 of_targets, values.span(), of_part));
  // The gradient of a product takes two more products.
  operations += 3 * operations_of(model, sequences, length, sums.asked);
  return sums;
}

Expected<double> mean_gradient(std::span<const float* const> parts, std::size_t asked, double clip,
                               std::span<float> gradient) {
  const auto count = static_cast<double>(asked);
  const double norm = std::sqrt(add_arrays(parts, gradient)) / count;
  if (!std::isfinite(norm))
    return invalid_argument("loss", norm, {"a finite loss and gradient: the rate may be too high"});
  scale_values(static_cast<float>((clip > 0 && norm > clip ? clip / norm : 1) / count), gradient);
  return norm;
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
  state->parts = std::min(most_parts, batch);
  const std::size_t sequences = (batch + state->parts - 1) / state->parts;
  POSENC_TRY(state->model.reserve(sequences, length, state->reach - 1, true));
  const std::size_t size = state->model.parameters().size();
  const std::size_t tokens = array_size({sequences, length});
  POSENC_TRY(allocate({{state->values, size},
                       {state->first_moments, size},
                       {state->second_moments, size},
                       {state->gradients, state->parts * size},
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
double Training::operations() const { return state_->operations; }

Expected<StepReport> Training::step() {
  State& state = *state_;
  const OptimizerOptions& optimizer = state.options.optimizer;
  StepReport report{.step = state.steps + 1};
  if (report.step > optimizer.steps)
    return invalid_argument("step", static_cast<double>(report.step),
                            {"a step of those that the training has, ", decimal(optimizer.steps)});
  const std::size_t size = state.values.size();
  LossSums total;
  const float* parts[most_parts];
  for (std::size_t part = 0; part < state.parts; ++part) {
    const std::span of_part = state.gradients.span().subspan(part * size, size);
    POSENC_TRY_LET(sums, state.part_gradient(part, of_part));
    total.add(sums);
    parts[part] = of_part.data();
  }
  const std::span<float> gradient = state.gradient.span();
  POSENC_TRY_LET(norm, mean_gradient({parts, state.parts}, total.asked, optimizer.clip, gradient));
  report.loss = total.loss / static_cast<double>(total.asked);
  report.accuracy = static_cast<double>(total.correct) / static_cast<double>(total.asked);
  report.rate = rate_at(optimizer, report.step);
  report.norm = norm;
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

}  // namespace posenc::learning
