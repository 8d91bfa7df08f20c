#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "posenc/relative/alibi.hpp"

namespace posenc {

class ConfigReader;
struct TextConfig;

/// The ways in which models use positions.
namespace encoding {

/// Queries and keys are rotated, as HubConfig::plans describe.
struct Rotary {};

/// Masks and recurrent layers alone distinguish positions.
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

/// Queries and keys are rotated by the coordinates of a cell, as rotary_grid's preset does.
struct Grid {
  std::string_view preset;
  std::int64_t dim;            ///< of a head
  std::optional<double> base;  ///< the preset's if there is none
  std::array<double, 4> dims;  ///< of each axis, 0 beyond the last; the preset's if all are 0
  std::int64_t merge = 0;      ///< merge_size of the preset "qwen2-vl"; 0 of others
};

/// Keys of Shaw et al.: each query times a learned row for the distance is added to its scores, in place of a table.
struct RelativeKeys {
  std::int64_t max_distance;
  bool of_keys;  ///< each key times that row, too
};

/// Not known: the type is not listed, and no key of its config is about positions.
struct Unknown {};

}  // namespace encoding

using HubEncoding =
    std::variant<encoding::Rotary, encoding::None, encoding::Learned, encoding::Sinusoidal, encoding::Alibi,
                 encoding::T5, encoding::Grid, encoding::RelativeKeys, encoding::Unknown>;

/// Its name in the API: "rotary", "none", "learned", "sinusoidal", "alibi", "t5", "grid", "shaw", "unknown".
[[nodiscard]] std::string_view name_of(const HubEncoding& encoding);

/// Reads the encoding of a model and its numbers.
[[nodiscard]] HubEncoding read_encoding(ConfigReader& reader, const TextConfig& config);

/// An encoding beside that of tokens by their place: of what, and how; Unknown where this library has none like it.
struct SecondEncoding {
  std::string_view of;
  HubEncoding encoding;
};

/// Those of a type, by its config: boxes, buckets of distances, an encoder beside a decoder, ...
[[nodiscard]] std::vector<SecondEncoding> read_second_encodings(ConfigReader& reader, const TextConfig& config);

}  // namespace posenc
