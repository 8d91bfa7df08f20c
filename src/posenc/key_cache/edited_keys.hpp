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

/// Says how the keys of a cache are rotated, and at which positions.
struct CachedKeys {
  KeyRotation rotation;
  /// Which dimension of a head is the first that the rotation sees: MLA's rotary slice. Without it heads have as many
  /// dimensions as the rotation.
  std::optional<std::int64_t> first_dim = std::nullopt;
  /// [tokens, axes], for all keys alike, or [lists, tokens, axes] where the shape names a batch axis, with `lists` its
  /// extent. There may be fewer tokens than the keys have room for.
  std::span<const double> positions = {};
  std::size_t lists = 1;
};

/// How far edited keys may be from what the real-number formulas make of the given ones.
struct KeyBound {
  /// The bound of a dimension, as a part of the largest Euclidean norm that a pair of its head should have; of q8_0, of
  /// that or of the largest other dimension.
  double dimension = 0;
  /// Gives the bound in units of the last place of values from 0.5 to 1 (q8_0: of the whole number of a block's largest
  /// value).
  double ulps = 0;
};

/// The keys of a cache after a list of edits, which are composed in double; then each value is rotated and rounded
/// once.
class EditedKeys {
 public:
  /// Finds out where each token will be, and copies keys that are inserted; of `keys` only type, shape and size count.
  /// Errors about the keys: a first dimension, or dimensions, that heads do not have; a number of lists other than 1
  /// and the batch axis's extent; positions that no such lists have, or whose angles are not exact; bytes that do not
  /// fit shape and type; q8_0 whose heads are not whole blocks, together; rotations with heads of their own where a
  /// batch axis is named or heads do not fit; an attention factor of 0. Errors about edits, named "edits[2].by":
  /// tokens, places and lists that there are not; numbers that are not finite; positions whose angles are not exact;
  /// what does not fit of inserted keys or of a rotation. Errors about both: scales of xPos that are more than e^80
  /// apart; memory.
  [[nodiscard]] static Expected<EditedKeys> make(const CachedKeys& cache, const ConstKeys& keys,
                                                 std::span<const KeyEdit> edits);

  EditedKeys(EditedKeys&&) noexcept;
  EditedKeys& operator=(EditedKeys&&) noexcept;
  ~EditedKeys();

  /// Of how many tokens the longest list will be, and of which type they.
  [[nodiscard]] std::size_t tokens() const;
  [[nodiscard]] KeyType type() const;
  [[nodiscard]] std::size_t lists() const;
  [[nodiscard]] std::size_t axes() const;
  /// Returns where a list's tokens will be, [tokens, axes].
  [[nodiscard]] std::span<const double> positions(std::size_t list) const;

  /// Writes them. `out` may be the memory of `keys`, of the same shape and type; what is behind the last token there
  /// stays. Otherwise it must not overlap, and gets zeros there. Errors: keys of another size; an `out` of another
  /// type, or too few tokens, heads or dimensions; memory. Nothing is then written.
  ///
  /// Largest error of a dimension of the pair (a, b), which has the factor m: 3 * 2^-24 * m * (|a| + |b|) in float32;
  /// for other types half a last bit more, for q8_0 0.5622 a / 127 more, a being the largest value of a block. A token
  /// whose rotation, type and layout do not change keeps its bits. The bound is over all tokens, as certificate.hpp
  /// counts, for values that are neither subnormal nor beyond their type.
  [[nodiscard]] Expected<KeyBound> write(std::span<const std::byte> keys, const Keys& out) const;

 private:
  class Plan;
  explicit EditedKeys(std::unique_ptr<const Plan> plan);

  std::unique_ptr<const Plan> plan_;
};

}  // namespace posenc
