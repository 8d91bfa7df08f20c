#include "hub/model_text.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include "posenc/base/check.hpp"

namespace testing {
namespace {

using posenc::HubPlan;
using posenc::Model;
using posenc::ModelLayers;
namespace encoding = posenc::encoding;
namespace scaling = posenc::scaling;

std::string number(double value) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.15g", value);
  return digits;
}

std::string joined(const std::vector<std::string>& items, const char* between) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : between) + item;
  return text;
}

/// Names the options of a rule.
struct RuleText {
  std::string operator()(const scaling::Linear& rule) const { return "linear " + number(rule.factor); }
  std::string operator()(const scaling::Ntk& rule) const { return "ntk " + number(rule.factor); }
  std::string operator()(const scaling::Dynamic& rule) const {
    return "dynamic " + number(rule.factor) + "/" + number(rule.original_length);
  }
  std::string operator()(const scaling::Yarn& rule) const {
    std::string text = "yarn " + number(rule.factor) + "/" + number(rule.original_length);
    if (rule.beta_fast != 32 || rule.beta_slow != 1)
      text += " from " + number(rule.beta_fast) + " to " + number(rule.beta_slow);
    if (rule.mscale) text += " mscale " + number(*rule.mscale);
    if (rule.mscale_all_dim) text += " all " + number(*rule.mscale_all_dim);
    if (rule.attention_factor) text += " given " + number(*rule.attention_factor);
    return text + (rule.truncate ? "" : " untruncated");
  }
  std::string operator()(const scaling::Longrope& rule) const {
    std::string text = "longrope " + number(rule.factor) + "/" + number(rule.original_length);
    for (const auto* const list : {&rule.short_factor, &rule.long_factor})
      for (const double& divisor : *list) text += (&divisor == list->data() ? " " : "+") + number(divisor);
    return text + (rule.attention_factor ? " given " + number(*rule.attention_factor) : "");
  }
  std::string operator()(const scaling::Llama3& rule) const {
    return "llama3 " + number(rule.factor) + "/" + number(rule.original_length) + " from " +
           number(rule.low_frequency_factor) + " to " + number(rule.high_frequency_factor);
  }
  std::string operator()(const scaling::Proportional& rule) const {
    return "proportional " + number(rule.fraction) + "/" + number(rule.factor);
  }
  template <class Rule>
  std::string operator()(const Rule& /*rule*/) const {
    return "";
  }
};

std::string text_of_plan(const HubPlan& plan) {
  const posenc::RotaryOptions& rotary = plan.rotary;
  std::vector<std::string> parts;
  if (!plan.layer_type.empty()) parts.push_back(plan.layer_type);
  if (rotary.layout != posenc::Layout::unnamed) parts.emplace_back(posenc::name_of(rotary.layout));
  parts.push_back(posenc::decimal(rotary.rotary_dim.value_or(rotary.dim)) + "/" + posenc::decimal(rotary.dim));
  parts.push_back(number(rotary.base));
  if (const std::string rule = std::visit(RuleText(), rotary.scaling); !rule.empty()) parts.push_back(rule);
  if (plan.inverse) parts.emplace_back("inverse");
  std::vector<std::string> sections;
  for (const std::int64_t pairs : plan.mrope_section) sections.push_back(posenc::decimal(pairs));
  if (!sections.empty()) parts.push_back(joined(sections, "+"));
  if (plan.mrope_order == posenc::MropeOrder::interleaved) parts.emplace_back("interleaved sections");
  if (plan.mrope_order == posenc::MropeOrder::time_last) parts.emplace_back("time last");
  return joined(parts, " ");
}

/// Names the numbers of an encoding.
struct EncodingText {
  std::string operator()(const encoding::Learned& table) const {
    return " " + posenc::decimal(table.rows) + "+" + posenc::decimal(table.first_row);
  }
  std::string operator()(const encoding::Sinusoidal& table) const { return " +" + posenc::decimal(table.first_row); }
  std::string operator()(const encoding::Alibi& bias) const {
    const bool is_mpt = bias.options.slopes == posenc::AlibiSlopes::mpt;
    const bool is_linear = bias.options.distance == posenc::AlibiDistance::linear;
    return " " + posenc::decimal(bias.heads) + (is_mpt ? " mpt " : " paper ") + number(bias.options.steepness) +
           (is_linear ? " linear" : "");
  }
  std::string operator()(const encoding::T5& bias) const {
    return " " + posenc::decimal(bias.heads) + " " + posenc::decimal(bias.buckets) + " " +
           posenc::decimal(bias.max_distance);
  }
  std::string operator()(const encoding::Grid& grid) const {
    std::string text = " " + std::string(grid.preset) + " " + posenc::decimal(grid.dim);
    if (grid.base) text += " " + number(*grid.base);
    if (grid.merge != 0) text += " merged by " + posenc::decimal(grid.merge);
    for (const double& dim : grid.dims)
      if (dim != 0) text += (&dim == grid.dims.data() ? " " : "+") + number(dim);
    return text;
  }
  std::string operator()(const encoding::RelativeKeys& keys) const {
    return " " + posenc::decimal(keys.max_distance) + (keys.of_keys ? " of keys" : "");
  }
  template <class Encoding>
  std::string operator()(const Encoding& /*encoding*/) const {
    return "";
  }
};

std::string text_of_dims(const posenc::HeadDims& dims) {
  return posenc::decimal(dims.first) + "+" + posenc::decimal(dims.count) + "/" + posenc::decimal(dims.dim);
}

/// A scale that is the root of a whole number's reciprocal shows that number.
std::string text_of_scale(std::optional<double> scale) {
  if (!scale) return "?";
  const double square = std::round(1 / (*scale * *scale));
  return square > 1 && std::fabs(1 / std::sqrt(square) - *scale) <= 4e-16 * *scale ? "1/√" + number(square)
                                                                                   : number(*scale);
}

using TextOfLayers = std::string (*)(const ModelLayers&);

const std::map<std::string_view, TextOfLayers>& texts_of_layers() {
  static const std::map<std::string_view, TextOfLayers> texts{
      {"layers", [](const ModelLayers& run) { return run.layers.type.empty() ? "alike" : run.layers.type; }},
      {"plan",
       [](const ModelLayers& run) {
         if (!run.layers.is_known) return std::string("?");
         return run.plan ? posenc::decimal(static_cast<std::int64_t>(*run.plan)) : "-";
       }},
      {"reach",
       [](const ModelLayers& run) {
         if (run.reaches == posenc::Reach::unknown) return std::string("?");
         if (run.reaches == posenc::Reach::all) return "all" + std::string(run.reach == 0 ? "" : " wrong");
         return (run.reaches == posenc::Reach::chunk ? "chunk " : "") + posenc::decimal(run.reach);
       }},
      {"dims", [](const ModelLayers& run) { return run.plan ? text_of_dims(run.dims) : "-"; }},
      {"scale", [](const ModelLayers& run) { return text_of_scale(run.score_scale); }},
      {"temperature",
       [](const ModelLayers& run) {
         const auto& rule = run.temperature;
         return rule ? number(rule->slope) + "/" + number(rule->shift) + "/" + number(rule->period) : "-";
       }},
      {"norm",
       [](const ModelLayers& run) {
         const std::string_view when = posenc::name_of(run.norm);
         return when.empty() ? "-" : std::string(when);
       }},
      {"softcap", [](const ModelLayers& run) { return run.softcap ? number(*run.softcap) : "-"; }},
      {"sinks", [](const ModelLayers& run) { return std::string(run.has_sinks ? "sinks" : "-"); }},
      {"indexer",
       [](const ModelLayers& run) {
         if (!run.indexer) return std::string("-");
         return std::string(posenc::name_of(run.indexer->layout)) + " " + text_of_dims(run.indexer->dims) + " " +
                text_of_scale(run.indexer->score_scale);
       }},
      {"compression", [](const ModelLayers& run) { return posenc::decimal(run.compression); }},
      {"outputs", [](const ModelLayers& run) { return std::string(run.rotates_outputs ? "back" : "-"); }},
  };
  return texts;
}

std::string text_of_runs(const Model& model, TextOfLayers text) {
  std::vector<std::pair<std::int64_t, std::string>> runs;
  for (const ModelLayers& layers : model.layers) {
    const std::string own = text(layers);
    if (runs.empty() || runs.back().second != own) runs.emplace_back(0, own);
    runs.back().first += layers.layers.count;
  }
  std::vector<std::string> items;
  for (const auto& [count, own] : runs) items.push_back(posenc::decimal(count) + " " + own);
  return joined(items, ", ");
}

/// How a trait is known; "" where the model says nothing of it.
std::string text_of_evidence(const Model& model, std::string_view trait) {
  const std::size_t at = trait.find('@');
  const int plan = at == trait.npos ? -1 : trait[at + 1] - '0';
  for (const posenc::Evidence& item : model.config.evidence)
    if (item.trait == trait.substr(0, at) && item.plan == plan)
      return std::string(posenc::name_of(item.known)) + (item.path.empty() ? "" : " " + item.path);
  return "";
}

}  // namespace

std::string text_of(const Model& model, std::string_view trait) {
  if (const auto found = texts_of_layers().find(trait); found != texts_of_layers().end())
    return text_of_runs(model, found->second);
  if (trait.starts_with("how:")) return text_of_evidence(model, trait.substr(4));
  if (trait == "type") return model.model_type;
  if (trait == "path") return model.path;
  if (trait == "source") return model.config.source;
  if (trait == "mask") return std::string(posenc::name_of(model.mask));
  if (trait == "unknown") return joined(model.config.unknown_keys, " ");
  if (trait == "second") {
    std::vector<std::string> all;
    for (const auto& [of, encoding] : model.config.second_encodings)
      all.push_back(std::string(of) + ": " + std::string(posenc::name_of(encoding)) +
                    std::visit(EncodingText(), encoding));
    return joined(all, ", ");
  }
  if (trait == "code") return joined(model.config.other_code, " ");
  if (trait == "parts") return joined(model.config.parts, " ");
  if (trait == "length") return model.length ? number(*model.length) : "-";
  if (trait == "ids")
    return std::string(model.ids.rule) + (model.ids.merge ? " " + posenc::decimal(*model.ids.merge) : "") +
           (model.ids.tokens_per_second ? " " + number(*model.ids.tokens_per_second) : "");
  if (trait == "encoding")
    return std::string(posenc::name_of(model.config.encoding)) + std::visit(EncodingText(), model.config.encoding);
  std::vector<std::string> plans;
  for (const HubPlan& plan : model.config.plans)
    plans.push_back(trait == "factors" ? number(plan.attention_factor) : text_of_plan(plan));
  if (trait == "factors") return joined(plans, " ");
  return trait == "plans" ? joined(plans, " | ") : "no such trait";
}

namespace {

using posenc::ConfigValue;

/// What a model says of a trait, by the name that text_of has for it.
std::string statement(const Model& model, const posenc::Evidence& of) {
  static const std::map<std::string_view, const char*> names{
      {"rotating", "plan"}, {"base", "plans"}, {"dims", "plans"}, {"layout", "plans"}, {"scaling", "plans"}};
  const auto found = names.find(of.trait);
  return text_of(model, found == names.end() ? of.trait : found->second);
}

/// The value at a path of members; it has to be there.
ConfigValue& value_at_path(ConfigValue& config, std::string_view path) {
  const std::string_view key = path.substr(0, path.find('.'));
  for (posenc::ConfigMember& member : std::get<ConfigValue::Object>(config.value))
    if (member.key == key)
      return key.size() == path.size() ? member.value : value_at_path(member.value, path.substr(key.size() + 1));
  FAIL("no key " << path);
  return config;
}

/// Values one of which says another thing.
std::vector<ConfigValue> others_than(const ConfigValue& value) {
  if (const auto* const flag = std::get_if<bool>(&value.value)) return {{!*flag}};
  if (const auto* const count = std::get_if<double>(&value.value)) return {{*count == 0 ? 8 : *count * 2}, {0.0}};
  const auto* const items = std::get_if<ConfigValue::List>(&value.value);
  if (items == nullptr || items->empty())
    return {{std::string("full_attention")}, {std::string("rope")}, {std::string("all")}};
  std::vector<ConfigValue> lists;
  for (const ConfigValue& other : others_than(items->front())) {
    ConfigValue::List list = *items;
    list.front() = other;
    lists.push_back({std::move(list)});
  }
  return lists;
}

}  // namespace

void check_said_by_keys(const posenc::ConfigValue& config) {
  const auto model = posenc::read_model(config);
  if (!model) return;
  for (const posenc::Evidence& item : model->config.evidence) {
    const std::string said = statement(*model, item);
    if (item.known != posenc::Known::config || said.empty()) continue;
    INFO(item.trait << " by " << item.path << ": " << said);
    ConfigValue changed = config;
    ConfigValue& value = value_at_path(changed, item.path);
    const auto has_changed = [&](const ConfigValue& other) {
      value = other;
      const auto read = posenc::read_model(changed);
      return !read || statement(*read, item) != said || std::ranges::count(read->config.evidence, item) == 0;
    };
    const auto others = others_than(value);
    CHECK(has_changed({}));
    CHECK(std::ranges::any_of(others, has_changed));
  }
}

}  // namespace testing
