#pragma once

#include <string_view>

#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// What holds where a config does not say otherwise.
struct HubDefaults {
  float base = 10000;
  float local_base = 0;       ///< of sliding attention, which then is a plan of its own; 0: it has none
  short head_dim = 0;         ///< 0: hidden size / heads
  float fraction = 1;         ///< of the dimensions that rotate
  short rotary_dim = 0;       ///< in that fraction's place; 0: it is not
  bool scales_local = false;  ///< whether one dictionary for all layers scales sliding attention too
  bool is_slice = false;      ///< the rotated fraction is a head's last dimensions: a plan is of these alone
  bool is_inverse = false;    ///< rotates by the opposite angle
  bool is_nested = false;     ///< has a dictionary for each layer type, and no defaults in their place
  bool needs_rope = false;    ///< where the config has no dictionary, its class has a rule and numbers of its own
};

/// What a model's code fixes and its config.json may leave out.
struct HubModel {
  std::string_view model_type;
  Layout layout;
  HubDefaults defaults = {};
};

/// The model's row; a row without layout for a model that is not known.
///
/// Read in Hugging Face transformers' configuration_*.py (bases, heads, fractions) and modeling_*.py (layouts) of that
/// model_type, version 5 of August 2026; "chatglm" in the code that ChatGLM3 and GLM-4-9B bring along; kimi_k2 has the
/// code of DeepSeek-V3.
[[nodiscard]] const HubModel& hub_model(std::string_view model_type);

}  // namespace posenc
