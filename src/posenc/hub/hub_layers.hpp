#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posenc {

class ConfigReader;
struct TextConfig;

inline constexpr std::string_view full_attention = "full_attention";
inline constexpr std::string_view sliding_attention = "sliding_attention";

/// Layers that follow one another and are alike.
struct HubLayers {
  std::int64_t count = 0;
  /// As the model calls it: "full_attention", "sliding_attention", "linear_attention", ...; empty where all are alike.
  std::string type;
  /// Whether queries and keys are rotated.
  bool rotates = true;
  /// Whether it is known if they are, and what they reach: not where their type has a name that is not the model's.
  bool is_known = true;

  bool operator==(const HubLayers&) const = default;
};

/// Whether such layers are attention with softmax: not linear, state-space, convolution or feed-forward layers.
[[nodiscard]] bool has_softmax(std::string_view layer_type);

/// Whether a name is that of layers with attention, as transformers calls them.
[[nodiscard]] bool is_attention(std::string_view layer_type);

/// Reads a model's layers in order, in runs of like ones; none where the config has neither their number nor, if they
/// have several plans, the type of each.
///
/// They come from `layer_types` or `layers_block_type`, else from the keys of the model's own code (`no_rope_layers`,
/// `sliding_window_pattern`, `full_attention_interval`, ...) or its defaults. State-space, convolution and feed-forward
/// layers do not rotate, nor do cross-attention and the attention layers that the model's code excludes. Whether a
/// layer does whose type has a name that is not its model's is not known, and the name is reported.
[[nodiscard]] std::vector<HubLayers> read_layers(ConfigReader& reader, const TextConfig& config);

}  // namespace posenc
