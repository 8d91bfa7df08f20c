#pragma once

#include <cstddef>
#include <span>

#include "posenc/attention/multi_head.hpp"

namespace posenc {

/// The three inputs; those left out are the ones that stand for them.
struct ResolvedInputs {
  explicit ResolvedInputs(const MultiHeadInputs& inputs)
      : query(inputs.query), key(inputs.key.value_or(query)), value(inputs.value.value_or(key)) {}

  std::span<const float> query, key, value;
};

/// How many values each step has.
struct MultiHeadSizes {
  std::size_t query, key, value, weights, context, output;
};

/// The checks that forward and backward share. After them no product of extents overflows.
[[nodiscard]] Expected<void> check_multi_head(const MultiHeadShape& shape, const MultiHeadLayers& layers,
                                              const MultiHeadInputs& inputs, const MultiHeadSizes& sizes);

/// The extents of each layer, over a whole batch.
struct LayerExtents {
  explicit LayerExtents(const MultiHeadShape& shape)
      : query{shape.attention.batch * shape.attention.queries, shape.query_width,
              shape.attention.heads * shape.attention.dim},
        key{shape.attention.batch * shape.attention.keys, shape.key_width,
            shape.attention.kv_heads * shape.attention.dim},
        value{shape.attention.batch * shape.attention.keys, shape.value_width,
              shape.attention.kv_heads * shape.attention.value_dim},
        out{shape.attention.batch * shape.attention.queries, shape.attention.heads * shape.attention.value_dim,
            shape.out_width} {}

  LinearExtents query, key, value, out;
};

}  // namespace posenc
