#pragma once

#include <cstdint>

namespace posenc {

/// Which lanes of a head are rotated together, for r rotated lanes. The pair (a, b) becomes
/// (a cos - b sin, a sin + b cos).
enum class Layout : std::uint8_t {
  unnamed,        ///< refused
  half,           ///< lane i with lane i + r/2 (GPT-NeoX; Llama in Hugging Face transformers)
  interleaved,    ///< lane 2i with lane 2i + 1 (RoFormer, GPT-J)
  deinterleaved,  ///< lanes 2i, 2i + 1 are read, lanes i, i + r/2 are written (DeepSeek's rope_interleave)
};

/// Rotation back by the same angles undoes a rotation: it is its transpose. With Layout::deinterleaved it reads
/// Layout::half and writes Layout::interleaved.
enum class Direction : std::uint8_t { forward, inverse };

}  // namespace posenc
