#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/hub/config_value.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// The rotation of one kind of layer, as a model's config.json describes it.
struct HubPlan {
  /// "full_attention", "sliding_attention", ... ; empty where all layers rotate alike.
  std::string layer_type;
  /// Ready for Rotary::make, but for two things a config does not hold. `layout` is Layout::unnamed unless the
  /// model_type is one whose layout is known (see hub_models.hpp); `length` is never set, and dynamic NTK and LongRoPE
  /// need it.
  RotaryOptions rotary;
  double attention_factor = 1;
  /// Pairs for time, height and width where positions have these three (M-RoPE); empty elsewhere.
  std::vector<std::int64_t> mrope_section;
  /// Whether the three are interleaved over the pairs (Qwen3-VL) or follow each other in runs (Qwen2-VL).
  bool mrope_interleaved = false;
};

struct HubConfig {
  std::vector<HubPlan> plans;  ///< at least one
  /// Keys of the rope dictionaries that had no effect, as paths: "rope_scaling.finetuned".
  std::vector<std::string> unknown_keys;
};

/// Reads the rotary plans out of a model's config.json (Hugging Face transformers, versions 4 and 5; where the two
/// differ, as version 5 does).
///
/// - `text_config`, where there is one, is read in place of the config around it.
/// - Rope dictionary: `rope_parameters` (one, or one a layer type), else `rope_scaling`. Its type is `rope_type`, else
///   `type`, else "default"; "su" means longrope, "mrope" default, and phi3's "yarn" longrope; "dynamic" with `alpha`
///   is static NTK of that factor (Hunyuan).
/// - Lanes of a head: `qk_rope_head_dim`, `head_dim` (`global_head_dim` for full attention), `kv_channels`, the model's
///   default, or hidden size / heads (`hidden_size`, `num_attention_heads`; `n_embd`, `n_head`), the first there is.
///   null is none.
/// - Rotated lanes: `rotary_dim`; else int(lanes * fraction) of `partial_rotary_factor` (in the dictionary, then beside
///   it) or `rotary_pct`; else the model's default, else all of them.
/// - Base: `rope_theta` in the dictionary; beside it `global_rope_theta`, `rope_theta`, `rotary_emb_base`, or 10000
///   times `rope_ratio`, the first there is; else the model's default, else 10000. `rope_ratio` is read as ChatGLM3 and
///   GLM-4 do; ChatGLM2-6B-32K, whose config looks the same, divides positions by it instead.
/// - Where sliding attention has a base of its own (`rope_local_base_freq`, `local_rope_theta`, or the model's
///   default), it is a plan of its own: "full_attention", then "sliding_attention", which one dictionary for all layers
///   scales in ModernBERT alone. `local_rope_theta` null gives it the base of full attention. Which layer has which
///   type, and which rotate at all (`no_rope_layers` of Llama 4; full attention does not in Cohere 2), is for the
///   caller to know.
/// - `original_max_position_embeddings` beside one dictionary for all layers wins over the one in it; without either
///   `max_position_embeddings` is used, except in llama3. Dynamic NTK reads `max_position_embeddings` alone. A
///   missing `factor` of yarn and longrope is max_position_embeddings divided by it; one that is given wins (in version
///   4 the ratio does).
/// - `short_mscale` and `long_mscale` are longrope's attention factor (PhiMoE) and have to be equal. DeepSeek also
///   multiplies the scores' scale by the square of g(mscale_all_dim), which is not in a plan.
///
/// Errors name the key with its path ("rope_scaling.factor"): a value of the wrong kind, a required key that is
/// missing, an unknown rope type, `alibi` that is true, and whatever Frequencies::make_scaled says of a plan.
[[nodiscard]] Expected<HubConfig> read_hub_config(const ConfigValue& config);

}  // namespace posenc
