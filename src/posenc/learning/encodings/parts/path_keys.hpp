#pragma once

#include <cstddef>

#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"

namespace posenc::learning {

/// What the tokens of a head do to keys before them: key <- key - strength (direction key) direction.
struct PathSteps {
  Strided<const float> directions, strengths;  ///< [length, dimensions] and [length, 1]
};

/// Where gradients of these are added.
struct PathStepGradients {
  Strided<float> directions, strengths;
};

/// Keys of a head, in columns, as the steps up to a token leave them: a key is changed by each token after its own.
class PathKeys {
 public:
  /// Errors: memory.
  [[nodiscard]] Expected<void> reserve(std::size_t length, std::size_t dims);

  /// scores, [length, length], a query a row = scale * query times the key as it is then, for all keys before the
  /// query; the others are left as they are. query, key: [length, dimensions].
  void score(std::size_t length, std::size_t dims, float scale, const Strided<const float>& query,
             const Strided<const float>& key, const PathSteps& steps, const Strided<float>& scores);

  /// Adds the gradients; those of the scores that `score` wrote become 0.
  void gradient(std::size_t length, std::size_t dims, float scale, const Strided<const float>& query,
                const Strided<const float>& key, const PathSteps& steps, const Strided<float>& d_scores,
                const Strided<float>& d_query, const Strided<float>& d_key, const PathStepGradients& d_steps);

 private:
  [[nodiscard]] float* dimension(AlignedArray<float>& columns, std::size_t dimension) const {
    return columns.data() + dimension * room_;
  }
  void take_steps(std::size_t token, std::size_t dims, const PathSteps& steps);
  void add_key(std::size_t token, std::size_t dims, const Strided<const float>& key);

  std::size_t room_ = 0;                  ///< columns
  AlignedArray<float> keys_, d_keys_;     ///< [dimensions, columns]
  AlignedArray<float> products_;          ///< of each token's direction and the keys before it, [length, length]
  AlignedArray<float> row_, d_products_;  ///< [length]
};

}  // namespace posenc::learning
