#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/hub_config.hpp"

namespace posenc {

/// The rope dictionary of one kind of layer, and what counts where neither it nor the config has a value.
struct PlanSource {
  Section rope = {};                 ///< none where the config has none
  std::string_view layer_type = {};  ///< empty where all layers rotate alike
  bool is_flat = false;              ///< whether the dictionary describes all layers
  bool is_listed = false;  ///< whether the two below are from lists with one for each layer, which take precedence
  double base = 10000;
  double fraction = 1;  ///< of the dimensions that rotate
};

/// Reads a plan; one whose numbers the core would refuse is an error.
void read_plan(ConfigReader& reader, const TextConfig& config, const PlanSource& source, HubPlan& plan);

/// The base of sliding attention, if it has one of its own; null gives it that of full attention.
[[nodiscard]] std::optional<double> local_base_of(ConfigReader& reader, const TextConfig& config);

/// The dimensions of a head, from the first key that has them, or from those of all heads. Where they are not `needed`,
/// 0 is what no key has.
[[nodiscard]] std::int64_t head_dim_of(ConfigReader& reader, const TextConfig& config, bool is_needed);

}  // namespace posenc
