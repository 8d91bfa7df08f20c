#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/attention/kernels/matrix_product.hpp"

namespace posenc::learning {

/// The sequences of one length that a model computes together, and the model's extents.
struct PassShape {
  std::size_t sequences = 0, length = 0;
  std::size_t layers = 1, heads = 1, width = 0;

  /// The number of tokens: each is a row of the arrays that a layer computes.
  [[nodiscard]] std::size_t rows() const { return sequences * length; }
  /// Dimensions of a head.
  [[nodiscard]] std::size_t dims() const { return width / heads; }
};

/// A forward pass, with its gradient where one is wanted, as an encoding sees it.
struct Pass {
  PassShape shape;
  /// Positions of the tokens, [sequences, length]: whole numbers >= 0 that rise within a sequence.
  std::span<const std::int32_t> positions;
  bool shares_positions = true;       ///< every sequence has the positions of the first
  bool is_causal = true;              ///< scores of keys after their query are masked, whatever an encoding adds
  float scale = 1;                    ///< factor of the dot products of queries and keys: 1 / sqrt(dimensions)
  const float* parameters = nullptr;  ///< all parameters of the model

  [[nodiscard]] std::span<const std::int32_t> positions_of(std::size_t sequence) const {
    return positions.subspan(shares_positions ? 0 : sequence * shape.length, shape.length);
  }
  /// The position of the token of this row: its index in a table of positions.
  [[nodiscard]] std::size_t position_of(std::size_t row) const {
    return static_cast<std::size_t>(positions[shares_positions ? row % shape.length : row]);
  }
  /// The number of sequences with positions of their own.
  [[nodiscard]] std::size_t different_sequences() const { return shares_positions ? 1 : shape.sequences; }
  /// The number of keys, from the first on, that a query sees.
  [[nodiscard]] std::size_t keys_of(std::size_t query) const { return is_causal ? query + 1 : shape.length; }
  /// The largest distance between the first and the last token of a sequence.
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
};

/// Queries, keys and values of a head after rotation, each [length, dimensions].
struct HeadRows {
  Strided<const float> query, key, value;
};

/// The gradients of a head's rows, to which an encoding adds.
struct HeadGradients {
  Strided<float> query, key, value;
};

}  // namespace posenc::learning
