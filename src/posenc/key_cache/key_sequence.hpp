#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/key_cache/kernels/key_mover.hpp"
#include "posenc/key_cache/key_edit.hpp"
#include "posenc/key_cache/key_list.hpp"

namespace posenc {

/// Where tokens come from.
struct KeySource {
  KeyState state;
  AlignedArray<std::byte> bytes;  ///< of inserted keys
};

/// Holds what a cache is to become.
struct KeySequence {
  std::vector<KeyList> lists;
  KeyRotation rotation;
  KeyType type = KeyType::float32;
  std::size_t first_dim = 0;
  std::vector<KeySource> sources;  ///< the first is the cache

  /// Makes the lists of a source, [lists, tokens, axes]. Errors: positions that no such lists have, or whose angles
  /// are not exact; more than it has room for; memory.
  [[nodiscard]] static Expected<std::vector<KeyList>> lists_of(const KeyState& state, std::size_t source,
                                                               std::span<const double> positions);

  /// Applies an edit. Errors: see EditedKeys::make; what the sequence is then, does not matter.
  [[nodiscard]] Expected<void> apply(const KeyEdit& edit);

 private:
  [[nodiscard]] Expected<void> apply(const edit::Shift& shift, KeyList& list);
  [[nodiscard]] Expected<void> apply(const edit::Move& move, KeyList& list);
  [[nodiscard]] Expected<void> apply(const edit::Drop& drop, KeyList& list);
  [[nodiscard]] Expected<void> apply(const edit::Divide& divide, KeyList& list);
  [[nodiscard]] Expected<void> apply(const edit::Rotate& rotate);
  [[nodiscard]] Expected<void> apply(const edit::Convert& convert);
  [[nodiscard]] Expected<void> apply(const edit::Insert& insert, std::span<KeyList> into);
  [[nodiscard]] Expected<std::vector<KeyList>> zeros(const edit::Insert& insert, std::size_t count) const;
  [[nodiscard]] Expected<std::vector<KeyList>> inserted(const edit::Insert& insert, std::size_t count);
};

}  // namespace posenc
