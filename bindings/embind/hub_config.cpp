#include "posenc/hub/hub_config.hpp"

#include "crossing.hpp"
#include "scaling.hpp"

namespace posenc::embind {
namespace {

/// Nothing a config has to say of rotation is nested deeper.
constexpr int deepest = 6;

/// A JavaScript value as the core reads it. What JSON does not have is null, as is what is nested too deeply.
ConfigValue config_value(const val& value, int depth = 0) {
  if (value.isNumber()) return {value.as<double>()};
  if (value.isString()) return {value.as<std::string>()};
  if (value.isTrue() || value.isFalse()) return {value.isTrue()};
  if (value.isNull() || value.typeOf().as<std::string>() != "object" || depth == deepest) return {};
  if (value.isArray()) {
    ConfigValue::List list;
    const auto length = value["length"].as<unsigned>();
    for (unsigned i = 0; i < length; ++i) list.push_back(config_value(value[i], depth + 1));
    return {std::move(list)};
  }
  ConfigValue::Object members;
  const val keys = val::global("Object").call<val>("keys", value);
  const auto count = keys["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i)
    members.push_back({keys[i].as<std::string>(), config_value(value[keys[i]], depth + 1)});
  return {std::move(members)};
}

val rotary_object(const RotaryOptions& options) {
  val object = val::object();
  object.set("dim", static_cast<double>(options.dim));
  if (options.layout != Layout::unnamed) object.set("layout", std::string(name_of(options.layout)));
  object.set("base", options.base);
  if (options.rotary_dim) object.set("rotaryDim", static_cast<double>(*options.rotary_dim));
  object.set("scaling", object_of(options.scaling));
  return object;
}

val plan_object(const HubPlan& plan) {
  val object = val::object();
  object.set("layerType", plan.layer_type.empty() ? val::null() : val(plan.layer_type));
  object.set("rotary", rotary_object(plan.rotary));
  object.set("attentionFactor", plan.attention_factor);
  object.set("mropeSection", plan.mrope_section.empty() ? val::null() : array_of(plan.mrope_section));
  object.set("mropeInterleaved", plan.mrope_interleaved);
  return object;
}

val hub_config(const val& config) {
  const auto read = read_hub_config(config_value(config));
  if (!read) return failure(read.error());
  std::vector<val> plans;
  for (const HubPlan& plan : read->plans) plans.push_back(plan_object(plan));
  val object = val::object();
  object.set("plans", array_of(plans));
  object.set("unknownKeys", array_of(read->unknown_keys));
  return object;
}

}  // namespace

EMSCRIPTEN_BINDINGS(hub_config) { emscripten::function("hubConfig", &hub_config); }

}  // namespace posenc::embind
