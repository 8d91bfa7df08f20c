#include "scaling.hpp"

#include <type_traits>

namespace posenc::embind {
namespace {

/// Fills the options of a rule that an object has; the others keep the core's defaults.
class Reader {
 public:
  explicit Reader(const val& object) : object_(object) {}

  template <class Value>
  const Reader& operator()(const char* key, Value& value) const {
    const val given = object_[key];
    if (given.isUndefined()) return *this;
    if constexpr (std::is_same_v<Value, std::vector<double>>)
      value = emscripten::convertJSArrayToNumberVector<double>(given);
    else if constexpr (std::is_same_v<Value, bool>)
      value = given.as<bool>();
    else
      value = given.as<double>();
    return *this;
  }

 private:
  const val& object_;
};

void fill(const Reader&, scaling::Default&) {}
void fill(const Reader& read, scaling::Linear& rule) { read("factor", rule.factor); }
void fill(const Reader& read, scaling::StaticNtk& rule) { read("factor", rule.factor); }
void fill(const Reader& read, scaling::DynamicNtk& rule) {
  read("factor", rule.factor)("originalLength", rule.original_length);
}
void fill(const Reader& read, scaling::Yarn& rule) {
  read("factor", rule.factor)("originalLength", rule.original_length)("betaFast", rule.beta_fast)(
      "betaSlow", rule.beta_slow)("truncate", rule.truncate)("attentionFactor", rule.attention_factor)(
      "mscale", rule.mscale)("mscaleAllDim", rule.mscale_all_dim);
}
void fill(const Reader& read, scaling::LongRope& rule) {
  read("factor", rule.factor)("originalLength", rule.original_length)("shortFactor", rule.short_factor)(
      "longFactor", rule.long_factor)("attentionFactor", rule.attention_factor);
}
void fill(const Reader& read, scaling::Llama3& rule) {
  read("factor", rule.factor)("lowFrequencyFactor", rule.low_frequency_factor)(
      "highFrequencyFactor", rule.high_frequency_factor)("originalLength", rule.original_length);
}
void fill(const Reader& read, scaling::Proportional& rule) { read("fraction", rule.fraction)("factor", rule.factor); }
void fill(const Reader& read, scaling::Given& rule) {
  read("frequencies", rule.frequencies)("attentionFactor", rule.attention_factor);
}

}  // namespace

Expected<Scaling> scaling_from(const val& object) {
  if (object.isUndefined()) return scaling::Default{};
  auto rule = scaling_from_name(object["type"].as<std::string>());
  if (rule) std::visit([&](auto& made) { fill(Reader(object), made); }, *rule);
  return rule;
}

Expected<FrequencyPlan> frequency_plan(double dim, double base, const std::string& exponent, double exponent_dim,
                                       const val& scaling, double length) {
  const auto options = frequency_options(dim, base, exponent);
  if (!options) return std::unexpected(options.error());
  auto rule = scaling_from(scaling);
  if (!rule) return std::unexpected(rule.error());
  return FrequencyPlan{*options, whole_if_given(exponent_dim), std::move(*rule), whole_if_given(length)};
}

}  // namespace posenc::embind
