#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "posenc/error.hpp"

namespace posenc {

/// How the cosines and sines of r rotated lanes, r/2 pairs, stand in memory: one row a position.
enum class CacheForm : std::uint8_t {
  onnx,                     ///< cosines [r/2] and sines [r/2]: ONNX's RotaryEmbedding, flash-attention
  huggingface,              ///< cosines [r] and sines [r], all pairs and then all again: Llama in transformers
  huggingface_interleaved,  ///< the same, each pair twice in a row: GPT-J, Cohere in transformers
  ggml,                     ///< one array [r]: cosine, sine of each pair in turn
};

/// "onnx" | "huggingface" | "huggingface-interleaved" | "ggml"; an Error that lists them for anything else.
[[nodiscard]] Expected<CacheForm> cache_form_from_name(std::string_view name);

/// Values in a row of the cosines, for an even number of rotated lanes.
[[nodiscard]] inline std::size_t row_of(CacheForm form, std::size_t rotary_dim) {
  return form == CacheForm::onnx ? rotary_dim / 2 : rotary_dim;
}

}  // namespace posenc
