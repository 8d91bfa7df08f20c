#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/base/error.hpp"
#include "posenc/learning/parameters.hpp"
#include "posenc/learning/pass.hpp"

namespace posenc::learning {

/// The largest pass that is to come, and its largest position.
struct Reach {
  PassShape shape;
  std::int32_t position = 0;
};

/// Where a positional encoding enters a transformer: at its input, at queries and keys, at scores, at values. An
/// encoding overrides what it does there, and the gradient of each. In every pass the calls come in this order:
///
///   begin; add_to_input; for each layer: read_rows, rotate, then for each head: add_scores, add_values;
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

  /// Names what it learns, for a model of these extents (whose sequences and length are 0).
  virtual void declare(const PassShape& /*model*/, ParameterList& /*list*/) {}

  /// Makes room, and tables of what is not learned, for all passes up to this one: no later call allocates. Errors:
  /// memory; a position that the encoding does not reach.
  [[nodiscard]] virtual Expected<void> reserve(const Reach& /*reach*/) { return {}; }

  /// What all layers share is computed from the pass's parameters.
  virtual void begin(const Pass& /*pass*/) {}

  /// x, [rows, width], += an encoding of each position.
  virtual void add_to_input(const Pass& /*pass*/, float* /*x*/) {}
  virtual void input_gradient(const Pass& /*pass*/, const float* /*d_x*/, float* /*gradients*/) {}

  /// The rows that a layer's queries, keys and values are made of, [rows, width].
  virtual void read_rows(const Pass& /*pass*/, std::size_t /*layer*/, const float* /*rows*/) {}
  virtual void read_gradient(const Pass& /*pass*/, std::size_t /*layer*/, const float* /*rows*/, float* /*d_rows*/,
                             float* /*gradients*/) {}

  /// Rotates queries and keys of a layer, each [rows, width], in index.
  virtual void rotate(const Pass& /*pass*/, const Strided<float>& /*query*/, const Strided<float>& /*key*/) {}
  /// Turns gradients after rotation into those before it, in index.
  virtual void rotate_gradient(const Pass& /*pass*/, const Strided<float>& /*d_query*/,
                               const Strided<float>& /*d_key*/) {}

  /// `scores`, [length, length], a query a row, are scale * query key; what is added, or put in their index.
  virtual void add_scores(const Pass& /*pass*/, const HeadIndex& /*index*/, const HeadRows& /*rows*/,
                          float* /*scores*/) {}
  /// `d_scores` is the gradient of what add_scores left, 0 where masked; afterwards that of what it was given.
  virtual void scores_gradient(const Pass& /*pass*/, const HeadIndex& /*index*/, const HeadRows& /*rows*/,
                               float* /*d_scores*/, const HeadGradients& /*d_rows*/, float* /*gradients*/) {}

  /// `output`, [length, dimensions], += what `weights`, [length, length], take besides values.
  virtual void add_values(const Pass& /*pass*/, const HeadIndex& /*index*/, const float* /*weights*/,
                          const Strided<float>& /*output*/) {}
  /// Adds to the gradient of the weights.
  virtual void values_gradient(const Pass& /*pass*/, const HeadIndex& /*index*/, const float* /*weights*/,
                               const Strided<const float>& /*d_output*/, float* /*d_weights*/, float* /*gradients*/) {}

  /// What was gathered over layers and sequences goes to the parameters.
  virtual void finish_gradient(const Pass& /*pass*/, float* /*gradients*/) {}
};

}  // namespace posenc::learning
