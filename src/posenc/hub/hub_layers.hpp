#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posenc {

class ConfigReader;
struct Section;

/// Layers that follow one another and are alike.
struct HubLayers {
  std::int64_t count = 0;
  /// As the model calls it: "full_attention", "sliding_attention", "linear_attention", ...; empty where all are alike.
  std::string type;
  /// Whether queries and keys are rotated.
  bool rotates = true;

  bool operator==(const HubLayers&) const = default;
};

/// A model's layers in order, in runs of like ones; none where the config does not say how many there are,
/// nor, if they have several plans, of which type each is.
///
/// From `layer_types` or `layers_block_type`, else from what the model's own code makes of its other keys
/// (`no_rope_layers`, `sliding_window_pattern`, `full_attention_interval`, ...) or defaults. State-space, convolution
/// and feed-forward layers do not rotate, nor do attention layers where the model's code leaves it out.
[[nodiscard]] std::vector<HubLayers> read_layers(ConfigReader& reader, const Section& config,
                                                 std::string_view model_type);

}  // namespace posenc
