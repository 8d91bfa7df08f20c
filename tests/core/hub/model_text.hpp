#pragma once

#include <string>
#include <string_view>

#include "posenc/hub/model.hpp"

namespace testing {

/// What a model does, as text. Of layers it has runs, "3 before, 1 -": three are normalized before rotation, the last
/// is not.
///
/// - type, path, encoding, mask, ids, source, parts, unknown (paths of keys), code (other), length, second (encodings)
/// - plans: each layer type, layout, rotated dimensions of all, base, rule and sections; factors: attention factors
/// - of layers: layers (their types), plan (its index; "-": does not rotate, "?": not known), reach, dims (first +
/// count /
///   all), scale, temperature (slope / shift / period), norm, softcap, sinks, indexer, compression, outputs
/// - how:TRAIT, or how:TRAIT@PLAN: how that trait is known, and by which key
[[nodiscard]] std::string text_of(const posenc::Model& model, std::string_view trait);

/// Checks that what evidence says of a key is so: another value changes the trait, and without one the key says
/// nothing. A config that is refused says nothing either.
void check_said_by_keys(const posenc::ConfigValue& config);

}  // namespace testing
