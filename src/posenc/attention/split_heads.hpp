#pragma once

#include <cstddef>
#include <span>

#include "posenc/base/error.hpp"

namespace posenc {

struct HeadsShape {
  std::size_t batch = 1, heads = 1, rows = 0, dim = 0;
};

/// [batch, rows, heads * dim] to [batch, heads, rows, dim]: values that change places. Errors: sizes that do not fit.
[[nodiscard]] Expected<void> split_heads(const HeadsShape& shape, std::span<const float> x, std::span<float> out);

/// [batch, heads, rows, dim] to [batch, rows, heads * dim]: split_heads undone, and its gradient.
[[nodiscard]] Expected<void> merge_heads(const HeadsShape& shape, std::span<const float> x, std::span<float> out);

}  // namespace posenc
