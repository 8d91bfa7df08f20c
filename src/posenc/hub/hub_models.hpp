#pragma once

#include <string_view>

#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// What holds where a config does not say otherwise.
struct HubDefaults {
  float base = 10000;
  float local_base = 0;       ///< of sliding attention, which then is a plan of its own; 0: it has none
  short head_dim = 0;         ///< 0: hidden size / heads
  float fraction = 1;         ///< of the lanes that rotate
  short rotary_dim = 0;       ///< in that fraction's place; 0: it is not
  bool scales_local = false;  ///< whether one dictionary for all layers scales sliding attention too
};

/// What a model's code fixes and its config.json may leave out.
struct HubModel {
  std::string_view model_type;
  Layout layout;
  HubDefaults defaults = {};
};

/// The model's row; a row without layout for a model that is not known.
///
/// Compared with Hugging Face transformers' files for that model_type (4.5x or 5), "chatglm" with the code that
/// ChatGLM3 and GLM-4-9B bring along. Defaults: configuration_*.py of all but llama, mistral, qwen2, cohere and olmo2,
/// which are taken to use base 10000 alone. Layouts: the modeling_*.py or modular_*.py of cohere, deepseek_v2,
/// deepseek_v3, glm, glm4, olmo3, phimoe, and chatglm's own, were read; those of the other rows rest on what is known
/// of these models.
[[nodiscard]] const HubModel& hub_model(std::string_view model_type);

}  // namespace posenc
