#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/base/dtype.hpp"
#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// How the cosines and sines of r rotated dimensions, r/2 pairs, are stored: one row a position.
enum class CacheForm : std::uint8_t {
  onnx,                     ///< cosines [r/2] and sines [r/2]: ONNX's RotaryEmbedding, flash-attention
  huggingface,              ///< cosines [r] and sines [r], all pairs and then all again: Llama in transformers
  huggingface_interleaved,  ///< the same, each pair twice in a row: GPT-J, Cohere in transformers
  ggml,                     ///< one array [r]: the cosine and the sine of each pair, interleaved
};

template <>
inline constexpr auto names_of<CacheForm> =
    Names("form", {{"onnx", CacheForm::onnx},
                   {"huggingface", CacheForm::huggingface},
                   {"huggingface-interleaved", CacheForm::huggingface_interleaved},
                   {"ggml", CacheForm::ggml}});

/// Values in a row of the cosines, for an even number of rotated dimensions.
[[nodiscard]] inline std::size_t row_of(CacheForm form, std::size_t rotary_dim) {
  return form == CacheForm::onnx ? rotary_dim / 2 : rotary_dim;
}

/// Rotary::cache in the form named: `cosines` [positions, row_of(form, rotary_dim)], and `sines` likewise; for
/// CacheForm::ggml `cosines` has both and `sines` is empty. Errors and largest error: those of Rotary::cache.
[[nodiscard]] Expected<void> write_rotary_cache(const Rotary& rotary, CacheForm form, const Positions& positions,
                                                std::span<float> cosines, std::span<float> sines);

/// Writes the cache in 16 bits: cosine and sine times attention factor, rounded to the type, once, as exact as a table
/// of sinusoids. Cosines and sines have the same type. Errors: those of float32; an attention factor beyond the type's
/// largest value; two types.
[[nodiscard]] Expected<void> write_rotary_cache(const Rotary& rotary, CacheForm form, const Positions& positions,
                                                Span16 cosines, Span16 sines);

/// Cosines and sines that came from elsewhere, as rows of one form.
struct RotaryCache {
  CacheForm form = CacheForm::onnx;
  std::int64_t rotary_dim = 0;     ///< even, at least 2
  std::span<const float> cosines;  ///< [rows, row_of(form, rotary_dim)]; with CacheForm::ggml the sines too
  std::span<const float> sines;    ///< the same size, or empty for CacheForm::ggml
};

/// Rotates `x` as Rotary::apply does, by a cache's cosines and sines. `rows` says which row of the cache each token
/// takes: [seq], or [batch, seq] where the shape names a batch axis. An attention factor is in the cache already.
/// Errors: no layout; a rotary_dim that is odd or outside 2 ... shape.dim(); sizes that differ; rows that are not whole
/// numbers or not there; in the forms that hold every number twice, a copy that differs, as in a cache of another form;
/// memory. `x` is then unchanged.
/// Largest error of a dimension of the pair (a, b): 2 * 2^-24 * (|a| + |b|) beyond what the cache brings, cosines and
/// sines being at most 1.
[[nodiscard]] Expected<void> rotate_with_cache(const RotaryCache& cache, Layout layout, std::span<float> x,
                                               const SequenceShape& shape, const Positions& rows,
                                               Direction direction = Direction::forward);

}  // namespace posenc
