#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/key_cache/key_edit.hpp"

namespace posenc {

/// Where the heads of every token of every list are in memory, counted in values.
class KeyAddresses {
 public:
  /// Makes those of a tensor whose batch axis has `lists` indices, or with one list for all of it. Errors: bytes that
  /// do not fit the shape, by the name `argument`; q8_0 whose dimensions are not the last axis, in whole blocks.
  [[nodiscard]] static Expected<KeyAddresses> of(const ConstKeys& keys, std::size_t lists, std::string_view argument);

  [[nodiscard]] KeyType type() const { return type_; }
  [[nodiscard]] std::size_t dim() const { return dim_; }
  [[nodiscard]] std::size_t dim_stride() const { return dim_stride_; }
  [[nodiscard]] std::size_t token_stride() const { return token_stride_; }
  [[nodiscard]] std::size_t lists() const { return heads_.size(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_of(type_, values_); }
  [[nodiscard]] std::size_t heads(std::size_t list) const { return heads_[list].size(); }
  /// In bytes.
  [[nodiscard]] std::size_t head(std::size_t list, std::size_t head, std::size_t token) const {
    return bytes_of(type_, heads_[list][head] + token * token_stride_);
  }
  /// An Error unless a token has as many heads of as many dimensions as in another place.
  [[nodiscard]] Expected<void> check_heads_of(const KeyAddresses& other) const;

  bool operator==(const KeyAddresses&) const = default;

 private:
  KeyType type_ = KeyType::float32;
  std::size_t dim_ = 0, dim_stride_ = 1, token_stride_ = 0, capacity_ = 0, values_ = 0;
  std::vector<std::vector<std::size_t>> heads_;
};

}  // namespace posenc
