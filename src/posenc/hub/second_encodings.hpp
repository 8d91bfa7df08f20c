#pragma once

#include <vector>

#include "posenc/hub/hub_encoding.hpp"

namespace posenc {

/// An encoding beside that of tokens by their place: of what, and how; Unknown where this library has none like it.
struct SecondEncoding {
  std::string_view of;
  HubEncoding encoding;
};

/// Those of a type, by its config: boxes, buckets of distances, an encoder beside a decoder, ...
[[nodiscard]] std::vector<SecondEncoding> read_second_encodings(ConfigReader& reader, const TextConfig& config);

}  // namespace posenc
