#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/base/range.hpp"
#include "posenc/learning/encoding_options.hpp"
#include "posenc/learning/model_options.hpp"
#include "posenc/learning/parameters.hpp"
#include "posenc/learning/task.hpp"

namespace posenc::learning {

/// The positions of an example's tokens.
enum class PositionSampling : std::uint8_t {
  plain,   ///< 0, 1, 2, ...
  offset,  ///< the same from a random first position on, each sequence from its own
  random,  ///< random ones in order, of all that the model reaches (Ruoss et al. 2023)
};

struct OptimizerOptions {
  std::int64_t steps = 1500;
  std::int64_t batch = 32;     ///< examples a step
  double rate = 3e-3;          ///< of Adam
  double encoding_rate = 1;    ///< rate of the encoding's own parameters, in rates
  std::int64_t warm_up = 100;  ///< steps in which the rate rises; then it falls as half a cosine wave
  double clip = 1;             ///< the largest norm of the whole gradient; 0: any
  double weight_decay = 0;     ///< decoupled

  static constexpr std::tuple ranges{
      ranged("optimizer.steps", &OptimizerOptions::steps, whole_from(1, std::int64_t{1} << 20)),
      ranged("optimizer.batch", &OptimizerOptions::batch, whole_from(1, 4096)),
      ranged("optimizer.rate", &OptimizerOptions::rate, above(0, 1)),
      ranged("optimizer.encodingRate", &OptimizerOptions::encoding_rate, above(0, 1000)),
      ranged("optimizer.warmUp", &OptimizerOptions::warm_up, whole_from(0, std::int64_t{1} << 20)),
      ranged("optimizer.clip", &OptimizerOptions::clip, from(0, 1e9)),
      ranged("optimizer.weightDecay", &OptimizerOptions::weight_decay, from(0, 1))};
};

struct TrainingOptions {
  TaskOptions task;
  EncodingOptions encoding;
  ModelOptions model;
  OptimizerOptions optimizer;
  PositionSampling sampling = PositionSampling::plain;
  std::int64_t stretch = 8;  ///< positions reach so many times the longest example trained on
  std::int64_t seed = 0;     ///< of parameters, examples, positions and dropout

  static constexpr std::tuple ranges{
      ranged("stretch", &TrainingOptions::stretch, whole_from(1, 64)),
      ranged("seed", &TrainingOptions::seed, whole_from(0, (std::int64_t{1} << 32) - 1))};
};

struct StepReport {
  std::int64_t step = 0;  ///< number of steps made
  double loss = 0;        ///< mean over what was asked, in nats
  double accuracy = 0;    ///< share of targets with the largest logit
  double rate = 0;        ///< of this step
  double norm = 0;        ///< of the gradients before they were clipped
};

struct EvaluationOptions {
  std::int64_t n = 0;            ///< size of the examples; 0: the longest trained on
  std::int64_t sequences = 256;  ///< 1 ... 2^20 examples
  /// Another encoding, or the same with other options, that has no parameters which the model has not learned.
  std::optional<EncodingOptions> encoding = std::nullopt;
};

struct Evaluation {
  double loss = 0, accuracy = 0, perplexity = 0;
  std::int64_t asked = 0;
};

/// A transformer while it learns a task. Everything is float32 in a fixed order: parameters after n steps have the same
/// bits on every machine.
class Training {
 public:
  /// Errors: an option out of its range, named as in "optimizer.rate"; those of Task and of the encoding; an encoding
  /// with a map of positions, which is for tests; memory.
  [[nodiscard]] static Expected<Training> make(const TrainingOptions& options);

  Training(Training&&) noexcept;
  Training& operator=(Training&&) noexcept;
  ~Training();

  [[nodiscard]] const TrainingOptions& options() const;  ///< with defaults in place of 0
  [[nodiscard]] const Task& task() const;
  [[nodiscard]] std::int64_t steps() const;  ///< the number of steps made
  /// The learned arrays, with names, shapes and indices in `values`.
  [[nodiscard]] std::span<const Parameter> parameters() const;
  [[nodiscard]] std::span<const float> values() const;
  /// Multiplications and additions in the products of all passes so far, forward and backward.
  [[nodiscard]] double operations() const;

  /// Makes a step. Errors: all steps are made; a loss that is not finite. Parameters are then as before.
  [[nodiscard]] Expected<StepReport> step();

  /// Tests the model on examples that no training sees, the same for all seeds. Errors: options; positions that the
  /// encoding does not reach; memory.
  [[nodiscard]] Expected<Evaluation> evaluate(const EvaluationOptions& options) const;

  /// The weights of attention for these tokens, [layers, heads, tokens, tokens]. Errors: a token that is not in the
  /// vocabulary; a size that differs; as above.
  [[nodiscard]] Expected<void> attention(std::span<const std::int32_t> tokens, std::span<float> weights) const;

  /// Writes tokens that follow the prompt. Each is drawn with the probability that the model gives it at this
  /// temperature, from the seed; at 0 it is the likeliest. The model reads the last `window` tokens. Errors: an empty
  /// prompt or window; a token that is not in the vocabulary; a negative temperature; as above.
  [[nodiscard]] Expected<void> generate(std::span<const std::int32_t> prompt, std::int64_t window, double temperature,
                                        std::uint64_t seed, std::span<std::int32_t> out) const;

 private:
  struct State;
  explicit Training(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace posenc::learning

namespace posenc {

template <>
inline constexpr auto names_of<learning::PositionSampling> =
    Names("sampling", {{"plain", learning::PositionSampling::plain},
                       {"offset", learning::PositionSampling::offset},
                       {"random", learning::PositionSampling::random}});

}  // namespace posenc
