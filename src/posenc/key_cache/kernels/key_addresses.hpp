#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/key_cache/key_edit.hpp"

namespace posenc {

/// Heads of a token that are equally far apart, in values from where the token is.
struct KeyHeads {
  std::size_t offset = 0, heads = 0, stride = 0;

  bool operator==(const KeyHeads&) const = default;
};

/// Where the heads of every token of every list are in memory, counted in values.
class KeyAddresses {
 public:
  /// Makes those of a tensor whose batch axis has `lists` indices, or with one list for all of it. Errors: bytes that
  /// do not fit the shape; q8_0 whose dimensions are not the last axis, in whole blocks; slots that are not indices of
  /// the sequence axis, each another one; memory.
  [[nodiscard]] static Expected<KeyAddresses> of(const ConstKeys& keys, std::size_t lists);

  /// Makes those of contiguous tokens, `count` of each list, with as many heads as those of another place.
  [[nodiscard]] static KeyAddresses packed(const KeyAddresses& like, KeyType type, std::span<const std::size_t> counts);

  [[nodiscard]] KeyType type() const { return type_; }
  [[nodiscard]] std::size_t dim() const { return dim_; }
  [[nodiscard]] std::size_t dim_stride() const { return dim_stride_; }
  [[nodiscard]] std::size_t lists() const { return runs_.size(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::size_t values() const { return values_; }
  [[nodiscard]] std::size_t heads(std::size_t list) const;
  [[nodiscard]] std::span<const KeyHeads> runs(std::size_t list) const { return runs_[list]; }
  /// From a token to the next one, where these are in order.
  [[nodiscard]] std::size_t token_stride() const { return token_stride_; }
  [[nodiscard]] std::size_t token(std::size_t index) const {
    return (slots_.data() == nullptr ? index : static_cast<std::size_t>(slots_[index])) * token_stride_;
  }
  /// Whether tokens of both are at the same places.
  [[nodiscard]] bool is_same_as(const KeyAddresses& other) const;

 private:
  KeyType type_ = KeyType::float32;
  std::size_t dim_ = 0, dim_stride_ = 1, token_stride_ = 0, capacity_ = 0, values_ = 0;
  std::vector<std::vector<KeyHeads>> runs_;
  std::span<const double> slots_;
};

/// Calls use(offset, stride, other's offset, other's stride, heads) for heads of a token that both have in runs, in
/// order; both have as many.
template <class Use>
void for_each_run(std::span<const KeyHeads> runs, std::span<const KeyHeads> others, const Use& use) {
  std::size_t at = 0, of_other = 0, done = 0, other_done = 0;
  while (at < runs.size() && of_other < others.size()) {
    const KeyHeads& run = runs[at];
    const KeyHeads& other = others[of_other];
    const std::size_t heads = std::min(run.heads - done, other.heads - other_done);
    if (heads > 0)
      use(run.offset + done * run.stride, run.stride, other.offset + other_done * other.stride, other.stride, heads);
    done += heads;
    other_done += heads;
    if (done == run.heads) ++at, done = 0;
    if (other_done == other.heads) ++of_other, other_done = 0;
  }
}

}  // namespace posenc
