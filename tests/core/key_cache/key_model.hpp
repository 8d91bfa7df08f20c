#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "posenc/key_cache/edited_keys.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

/// Edits of cached keys have to give this, by their definitions: tokens in plain vectors, angles in 113 bits.
namespace key_model {

using reference::Quad;

/// A rotation by its formula.
struct Rotation {
  posenc::Layout layout = posenc::Layout::half;
  std::size_t pairs = 0;
  std::size_t first_dim = 0;
  Quad factor = 1;
  /// Computes the angle of a head's pair at the coordinates of a token.
  std::function<Quad(std::size_t head, std::size_t pair, std::span<const double> at)> angle;
  /// A pair is multiplied by this beside the factor.
  std::function<Quad(std::size_t pair, double position)> scale = [](std::size_t, double) { return Quad(1); };
  /// Pairs of runs of dimensions that are laid out separately; one run by default.
  std::vector<std::size_t> blocks{};
};

/// A key as it came, and where it is now.
struct Token {
  std::vector<double> dims;  ///< [heads, dim]
  std::size_t rotation = 0;  ///< by which it was rotated
  std::vector<double> then, now;
};

/// Keys to be inserted, whose rotation is that of this index.
struct Incoming {
  std::vector<double> dims;
  std::size_t rotation = 0;
  std::vector<double> positions;
};

struct Model {
  std::size_t heads = 1, dim = 2, axes = 1;
  std::vector<Rotation> rotations;
  std::size_t rotation = 0;  ///< the index of the one that keys are rotated by now
  std::vector<Token> tokens;

  void add(std::span<const double> dims, std::span<const double> positions);
  /// As the edit says; inserted keys and a new rotation are given beside it.
  void apply(const posenc::KeyEdit& edit, const Incoming& incoming = {}, std::size_t to_rotation = 0);

  /// A token's dimension and the two of its pair before rotation, the largest pair of its head, of all dimensions the
  /// largest.
  struct Dim {
    Quad exact = 0;
    Quad sum = 0;  ///< |a| + |b|, with all factors
    bool is_rotated = false;
  };
  /// [heads, dim]
  [[nodiscard]] std::vector<Dim> exact(const Token& token) const;
  /// The largest Euclidean norm of a pair of a head, and of its other dimensions.
  [[nodiscard]] Quad largest(std::span<const Dim> head) const;
};

/// Values as a type holds them, and back: by the definitions of the types.
[[nodiscard]] std::vector<double> decoded(posenc::KeyType type, std::span<const std::byte> bytes);
[[nodiscard]] std::vector<std::byte> encoded(posenc::KeyType type, std::span<const float> values);

/// Random keys of a type.
[[nodiscard]] std::vector<std::byte> random_keys(posenc::KeyType type, std::size_t values, std::uint32_t seed);

/// Keys in memory, [tokens, heads, dim].
struct Cache {
  posenc::KeyType type;
  std::vector<std::byte> bytes;
  std::vector<std::int64_t> shape;

  [[nodiscard]] posenc::Keys keys();
  [[nodiscard]] std::vector<double> values() const { return decoded(type, bytes); }
};

[[nodiscard]] Cache random_cache(posenc::KeyType type, std::size_t tokens, std::size_t heads, std::size_t dim,
                                 std::uint32_t seed);

/// A cache after edits: in place, or, where it needs more room or has another type, in memory of its own.
struct Edited {
  Cache cache;
  std::vector<double> positions;  ///< of the first list
  double bound = 0;
};
[[nodiscard]] Edited edited(Cache cache, const posenc::CachedKeys& of, std::span<const posenc::KeyEdit> edits);

/// The largest errors of a cache's keys.
struct Worst {
  double promised = 0;  ///< over what EditedKeys::write promises
  double bound = 0;     ///< over the bound that it gives
};
[[nodiscard]] Worst worst_of(const Model& model, const Cache& cache, double bound);

inline constexpr posenc::KeyType types[] = {posenc::KeyType::float32, posenc::KeyType::float16,
                                            posenc::KeyType::bfloat16, posenc::KeyType::q8_0};

}  // namespace key_model
