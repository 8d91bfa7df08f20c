#pragma once

#include <string_view>

#include "posenc/rotary.hpp"

namespace posenc {

/// What a model's code knows and its config.json need not say.
struct HubModel {
  std::string_view model_type;
  Layout layout;
  double base = 10000;    ///< where the config names none
  double local_base = 0;  ///< of sliding attention, where it has one of its own; 0: it has not
  double head_dim = 0;    ///< where the config does not tell; 0: hidden size / heads
  double fraction = 1;    ///< of the lanes that rotate
};

/// The model's row; a row without layout for a model that is not known. The conventions are those of each model_type in
/// Hugging Face transformers, and of the model's own code for "chatglm". Defaults of gemma3_text, gpt_oss, modernbert
/// and qwen3_vl_text were compared with their configuration files there; the other rows have yet to be.
[[nodiscard]] const HubModel& hub_model(std::string_view model_type);

}  // namespace posenc
