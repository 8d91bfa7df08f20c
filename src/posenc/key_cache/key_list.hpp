#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>

#include "posenc/base/aligned_array.hpp"

namespace posenc {

/// Where a token's bits are.
struct KeyToken {
  static constexpr std::uint32_t zeros = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t source = 0;  ///< 0 is the cache; `zeros` has none
  std::uint32_t index = 0;   ///< in its list there
};

/// The tokens of a list, the coordinates at which their bits are rotated, and those where they are now.
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

  [[nodiscard]] std::size_t size() const { return tokens_.size(); }
  [[nodiscard]] std::size_t axes() const { return axes_; }
  [[nodiscard]] KeyToken& token(std::size_t i) { return tokens_[i]; }
  [[nodiscard]] const KeyToken& token(std::size_t i) const { return tokens_[i]; }
  [[nodiscard]] double* then(std::size_t i) { return then_.data() + i * axes_; }
  [[nodiscard]] const double* then(std::size_t i) const { return then_.data() + i * axes_; }
  [[nodiscard]] double* now(std::size_t i) { return now_.data() + i * axes_; }
  [[nodiscard]] const double* now(std::size_t i) const { return now_.data() + i * axes_; }
  [[nodiscard]] std::span<const double> positions() const { return now_.span(); }

 private:
  AlignedArray<KeyToken> tokens_;
  AlignedArray<double> then_, now_;
  std::size_t axes_ = 1;
};

}  // namespace posenc
