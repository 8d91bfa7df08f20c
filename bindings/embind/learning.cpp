#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "json.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error_code.hpp"
#include "posenc/learning/training.hpp"

namespace posenc::embind {
namespace {

using learning::Training;

/// Writes the facts of a training as JSON.
class TrainingWriter : public Writer<TrainingWriter> {
 public:
  using Writer::write;

  template <class Enum>
    requires std::is_enum_v<Enum>
  void write(Enum value) {
    write(name_of(value));
  }

  template <class Item>
  void write(std::span<const Item> items) {
    write(Kind::list);
    for (const Item& item : items) write(item);
    write(Kind::end);
  }

  void write(const learning::TaskOptions& options) { write_group<calls::Task>(options); }
  void write(const learning::EncodingOptions& options) { write_group<calls::Encoding>(options); }
  void write(const learning::ModelOptions& options) { write_group<calls::Transformer>(options); }
  void write(const learning::OptimizerOptions& options) { write_group<calls::Optimizer>(options); }

  /// A training has no map: only tests have.
  void write(const PositionMapOptions& /*map*/) {}

  void write(const learning::TrainingOptions& options) {
    write(Kind::object);
    member("task", options.task);
    member("encoding", options.encoding);
    member("model", options.model);
    member("optimizer", options.optimizer);
    member("sampling", options.sampling);
    member("stretch", options.stretch);
    member("seed", options.seed);
    write(Kind::end);
  }

  void write(const learning::Parameter& parameter) {
    write(Kind::object);
    member("name", std::string_view(parameter.name));
    member("shape",
           std::vector{static_cast<std::int64_t>(parameter.rows), static_cast<std::int64_t>(parameter.columns)});
    member("offset", static_cast<std::int64_t>(parameter.first));
    write(Kind::end);
  }

  void write(const Training& training) {
    write(Kind::object);
    member("options", training.options());
    member("words", training.task().words());
    member("parameters", training.parameters());
    write(Kind::end);
  }

 private:
  template <class Group, class Options>
  void write_group(const Options& options) {
    write(Kind::object);
    Group::each([this](std::string_view key, const auto& value) { this->member(key, value); }, options);
    write(Kind::end);
  }
};

/// An error with the name of the group before its argument.
std::unexpected<Error> within(std::string_view group, Error error) {
  if (error.argument != "memory") error.argument.insert(0, group);
  return std::unexpected(std::move(error));
}

Expected<learning::EncodingOptions> encoding_of(const calls::Encoding& in) {
  POSENC_TRY_LET(options, filled<learning::EncodingOptions, Handled<"scaling", "map">>(in));
  if (!in.scaling) return within("encoding.", in.scaling.error());
  options.scaling = *in.scaling;
  if (in.map)
    if (auto read = fill(options.map.emplace(), *in.map); !read) return within("encoding.map.", read.error());
  return options;
}

/// Errors: more steps than are left. Where none is left, the training's own error is returned.
Expected<void> check_steps(const Training& training, std::int64_t count) {
  const std::int64_t left = std::max<std::int64_t>(training.options().optimizer.steps - training.steps(), 1);
  if (count >= 1 && count <= left) return {};
  return std::unexpected(
      Error("count", static_cast<double>(count), expected::whole_from_to, {1, left}, ", the steps that are left"));
}

}  // namespace

Expected<void> run(const calls::TrainingMake& in) {
  POSENC_TRY_LET(options, (filled<learning::TrainingOptions, Handled<"encoding">>(in)));
  POSENC_TRY_LET(encoding, encoding_of(in.encoding));
  options.encoding = std::move(encoding);
  POSENC_TRY_LET(training, Training::make(options));
  const learning::ModelOptions& model = training.options().model;
  in.answer.size = static_cast<double>(training.values().size());
  in.answer.layers = static_cast<double>(model.layers);
  in.answer.heads = static_cast<double>(model.heads);
  in.answer.handle = to_handle(std::move(training));
  return {};
}

Expected<void> run(const calls::TrainingFacts& in) {
  return answer_with<TrainingWriter>(in, from_handle<Training>(in.training));
}

Expected<void> run(const calls::TrainingProgress& in) {
  const auto& training = from_handle<Training>(in.training);
  in.answer.steps = static_cast<double>(training.steps());
  in.answer.operations = training.operations();
  return {};
}

Expected<void> run(const calls::TrainingStep& in) {
  auto& training = from_handle<Training>(in.training);
  POSENC_TRY(check_steps(training, in.count));
  for (std::int64_t left = in.count; left > 0; --left) {
    POSENC_TRY_LET(report, training.step());
    in.answer.step = static_cast<double>(report.step);
    in.answer.loss = report.loss;
    in.answer.accuracy = report.accuracy;
    in.answer.rate = report.rate;
    in.answer.norm = report.norm;
  }
  return {};
}

Expected<void> run(const calls::TrainingEvaluate& in) {
  POSENC_TRY_LET(options, (filled<learning::EvaluationOptions, Handled<"training", "encoding">>(in)));
  if (in.encoding) {
    POSENC_TRY_LET(encoding, encoding_of(*in.encoding));
    options.encoding = std::move(encoding);
  }
  POSENC_TRY_LET(evaluation, from_handle<Training>(in.training).evaluate(options));
  in.answer.loss = evaluation.loss;
  in.answer.accuracy = evaluation.accuracy;
  in.answer.perplexity = evaluation.perplexity;
  in.answer.asked = static_cast<double>(evaluation.asked);
  return {};
}

Expected<void> run(const calls::TrainingAttention& in) {
  return from_handle<Training>(in.training).attention(in.tokens, in.out);
}

Expected<void> run(const calls::TrainingGenerate& in) {
  const auto& training = from_handle<Training>(in.training);
  const auto trained = static_cast<std::int64_t>(training.task().tokens_of(training.options().task.longest));
  return training.generate(in.prompt, in.window.value_or(trained), in.temperature.value_or(1),
                           static_cast<std::uint64_t>(in.seed.value_or(0)), in.out);
}

Expected<void> run(const calls::TrainingValues& in) {
  const std::span<const float> values = from_handle<Training>(in.training).values();
  const std::span<float> out = in.out;
  const auto size = static_cast<std::int64_t>(values.size());
  if (std::ssize(out) != size)
    return std::unexpected(Error("values", static_cast<double>(out.size()), expected::values, {size}));
  std::ranges::copy(values, out.begin());
  return {};
}

}  // namespace posenc::embind
