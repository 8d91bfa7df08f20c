#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/grid/mrope.hpp"
#include "posenc/hub/config_value.hpp"
#include "posenc/hub/evidence.hpp"
#include "posenc/hub/hub_encoding.hpp"
#include "posenc/hub/hub_layers.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

class ConfigReader;
struct TextConfig;

/// The rotation of one kind of layer, as a model's config.json describes it.
struct HubPlan {
  /// "full_attention", "sliding_attention", ... ; empty where all layers rotate alike.
  std::string layer_type;
  /// The path of its dictionary, "rope_scaling."; empty if the config has none.
  std::string path;
  /// Options of Rotary::make. `layout` is Layout::unnamed unless the model type's layout is known (model_types.hpp);
  /// `length`, which dynamic NTK and LongRoPE need, is never set.
  RotaryOptions rotary;
  double attention_factor = 1;
  /// Whether queries and keys rotate by the opposite angle (NanoChat).
  bool inverse = false;
  /// Numbers of pairs for time, height and width where positions have these three axes (M-RoPE); empty elsewhere.
  std::vector<std::int64_t> mrope_section;
  /// The order in which the axes share the pairs.
  MropeOrder mrope_order = MropeOrder::chunked;
};

struct HubConfig {
  HubEncoding encoding;
  std::vector<HubPlan> plans;  ///< none unless the encoding is Rotary
  std::vector<HubLayers> layers;
  /// Paths of keys without effect: in rope dictionaries that were read all of them ("rope_scaling.finetuned"),
  /// elsewhere, at every level, those whose name could concern positions or scores ("vision_config.rope_theta").
  std::vector<std::string> unknown_keys = {};
  std::vector<SecondEncoding> second_encodings = {};
  /// Paths of the other configs inside the config ("vision_config"), each of a model of its own: objects that have a
  /// `model_type`, or a number of layers or heads.
  std::vector<std::string> parts = {};
  /// Paths of what names code that is not the one that was read for the type: what that does is assumed then.
  std::vector<std::string> other_code = {};
  /// How each trait of the plans, and those of the model that are read here ("encoding", "layers"), are known.
  std::vector<Evidence> evidence = {};
  /// The file in which the type's code was read; empty for a type that is not listed.
  std::string source = {};
};

/// The plan of such layers; nullptr if they do not rotate.
[[nodiscard]] const HubPlan* plan_of(const HubConfig& config, const HubLayers& layers);

/// Reads the rotary plans of a model's config.json (Hugging Face transformers, versions 4 and 5; where the two
/// differ, as version 5 does).
///
/// - Rope dictionary: `rope_scaling` unless it is empty, else `rope_parameters` (one, or one a layer type: then members
///   that are no objects are unknown keys).
/// - Dimensions of a head, those that rotate, and the base: the first of their keys that is not null, else the model's
///   default. `rope_ratio` is read as ChatGLM3 and GLM-4 do; ChatGLM2-6B-32K divides positions by it instead.
/// - Where sliding attention has a base of its own, plans are "full_attention", then "sliding_attention". DeepSeek-V4
///   has two plans, "main" and "compress".
/// - `original_max_position_embeddings` beside one dictionary for all layers takes precedence over the one in it.
///
/// Errors name the key with its path ("rope_scaling.factor"): a value of the wrong kind, a required key that is
/// missing, an unknown rope type, a fraction that disagrees, layers without a plan, the errors of
/// Frequencies::make_scaled, and those of read_model.
[[nodiscard]] Expected<HubConfig> read_hub_config(const ConfigValue& config);

/// Reads the plans without unknown keys, for callers that read further keys; the reader has the error.
void read_plans(ConfigReader& reader, const TextConfig& config, HubConfig& result);

}  // namespace posenc
