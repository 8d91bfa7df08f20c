#include "posenc/key_cache/key_bank.hpp"

#include <utility>

#include "posenc/base/try.hpp"

namespace posenc {

Expected<KeyBank> copy_to_bank(const KeyState& from, const std::byte* bytes, std::vector<KeyList> lists) {
  std::vector<std::size_t> counts;
  counts.reserve(lists.size());
  for (const KeyList& list : lists) counts.push_back(list.size());
  const KeyType type = from.addresses.type();
  KeyState state{KeyAddresses::packed(from.addresses, type, counts), from.rotation, from.first_dim};
  POSENC_TRY_LET(kept, AlignedArray<std::byte>::make_unfilled(bytes_of(type, state.addresses.values())));
  POSENC_TRY_LET(mover, KeyMover::make(from, state));
  for (std::size_t list = 0; list < counts.size(); ++list)
    mover.move(bytes, list, 0, kept.data(), list, 0, counts[list], {});
  return KeyBank{std::move(state), std::move(kept), std::move(lists)};
}

}  // namespace posenc
