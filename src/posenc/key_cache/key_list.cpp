#include "posenc/key_cache/key_list.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {

Expected<KeyList> KeyList::make(std::size_t count, std::size_t axes) {
  if (count >= KeyToken::zeros)
    return invalid_argument("positions", static_cast<double>(count), {"fewer than 2^32 tokens"});
  KeyList made;
  POSENC_TRY_LET(tokens, AlignedArray<KeyToken>::make(count));
  made.tokens_ = std::move(tokens);
  for (AlignedArray<double>* const array : {&made.then_, &made.now_}) {
    POSENC_TRY_LET(positions, AlignedArray<double>::make(count * axes));
    *array = std::move(positions);
  }
  made.axes_ = axes;
  return made;
}

Expected<KeyList> KeyList::joined(std::size_t axes, std::initializer_list<Piece> pieces) {
  std::size_t count = 0;
  for (const Piece& piece : pieces) count += piece.count;
  auto made = make(count, axes);
  if (!made) return made;
  std::size_t at = 0;
  for (const auto& [of, first, size] : pieces) {
    if (size == 0) continue;
    std::copy_n(&of->token(first), size, &made->token(at));
    std::copy_n(of->then(first), size * axes, made->then(at));
    std::copy_n(of->now(first), size * axes, made->now(at));
    at += size;
  }
  return made;
}

}  // namespace posenc
