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

/// The model's row; a row without layout for a model that is not known. Source: the modeling and configuration files of
/// each model_type in Hugging Face transformers 4.57, and for "chatglm" the model's own.
[[nodiscard]] const HubModel& hub_model(std::string_view model_type);

}  // namespace posenc
