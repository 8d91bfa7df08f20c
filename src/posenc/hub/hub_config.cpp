#include "posenc/hub/hub_config.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/base/try.hpp"
#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/hub_encoding.hpp"
#include "posenc/hub/hub_layers.hpp"
#include "posenc/hub/model_types.hpp"
#include "posenc/hub/rope_scaling.hpp"

namespace posenc {
namespace {

/// Reads one config; each member function reads one concept of it.
class HubReader {
 public:
  HubReader(ConfigReader& reader, const TextConfig& config)
      : reader_(reader),
        text_(config),
        config_(config.text),
        type_(config.type),
        base_(type_.base),
        default_fraction_(type_.fraction) {
    attention_ = reader_.object(config_, "attn_config");
  }

  Expected<HubConfig> read() {
    result_.encoding = read_encoding(reader_, text_);
    const bool is_unknown = std::holds_alternative<encoding::Unknown>(result_.encoding);
    note("encoding", -1, {"encoding", 0, Known::numbers, is_unknown ? Known::unknown : Known::assumed});
    const std::size_t before_layers = reader_.mark();
    // Of what is not known nothing is said of layers either.
    const bool is_known = !is_unknown;
    if (is_known && !reader_.error()) result_.layers = read_layers(reader_, text_);
    const auto rotates = [](const HubLayers& layers) { return layers.rotates; };
    if (is_known) note("layers", -1, {"layers", before_layers, Known::numbers, Known::assumed});
    if (!result_.layers.empty() && std::ranges::none_of(result_.layers, rotates) && is_rotary())
      result_.encoding = encoding::None{};
    if (!reader_.error() && is_rotary()) add_plans();
    ignore_windows();
    if (!is_rotary())
      for (HubLayers& layers : result_.layers) layers.rotates = false;
    check_layers();
    if (const auto& error = reader_.error()) return std::unexpected(*error);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_rotary() const { return std::holds_alternative<encoding::Rotary>(result_.encoding); }

  /// The keys of windows are read_model's; a type without windows does not read them, and they are unknown there.
  void ignore_windows() {
    const bool has_windows = type_.windows != Windows::by_pattern || type_.layers.every != 0 ||
                             type_.list != LayerList::none || type_.window != 0;
    if (!has_windows) return;
    for (const char* const key : {type_.window_key, "use_sliding_window", "max_window_layers"})
      reader_.ignore(config_, key);
    if (type_.mask == MaskRule::by_direction_key) reader_.ignore(config_, "use_bidirectional_attention");
  }

  void note(const char* trait, int plan, const EvidenceSources& sources) {
    add_evidence(result_.evidence, reader_, type_, trait, plan, sources);
  }

  void note_plan(const Section& rope, std::size_t mark) {
    const int plan = static_cast<int>(result_.plans.size()) - 1;
    note("base", plan, {"base", mark, Known::source, Known::assumed});
    note("dims", plan, {"dim", mark, Known::source, Known::assumed});
    note("layout", plan, {"layout", mark});
    note("scaling", plan, {"", mark, Known::source, Known::assumed});
    if (rope.object == nullptr) return;
    result_.evidence.back().known = Known::config;
    result_.evidence.back().path = rope.path.substr(0, rope.path.size() - 1);
  }

  void add_plans() {
    const Section rope = dictionary();
    if (type_.is_compressed) return add_compressed(rope);
    if (is_nested(rope)) return add_nested(rope);
    if (type_.is_nested)
      reader_.refuse_missing(config_, "rope_parameters", expected::object,
                             " for each layer type in a model of that type");
    if (type_.needs_rope && rope.object == nullptr)
      reader_.refuse_missing(config_, "rope_parameters", expected::object,
                             " in a model of that type, which has one by default");
    add_flat(rope);
  }

  /// `rope_scaling` takes precedence unless it is empty, as in version 5, and `rope_parameters` is then ignored, its
  /// base too (`convert_rope_params_to_dict`; ModernBERT and Gemma 3 merge the two).
  Section dictionary() {
    Section scaling = reader_.object(config_, "rope_scaling");
    if (scaling.object == nullptr || scaling.object->object()->empty())
      return reader_.object(config_, "rope_parameters");
    const ConfigValue* const parameters = config_.object->find("rope_parameters");
    if (type_.local_base != 0 && parameters != nullptr)
      reader_.refuse(config_, "rope_scaling", *config_.object->find("rope_scaling"), expected::exactly, {"null"},
                     " beside rope_parameters in a model of that type");
    return scaling;
  }

  /// Adds DeepSeek-V4's plans (configuration_deepseek_v4.py): window layers have a base of their own and are not
  /// scaled; compressed layers and their keys are, without YaRN's attention factor.
  void add_compressed(const Section& rope) {
    const bool is_split =
        rope.object != nullptr && rope.object->find("main") != nullptr && rope.object->find("compress") != nullptr;
    if (is_split) return add_nested(rope);
    add({}, "main", false);
    base_ = 160000;
    add(rope, "compress", true);
    if (reader_.error()) return;
    HubPlan& plan = result_.plans.back();
    auto* const yarn = std::get_if<scaling::Yarn>(&plan.rotary.scaling);
    if (yarn == nullptr || yarn->attention_factor) return;
    yarn->attention_factor = 1;
    plan.attention_factor = 1;
  }

  /// Refuses layers that rotate but have no plan.
  void check_layers() {
    if (result_.plans.empty() || result_.plans.front().layer_type.empty()) return;
    // Layers whose type is not known have an unknown plan.
    if (!type_.is_compressed)
      std::erase_if(result_.layers, [](const HubLayers& layers) { return layers.type.empty(); });
    for (const HubLayers& layers : result_.layers)
      if (layers.rotates && plan_of(result_, layers) == nullptr)
        reader_.refuse_missing(config_, "rope_parameters." + layers.type, expected::object,
                               ", since there are layers of that type");
  }

  /// Adds the plan of one dictionary for all layers, or two plans where sliding attention has a base of its own.
  void add_flat(const Section& rope) {
    if (ConfigReader::has_list(config_, type_.base_key)) return add_listed(rope);
    const bool has_local = local_base().has_value();
    add(rope, has_local ? full : "", !has_local);
    if (has_local) add(type_.scales_local ? rope : Section{}, sliding, false);
  }

  /// Adds a plan for each layer type, whose layers have one base of a list.
  void add_listed(const Section& rope) {
    std::vector<double> bases;
    std::vector<double> fractions;
    reader_.read(config_, type_.base_key, "base", bases);
    reader_.read(config_, "partial_rotary_factors", "rotaryDim", fractions);
    is_listed_ = true;
    const Section none;
    std::size_t next = 0;
    for (const HubLayers& layers : result_.layers)
      for (std::int64_t i = 0; i < layers.count && next < bases.size() && !reader_.error(); ++i, ++next) {
        if (!layers.rotates) continue;
        base_ = bases[next];
        if (const HubPlan* const plan = plan_of(result_, layers)) {
          if (plan->rotary.base != base_)
            reader_.refuse(config_, type_.base_key, base_, expected::exactly, {plan->rotary.base},
                           ", as in the other layers of that type");
          continue;
        }
        if (next < fractions.size()) default_fraction_ = fractions[next];
        const bool has_rule = type_.scales_local || layers.type != sliding;
        add(has_rule ? rope : none, layers.type, true);
      }
    if (result_.plans.empty()) reader_.refuse_missing(config_, "num_hidden_layers", expected::whole);
  }

  /// Adds a plan for each layer type; types that the model needs but that have no dictionary are not scaled.
  void add_nested(const Section& rope) {
    for (const ConfigMember& layer : *rope.object->object()) {
      if (!is_effective(rope, layer)) continue;
      const bool is_type = layer.value.object() != nullptr || is_layer_type(layer.key);
      if (!is_type) continue;  // left over from a dictionary for all layers: an unknown key
      if (result_.plans.size() == most_layer_types)
        return reader_.refuse(rope, layer.key, layer.value, expected::at_most, {most_layer_types}, " types of layers");
      const Section section = reader_.object(rope, layer.key);
      if (section.object != nullptr) add(section, layer.key, false);
    }
    reader_.report(rope);
    if (type_.local_base == 0) return;
    for (const std::string_view type : {full, sliding})
      if (rope.object->find(type) == nullptr) add({}, type, false);
  }

  /// Whether the dictionary has a value for each layer type: members that are objects. Beside a rope type they need the
  /// names of layers, since an option can be an object by mistake.
  static bool is_nested(const Section& rope) {
    if (rope.object == nullptr) return false;
    const bool is_typed = rope.object->find("rope_type") != nullptr || rope.object->find("type") != nullptr;
    return std::ranges::any_of(*rope.object->object(), [&](const ConfigMember& member) {
      return member.value.object() != nullptr && is_effective(rope, member) && (!is_typed || is_layer_type(member.key));
    });
  }

  static bool is_layer_type(std::string_view key) { return key.ends_with("attention") || key.starts_with("hybrid"); }

  /// Whether a member has an effect: null has none, nor has a key that occurred before.
  static bool is_effective(const Section& section, const ConfigMember& member) {
    return section.object->find(member.key) == &member.value;
  }

  void add(const Section& rope, std::string_view layer_type, bool is_flat) {
    HubPlan& plan = result_.plans.emplace_back();
    plan.layer_type = layer_type;
    plan.path = rope.path;
    const std::size_t mark = reader_.mark();
    const RopeType type = rope_type_of(reader_, rope, type_);
    read_dims(rope, type, plan);
    plan.rotary.layout = layout_of_model();
    plan.rotary.base = base_of(rope, layer_type);
    plan.inverse = type_.is_inverse;
    read_rope_scaling(reader_, {rope, config_, is_flat, fraction_}, type, plan.rotary.scaling);
    if (type == RopeType::ntk) read_own_ntk(rope, plan);
    read_sections(rope, plan);
    if (reader_.error()) return;
    if (auto checked = check(plan); !checked) return reader_.fail_by_path(std::move(checked.error()));
    // A key beside the dictionary that repeats one inside is known.
    for (const char* const key : {"rope_theta", "partial_rotary_factor"}) {
      const auto number_of = [key](const Section& section) -> const double* {
        const ConfigValue* const value = section.object != nullptr ? section.object->find(key) : nullptr;
        return value != nullptr ? std::get_if<double>(&value->value) : nullptr;
      };
      const double* const inside = number_of(rope);
      const double* const beside = number_of(config_);
      if (inside != nullptr && beside != nullptr && *inside == *beside) reader_.ignore(config_, key);
    }
    reader_.report(rope);
    note_plan(rope, mark);
  }

  /// NTKScalingRotaryEmbedding of the model's code: (b f)^(-2i/d) f^(-2/d), a base of its own and a linear rule.
  void read_own_ntk(const Section& rope, HubPlan& plan) {
    const double factor = std::get<scaling::Ntk>(plan.rotary.scaling).factor;
    if (const ConfigValue* const mixed = rope.object->find("mixed_b"))
      return reader_.refuse(rope, "mixed_b", *mixed, expected::exactly, {"null"});
    const auto dims = static_cast<double>(plan.rotary.rotary_dim.value_or(plan.rotary.dim));
    plan.rotary.base *= factor;
    plan.rotary.scaling.emplace<scaling::Linear>().factor = exponential(2 * logarithm(factor) / dims);
  }

  /// Models that deinterleave have a flag for weights that were saved in Layout::half.
  Layout layout_of_model() {
    bool interleave = true;
    if (type_.layout != Layout::deinterleaved) return type_.layout;
    reader_.read(config_, "rope_interleave", interleave, "layout");
    return interleave ? type_.layout : Layout::half;
  }

  /// The base of sliding attention, if it has one of its own; null gives it that of full attention.
  std::optional<double> local_base() {
    double base = type_.local_base;
    for (const char* const key : {"rope_local_base_freq", "local_rope_theta", "swa_rope_theta"})
      if (reader_.read(config_, key, "base", base)) return base;
    if (base == 0) return {};
    return reader_.is_null(config_, "local_rope_theta") ? base_of({}, full) : base;
  }

  double base_of(const Section& rope, std::string_view layer_type) {
    double base = base_;
    if (is_listed_) {
      reader_.ignore(rope, "rope_theta");
      reader_.ignore(config_, "rope_theta");
      reader_.cite(config_, type_.base_key, "base");
      return base;
    }
    if (type_.is_compressed && layer_type == "compress" && rope.path.find("compress") == rope.path.npos) {
      reader_.read(config_, "compress_rope_theta", "base", base);
      return base;  // that of the dictionary is ignored
    }
    if (reader_.read(rope, "rope_theta", "base", base)) return base;
    if (layer_type == sliding)
      if (const auto local = local_base()) return *local;
    if (type_.base_key != nullptr && reader_.read(config_, type_.base_key, "base", base)) return base;
    for (const char* const key : {"global_rope_theta", "rope_theta", "rotary_emb_base", "rope_embedding_base"})
      if (reader_.read(config_, key, "base", base)) return base;
    if (reader_.read(attention_, "rope_theta", "base", base)) return base;  // DBRX, MPT
    return reader_.read(config_, "rope_ratio", "base", base) ? 10000 * base : base;
  }

  bool read_first(std::initializer_list<const char*> keys, const char* option, std::int64_t& target) {
    return std::ranges::any_of(keys, [&](const char* key) { return reader_.read(config_, key, option, target); });
  }

  /// Dimensions of a head, from the first key that has them.
  std::int64_t head_dim(std::string_view layer_type) {
    std::int64_t dim = type_.head_dim;
    if (layer_type == full && reader_.read(config_, "global_head_dim", "dim", dim)) return dim;
    if (!is_split(config_))
      reader_.ignore(config_, "qk_rope_head_dim");
    else if (reader_.read(config_, "qk_rope_head_dim", "dim", dim))
      return dim;
    for (const char* const key : {"head_dim", "attention_head_dim", "kv_channels"})
      if (reader_.read(config_, key, "dim", dim)) return dim;
    if (dim != 0) return dim;
    std::int64_t heads = 0;
    dim = type_.hidden_size;
    heads = type_.heads;
    if (!read_first({"hidden_size", "n_embd", "d_model"}, "dim", dim) && dim == 0)
      reader_.refuse_missing(config_, "head_dim", expected::whole_or_hidden_size);
    if (!read_first({"num_attention_heads", "n_head", "n_heads", "decoder_num_attention_heads"}, "", heads) &&
        heads == 0)
      reader_.refuse_missing(config_, "num_attention_heads", expected::whole);
    if (heads >= 1 && dim % heads == 0) return dim / heads;
    reader_.refuse(config_, "num_attention_heads", static_cast<double>(heads), expected::divisor_of_hidden_size);
    return 2;
  }

  void read_dims(const Section& rope, RopeType type, HubPlan& plan) {
    plan.rotary.dim = head_dim(plan.layer_type);
    fraction_ = default_fraction_;
    if (!reader_.read(rope, "partial_rotary_factor", "rotaryDim", fraction_) &&
        !reader_.read(config_, "partial_rotary_factor", "rotaryDim", fraction_) &&
        !reader_.read(config_, "rotary_pct", "rotaryDim", fraction_))
      reader_.read(config_, "rope_pct", "rotaryDim", fraction_);
    const bool is_fraction = fraction_ >= 0 && fraction_ <= 1;
    if (!is_fraction) return reader_.fail_by_path({"rotaryDim", fraction_, expected::from_to, {0, 1}});
    if (type == RopeType::proportional) return;  // all dimensions, some of frequency 0
    if (type_.is_slice || is_split(config_)) return read_slice(plan);
    auto dims = static_cast<std::int64_t>(fraction_ * static_cast<double>(plan.rotary.dim));
    if (type_.rotary_dim != 0 && !reader_.is_null(config_, "rotary_dim")) dims = type_.rotary_dim;
    reader_.read(config_, "rotary_dim", "rotaryDim", dims);
    plan.rotary.rotary_dim = dims;
  }

  /// Where a head is split, a plan has only the dimensions that rotate, and a fraction refers to the whole head:
  /// `head_dim`, or both parts. A fraction of 1 refers to the rotated part (GLM-4.7-Flash).
  void read_slice(HubPlan& plan) {
    std::int64_t whole = type_.is_slice ? type_.head_dim : 0;
    std::int64_t unrotated = 0;
    std::int64_t rotated = 0;
    const bool is_named = reader_.read(config_, "qk_rope_head_dim", "dim", rotated);
    if (!reader_.read(config_, "head_dim", "", whole) && reader_.read(config_, "qk_nope_head_dim", "", unrotated))
      whole = rotated + unrotated;
    const auto dims = static_cast<std::int64_t>(fraction_ * static_cast<double>(whole));
    if (!is_named) rotated = dims;
    if (fraction_ != 1 && fraction_ != type_.fraction && dims != rotated)
      return reader_.fail_by_path({"rotaryDim", fraction_, expected::exactly, {"qk_rope_head_dim / head_dim"}});
    plan.rotary.dim = rotated;
    plan.rotary.rotary_dim = rotated;
  }

  void read_sections(const Section& rope, HubPlan& plan) {
    std::vector<double> sections;
    bool is_interleaved = false;
    reader_.read(rope, "mrope_interleaved", is_interleaved);
    plan.mrope_order = is_interleaved ? MropeOrder::interleaved : MropeOrder::chunked;
    const char* key = "mrope_section";
    if (!reader_.read(rope, key, "", sections)) {
      key = "xdrope_section";  // HunyuanOCR's first configs
      reader_.read(rope, key, "", sections);
    }
    double sum = 0;
    for (const double pairs : sections) {
      const bool is_count = pairs >= 0 && pairs <= static_cast<double>(max_dim) && std::floor(pairs) == pairs;
      if (!is_count) return reader_.refuse(rope, key, pairs, expected::whole_at_least, {0});
      plan.mrope_section.push_back(static_cast<std::int64_t>(pairs));
      sum += pairs;
    }
    const auto half = plan.rotary.rotary_dim.value_or(plan.rotary.dim) / 2;
    // If interleaved, height and width each have every third pair, up to their number, and time has all others,
    // whatever its own number (apply_interleaved_mrope of Qwen3-VL).
    if (is_interleaved && sections.size() == 3 && sum <= static_cast<double>(half)) {
      std::vector<std::int64_t>& pairs = plan.mrope_section;
      pairs[1] = std::min(pairs[1], (half + 1) / 3);
      pairs[2] = std::min(pairs[2], half / 3);
      pairs[0] = half - pairs[1] - pairs[2];
      return;
    }
    // height, width, time (rotary_embedding of modeling_ernie4_5_vl_moe.py), with the sections of its class.
    if (type_.is_time_last) {
      std::vector<std::int64_t>& pairs = plan.mrope_section;
      if (pairs.empty()) pairs = {22, 22, 20};
      if (sections.empty()) sum = 64;
      pairs.insert(pairs.begin(), pairs.back());
      pairs.pop_back();
      plan.mrope_order = MropeOrder::time_last;
    }
    if (!plan.mrope_section.empty() && sum != static_cast<double>(half))
      reader_.refuse(rope, key, sum, expected::pairs_sum, {half});
  }

  /// Checks a plan as the core does, for any length and layout, and computes its attention factor.
  static Expected<void> check(HubPlan& plan) {
    const RotaryOptions& rotary = plan.rotary;
    const std::int64_t dims = rotary.rotary_dim.value_or(rotary.dim);
    POSENC_TRY(check_whole("dim", rotary.dim, 2, max_dim));
    if (dims < 2 || dims > rotary.dim || dims % 2 != 0)
      return invalid_argument(dims == rotary.dim ? "dim" : "rotaryDim", static_cast<double>(dims),
                              expected::rotated_dims, {rotary.dim});
    const FrequencyPlan frequencies{
        .frequencies = {dims, rotary.base, rotary.exponent}, .scaling = rotary.scaling, .length = 0};
    POSENC_TRY_LET(factor, posenc::attention_factor(frequencies));
    plan.attention_factor = factor;
    return {};
  }

  /// The largest number of layer types that is accepted: more than any model has.
  static constexpr std::size_t most_layer_types = 64;

  static constexpr std::string_view full = "full_attention";
  static constexpr std::string_view sliding = "sliding_attention";

  ConfigReader& reader_;
  const TextConfig& text_;
  const Section& config_;
  const ModelType& type_;
  Section attention_;
  double base_;          ///< where no key has it
  double fraction_ = 1;  ///< of the dimensions of the plan at hand
  double default_fraction_;
  bool is_listed_ = false;  ///< whether base_ and default_fraction_ are from lists with one for each layer
  HubConfig result_;
};

}  // namespace

const HubPlan* plan_of(const HubConfig& config, const HubLayers& layers) {
  if (!layers.rotates) return nullptr;
  for (const HubPlan& plan : config.plans) {
    const bool is_main = layers.type == "sliding_attention";  // in DeepSeek-V4
    if (plan.layer_type.empty() || plan.layer_type == layers.type) return &plan;
    if ((plan.layer_type == "main" && is_main) || (plan.layer_type == "compress" && !is_main)) return &plan;
  }
  return nullptr;
}

Expected<HubConfig> read_hub_config(ConfigReader& reader, const TextConfig& config) {
  return HubReader(reader, config).read();
}

}  // namespace posenc
