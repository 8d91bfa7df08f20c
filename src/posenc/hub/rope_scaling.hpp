#pragma once

#include <cstdint>
#include <string_view>

#include "posenc/frequencies/scaling.hpp"
#include "posenc/hub/config_reader.hpp"

namespace posenc {

/// What the `rope_type` of a rope dictionary may mean; `alpha` is "dynamic" with that key.
enum class RopeType : std::uint8_t { plain, linear, ntk, dynamic, alpha, yarn, longrope, llama3, proportional };

/// What the dictionary's rope type means; RopeType::plain where it names none, or there is no dictionary.
[[nodiscard]] RopeType rope_type_of(ConfigReader& reader, const Section& rope, std::string_view model_type);

/// Where the options of a scaling rule stand.
struct RopeSections {
  const Section& rope;    ///< the dictionary
  const Section& config;  ///< the object around it
  bool is_flat;           ///< whether one dictionary describes all layers
  double fraction;        ///< of the dimensions that rotate
};

/// Reads the rule of a rope type.
void read_rope_scaling(ConfigReader& reader, const RopeSections& sections, RopeType type, Scaling& scaling);

}  // namespace posenc
