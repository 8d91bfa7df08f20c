#pragma once

#include <cstddef>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/key_cache/kernels/key_mover.hpp"
#include "posenc/key_cache/key_list.hpp"

namespace posenc {

/// Keys as they came: their bits, if these are kept, and how they were rotated then.
struct KeyBank {
  KeyState state;
  AlignedArray<std::byte> bytes;
  std::vector<KeyList> lists;  ///< whose positions are those that the bits were rotated at

  /// The bank's list for one of the cache's: it has one for each, or one that a single list was given.
  [[nodiscard]] std::size_t list_of(std::size_t list) const { return lists.size() == 1 ? 0 : list; }
};

/// Copies the tokens of a list, whose bits are in `from`, into a bank of their own. Errors: memory.
[[nodiscard]] Expected<KeyBank> copy_to_bank(const KeyState& from, const std::byte* bytes, std::vector<KeyList> lists);

}  // namespace posenc
