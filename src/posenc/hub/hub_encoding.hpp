#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "posenc/relative/alibi.hpp"

namespace posenc {

class ConfigReader;
struct Section;

/// What a model tells its tokens' positions by.
namespace encoding {

/// Queries and keys are rotated: what HubConfig::plans describe.
struct Rotary {};

/// Nothing: masks and recurrent layers alone tell positions apart.
struct None {};

/// A learned table, added to the embeddings: position p has row p + first_row.
struct Learned {
  std::int64_t rows;
  std::int64_t first_row;
};

/// A sinusoidal table, added to the embeddings: position p has row p + first_row.
struct Sinusoidal {
  std::int64_t first_row;
};

/// ALiBi. Falcon multiplies it by 1 / sqrt(head_dim) together with the scores; BLOOM and MPT do not.
struct Alibi {
  std::int64_t heads;
  AlibiOptions options;
};

/// T5's learned bias by buckets: bidirectional in encoders, one table for all layers of a stack (in umT5 one a layer).
struct T5 {
  std::int64_t heads;
  std::int64_t buckets;
  std::int64_t max_distance;
};

}  // namespace encoding

using HubEncoding = std::variant<encoding::Rotary, encoding::None, encoding::Learned, encoding::Sinusoidal,
                                 encoding::Alibi, encoding::T5>;

/// Its name in the API: "rotary", "none", "learned", "sinusoidal", "alibi", "t5".
[[nodiscard]] std::string_view name_of(const HubEncoding& encoding);

/// Whether the type is one of those that do not rotate, and whose encoding is known.
[[nodiscard]] bool is_unrotated_model(std::string_view model_type);

/// Which of them a model has, and its numbers.
[[nodiscard]] HubEncoding read_encoding(ConfigReader& reader, const Section& config, std::string_view model_type);

}  // namespace posenc
