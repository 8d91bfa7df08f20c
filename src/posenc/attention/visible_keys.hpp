#pragma once

#include <cstddef>
#include <string_view>

#include "posenc/attention/attention_mask.hpp"

namespace posenc {

/// An Error unless each extent of `shape` is the one of `full` or 1, and `size` is their product. An array of size 0
/// counts as left out, unless its shape says otherwise.
[[nodiscard]] Expected<void> check_pairs(std::string_view argument, std::size_t size, const PairShape& shape,
                                         const PairShape& full);

[[nodiscard]] Expected<void> check_mask(const AttentionMask& mask, const PairShape& full);

/// How to walk an array of a PairShape: a shared axis has stride 0.
struct PairStrides {
  explicit PairStrides(const PairShape& shape)
      : keys(shape.keys == 1 ? 0 : 1),
        queries(shape.queries == 1 ? 0 : shape.keys),
        heads(shape.heads == 1 ? 0 : shape.queries * shape.keys),
        batch(shape.batch == 1 ? 0 : shape.heads * shape.queries * shape.keys) {}

  [[nodiscard]] std::size_t row(std::size_t b, std::size_t h, std::size_t i) const {
    return b * batch + h * heads + i * queries;
  }

  std::size_t keys, queries, heads, batch;
};

/// Which keys one query sees.
class VisibleKeys {
 public:
  VisibleKeys(const AttentionMask& mask, std::size_t keys, std::size_t b, std::size_t h, std::size_t i);

  [[nodiscard]] bool operator[](std::size_t key) const {
    return key < end_ && (pairs_ == nullptr || (pairs_[key * stride_] != 0) == attends_) &&
           (keys_ == nullptr || (keys_[key] != 0) == attends_);
  }

 private:
  const std::uint8_t* pairs_ = nullptr;
  const std::uint8_t* keys_ = nullptr;
  std::size_t stride_ = 0;
  std::size_t end_ = 0;
  bool attends_ = true;
};

}  // namespace posenc
