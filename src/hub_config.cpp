#include "posenc/hub_config.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "check.hpp"
#include "config_reader.hpp"
#include "hub_models.hpp"

namespace posenc {
namespace {

enum class RopeType : std::uint8_t { plain, linear, ntk, dynamic, yarn, long_rope, llama3, proportional };

constexpr Name rope_types[]{
    {"default", RopeType::plain}, {"linear", RopeType::linear},
    {"ntk", RopeType::ntk},       {"dynamic", RopeType::dynamic},
    {"yarn", RopeType::yarn},     {"longrope", RopeType::long_rope},
    {"llama3", RopeType::llama3}, {"proportional", RopeType::proportional},
    {"mrope", RopeType::plain},   {"su", RopeType::long_rope},
};

/// Reads one config; each member function reads one concept of it.
class HubReader {
 public:
  explicit HubReader(const ConfigValue& config) : whole_{&config, ""} {
    const Section text = reader_.object(whole_, "text_config");
    config_ = text.object != nullptr ? text : whole_;
    model_type_ = reader_.text(config_, "model_type").value_or("");
    if (model_type_.empty()) model_type_ = reader_.text(whole_, "model_type").value_or("");
    model_ = &hub_model(model_type_);
  }

  Expected<HubConfig> read() {
    Section rope = reader_.object(config_, "rope_parameters");
    if (rope.object == nullptr) rope = reader_.object(config_, "rope_scaling");
    if (is_nested(rope))
      for (const ConfigMember& layer : *rope.object->object()) {
        const Section section = reader_.object(rope, layer.key);
        if (section.object != nullptr) add(section, layer.key, false);
      }
    else
      add_flat(rope);
    if (const auto& error = reader_.error()) return std::unexpected(*error);
    return std::move(result_);
  }

 private:
  /// One dictionary for all layers: two plans where sliding attention has a base of its own.
  void add_flat(const Section& rope) {
    const bool has_local = local_base().has_value();
    add(rope, has_local ? "full_attention" : "", true);
    if (has_local) add({}, "sliding_attention", true);
  }

  /// A value for each layer type: an object whose members are objects, and which has no type itself.
  static bool is_nested(const Section& rope) {
    if (rope.object == nullptr || rope.object->find("rope_type") != nullptr || rope.object->find("type") != nullptr)
      return false;
    const auto& members = *rope.object->object();
    return std::ranges::any_of(members, [](const ConfigMember& member) { return member.value.object() != nullptr; });
  }

  void add(const Section& rope, std::string_view layer_type, bool is_flat) {
    HubPlan plan;
    plan.layer_type = layer_type;
    const RopeType type = type_of(rope);
    read_lanes(rope, type, plan);
    plan.rotary.layout = model_->layout;
    plan.rotary.base = base_of(rope, plan.layer_type);
    plan.rotary.scaling = scaling_of(rope, type, is_flat);
    read_sections(rope, plan);
    if (reader_.error()) return;
    if (auto checked = check(plan); !checked) return reader_.fail(reader_.by_path(checked.error()));
    reader_.unread(rope, result_.unknown_keys);
    result_.plans.push_back(std::move(plan));
  }

  RopeType type_of(const Section& rope) {
    std::string key = "rope_type";
    auto name = reader_.text(rope, key);
    const auto legacy = reader_.text(rope, "type");
    if (!name && legacy) {
      name = legacy;
      key = "type";
    }
    const auto type = from_name<RopeType>(rope_types, rope.path + key, name.value_or("default"));
    if (!type) reader_.fail(type.error());
    if (!name && rope.object != nullptr && rope.object->find("factor") != nullptr)
      reader_.fail({rope.path + key, "none", "a rope type, since there is a factor"});
    return type.value_or(RopeType::plain);
  }

  std::optional<double> local_base() {
    auto base = reader_.number(config_, "rope_local_base_freq", "base");
    if (!base) base = reader_.number(config_, "local_rope_theta", "base");
    if (!base && model_->local_base != 0) base = model_->local_base;
    return base;
  }

  double base_of(const Section& rope, std::string_view layer_type) {
    if (const auto base = reader_.number(rope, "rope_theta", "base")) return *base;
    if (layer_type == "sliding_attention")
      if (const auto base = local_base()) return *base;
    for (const char* const key : {"rope_theta", "rotary_emb_base", "global_rope_theta"})
      if (const auto base = reader_.number(config_, key, "base")) return *base;
    if (const auto ratio = reader_.number(config_, "rope_ratio", "base")) return 10000 * *ratio;
    return model_->base;
  }

  /// Lanes of a head, from whichever key tells.
  std::int64_t head_dim(std::string_view layer_type) {
    if (const auto dim = reader_.whole(config_, "qk_rope_head_dim", "dim")) return *dim;
    if (layer_type == "full_attention")
      if (const auto dim = reader_.whole(config_, "global_head_dim", "dim")) return *dim;
    for (const char* const key : {"head_dim", "kv_channels"})
      if (const auto dim = reader_.whole(config_, key, "dim")) return *dim;
    if (model_->head_dim != 0) return static_cast<std::int64_t>(model_->head_dim);
    auto size = reader_.whole(config_, "hidden_size", "dim");
    if (!size) size = reader_.whole(config_, "n_embd", "dim");
    auto heads = reader_.whole(config_, "num_attention_heads");
    if (!heads) heads = reader_.whole(config_, "n_head");
    if (!size) reader_.fail({config_.path + "head_dim", "none", "a whole number, or hidden_size in its place"});
    if (!heads) reader_.fail({config_.path + "num_attention_heads", "none", "a whole number"});
    if (heads.value_or(1) < 1 || size.value_or(0) % std::max<std::int64_t>(heads.value_or(1), 1) != 0)
      reader_.fail({config_.path + "num_attention_heads", static_cast<double>(heads.value_or(0)),
                    "a divisor of the hidden size"});
    return reader_.error() ? 2 : size.value_or(2) / heads.value_or(1);
  }

  /// The fraction of lanes that rotates.
  double fraction_of(const Section& rope) {
    if (const auto fraction = reader_.number(rope, "partial_rotary_factor", "rotaryDim")) return *fraction;
    for (const char* const key : {"partial_rotary_factor", "rotary_pct"})
      if (const auto fraction = reader_.number(config_, key, "rotaryDim")) return *fraction;
    return model_->fraction;
  }

  void read_lanes(const Section& rope, RopeType type, HubPlan& plan) {
    plan.rotary.dim = head_dim(plan.layer_type);
    fraction_ = fraction_of(rope);
    const bool is_fraction = fraction_ >= 0 && fraction_ <= 1;
    if (!is_fraction) return reader_.fail(reader_.by_path({"rotaryDim", fraction_, "a number from 0 to 1"}));
    if (type == RopeType::proportional) return;  // all lanes, some of frequency 0
    const auto rotary_dim = reader_.whole(config_, "rotary_dim", "rotaryDim");
    const auto lanes = static_cast<std::int64_t>(fraction_ * static_cast<double>(plan.rotary.dim));
    plan.rotary.rotary_dim = rotary_dim.value_or(lanes);
  }

  /// L0: beside the dictionary when there is one for all layers, in it, or `max_position_embeddings`.
  double original_length(const Section& rope, bool is_flat, bool may_be_current = true) {
    constexpr std::string_view key = "original_max_position_embeddings";
    constexpr std::string_view option = "scaling.originalLength";
    const auto inside = reader_.number(rope, key, option);
    if (is_flat)
      if (const auto beside = reader_.number(config_, key, option)) return *beside;
    if (inside) return *inside;
    if (!may_be_current) return reader_.needed_number(rope, key, option);
    return reader_.needed_number(config_, "max_position_embeddings", option);
  }

  /// f, or max_position_embeddings / L0.
  double factor_or_ratio(const Section& rope, double length) {
    if (const auto factor = reader_.number(rope, "factor", "scaling.factor")) return *factor;
    return reader_.needed_number(config_, "max_position_embeddings", "scaling.factor") / length;
  }

  Scaling scaling_of(const Section& rope, RopeType type, bool is_flat) {
    const auto factor = [&] { return reader_.needed_number(rope, "factor", "scaling.factor"); };
    switch (type) {
      case RopeType::plain:
        return scaling::Default{};
      case RopeType::linear:
        return scaling::Linear{factor()};
      case RopeType::ntk:
        return scaling::StaticNtk{factor()};
      case RopeType::dynamic:
        return dynamic_of(rope, is_flat);
      case RopeType::yarn:
        return yarn_of(rope, is_flat);
      case RopeType::long_rope:
        return long_rope_of(rope, is_flat);
      case RopeType::llama3:
        return scaling::Llama3{factor(), reader_.needed_number(rope, "low_freq_factor", "scaling.lowFrequencyFactor"),
                               reader_.needed_number(rope, "high_freq_factor", "scaling.highFrequencyFactor"),
                               original_length(rope, is_flat, false)};
      case RopeType::proportional:
        return scaling::Proportional{fraction_, reader_.number(rope, "factor", "scaling.factor").value_or(1)};
    }
    return {};
  }

  Scaling dynamic_of(const Section& rope, bool is_flat) {
    if (const auto alpha = reader_.number(rope, "alpha", "scaling.factor")) return scaling::StaticNtk{*alpha};
    const double factor = reader_.needed_number(rope, "factor", "scaling.factor");
    return scaling::DynamicNtk{factor, original_length(rope, is_flat)};
  }

  Scaling yarn_of(const Section& rope, bool is_flat) {
    scaling::Yarn rule;
    rule.original_length = original_length(rope, is_flat);
    rule.factor = factor_or_ratio(rope, rule.original_length);
    rule.beta_fast = reader_.number(rope, "beta_fast", "scaling.betaFast").value_or(rule.beta_fast);
    rule.beta_slow = reader_.number(rope, "beta_slow", "scaling.betaSlow").value_or(rule.beta_slow);
    rule.truncate = reader_.flag(rope, "truncate").value_or(rule.truncate);
    rule.attention_factor = reader_.number(rope, "attention_factor", "scaling.attentionFactor");
    rule.mscale = reader_.number(rope, "mscale", "scaling.mscale");
    rule.mscale_all_dim = reader_.number(rope, "mscale_all_dim", "scaling.mscaleAllDim");
    return rule;
  }

  Scaling long_rope_of(const Section& rope, bool is_flat) {
    const double length = original_length(rope, is_flat);
    const double factor = factor_or_ratio(rope, length);
    auto short_factor = reader_.numbers(rope, "short_factor", "scaling.shortFactor");
    auto long_factor = reader_.numbers(rope, "long_factor", "scaling.longFactor");
    for (const char* const key : {"short_factor", "long_factor"})
      if (rope.object->find(key) == nullptr) reader_.fail({rope.path + key, "none", "a list of numbers"});
    return scaling::LongRope{factor, length, std::move(short_factor), std::move(long_factor),
                             reader_.number(rope, "attention_factor", "scaling.attentionFactor")};
  }

  void read_sections(const Section& rope, HubPlan& plan) {
    plan.mrope_interleaved = reader_.flag(rope, "mrope_interleaved").value_or(false);
    double sum = 0;
    for (const double pairs : reader_.numbers(rope, "mrope_section", "mropeSection")) {
      const bool is_count = pairs >= 0 && pairs <= static_cast<double>(max_dim) && std::floor(pairs) == pairs;
      if (!is_count) return reader_.fail({rope.path + "mrope_section", pairs, "whole numbers >= 0"});
      plan.mrope_section.push_back(static_cast<std::int64_t>(pairs));
      sum += pairs;
    }
    const auto half = plan.rotary.rotary_dim.value_or(plan.rotary.dim) / 2;
    if (!plan.mrope_section.empty() && sum != static_cast<double>(half))
      reader_.fail({rope.path + "mrope_section", sum, "pairs that add up to " + decimal(half)});
  }

  /// What the core would say of the plan, whatever the length and the layout; and its attention factor.
  Expected<void> check(HubPlan& plan) {
    const RotaryOptions& rotary = plan.rotary;
    const std::int64_t lanes = rotary.rotary_dim.value_or(rotary.dim);
    if (auto checked = check_whole("dim", rotary.dim, 2, max_dim); !checked) return checked;
    if (lanes < 2 || lanes > rotary.dim || lanes % 2 != 0)
      return wrong(lanes == rotary.dim ? "dim" : "rotaryDim", decimal(lanes) + " rotated lanes",
                   {"an even number from 2 to ", decimal(rotary.dim)});
    const auto factor = posenc::attention_factor(
        {.frequencies = {lanes, rotary.base, rotary.exponent}, .scaling = rotary.scaling, .length = 0});
    if (!factor) return std::unexpected(factor.error());
    plan.attention_factor = *factor;
    return {};
  }

  ConfigReader reader_;
  Section whole_;
  Section config_;
  std::string model_type_;
  const HubModel* model_ = nullptr;
  double fraction_ = 1;
  HubConfig result_;
};

}  // namespace

Expected<HubConfig> read_hub_config(const ConfigValue& config) {
  if (config.object() == nullptr) return std::unexpected(Error{"config", config.shown(), "an object"});
  return HubReader(config).read();
}

}  // namespace posenc
