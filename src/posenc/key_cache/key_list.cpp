#include "posenc/key_cache/key_list.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {

Expected<KeyList> KeyList::make(std::size_t count, std::size_t axes) {
  if (count >= KeyToken::none)
    return invalid_argument("positions", static_cast<double>(count), {"fewer than 2^32 tokens"});
  POSENC_TRY_LET(tokens, AlignedArray<KeyToken>::make(count));
  POSENC_TRY_LET(positions, AlignedArray<double>::make(count * axes));
  KeyList made;
  made.tokens_ = std::move(tokens);
  made.positions_ = std::move(positions);
  made.axes_ = axes;
  return made;
}

Expected<KeyList> KeyList::joined(std::size_t axes, std::initializer_list<Piece> pieces) {
  std::size_t count = 0;
  for (const Piece& piece : pieces) count += piece.count;
  auto made = make(count, axes);
  if (!made) return made;
  std::size_t at = 0;
  for (const Piece& piece : pieces) {
    if (piece.count == 0) continue;
    std::copy_n(piece.of->tokens_.data() + piece.first, piece.count, made->tokens_.data() + at);
    std::copy_n(piece.of->position(piece.first), piece.count * axes, made->position(at));
    at += piece.count;
  }
  return made;
}

}  // namespace posenc
