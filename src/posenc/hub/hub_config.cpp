#include "posenc/hub/hub_config.hpp"

#include <algorithm>

#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/hub_encoding.hpp"
#include "posenc/hub/hub_layers.hpp"
#include "posenc/hub/model_types.hpp"
#include "posenc/hub/rope_scaling.hpp"
#include "posenc/hub/rotary_plan.hpp"

namespace posenc {
namespace {

/// Reads the plans of one config, and which of them its layers have.
class HubReader {
 public:
  HubReader(ConfigReader& reader, const TextConfig& config, HubConfig& result)
      : reader_(reader),
        text_(config),
        config_(config.text),
        type_(config.type),
        source_{.base = type_.base, .fraction = type_.fraction},
        result_(result) {}

  void read() {
    result_.encoding = read_encoding(reader_, text_);
    const bool is_known = !std::holds_alternative<encoding::Unknown>(result_.encoding);
    const bool is_switched =
        !is_position_type(type_.rotates) || type_.sinusoidal.key != nullptr;  // off, or another, by default
    note_known("encoding", 0, is_known, is_switched ? Known::source : Known::numbers);
    const std::size_t before_layers = reader_.mark();
    // Where that is not known nothing is said of layers either.
    if (is_known && !reader_.error()) result_.layers = read_layers(reader_, text_);
    const auto& layers = result_.layers;
    const bool has_known = std::ranges::all_of(layers, &HubLayers::is_known);
    if (is_known) note_known("layers", before_layers, has_known, known_of_layers());
    if (is_rotary() && has_known && !layers.empty() && std::ranges::none_of(layers, &HubLayers::rotates)) {
      result_.encoding = encoding::None{};
      result_.evidence.front().known = result_.evidence.back().known;
      result_.evidence.front().path = result_.evidence.back().path;
    }
    if (is_rotary()) note_known("rotating", before_layers, has_known, known_of_layers(Known::source));
    if (!reader_.error() && is_rotary()) add_plans();
    ignore_windows();
    if (!is_rotary())
      for (HubLayers& each : result_.layers) each.rotates = false;
    check_layers();
  }

 private:
  [[nodiscard]] bool is_rotary() const { return std::holds_alternative<encoding::Rotary>(result_.encoding); }

  /// The keys of windows are read_model's; a type without windows does not read them, and they are unknown there.
  void ignore_windows() {
    if (!has_windows(type_)) return;
    reader_.ignore(config_, type_.window_key);
    reader_.ignore(config_, "use_sliding_window max_window_layers");
    if (type_.mask == MaskRule::by_direction_key) reader_.ignore(config_, "use_bidirectional_attention");
  }

  void note(const char* trait, int plan, const EvidenceSources& sources) {
    add_evidence(result_.evidence, reader_, type_, trait, plan, sources);
  }

  /// Notes a trait of the model; one that is not known has no key that says it.
  void note_known(const char* trait, std::size_t mark, bool is_known, Known listed) {
    const Known otherwise = is_known ? Known::assumed : Known::unknown;
    note(trait, -1, {is_known ? trait : "", mark, is_known ? listed : Known::unknown, otherwise});
  }

  /// Layers that are alike in any config are as the fixture has them; those of a pattern are the class's default.
  [[nodiscard]] Known known_of_layers(Known unread = Known::unknown) const {
    const bool is_pattern = type_.windows > Windows::everywhere_if_on && type_.windows != Windows::unread;
    if (type_.list == LayerList::unread) return unread;
    return is_pattern || type_.layers.every != 0 || type_.list != LayerList::none ? Known::source : Known::numbers;
  }

  void note_plan(std::size_t mark) {
    const int plan = static_cast<int>(result_.plans.size()) - 1;
    note("base", plan, {"base", mark, Known::source, Known::assumed});
    // A key of the head's dimensions says how many rotate where the class rotates all of them.
    const bool is_whole = is_split(config_) || (is_known(type_) && type_.fraction == 1 && type_.rotary_dim == 0);
    const bool is_part = !is_split(config_) && !reader_.path_of_option("rotaryDim", mark).empty();
    note("dims", plan, {is_part ? "rotaryDim" : is_whole ? "dim" : "", mark, Known::source, Known::assumed});
    const bool is_named = result_.plans.back().rotary.layout != Layout::unnamed;
    note("layout", plan, {"layout", mark, is_named ? Known::numbers : Known::unknown});
    note("scaling", plan, {"scaling", mark, Known::source, Known::assumed});
  }

  void add_plans() {
    const Section rope = rope_dictionary(reader_, config_);
    // Version 5 ignores `rope_parameters` then, its base too; ModernBERT and Gemma 3 merge the two.
    if (const ConfigValue* const scaling = config_.object->find("rope_scaling");
        type_.local_base != 0 && rope.object != nullptr && rope.object == scaling &&
        config_.object->find("rope_parameters") != nullptr)
      reader_.refuse(config_, "rope_scaling", expected::exactly, {"null"}, " beside rope_parameters");
    if (type_.is_compressed) return add_compressed(rope);
    if (is_nested(rope)) return add_nested(rope);
    if (type_.is_nested) reader_.refuse(config_, "rope_parameters", expected::object, {}, " for each layer type");
    if (type_.needs_rope && rope.object == nullptr)
      reader_.refuse(config_, "rope_parameters", expected::object, {}, " in a model of that type");
    add_flat(rope);
  }

  /// Adds DeepSeek-V4's plans (configuration_deepseek_v4.py): window layers have a base of their own and are not
  /// scaled; compressed layers and their keys are, without YaRN's attention factor.
  void add_compressed(const Section& rope) {
    const bool is_split =
        rope.object != nullptr && rope.object->find("main") != nullptr && rope.object->find("compress") != nullptr;
    if (is_split) return add_nested(rope);
    add({}, "main", false);
    source_.base = 160000;
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
    auto& all = result_.layers;
    if (!type_.is_compressed && !all.empty() && all.front().type.empty()) all.clear();
    const ConfigValue* const rope = config_.object->find("rope_parameters");
    for (HubLayers& layers : all)
      if (type_.rotates == RotationSwitch::null_dictionary && rope != nullptr && rope->has(layers.type) &&
          plan_of(result_, layers) == nullptr)
        layers.rotates = false;
      else if (layers.rotates && plan_of(result_, layers) == nullptr)
        reader_.refuse(config_, "rope_parameters." + layers.type, expected::object, {},
                       ", since there are layers of that type");
  }

  /// Adds the plan of one dictionary for all layers, or two plans where sliding attention has a base of its own.
  void add_flat(const Section& rope) {
    if (has_list(config_, type_.base_key)) return add_listed(rope);
    const bool may_slide =
        type_.type.empty() || type_.local_base != 0 ||
        std::ranges::find(result_.layers, sliding_attention, &HubLayers::type) != result_.layers.end();
    const bool has_local = may_slide && local_base_of(reader_, text_).has_value();
    add(rope, has_local ? full_attention : "", !has_local);
    if (has_local) add(type_.scales_local ? rope : Section{}, sliding_attention, false);
  }

  /// Adds a plan for each layer type, whose layers have one base of a list.
  void add_listed(const Section& rope) {
    std::vector<double> bases;
    std::vector<double> fractions;
    reader_.read(config_, type_.base_key, "base", bases);
    reader_.read(config_, "partial_rotary_factors", "rotaryDim", fractions);
    source_.is_listed = true;
    const Section none;
    std::size_t next = 0;
    for (const HubLayers& layers : result_.layers)
      for (std::int64_t i = 0; i < layers.count && next < bases.size() && !reader_.error(); ++i, ++next) {
        if (!layers.rotates) continue;
        source_.base = bases[next];
        if (const HubPlan* const plan = plan_of(result_, layers)) {
          if (plan->rotary.base != source_.base)
            reader_.refuse_number(config_, type_.base_key, source_.base, expected::exactly, {plan->rotary.base},
                                  ", as in the others of that type");
          continue;
        }
        if (next < fractions.size()) source_.fraction = fractions[next];
        const bool has_rule = type_.scales_local || layers.type != sliding_attention;
        add(has_rule ? rope : none, layers.type, true);
      }
    if (result_.plans.empty()) reader_.refuse(config_, "num_hidden_layers", expected::whole);
  }

  /// Adds a plan for each layer type; types that the model needs but that have no dictionary are not scaled.
  void add_nested(const Section& rope) {
    for (const ConfigMember& layer : *rope.object->object()) {
      if (!is_effective(rope, layer)) continue;
      const bool is_type = layer.value.object() != nullptr || is_attention(layer.key);
      if (!is_type) continue;  // left over from a dictionary for all layers: an unknown key
      if (result_.plans.size() == most_layer_types)
        return reader_.refuse(rope, layer.key, expected::at_most, {most_layer_types}, " types of layers");
      const Section section = reader_.object(rope, layer.key);
      if (section.object != nullptr) add(section, layer.key, false);
    }
    reader_.report(rope);
    if (type_.local_base == 0) return;
    for (const std::string_view type : {full_attention, sliding_attention})
      if (rope.object->find(type) == nullptr) add({}, type, false);
  }

  /// Whether the dictionary has a value for each layer type: members that are objects. Beside a rope type they need the
  /// names of layers, since an option can be an object by mistake.
  static bool is_nested(const Section& rope) {
    if (rope.object == nullptr) return false;
    const bool is_typed = rope.object->find("rope_type") != nullptr || rope.object->find("type") != nullptr;
    return std::ranges::any_of(*rope.object->object(), [&](const ConfigMember& member) {
      return member.value.object() != nullptr && is_effective(rope, member) && (!is_typed || is_attention(member.key));
    });
  }

  /// Whether a member has an effect: null has none, nor has a key that occurred before.
  static bool is_effective(const Section& section, const ConfigMember& member) {
    return section.object->find(member.key) == &member.value;
  }

  void add(const Section& rope, std::string_view layer_type, bool is_flat) {
    source_.rope = rope;
    source_.layer_type = layer_type;
    source_.is_flat = is_flat;
    const std::size_t mark = reader_.mark();
    read_plan(reader_, text_, source_, result_.plans.emplace_back());
    if (!reader_.error()) note_plan(mark);
  }

  /// The largest number of layer types that is accepted: more than any model has.
  static constexpr std::size_t most_layer_types = 64;

  ConfigReader& reader_;
  const TextConfig& text_;
  const Section& config_;
  const ModelType& type_;
  PlanSource source_;  ///< of the plan at hand
  HubConfig& result_;
};

}  // namespace

void add_evidence(std::vector<Evidence>& list, const ConfigReader& reader, const ModelType& type, const char* trait,
                  int plan, const EvidenceSources& sources) {
  Known known = is_known(type) ? sources.listed : sources.otherwise;
  if (known == Known::numbers && type.verified != Verified::by_numbers) known = Known::source;
  std::string path = reader.path_of_option(sources.option, sources.mark);
  if (!path.empty()) known = Known::config;
  list.push_back({trait, plan, known, std::move(path)});
}

const HubPlan* plan_of(const HubConfig& config, const HubLayers& layers) {
  if (!layers.rotates) return nullptr;
  for (const HubPlan& plan : config.plans) {
    const bool is_main = layers.type == sliding_attention;  // in DeepSeek-V4
    if (plan.layer_type.empty() || plan.layer_type == layers.type) return &plan;
    if ((plan.layer_type == "main" && is_main) || (plan.layer_type == "compress" && !is_main)) return &plan;
  }
  return nullptr;
}

void read_plans(ConfigReader& reader, const TextConfig& config, HubConfig& result) {
  HubReader(reader, config, result).read();
}

}  // namespace posenc
