#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/attention/kernels/matrix_product.hpp"

namespace posenc::learning {

/// Sequences of one length that go through a model together, and its extents.
struct PassShape {
  std::size_t sequences = 0, length = 0;
  std::size_t layers = 1, heads = 1, width = 0;

  /// Tokens, one row each of what a layer computes.
  [[nodiscard]] std::size_t rows() const { return sequences * length; }
  /// Of a head.
  [[nodiscard]] std::size_t dims() const { return width / heads; }
};

/// What an encoding sees of a pass.
struct Pass {
  PassShape shape;
  /// Of tokens, [sequences, length]: whole numbers >= 0 that rise within a sequence.
  std::span<const std::int32_t> positions;
  bool shares_positions = true;       ///< every sequence has those of the first
  bool is_causal = true;              ///< scores of keys after their query are masked, whatever is written there
  float scale = 1;                    ///< what products of queries and keys are multiplied by: 1 / sqrt(dimensions)
  const float* parameters = nullptr;  ///< of the whole model

  [[nodiscard]] std::span<const std::int32_t> positions_of(std::size_t sequence) const {
    return positions.subspan(shares_positions ? 0 : sequence * shape.length, shape.length);
  }
  /// Of the token that has this row: which row of a table by position is its own.
  [[nodiscard]] std::size_t position_of(std::size_t row) const {
    return static_cast<std::size_t>(positions[shares_positions ? row % shape.length : row]);
  }
  /// How many sequences have positions of their own.
  [[nodiscard]] std::size_t different_sequences() const { return shares_positions ? 1 : shape.sequences; }
  /// How many keys, of the first on, are not masked for a query.
  [[nodiscard]] std::size_t keys_of(std::size_t query) const { return is_causal ? query + 1 : shape.length; }
  /// Between the first token of a sequence and its last, in the sequence where that is most.
  [[nodiscard]] std::int32_t largest_distance() const {
    std::int32_t largest = 0;
    for (std::size_t sequence = 0; shape.length != 0 && sequence < different_sequences(); ++sequence)
      largest = std::max(largest, positions_of(sequence).back() - positions_of(sequence).front());
    return largest;
  }
};

/// A head of a sequence in a layer.
struct HeadIndex {
  std::size_t layer = 0, sequence = 0, head = 0;

  /// Its index among the heads of a layer, [sequences, heads].
  [[nodiscard]] std::size_t in_layer(const PassShape& shape) const { return sequence * shape.heads + head; }
  /// Its index among the heads of all layers.
  [[nodiscard]] std::size_t in_pass(const PassShape& shape) const {
    return layer * shape.sequences * shape.heads + in_layer(shape);
  }
};

/// What a head's attention is computed from, as layers and encodings left it, each [length, dimensions].
struct HeadRows {
  Strided<const float> query, key, value;
};

/// Where gradients of a head's rows are added.
struct HeadGradients {
  Strided<float> query, key, value;
};

}  // namespace posenc::learning
