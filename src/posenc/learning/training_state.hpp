#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "posenc/base/aligned_array.hpp"
#include "posenc/learning/training.hpp"
#include "posenc/learning/transformer.hpp"

namespace posenc::learning {

/// The members of a Training.
struct Training::State {
  TrainingOptions options;
  Task task;
  Transformer model;
  std::int32_t reach = 0;  ///< number of positions
  std::size_t parts = 1;   ///< a batch is cut into so many, whose gradients are added in order
  std::int64_t steps = 0;
  double operations = 0;
  AlignedArray<float> values, first_moments, second_moments;
  AlignedArray<float> gradients;                          ///< of the parts, [parts, values]
  AlignedArray<float> gradient;                           ///< of a step
  AlignedArray<std::int32_t> tokens, targets, positions;  ///< of a part's largest batch

  State(TrainingOptions of, Task task_of, Transformer model_of)
      : options(std::move(of)), task(std::move(task_of)), model(std::move(model_of)) {}

  /// The gradient of the summed losses of a part of the next step, [values]. Errors: a loss that is not finite.
  [[nodiscard]] Expected<LossSums> part_gradient(std::size_t part, std::span<float> gradient);
};

/// Writes the mean of the parts' gradients over what was asked, no longer than `clip`, unless that is 0. Returns its
/// norm before that. Errors: one that is not finite, named "loss".
[[nodiscard]] Expected<double> mean_gradient(std::span<const float* const> parts, std::size_t asked, double clip,
                                             std::span<float> gradient);

/// A model for tests, with buffers for a number of sequences at once.
struct Tester {
  Transformer model;
  std::size_t sequences = 0;  ///< computed together
};
[[nodiscard]] Expected<Tester> make_tester(const Transformer& model, const EncodingOptions& encoding,
                                           std::size_t sequences, std::size_t length, std::int32_t largest);

}  // namespace posenc::learning
