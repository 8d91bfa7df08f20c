#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "posenc/key_cache/key_bank.hpp"
#include "posenc/key_cache/key_edit.hpp"
#include "posenc/key_cache/key_list.hpp"

namespace posenc {

/// Holds what a cache is to become.
struct KeySequence {
  std::vector<KeyList> lists;
  KeyRotation rotation;
  KeyType type = KeyType::float32;
  std::size_t first_dim = 0;
  KeyAddresses like;           ///< how many heads of how many dimensions a token has
  std::vector<KeyBank> added;  ///< whose numbers follow those of the banks there are
  std::size_t banks = 1;       ///< of those

  /// Lists that are equal, but without banks. Errors: memory.
  [[nodiscard]] Expected<KeySequence> copy() const;

  /// Applies an edit. Errors: see KeyHistory::edit; what the sequence is then, does not matter.
  [[nodiscard]] Expected<void> apply(const KeyEdit& edit);

 private:
  [[nodiscard]] Expected<void> apply(const edit::Shift& shift, std::size_t list);
  [[nodiscard]] Expected<void> apply(const edit::Move& move, std::size_t list);
  [[nodiscard]] Expected<void> apply(const edit::Drop& drop, std::size_t list);
  [[nodiscard]] Expected<void> apply(const edit::Divide& divide, std::size_t list);
  [[nodiscard]] Expected<void> apply(const edit::Rotate& rotate);
  [[nodiscard]] Expected<void> insert(const edit::Insert& insert, std::optional<std::size_t> list);
  [[nodiscard]] Expected<std::vector<KeyList>> inserted_lists(const edit::Insert& insert, std::size_t lists);
};

}  // namespace posenc
