#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/key_cache/key_edit.hpp"
#include "posenc/key_cache/key_rotation.hpp"
#include "posenc/key_cache/key_type.hpp"

namespace posenc {

struct KeyHistoryOptions {
  /// By what the keys are rotated, at their positions.
  KeyRotation rotation;
  /// Which dimension of a head is the first that the rotation sees: MLA's rotary slice. Without it heads have as many
  /// dimensions as the rotation.
  std::optional<std::int64_t> first_dim = std::nullopt;
  /// Whether a copy of the first bits of all keys is kept.
  bool keep = false;
};

/// How far the keys of a cache may be from what the real-number formulas make of their first bits.
struct KeyBound {
  /// The bound of a dimension, as a part of the largest Euclidean norm that a pair of its head should have; of q8_0, of
  /// that or of the largest other dimension.
  double dimension = 0;
  /// Gives the bound in units of the last place of values from 0.5 to 1 (q8_0: of the whole number of a block's largest
  /// value).
  double ulps = 0;
};

/// Remembers where and how each cached key was first rotated, and what has been done to it since. All edits of a call
/// are composed in double; then each value is rotated and rounded once. With the first bits kept, that is one rounding
/// from these, however many calls there were; without, one a call.
///
/// Where keys are (shape, slots) may differ from call to call; how many heads, dimensions and lists they have, may
/// not.
class KeyHistory {
 public:
  /// For keys as they are. `positions`: [tokens, axes], for all keys alike, or [lists, tokens, axes] where the shape
  /// names a batch axis, with `lists` its extent. There may be fewer tokens than the keys have room for. Errors: a
  /// first dimension, or dimensions, that heads do not have; a number of lists other than 1 and the batch axis's
  /// extent; positions that no such lists have, or whose angles are not exact; bytes that do not fit shape and type;
  /// slots that are no indices of the sequence axis or are named twice; q8_0 whose heads are not whole blocks,
  /// together; rotations with heads of their own where a batch axis is named or heads do not fit; an attention factor
  /// of 0; memory.
  [[nodiscard]] static Expected<KeyHistory> make(const KeyHistoryOptions& options, const ConstKeys& keys,
                                                 std::span<const double> positions, std::size_t lists = 1);

  KeyHistory(KeyHistory&&) noexcept;
  KeyHistory& operator=(KeyHistory&&) noexcept;
  ~KeyHistory();

  /// Prepares what `write` will write: the keys after these edits. Nothing has changed yet. Another call replaces it.
  /// Errors, named "edits[2].by": tokens, places and lists that there are not; numbers that are not finite; positions
  /// whose angles are not exact; what does not fit of inserted keys, whose values are copied here, or of a rotation;
  /// memory.
  [[nodiscard]] Expected<void> stage(std::span<const KeyEdit> edits);

  /// Prepares the first keys, at their first positions. With their first bits kept, these; else the keys rotated back,
  /// within the bound. Errors: a token ("edits") that was dropped and not kept; memory.
  [[nodiscard]] Expected<void> stage_undo();

  /// How many tokens the longest list has then, and of which type they are.
  [[nodiscard]] std::size_t staged_tokens() const;
  [[nodiscard]] KeyType staged_type() const;

  /// Takes `keys`, as the last call left them, to what was staged. `out` may be the same memory, of the same shape,
  /// slots and type; what is behind the last token there stays. Otherwise it must not overlap, and gets zeros
  /// there. Errors: nothing staged; keys or an `out` of another type, or too few tokens, heads or dimensions; those of
  /// `make` about them; scales of xPos that are more than e^80 apart; memory. Nothing is then written, and the history
  /// has not changed.
  ///
  /// Largest error of a dimension of the pair (a, b), which has the factor m: 3 * 2^-24 * m * (|a| + |b|) in float32;
  /// for other types half a last bit more, for q8_0 0.5622 a / 127 more, a being the largest value of a block. A token
  /// whose rotation, type and layout do not change keeps its bits.
  [[nodiscard]] Expected<void> write(const ConstKeys& keys, const Keys& out);

  /// `stage` and `write`, in place.
  [[nodiscard]] Expected<void> edit(const Keys& keys, std::span<const KeyEdit> edits);
  [[nodiscard]] Expected<void> undo(const Keys& keys);

  [[nodiscard]] std::size_t lists() const;
  [[nodiscard]] std::size_t axes() const;
  [[nodiscard]] KeyType type() const;
  /// Returns the positions of a list's tokens, [tokens, axes].
  [[nodiscard]] std::span<const double> positions(std::size_t list) const;
  /// Over all tokens. As certificate.hpp counts, for values that are neither subnormal nor beyond their type.
  [[nodiscard]] KeyBound bound() const;

 private:
  class Kept;
  explicit KeyHistory(std::unique_ptr<Kept> kept);

  std::unique_ptr<Kept> kept_;
};

}  // namespace posenc
