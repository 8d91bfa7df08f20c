#pragma once

#include <cstdint>
#include <string_view>

#include "posenc/frequencies/scaling.hpp"
#include "posenc/hub/config_reader.hpp"

namespace posenc {

/// The scaling rules of rope dictionaries; `alpha` is "dynamic" with that key.
enum class RopeType : std::uint8_t { plain, linear, ntk, dynamic, alpha, yarn, longrope, llama3, proportional };

/// The config's rope dictionary: `rope_scaling` unless it is empty, as in version 5 (convert_rope_params_to_dict), else
/// `rope_parameters`.
[[nodiscard]] Section rope_dictionary(ConfigReader& reader, const Section& config);

/// The rule that the dictionary's rope type names; RopeType::plain if it names none or there is no dictionary.
[[nodiscard]] RopeType rope_type_of(ConfigReader& reader, const Section& rope, const ModelType& type);

/// The objects that have the options of a scaling rule.
struct RopeSections {
  const Section& rope;    ///< the dictionary
  const Section& config;  ///< the object around it
  bool is_flat;           ///< whether one dictionary describes all layers
  double fraction;        ///< of the dimensions that rotate
};

/// Reads the rule of a rope type.
void read_rope_scaling(ConfigReader& reader, const RopeSections& sections, RopeType type, Scaling& scaling);

}  // namespace posenc
