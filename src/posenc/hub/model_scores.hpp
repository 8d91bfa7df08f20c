#pragma once

#include <cstdint>

#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/model.hpp"

namespace posenc {

/// The scores of a layer depend on these.
struct ScoreSource {
  const Section& rope;  ///< the config's dictionary
  const HubPlan* plan;  ///< the layer's; nullptr if it does not rotate
  std::int64_t index;   ///< of the layer, from 0
};

/// Reads what a layer does to queries, keys and scores beside their rotation: temperature, scale, norms, cap and sinks.
void read_scores(ConfigReader& reader, const TextConfig& config, const ScoreSource& source, ModelLayers& made);

/// Whether each layer divides its scores by its number.
[[nodiscard]] bool has_scale_of_layer(ConfigReader& reader, const TextConfig& config);

/// Dimensions of a whole head, both parts of a split one; 0 if the config has no key for them.
[[nodiscard]] std::int64_t whole_head_dim(ConfigReader& reader, const TextConfig& config);

}  // namespace posenc
