#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "posenc/hub/hub_config.hpp"
#include "posenc/rotary/query_temperature.hpp"

namespace posenc {

/// Which keys a query reaches, besides what a causal mask leaves.
enum class Reach : std::uint8_t {
  all,
  window,  ///< the last `reach` ones, its own included; in an encoder as many behind it too
  chunk,   ///< those of its own `reach` positions: positions of one quotient by it
};

/// "all" | "window" | "chunk"
[[nodiscard]] std::string_view name_of(Reach reach);

/// Which dimensions of a head rotate: `count` of `dim`, from `first` on.
struct HeadDims {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t dim = 0;
};

/// What chooses a layer's keys: heads of its own, rotated by the layer's frequencies, in dimensions and a layout of
/// their own.
struct Indexer {
  HeadDims dims;
  Layout layout = Layout::unnamed;
  double score_scale = 1;
};

/// What layers that follow one another and are alike do with positions.
struct ModelLayers {
  HubLayers layers;
  std::optional<std::size_t> plan;  ///< of HubConfig::plans; none where nothing rotates
  HeadDims dims;                    ///< where something does
  Reach reaches = Reach::all;
  std::int64_t reach = 0;
  std::optional<QueryTemperature> temperature;
  /// What scores q k are multiplied by, attention factors not included; none for a type of model that is not known.
  std::optional<double> score_scale;
  std::optional<Indexer> indexer;
  /// Positions that one compressed key stands for; it is rotated at the first of them. 0: keys are not compressed.
  std::int64_t compression = 0;
  /// Whether the attention's output is rotated too, back by the query's position (values were rotated with the keys).
  bool rotates_outputs = false;
};

/// How a model's code numbers its tokens.
struct ModelIds {
  /// "sequence": 0, 1, 2, ...; the preset of mrope_positions; or none, for positions of several axes in a model that is
  /// not known.
  std::string_view rule = "sequence";
  std::optional<std::int64_t> merge;        ///< of the vision part: `spatial_merge_size`
  std::optional<double> tokens_per_second;  ///< of the vision part
};

struct Model {
  std::string model_type = {};
  /// Where the config of its text stands: "text_config.", or empty.
  std::string path = {};
  /// `max_position_embeddings`
  std::optional<double> length = {};
  /// `original_max_position_embeddings`, in a rope dictionary or beside it, if it is named at all.
  std::optional<double> original_length = {};
  HubConfig config;
  std::vector<ModelLayers> layers = {};
  ModelIds ids = {};
};

/// Reads what a model does with positions, layer by layer.
///
/// - Dimensions: the first ones of a head, but the last ones where it is split (DeepSeek and models of its code).
/// - Temperature: Llama 4's layers that do not rotate (`attn_temperature_tuning`, `attn_scale`, `floor_scale`),
///   Ministral 3 and Mistral 4 in all (`llama_4_scaling_beta`, in `original_max_position_embeddings`).
/// - Scale of the scores: 1 / sqrt(dimensions of a head), both parts of a split one; times the square of
///   g(factor, mscale_all_dim) in DeepSeek-V3 and models made of its code; `query_pre_attn_scalar` in place of the
///   dimensions in Gemma 2 and 3; `attention_multiplier` in Granite; 1 in Gemma 3n and 4 and in T5.
/// - Indexers: DeepSeek-V3.2, GLM-5, DeepSeek-V4 and MiniMax M3 in their sparse layers. GLM-5's `indexer_types` say
///   which layers use the choice of the one before.
///
/// Sources: modeling_*.py of Hugging Face transformers, version 5 of August 2026. Errors: those of read_hub_config, and
/// numbers of these keys that are of another kind or cannot be meant.
[[nodiscard]] Expected<Model> read_model(const ConfigValue& config);

}  // namespace posenc
