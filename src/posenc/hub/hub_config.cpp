#include "posenc/hub/hub_config.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/hub_models.hpp"

namespace posenc {
namespace {

enum class RopeType : std::uint8_t { plain, linear, ntk, dynamic, alpha, yarn, long_rope, llama3, proportional };

constexpr Name rope_types[]{
    {"default", RopeType::plain}, {"linear", RopeType::linear},
    {"ntk", RopeType::ntk},       {"dynamic", RopeType::dynamic},
    {"yarn", RopeType::yarn},     {"longrope", RopeType::long_rope},
    {"llama3", RopeType::llama3}, {"proportional", RopeType::proportional},
    {"mrope", RopeType::plain},   {"su", RopeType::long_rope},
};

/// The numbers that a rope dictionary can hold.
struct RopeNumbers {
  std::optional<double> factor;
  std::optional<double> beta_fast;
  std::optional<double> beta_slow;
  std::optional<double> attention_factor;
  std::optional<double> long_attention_factor;
  std::optional<double> mscale;
  std::optional<double> mscale_all_dim;
  std::optional<double> low_frequency_factor;
  std::optional<double> high_frequency_factor;
};

/// A set of rope types.
template <class... Types>
constexpr unsigned of(Types... types) {
  return ((1U << static_cast<unsigned>(types)) | ...);
}

/// A number's key, its name in the core, and which types have it or require it.
struct NumberRow {
  const char* key;
  const char* option;
  std::optional<double> RopeNumbers::* number;
  unsigned types;
  unsigned needed_by = 0;
};

constexpr unsigned with_factor = of(RopeType::linear, RopeType::ntk, RopeType::dynamic, RopeType::llama3);
constexpr NumberRow number_rows[]{
    {"factor", "scaling.factor", &RopeNumbers::factor,
     with_factor | of(RopeType::yarn, RopeType::long_rope, RopeType::proportional), with_factor},
    {"alpha", "scaling.factor", &RopeNumbers::factor, of(RopeType::alpha)},
    {"beta_fast", "scaling.betaFast", &RopeNumbers::beta_fast, of(RopeType::yarn)},
    {"beta_slow", "scaling.betaSlow", &RopeNumbers::beta_slow, of(RopeType::yarn)},
    {"attention_factor", "scaling.attentionFactor", &RopeNumbers::attention_factor,
     of(RopeType::yarn, RopeType::long_rope)},
    {"short_mscale", "scaling.attentionFactor", &RopeNumbers::attention_factor, of(RopeType::long_rope)},
    {"long_mscale", "", &RopeNumbers::long_attention_factor, of(RopeType::long_rope)},
    {"mscale", "scaling.mscale", &RopeNumbers::mscale, of(RopeType::yarn)},
    {"mscale_all_dim", "scaling.mscaleAllDim", &RopeNumbers::mscale_all_dim, of(RopeType::yarn)},
    {"low_freq_factor", "scaling.lowFrequencyFactor", &RopeNumbers::low_frequency_factor, of(RopeType::llama3),
     of(RopeType::llama3)},
    {"high_freq_factor", "scaling.highFrequencyFactor", &RopeNumbers::high_frequency_factor, of(RopeType::llama3),
     of(RopeType::llama3)},
};

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
    is_flat_ = is_flat;
    const RopeType type = type_of(rope);
    read_lanes(rope, type, plan);
    plan.rotary.layout = layout_of_model();
    plan.rotary.base = base_of(rope, layer_type);
    read_scaling(rope, type, plan.rotary.scaling);
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

  RopeType type_of(const Section& rope) {
    std::string name;
    const char* key = "rope_type";
    bool is_named = reader_.read(rope, key, name);
    std::string legacy;
    if (reader_.read(rope, "type", legacy) && !is_named) {
      is_named = true;
      name = std::move(legacy);
      key = "type";
    }
    if (!is_named) {
      if (rope.object != nullptr && rope.object->find("factor") != nullptr)
        reader_.refuse_missing(rope, key, "a rope type, since there is a factor");
      return RopeType::plain;
    }
    auto type = from_name<RopeType>(rope_types, rope.path + key, name);
    if (!type) reader_.fail(std::move(type.error()));
    const auto meant = type.value_or(RopeType::plain);
    if (meant == RopeType::dynamic && rope.object->find("alpha") != nullptr) return RopeType::alpha;
    // Phi-3's first configs call it so.
    return meant == RopeType::yarn && model_type_ == "phi3" ? RopeType::long_rope : meant;
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

  /// L0: beside the dictionary when there is one for all layers, in it, or `max_position_embeddings`.
  double original_length(const Section& rope, bool may_be_current = true) {
    constexpr const char* key = "original_max_position_embeddings";
    constexpr const char* option = "scaling.originalLength";
    double length = 0;
    const bool is_inside = reader_.read(rope, key, option, length);
    if ((is_flat_ && reader_.read(config_, key, option, length)) || is_inside) return length;
    if (!may_be_current) reader_.refuse_missing(rope, key, "a number");
    return current_length(option);
  }

  double current_length(const char* option) {
    constexpr const char* key = "max_position_embeddings";
    double length = 0;
    if (!reader_.read(config_, key, option, length)) reader_.refuse_missing(config_, key, "a number");
    return length;
  }

  RopeNumbers numbers_of(const Section& rope, RopeType type) {
    RopeNumbers numbers;
    for (const NumberRow& row : number_rows) {
      if ((row.types & of(type)) == 0) continue;
      const bool is_there = reader_.read(rope, row.key, row.option, numbers.*row.number);
      if (!is_there && (row.needed_by & of(type)) != 0) reader_.refuse_missing(rope, row.key, "a number");
    }
    return numbers;
  }

  void read_scaling(const Section& rope, RopeType type, Scaling& scaling) {
    const RopeNumbers numbers = numbers_of(rope, type);
    const double factor = numbers.factor.value_or(1);
    switch (type) {
      case RopeType::plain:
        return;
      case RopeType::linear:
        scaling.emplace<scaling::Linear>().factor = factor;
        return;
      case RopeType::ntk:
      case RopeType::alpha:
        scaling.emplace<scaling::StaticNtk>().factor = factor;
        return;
      case RopeType::dynamic:  // knows one length alone, the current one
        scaling.emplace<scaling::DynamicNtk>() = {factor, current_length("scaling.originalLength")};
        return;
      case RopeType::yarn:
        return read_yarn(rope, numbers, scaling.emplace<scaling::Yarn>());
      case RopeType::long_rope:
        return read_long_rope(rope, numbers, scaling.emplace<scaling::LongRope>());
      case RopeType::llama3:
        scaling.emplace<scaling::Llama3>() = {factor, numbers.low_frequency_factor.value_or(1),
                                              numbers.high_frequency_factor.value_or(4), original_length(rope, false)};
        return;
      case RopeType::proportional:
        scaling.emplace<scaling::Proportional>() = {fraction_, factor};
    }
  }

  /// f, or max_position_embeddings / L0.
  double factor_or_ratio(const RopeNumbers& numbers, double length) {
    return numbers.factor ? *numbers.factor : current_length("scaling.factor") / length;
  }

  void read_yarn(const Section& rope, const RopeNumbers& numbers, scaling::Yarn& rule) {
    rule.original_length = original_length(rope);
    rule.factor = factor_or_ratio(numbers, rule.original_length);
    rule.beta_fast = numbers.beta_fast.value_or(rule.beta_fast);
    rule.beta_slow = numbers.beta_slow.value_or(rule.beta_slow);
    rule.attention_factor = numbers.attention_factor;
    rule.mscale = numbers.mscale;
    rule.mscale_all_dim = numbers.mscale_all_dim;
    reader_.read(rope, "truncate", rule.truncate);
  }

  void read_long_rope(const Section& rope, const RopeNumbers& numbers, scaling::LongRope& rule) {
    rule.original_length = original_length(rope);
    rule.factor = factor_or_ratio(numbers, rule.original_length);
    rule.attention_factor = numbers.attention_factor;
    if (numbers.long_attention_factor && numbers.long_attention_factor != numbers.attention_factor)
      reader_.refuse(rope, "long_mscale", *numbers.long_attention_factor,
                     "the value of short_mscale: a plan has one attention factor for all lengths");
    if (!reader_.read(rope, "short_factor", "scaling.shortFactor", rule.short_factor))
      reader_.refuse_missing(rope, "short_factor", "a list of numbers");
    if (!reader_.read(rope, "long_factor", "scaling.longFactor", rule.long_factor))
      reader_.refuse_missing(rope, "long_factor", "a list of numbers");
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
    if (!factor) return std::unexpected(std::move(factor.error()));
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
  bool is_flat_ = true;  ///< whether one dictionary describes all layers
  double fraction_ = 1;  ///< of the lanes of the plan at hand
  HubConfig result_;
};

}  // namespace

Expected<HubConfig> read_hub_config(const ConfigValue& config) {
  if (config.object() == nullptr) return std::unexpected(Error{"config", config.shown(), "an object"});
  return HubReader(config).read();
}

}  // namespace posenc
