#pragma once

#include <cstdint>
#include <tuple>

#include "posenc/base/error.hpp"
#include "posenc/base/range.hpp"

namespace posenc::learning {

/// The extents of a transformer.
struct ModelOptions {
  std::int64_t layers = 1;
  std::int64_t width = 32;  ///< of a token, a multiple of 2 * heads, at most 512
  std::int64_t heads = 2;
  std::int64_t hidden = 0;   ///< units of the MLP, at most 4096; 0: twice the width
  bool causal = true;        ///< a token sees those before it and itself, or all
  bool ties_output = false;  ///< logits by the embedding's rows, or by a matrix of their own
  double dropout = 0;        ///< of what attention and MLP add (Srivastava et al. 2014)

  static constexpr std::tuple ranges{ranged("model.layers", &ModelOptions::layers, whole_from(1, 8)),
                                     ranged("model.heads", &ModelOptions::heads, whole_from(1, 64)),
                                     ranged("model.dropout", &ModelOptions::dropout, from(0, 0.9))};

  /// Checks the options, and names the hidden units. Errors: an option out of range, "model.layers" and so on.
  [[nodiscard]] Expected<ModelOptions> checked() const;
};

}  // namespace posenc::learning
