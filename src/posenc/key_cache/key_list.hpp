#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>

#include "posenc/base/aligned_array.hpp"
#include "posenc/key_cache/key_bound.hpp"

namespace posenc {

/// Where a token's bits are, and how wrong they may be.
struct KeyToken {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t bank = 0;      ///< none: zeros
  std::uint32_t index = 0;     ///< in its list of the bank
  std::uint32_t first = none;  ///< which token it was in the beginning
  KeyError error;              ///< of what the cache holds
};

/// The tokens of a list, and the coordinates where they are now.
class KeyList {
 public:
  /// A part of a list.
  struct Piece {
    const KeyList* of;
    std::size_t first, count;
  };

  /// Errors: more tokens than can be counted; memory.
  [[nodiscard]] static Expected<KeyList> make(std::size_t count, std::size_t axes);
  [[nodiscard]] static Expected<KeyList> joined(std::size_t axes, std::initializer_list<Piece> pieces);
  [[nodiscard]] Expected<KeyList> copy() const { return joined(axes_, {{this, 0, size()}}); }

  [[nodiscard]] std::size_t size() const { return tokens_.size(); }
  [[nodiscard]] std::size_t axes() const { return axes_; }
  [[nodiscard]] KeyToken& token(std::size_t i) { return tokens_[i]; }
  [[nodiscard]] const KeyToken& token(std::size_t i) const { return tokens_[i]; }
  [[nodiscard]] double* position(std::size_t i) { return positions_.data() + i * axes_; }
  [[nodiscard]] const double* position(std::size_t i) const { return positions_.data() + i * axes_; }
  [[nodiscard]] std::span<const double> positions() const { return positions_.span(); }

 private:
  AlignedArray<KeyToken> tokens_;
  AlignedArray<double> positions_;
  std::size_t axes_ = 1;
};

}  // namespace posenc
