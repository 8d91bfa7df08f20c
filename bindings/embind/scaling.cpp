#include "scaling.hpp"

#include <type_traits>

namespace posenc::embind {
namespace {

/// Calls `option(key, value)` for each option of a rule: one list, for both directions.
template <class Option>
void each_option(const Option&, scaling::Default&) {}
template <class Option>
void each_option(const Option& option, scaling::Linear& rule) {
  option("factor", rule.factor);
}
template <class Option>
void each_option(const Option& option, scaling::StaticNtk& rule) {
  option("factor", rule.factor);
}
template <class Option>
void each_option(const Option& option, scaling::DynamicNtk& rule) {
  option("factor", rule.factor);
  option("originalLength", rule.original_length);
}
template <class Option>
void each_option(const Option& option, scaling::Yarn& rule) {
  option("factor", rule.factor);
  option("originalLength", rule.original_length);
  option("betaFast", rule.beta_fast);
  option("betaSlow", rule.beta_slow);
  option("truncate", rule.truncate);
  option("attentionFactor", rule.attention_factor);
  option("mscale", rule.mscale);
  option("mscaleAllDim", rule.mscale_all_dim);
}
template <class Option>
void each_option(const Option& option, scaling::LongRope& rule) {
  option("factor", rule.factor);
  option("originalLength", rule.original_length);
  option("shortFactor", rule.short_factor);
  option("longFactor", rule.long_factor);
  option("attentionFactor", rule.attention_factor);
}
template <class Option>
void each_option(const Option& option, scaling::Llama3& rule) {
  option("factor", rule.factor);
  option("lowFrequencyFactor", rule.low_frequency_factor);
  option("highFrequencyFactor", rule.high_frequency_factor);
  option("originalLength", rule.original_length);
}
template <class Option>
void each_option(const Option& option, scaling::Proportional& rule) {
  option("fraction", rule.fraction);
  option("factor", rule.factor);
}
template <class Option>
void each_option(const Option& option, scaling::Given& rule) {
  option("frequencies", rule.frequencies);
  option("attentionFactor", rule.attention_factor);
}

/// Fills the options that an object has; the others keep the core's defaults.
struct FromObject {
  const val& object;

  template <class Value>
  void operator()(const char* key, Value& value) const {
    const val given = object[key];
    if (given.isUndefined()) return;
    if constexpr (std::is_same_v<Value, std::vector<double>>)
      value = emscripten::convertJSArrayToNumberVector<double>(given);
    else if constexpr (std::is_same_v<Value, bool>)
      value = given.as<bool>();
    else
      value = given.as<double>();
  }
};

/// Sets the options that have a value.
struct ToObject {
  val& object;

  void operator()(const char* key, double value) const { object.set(key, value); }
  void operator()(const char* key, bool value) const { object.set(key, value); }
  void operator()(const char* key, const std::optional<double>& value) const {
    if (value) object.set(key, *value);
  }
  void operator()(const char* key, const std::vector<double>& values) const { object.set(key, array_of(values)); }
};

}  // namespace

Expected<Scaling> scaling_from(const val& object) {
  if (object.isUndefined()) return scaling::Default{};
  auto rule = scaling_from_name(object["type"].as<std::string>());
  if (rule) std::visit([&](auto& made) { each_option(FromObject{object}, made); }, *rule);
  return rule;
}

val object_of(Scaling scaling) {
  val object = val::object();
  object.set("type", std::string(name_of(scaling)));
  std::visit([&](auto& rule) { each_option(ToObject{object}, rule); }, scaling);
  return object;
}

Expected<FrequencyPlan> frequency_plan(double dim, double base, const std::string& exponent, double shift, double scale,
                                       double exponent_dim, const val& scaling, double length) {
  const auto options = frequency_options(dim, base, exponent, shift, scale);
  if (!options) return std::unexpected(options.error());
  auto rule = scaling_from(scaling);
  if (!rule) return std::unexpected(rule.error());
  return FrequencyPlan{*options, whole_if_given(exponent_dim), std::move(*rule), whole_if_given(length)};
}

}  // namespace posenc::embind
