#pragma once

#include <optional>
#include <vector>

#include "posenc/hub/config_value.hpp"
#include "testing/reference.hpp"

/// A rendering of what transformers 5 does with a config's rope dictionaries, written from
/// src/transformers/modeling_rope_utils.py (17 August 2026): convert_rope_params_to_dict, standardize_rope_params, the
/// functions of ROPE_INIT_FUNCTIONS, and GPT-NeoX' compute_default_rope_parameters. Formulas are in 113 bits, and share
/// nothing with scaling_reference.
namespace reference {

/// inv_freq and attention_scaling. `is_doubtful`: transformers warns of the options, or what comes out means nothing.
struct Rendered {
  std::vector<Quad> frequencies;
  Quad attention_factor = 1;
  bool is_doubtful = false;
};

/// Computes the dictionary of a layer type, or of all (""); nothing where transformers raises.
[[nodiscard]] std::optional<Rendered> render(const posenc::ConfigValue& json, const char* layer_type, double length);

}  // namespace reference
