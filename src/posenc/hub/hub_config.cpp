#include "posenc/hub/hub_config.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/hub_models.hpp"
#include "posenc/hub/rope_scaling.hpp"

namespace posenc {
namespace {

/// Reads one config; each member function reads one concept of it.
class HubReader {
 public:
  explicit HubReader(const ConfigValue& config) : whole_{&config, ""} {
    const Section text = reader_.object(whole_, "text_config");
    config_ = text.object != nullptr ? text : whole_;
    if (!reader_.read(config_, "model_type", model_type_)) reader_.read(whole_, "model_type", model_type_);
    layout_ = hub_model(model_type_).layout;
    defaults_ = hub_model(model_type_).defaults;
  }

  Expected<HubConfig> read() {
    refuse_alibi();
    Section rope = reader_.object(config_, "rope_parameters");
    if (rope.object == nullptr) rope = reader_.object(config_, "rope_scaling");
    if (is_nested(rope))
      add_nested(rope);
    else
      add_flat(rope);
    if (const auto& error = reader_.error()) return std::unexpected(*error);
    return std::move(result_);
  }

 private:
  void refuse_alibi() {
    bool alibi = false;
    reader_.read(config_, "alibi", alibi);
    if (alibi) reader_.refuse(config_, "alibi", ConfigValue(true), "false: with ALiBi nothing is rotated");
  }

  /// One dictionary for all layers: two plans where sliding attention has a base of its own.
  void add_flat(const Section& rope) {
    const bool has_local = local_base().has_value();
    add(rope, has_local ? full : "", true);
    if (has_local) add(defaults_.scales_local ? rope : Section{}, sliding, true);
  }

  /// One dictionary for each layer type; types that the model needs and that have none are not scaled.
  void add_nested(const Section& rope) {
    for (const ConfigMember& layer : *rope.object->object()) {
      if (!is_heard(rope, layer)) continue;
      const Section section = reader_.object(rope, layer.key);
      if (section.object != nullptr) add(section, layer.key, false);
    }
    if (defaults_.local_base == 0) return;
    for (const std::string_view type : {full, sliding})
      if (rope.object->find(type) == nullptr) add({}, type, false);
  }

  /// A value for each layer type: an object whose members are objects, and which has no type itself.
  static bool is_nested(const Section& rope) {
    if (rope.object == nullptr || rope.object->find("rope_type") != nullptr || rope.object->find("type") != nullptr)
      return false;
    return std::ranges::any_of(*rope.object->object(), [&](const ConfigMember& member) {
      return member.value.object() != nullptr && is_heard(rope, member);
    });
  }

  /// Whether the member counts: null does not, nor does a key that occurred before.
  static bool is_heard(const Section& section, const ConfigMember& member) {
    return section.object->find(member.key) == &member.value;
  }

  void add(const Section& rope, std::string_view layer_type, bool is_flat) {
    HubPlan& plan = result_.plans.emplace_back();
    plan.layer_type = layer_type;
    const RopeType type = rope_type_of(reader_, rope, model_type_);
    read_lanes(rope, type, plan);
    plan.rotary.layout = layout_of_model();
    plan.rotary.base = base_of(rope, layer_type);
    read_rope_scaling(reader_, {rope, config_, is_flat, fraction_}, type, plan.rotary.scaling);
    read_sections(rope, plan);
    if (reader_.error()) return;
    if (auto checked = check(plan); !checked) return reader_.fail_by_path(std::move(checked.error()));
    reader_.unread(rope, result_.unknown_keys);
  }

  /// Models that deinterleave have a flag for those that were saved in Layout::half.
  Layout layout_of_model() {
    bool interleave = true;
    if (layout_ != Layout::deinterleaved) return layout_;
    reader_.read(config_, "rope_interleave", interleave);
    return interleave ? layout_ : Layout::half;
  }

  /// Null is no separate base: sliding attention then has that of the others.
  std::optional<double> local_base() {
    double base = defaults_.local_base;
    for (const char* const key : {"rope_local_base_freq", "local_rope_theta"})
      if (reader_.read(config_, key, "base", base)) return base;
    if (base == 0) return {};
    return reader_.is_null(config_, "local_rope_theta") ? base_of({}, full) : base;
  }

  double base_of(const Section& rope, std::string_view layer_type) {
    double base = defaults_.base;
    if (reader_.read(rope, "rope_theta", "base", base)) return base;
    if (layer_type == sliding)
      if (const auto local = local_base()) return *local;
    for (const char* const key : {"global_rope_theta", "rope_theta", "rotary_emb_base"})
      if (reader_.read(config_, key, "base", base)) return base;
    return reader_.read(config_, "rope_ratio", "base", base) ? 10000 * base : base;
  }

  /// Lanes of a head, from whichever key has them.
  std::int64_t head_dim(std::string_view layer_type) {
    std::int64_t dim = defaults_.head_dim;
    if (layer_type == full && reader_.read(config_, "global_head_dim", "dim", dim)) return dim;
    for (const char* const key : {"qk_rope_head_dim", "head_dim", "kv_channels"})
      if (reader_.read(config_, key, "dim", dim)) return dim;
    if (dim != 0) return dim;
    std::int64_t heads = 0;
    if (!reader_.read(config_, "hidden_size", "dim", dim) && !reader_.read(config_, "n_embd", "dim", dim))
      reader_.refuse_missing(config_, "head_dim", "a whole number, or hidden_size in its place");
    if (!reader_.read(config_, "num_attention_heads", "", heads) && !reader_.read(config_, "n_head", "", heads))
      reader_.refuse_missing(config_, "num_attention_heads", "a whole number");
    if (heads >= 1 && dim % heads == 0) return dim / heads;
    reader_.refuse(config_, "num_attention_heads", static_cast<double>(heads), "a divisor of the hidden size");
    return 2;
  }

  void read_lanes(const Section& rope, RopeType type, HubPlan& plan) {
    plan.rotary.dim = head_dim(plan.layer_type);
    fraction_ = defaults_.fraction;
    if (!reader_.read(rope, "partial_rotary_factor", "rotaryDim", fraction_) &&
        !reader_.read(config_, "partial_rotary_factor", "rotaryDim", fraction_))
      reader_.read(config_, "rotary_pct", "rotaryDim", fraction_);
    const bool is_fraction = fraction_ >= 0 && fraction_ <= 1;
    if (!is_fraction) return reader_.fail_by_path({"rotaryDim", fraction_, "a number from 0 to 1"});
    if (type == RopeType::proportional) return;  // all lanes, some of frequency 0
    auto lanes = static_cast<std::int64_t>(fraction_ * static_cast<double>(plan.rotary.dim));
    if (defaults_.rotary_dim != 0 && !reader_.is_null(config_, "rotary_dim")) lanes = defaults_.rotary_dim;
    reader_.read(config_, "rotary_dim", "rotaryDim", lanes);
    plan.rotary.rotary_dim = lanes;
  }

  void read_sections(const Section& rope, HubPlan& plan) {
    std::vector<double> sections;
    reader_.read(rope, "mrope_interleaved", plan.mrope_interleaved);
    reader_.read(rope, "mrope_section", "", sections);
    double sum = 0;
    for (const double pairs : sections) {
      const bool is_count = pairs >= 0 && pairs <= static_cast<double>(max_dim) && std::floor(pairs) == pairs;
      if (!is_count) return reader_.refuse(rope, "mrope_section", pairs, "whole numbers >= 0");
      plan.mrope_section.push_back(static_cast<std::int64_t>(pairs));
      sum += pairs;
    }
    const auto half = plan.rotary.rotary_dim.value_or(plan.rotary.dim) / 2;
    if (!sections.empty() && sum != static_cast<double>(half))
      reader_.refuse(rope, "mrope_section", sum, "pairs that add up to " + decimal(half));
  }

  /// What the core would say of the plan, whatever the length and the layout; and its attention factor.
  static Expected<void> check(HubPlan& plan) {
    const RotaryOptions& rotary = plan.rotary;
    const std::int64_t lanes = rotary.rotary_dim.value_or(rotary.dim);
    if (auto checked = check_whole("dim", rotary.dim, 2, max_dim); !checked) return checked;
    if (lanes < 2 || lanes > rotary.dim || lanes % 2 != 0)
      return wrong(lanes == rotary.dim ? "dim" : "rotaryDim", decimal(lanes) + " rotated lanes",
                   {"an even number from 2 to ", decimal(rotary.dim)});
    auto factor = posenc::attention_factor(
        {.frequencies = {lanes, rotary.base, rotary.exponent}, .scaling = rotary.scaling, .length = 0});
    if (!factor) return error_of(factor);
    plan.attention_factor = *factor;
    return {};
  }

  static constexpr std::string_view full = "full_attention";
  static constexpr std::string_view sliding = "sliding_attention";

  ConfigReader reader_;
  Section whole_;
  Section config_;
  std::string model_type_;
  Layout layout_ = Layout::unnamed;
  HubDefaults defaults_;
  double fraction_ = 1;  ///< of the lanes of the plan at hand
  HubConfig result_;
};

}  // namespace

Expected<HubConfig> read_hub_config(const ConfigValue& config) {
  if (config.object() == nullptr) return std::unexpected(Error{"config", config.shown(), "an object"});
  return HubReader(config).read();
}

}  // namespace posenc
