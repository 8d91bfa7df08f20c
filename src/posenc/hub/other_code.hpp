#pragma once

#include <string>
#include <vector>

#include "posenc/hub/config_reader.hpp"

namespace posenc {

/// Finds what names code that is not the one in which a type's row was read: the paths of `auto_map`, and of an
/// architecture that is none of the type's own.
[[nodiscard]] std::vector<std::string> other_code_of(const TextConfig& config);

/// Whether a key of the text's config, of which its class takes no notice, is one that other classes' code of positions
/// reads: of ALiBi, rotation, relative distances, boxes. A switch, a 0 or a 1 that says what the class does anyway is
/// not.
[[nodiscard]] bool is_of_other_code(const ModelType& type, const ConfigMember& member);

}  // namespace posenc
