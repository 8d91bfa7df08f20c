#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/key_cache/kernels/key_addresses.hpp"
#include "posenc/key_cache/kernels/key_rerotation.hpp"
#include "posenc/key_cache/key_rotation.hpp"
#include "posenc/rotary/kernels/token_rotation16.hpp"

namespace posenc {

/// Describes keys: where they are, which dimensions of a head rotate, and by what they were rotated.
struct KeyState {
  KeyAddresses addresses;
  KeyRotation rotation;
  std::size_t first_dim = 0;  ///< of those that the rotation sees
};

/// Copies tokens of one state to the places of another and rotates them there, each value rounded once. Values that do
/// not change keep their bits.
class KeyMover {
 public:
  /// Both must outlive this; they have heads of as many dimensions. Errors: memory.
  [[nodiscard]] static Expected<KeyMover> make(const KeyState& from, const KeyState& to);

  [[nodiscard]] KeyRerotations& rerotations() { return rerotations_; }

  /// Tokens that are one after the other, as many as `count`, of one list, all by one rerotation. They may be the
  /// same memory, at places where no token is overwritten before it is read.
  void move(const std::byte* from, std::size_t from_list, std::size_t source, std::byte* to, std::size_t to_list,
            std::size_t target, std::size_t count, const KeyRerotation& rerotation);

 private:
  KeyMover(const KeyState& from, const KeyState& to, KeyRerotations rerotations)
      : from_(&from), to_(&to), rerotations_(std::move(rerotations)) {}

  void copy_token(const std::byte* from, std::size_t from_list, std::size_t source, std::byte* to, std::size_t to_list,
                  std::size_t target) const;
  void move_rows(const std::byte* from, std::size_t from_list, std::size_t source, std::byte* to, std::size_t to_list,
                 std::size_t target, std::size_t tokens, const KeyRerotation& rerotation);
  /// Rows of dimensions, so many values apart, and where they belong.
  struct RowMove {
    const std::byte* from;
    std::size_t from_stride;
    std::byte* to;
    std::size_t stride, count;
  };
  void rotate_rows(const RowMove& rows, const KeyRerotation& rerotation);
  void rotate_in_float32(const std::byte* from, std::size_t from_list, std::size_t source, std::byte* to,
                         std::size_t to_list, std::size_t target, const KeyRerotation& rerotation);
  void read_head(const std::byte* head);
  void write_head(std::byte* head);

  const KeyState* from_;
  const KeyState* to_;
  KeyRerotations rerotations_;
  /// Whether kernels rotate keys where they are, of the type and in the order that they have.
  bool in_place_ = false;
  bool moves_dims_ = false;  ///< to another layout
  std::vector<std::size_t> blocks_;
  std::optional<TokenRotation16> rotation16_;
  std::size_t number16_ = 0;  ///< that it was given
  /// Dimensions of a head that are read as floats and written, whole blocks: all where the type changes.
  std::size_t first_ = 0, last_ = 0;
  std::vector<std::size_t> from_dims_, to_dims_;  ///< of them, those of a rotated head in Layout::half
  AlignedArray<float> floats_, halves_;           ///< of a head, and its rotated dimensions
  AlignedArray<std::uint16_t> words_;             ///< of dimensions that are not contiguous
};

}  // namespace posenc
