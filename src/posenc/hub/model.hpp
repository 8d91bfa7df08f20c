#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "posenc/hub/hub_config.hpp"

namespace posenc {

/// The query at position p is multiplied by 1 + slope ln(1 + floor((p + offset) / period)).
struct QueryTemperature {
  double slope;
  double offset;
  double period;
};

/// Which keys a query reaches, besides what a causal mask leaves.
enum class Reach : std::uint8_t {
  all,
  window,  ///< the last `reach` ones, its own included
  chunk,   ///< those of its own `reach` positions: positions of one quotient by it
};

/// What layers that follow one another and are alike do with positions.
struct ModelLayers {
  HubLayers layers;
  std::optional<std::size_t> plan;  ///< of HubConfig::plans; none where nothing rotates
  Reach reaches = Reach::all;
  std::int64_t reach = 0;
  std::optional<QueryTemperature> temperature;
  /// What scores q k are multiplied by, attention factors not included; none for a type of model that is not known.
  std::optional<double> score_scale;
};

struct Model {
  HubConfig config;
  std::vector<ModelLayers> layers;
};

/// Reads what a model does with positions, layer by layer.
///
/// - Temperature: Llama 4's layers that do not rotate (`attn_temperature_tuning`, `attn_scale`, `floor_scale`),
///   Ministral 3 and Mistral 4 in all (`llama_4_scaling_beta`, in `original_max_position_embeddings`).
/// - Scale of the scores: 1 / sqrt(lanes of a head), both parts of a split one; times the square of
///   g(factor, mscale_all_dim) in DeepSeek-V3 and models made of its code; `query_pre_attn_scalar` in place of the
///   lanes in Gemma 2 and 3; `attention_multiplier` in Granite; 1 in Gemma 4.
///
/// Sources: modeling_*.py of Hugging Face transformers, version 5 of August 2026. Errors: those of read_hub_config, and
/// numbers of these keys that are of another kind or cannot be meant.
[[nodiscard]] Expected<Model> read_model(const ConfigValue& config);

}  // namespace posenc
