#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/key_cache/kernels/key_addresses.hpp"
#include "posenc/key_cache/kernels/key_rerotation.hpp"
#include "posenc/key_cache/key_rotation.hpp"

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

  /// Tokens of a list of one state and where they go.
  struct Run {
    const std::byte* from;
    std::size_t from_list, source;
    std::byte* to;
    std::size_t to_list, target;
    std::size_t count;
  };
  /// All by one rerotation. They may be the same memory, where no token is overwritten before it is read. Returns how
  /// far a dimension may then be from its formula, see key_bound.hpp.
  double move(const Run& run, const KeyRerotation& rerotation);

 private:
  KeyMover(const KeyState& from, const KeyState& to, KeyRerotations rerotations)
      : from_(&from), to_(&to), rerotations_(std::move(rerotations)) {}

  void copy_head(const std::byte* from, std::byte* to) const;
  void change_head(const KeyAddresses& at, const std::byte* from, std::byte* to, const AngleRow<float>* angles);
  void read_head(const KeyAddresses& addresses, const std::byte* head);
  void write_head(std::byte* head);
  void rotate_rows(float* first, std::size_t count, std::size_t stride, AngleRow<float> angles) const;

  const KeyState* from_;
  const KeyState* to_;
  KeyRerotations rerotations_;
  std::vector<std::size_t> blocks_;
  bool same_type_ = false, moves_dims_ = false;
  /// Dimensions of a head that are read as floats and written, whole blocks: all where the type changes.
  std::size_t first_ = 0, last_ = 0;
  std::vector<std::size_t> from_dims_, to_dims_;  ///< of them, where the dimensions of each pair are
  AlignedArray<float> floats_, others_;           ///< of a head, and in their order before
  AlignedArray<std::uint16_t> words_;             ///< of dimensions that are not contiguous
};

}  // namespace posenc
