#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "posenc/base/names.hpp"
#include "posenc/key_cache/key_rotation.hpp"
#include "posenc/key_cache/key_type.hpp"
#include "posenc/rotary/sequence_shape.hpp"

namespace posenc {

/// Keys where they are: a tensor of any axes. `Byte` is std::byte, const or not.
template <class Byte>
struct BasicKeys {
  KeyType type = KeyType::float32;
  std::span<Byte> bytes;
  SequenceShape shape;

  operator BasicKeys<const std::byte>() const { return {type, bytes, shape}; }
};

using Keys = BasicKeys<std::byte>;
using ConstKeys = BasicKeys<const std::byte>;

/// Tokens from `from` up to `to`, indices of the sequence: all by default.
struct TokenRange {
  std::optional<std::int64_t> from = std::nullopt;
  std::optional<std::int64_t> to = std::nullopt;
};

/// Lists what can be done to a sequence of cached keys. Tokens are named by their indices at the time of the edit. The
/// extent of a range, by which others make room or close up, is the position of the token behind it less that of its
/// first; at the end of the sequence, the largest coordinate in it, plus 1, less that of its first (what M-RoPE's next
/// text has).
namespace edit {

/// Positions move on, without tokens changing places.
struct Shift {
  TokenRange tokens;
  std::vector<double> by;  ///< one number, or one a coordinate
};

/// A range goes to another place: its first token becomes token `at` of the sequence without it. Later tokens close up
/// where it was and make room where it comes to, and its first takes the position that it finds there.
struct Move {
  TokenRange tokens;
  std::int64_t at = 0;
  bool keep_positions = false;  ///< tokens change places alone
};

/// A range is taken out; later tokens close up.
struct Drop {
  TokenRange tokens;
  bool keep_positions = false;  ///< they stay where they are
};

/// Keys of another cache, in front of token `at`, or `count` tokens of zeros, which are right for any rotation. The
/// first takes the position that it finds there, the others follow as they were, later tokens make room.
struct Insert {
  std::int64_t at = 0;
  /// Without a value `count` tokens of zeros, at consecutive positions.
  std::optional<ConstKeys> keys = std::nullopt;
  std::optional<std::int64_t> count = std::nullopt;
  /// By what `keys` are rotated; the cache's rotation by default.
  std::optional<KeyRotation> rotation = std::nullopt;
  /// Where, [tokens, axes] or [lists, tokens, axes].
  std::span<const double> positions = {};
  bool keep_positions = false;  ///< theirs and those of later tokens stay
};

/// All keys as another rotation would have rotated them: other frequencies, another factor, another layout.
struct Rotate {
  KeyRotation rotation;
};

/// floor(position / by) + plus: SelfExtend's group (relative/position_map.hpp) of keys.
struct Divide {
  TokenRange tokens;
  double by = 1;  ///< finite and > 0
  double plus = 0;
};

/// Another type for all keys.
struct Convert {
  KeyType type = KeyType::float32;
};

}  // namespace edit

/// Which of them, in their order.
enum class KeyEditType : std::uint8_t { shift, move, drop, insert, rotate, divide, convert };

template <>
inline constexpr auto names_of<KeyEditType> = Names("type", {{"shift", KeyEditType::shift},
                                                             {"move", KeyEditType::move},
                                                             {"drop", KeyEditType::drop},
                                                             {"insert", KeyEditType::insert},
                                                             {"rotate", KeyEditType::rotate},
                                                             {"divide", KeyEditType::divide},
                                                             {"convert", KeyEditType::convert}});

struct KeyEdit {
  std::variant<edit::Shift, edit::Move, edit::Drop, edit::Insert, edit::Rotate, edit::Divide, edit::Convert> what;
  /// Which list, where each index of the batch axis has its own; all by default, and in those that regard all keys.
  std::optional<std::int64_t> list = std::nullopt;
};

}  // namespace posenc
