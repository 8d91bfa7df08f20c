#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "attention/attention_reference.hpp"
#include "posenc/attention/attention.hpp"
#include "testing/testing.hpp"

/// Tests of attention over a batch share this.
namespace testing {

/// One call: its arguments, which may be changed, and its results.
struct AttentionCase {
  AttentionCase(const posenc::BatchedAttentionShape& shape, Generator& generator);

  /// Makes the arrays again, with the shape's sizes.
  void resize();

  [[nodiscard]] posenc::PairShape pairs() const { return {shape.batch, shape.heads, shape.queries, shape.keys}; }

  [[nodiscard]] posenc::Expected<void> attempt();
  void forward() { value_of(attempt()); }

  /// The bounds that are promised of a weight, an output's terms and a gradient's.
  [[nodiscard]] double weight_tolerance() const;
  [[nodiscard]] double output_tolerance() const;
  [[nodiscard]] double gradient_tolerance() const;

  struct Gradients {
    std::vector<float> query, key, value, bias;
  };
  [[nodiscard]] Gradients backward(const std::vector<float>& d_output) const;

  /// Does this for the reference.
  [[nodiscard]] reference::AttentionProblem problem() const;
  [[nodiscard]] reference::AttentionArguments arguments() const;

  posenc::BatchedAttentionShape shape;
  posenc::AttentionOptions options{.scale = 0.75};
  std::vector<float> query, key, value, weights, output;
  std::vector<float> bias;                     ///< for options.bias
  std::vector<std::uint8_t> pairs_allowed;     ///< for options.mask.pairs
  std::vector<std::uint8_t> keys_allowed;      ///< for options.mask.keys
  std::vector<std::int64_t> lengths, offsets;  ///< for those of options.mask
};

/// Up to 2 * 6 heads, 6 queries, 8 keys, some empty.
[[nodiscard]] posenc::BatchedAttentionShape random_batched_shape(Generator& generator);

/// Each option, given or left out.
void randomize(AttentionCase& to_change, Generator& generator);

}  // namespace testing
