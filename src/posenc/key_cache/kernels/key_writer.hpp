#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "posenc/key_cache/key_bank.hpp"
#include "posenc/key_cache/key_sequence.hpp"

namespace posenc {

/// Writes the keys of a sequence, from the banks where their bits are. Those of a cache that keeps none are its
/// current keys, in bank 0.
class KeyWriter {
 public:
  KeyWriter(const KeySequence& now, KeySequence& next, std::span<const KeyBank> banks, bool keeps, bool in_place)
      : now_(now), next_(next), banks_(banks), keeps_(keeps), in_place_(in_place) {}

  /// Gets all memory. `from` and `to`, which must outlive this, are where keys are, in `keys` the current ones.
  /// Errors: rerotations whose scales cannot be held; memory.
  [[nodiscard]] Expected<void> prepare(const KeyState& from, const std::byte* keys, const KeyState& to);

  /// Then writes them, and the errors of the next sequence's tokens.
  void write(std::byte* out);

 private:
  /// Where tokens of a bank come from.
  struct Source {
    const KeyState* state;
    const std::byte* bytes;
    const KeyBank* bank;  ///< null of current keys
    KeyMover mover;
  };

  [[nodiscard]] const KeyBank* bank(std::size_t i) const;
  [[nodiscard]] const double* first_position(std::size_t bank, std::size_t list, std::size_t index) const;
  [[nodiscard]] bool is_in_order() const;
  [[nodiscard]] Expected<void> check_scales(const KeyState& from, const KeyState& to) const;
  [[nodiscard]] bool stays(std::size_t list, std::size_t i) const;
  [[nodiscard]] std::size_t segment(std::size_t list, std::size_t i, Source& source) const;
  void write_zeros(std::byte* out, std::size_t list, std::size_t i) const;

  const KeySequence& now_;
  KeySequence& next_;
  std::span<const KeyBank> banks_;
  bool keeps_, in_place_;
  bool keeps_state_ = false;  ///< neither rotation nor type change, in place
  const KeyState* to_ = nullptr;
  std::optional<KeyBank> copied_;  ///< of current keys that would be overwritten before they are read
  std::vector<std::optional<Source>> sources_;
};

}  // namespace posenc
