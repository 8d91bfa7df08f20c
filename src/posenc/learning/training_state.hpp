#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

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
  std::size_t shards = 1;
  std::int64_t steps = 0;
  double operations = 0;
  AlignedArray<float> values, first_moments, second_moments;
  AlignedArray<float> gradients;                          ///< of the shards, [shards, values]
  AlignedArray<float> gradient;                           ///< of a step
  AlignedArray<std::int32_t> tokens, targets, positions;  ///< of a shard's largest batch

  State(TrainingOptions of, Task task_of, Transformer model_of)
      : options(std::move(of)), task(std::move(task_of)), model(std::move(model_of)) {}

  /// The examples of a shard.
  [[nodiscard]] std::pair<std::size_t, std::size_t> sequences_of(std::size_t shard) const;
  /// Errors: all steps are made.
  [[nodiscard]] Expected<void> check_next() const;
};

/// A model for tests, with buffers for a number of sequences at once.
struct Tester {
  Transformer model;
  std::size_t sequences = 0;  ///< computed together
};
[[nodiscard]] Expected<Tester> make_tester(const Transformer& model, const EncodingOptions& encoding,
                                           std::size_t sequences, std::size_t length, std::int32_t largest);

}  // namespace posenc::learning
