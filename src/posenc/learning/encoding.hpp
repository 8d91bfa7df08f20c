#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/base/error.hpp"
#include "posenc/learning/parameters.hpp"
#include "posenc/learning/pass.hpp"

namespace posenc::learning {

/// The largest pass that an encoding allocates for, and the largest position in it.
struct Reach {
  PassShape shape;
  std::int32_t position = 0;
};

/// Where a positional encoding enters a transformer: at its input, at queries and keys, at scores, at values. An
/// encoding overrides what it does there, and the gradient of each. In every pass the calls come in this order:
///
///   begin_pass; encode_input; for each layer: read_rows, rotate, then for each head: add_scores, add_values;
///
/// and where a gradient is wanted, for each layer from the last: of its heads values_gradient, scores_gradient, then
/// rotate_gradient, read_gradient; at last input_gradient, finish_gradient. Gradients of parameters are added to
/// `gradients`, which has the shape of all parameters.
class Encoding {
 public:
  Encoding() = default;
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;
  virtual ~Encoding() = default;

  /// Declares the parameters that it learns, for a model of these extents (with 0 sequences of length 0).
  virtual void declare(const PassShape& /*model*/, ParameterList& /*list*/) {}

  /// Allocates for all passes up to this one and computes tables that are not learned: no later call allocates. Errors:
  /// memory; a position that the encoding does not reach.
  [[nodiscard]] virtual Expected<void> reserve(const Reach& /*reach*/) { return {}; }

  /// Computes what all layers share, from the pass's parameters.
  virtual void begin_pass(const Pass& /*pass*/) {}

  /// Adds an encoding of each position to x, [rows, width], or writes it in place of some dimensions.
  virtual void encode_input(const Pass& /*pass*/, float* /*x*/) {}
  /// Turns the gradient of x after encode_input into that of x before it.
  virtual void input_gradient(const Pass& /*pass*/, float* /*d_x*/, float* /*gradients*/) {}

  /// Reads the rows, [rows, width], that a layer projects to queries, keys and values.
  virtual void read_rows(const Pass& /*pass*/, std::size_t /*layer*/, const float* /*rows*/) {}
  virtual void read_gradient(const Pass& /*pass*/, std::size_t /*layer*/, const float* /*rows*/, float* /*d_rows*/,
                             float* /*gradients*/) {}

  /// Rotates queries and keys of a layer, each [rows, width], in place.
  virtual void rotate(const Pass& /*pass*/, const Strided<float>& /*query*/, const Strided<float>& /*key*/) {}
  /// Rotates gradients back, in place: from those after rotation to those before it.
  virtual void rotate_gradient(const Pass& /*pass*/, const Strided<float>& /*d_query*/,
                               const Strided<float>& /*d_key*/) {}

  /// Adds to `scores`, [length, length], a query a row, which are scale * query key; or writes others in their place.
  virtual void add_scores(const Pass& /*pass*/, const HeadIndex& /*index*/, const HeadRows& /*rows*/,
                          float* /*scores*/) {}
  /// Turns the gradient of the scores after add_scores, 0 where masked, into that of the scores before it.
  virtual void scores_gradient(const Pass& /*pass*/, const HeadIndex& /*index*/, const HeadRows& /*rows*/,
                               float* /*d_scores*/, const HeadGradients& /*d_rows*/, float* /*gradients*/) {}

  /// output, [length, dimensions], += a term of the weights, [length, length], besides weights times values.
  virtual void add_values(const Pass& /*pass*/, const HeadIndex& /*index*/, const float* /*weights*/,
                          const Strided<float>& /*output*/) {}
  /// Adds the gradient of that term to the gradient of the weights.
  virtual void values_gradient(const Pass& /*pass*/, const HeadIndex& /*index*/, const float* /*weights*/,
                               const Strided<const float>& /*d_output*/, float* /*d_weights*/, float* /*gradients*/) {}

  /// Adds what was summed over layers and sequences to the gradients of parameters.
  virtual void finish_gradient(const Pass& /*pass*/, float* /*gradients*/) {}
};

}  // namespace posenc::learning
