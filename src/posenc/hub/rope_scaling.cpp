#include "posenc/hub/rope_scaling.hpp"

#include <optional>
#include <string>
#include <utility>

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr Name rope_types[]{
    {"default", RopeType::plain},  {"linear", RopeType::linear},
    {"ntk", RopeType::ntk},        {"dynamic", RopeType::dynamic},
    {"yarn", RopeType::yarn},      {"longrope", RopeType::longrope},
    {"llama3", RopeType::llama3},  {"proportional", RopeType::proportional},
    {"mrope", RopeType::plain},    {"su", RopeType::longrope},
    {"xdrope", RopeType::dynamic},
};

/// The numbers of a rope dictionary.
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

/// A number's key, its name in the core, the types that have it and those that require it.
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
     with_factor | of(RopeType::yarn, RopeType::longrope, RopeType::proportional), with_factor},
    {"alpha", "scaling.factor", &RopeNumbers::factor, of(RopeType::alpha)},
    {"beta_fast", "scaling.betaFast", &RopeNumbers::beta_fast, of(RopeType::yarn)},
    {"beta_slow", "scaling.betaSlow", &RopeNumbers::beta_slow, of(RopeType::yarn)},
    {"attention_factor", "scaling.attentionFactor", &RopeNumbers::attention_factor,
     of(RopeType::yarn, RopeType::longrope)},
    {"short_mscale", "scaling.attentionFactor", &RopeNumbers::attention_factor, of(RopeType::longrope)},
    {"long_mscale", "", &RopeNumbers::long_attention_factor, of(RopeType::longrope)},
    {"mscale", "scaling.mscale", &RopeNumbers::mscale, of(RopeType::yarn)},
    {"mscale_all_dim", "scaling.mscaleAllDim", &RopeNumbers::mscale_all_dim, of(RopeType::yarn)},
    {"low_freq_factor", "scaling.lowFrequencyFactor", &RopeNumbers::low_frequency_factor, of(RopeType::llama3),
     of(RopeType::llama3)},
    {"high_freq_factor", "scaling.highFrequencyFactor", &RopeNumbers::high_frequency_factor, of(RopeType::llama3),
     of(RopeType::llama3)},
};

/// Reads the options of one rule.
class ScalingReader {
 public:
  ScalingReader(ConfigReader& reader, const RopeSections& sections) : reader_(reader), sections_(sections) {}

  void read(RopeType type, Scaling& scaling) {
    const RopeNumbers numbers = numbers_of(type);
    const double factor = numbers.factor.value_or(1);
    switch (type) {
      case RopeType::plain:
        return;
      case RopeType::linear:
        scaling.emplace<scaling::Linear>().factor = factor;
        return;
      case RopeType::ntk:
      case RopeType::alpha:
        scaling.emplace<scaling::Ntk>().factor = factor;
        return;
      case RopeType::dynamic:  // has no other length than the current one
        scaling.emplace<scaling::Dynamic>() = {factor, current_length("scaling.originalLength")};
        return;
      case RopeType::yarn:
        return read_yarn(numbers, scaling.emplace<scaling::Yarn>());
      case RopeType::longrope:
        return read_longrope(numbers, scaling.emplace<scaling::Longrope>());
      case RopeType::llama3:
        scaling.emplace<scaling::Llama3>() = {factor, numbers.low_frequency_factor.value_or(1),
                                              numbers.high_frequency_factor.value_or(4), original_length(false)};
        return;
      case RopeType::proportional:
        scaling.emplace<scaling::Proportional>() = {sections_.fraction, factor};
    }
  }

 private:
  /// L0: the key beside the dictionary if there is one for all layers, else in it, else `max_position_embeddings`.
  double original_length(bool may_be_current = true) {
    constexpr const char* key = "original_max_position_embeddings";
    constexpr const char* option = "scaling.originalLength";
    double length = 0;
    const bool is_inside = reader_.read(sections_.rope, key, option, length);
    if ((sections_.is_flat && reader_.read(sections_.config, key, option, length)) || is_inside) return length;
    if (!may_be_current) reader_.refuse(sections_.rope, key, expected::number);
    return current_length(option);
  }

  double current_length(const char* option) {
    constexpr const char* key = "max_position_embeddings";
    double length = 0;
    if (!reader_.read(sections_.config, key, option, length)) reader_.refuse(sections_.config, key, expected::number);
    return length;
  }

  RopeNumbers numbers_of(RopeType type) {
    RopeNumbers numbers;
    for (const NumberRow& row : number_rows) {
      if ((row.types & of(type)) == 0) continue;
      const bool is_there = reader_.read(sections_.rope, row.key, row.option, numbers.*row.number);
      if (!is_there && (row.needed_by & of(type)) != 0) reader_.refuse(sections_.rope, row.key, expected::number);
    }
    return numbers;
  }

  /// f, or max_position_embeddings / L0.
  double factor_or_ratio(const RopeNumbers& numbers, double length) {
    return numbers.factor ? *numbers.factor : current_length("scaling.factor") / length;
  }

  void read_yarn(const RopeNumbers& numbers, scaling::Yarn& rule) {
    rule.original_length = original_length();
    rule.factor = factor_or_ratio(numbers, rule.original_length);
    // 0 means the default, as it does in transformers.
    if (numbers.beta_fast.value_or(0) != 0) rule.beta_fast = *numbers.beta_fast;
    if (numbers.beta_slow.value_or(0) != 0) rule.beta_slow = *numbers.beta_slow;
    rule.attention_factor = numbers.attention_factor;
    rule.mscale = numbers.mscale;
    rule.mscale_all_dim = numbers.mscale_all_dim;
    // transformers reads `truncate` only in a dictionary for all layers, and null there means false.
    if (sections_.is_flat && !reader_.read(sections_.rope, "truncate", rule.truncate))
      rule.truncate = !sections_.rope.object->has("truncate");
  }

  void read_longrope(const RopeNumbers& numbers, scaling::Longrope& rule) {
    rule.original_length = original_length();
    rule.factor = factor_or_ratio(numbers, rule.original_length);
    rule.attention_factor = numbers.attention_factor;
    if (numbers.long_attention_factor && numbers.long_attention_factor != numbers.attention_factor)
      reader_.refuse(sections_.rope, "long_mscale", expected::same_mscale);
    if (!reader_.read(sections_.rope, "short_factor", "scaling.shortFactor", rule.short_factor))
      reader_.refuse(sections_.rope, "short_factor", expected::list_of_numbers);
    if (!reader_.read(sections_.rope, "long_factor", "scaling.longFactor", rule.long_factor))
      reader_.refuse(sections_.rope, "long_factor", expected::list_of_numbers);
  }

  ConfigReader& reader_;
  const RopeSections& sections_;
};

}  // namespace

Section rope_dictionary(ConfigReader& reader, const Section& config) {
  const Section scaling = reader.object(config, "rope_scaling");
  const bool is_empty = scaling.object == nullptr || scaling.object->object()->empty();
  return is_empty ? reader.object(config, "rope_parameters") : scaling;
}

RopeType rope_type_of(ConfigReader& reader, const Section& rope, const ModelType& type) {
  std::string name;
  const char* key = "rope_type";
  bool is_named = reader.read(rope, key, name, "scaling");
  if (!is_named) {
    is_named = reader.read(rope, "type", name, "scaling");
    key = "type";
  } else if (const auto* const word = value_at<std::string>(rope, "type")) {
    // One that says the same has no effect; another is an unknown key.
    const auto is_plain = [](std::string_view rule) { return rule == "default" || rule == "mrope"; };
    if (*word == name || (is_plain(*word) && is_plain(name))) reader.ignore(rope, "type");
  }
  if (!is_named) {
    key = "rope_type";
    if (rope.object != nullptr && rope.object->find("factor") != nullptr) reader.refuse(rope, key, expected::rope_type);
    return RopeType::plain;
  }
  auto named = from_name<RopeType>(rope_types, rope.path + key, name);
  if (!named) reader.fail(std::move(named.error()));
  const auto rule = named.value_or(RopeType::plain);
  if (rule == RopeType::ntk && !type.has_own_ntk) reader.refuse(rope, key, expected::ntk_of_model);
  if (rule == RopeType::dynamic && rope.object->find("alpha") != nullptr) return RopeType::alpha;
  return rule == RopeType::yarn && type.yarn_is_longrope ? RopeType::longrope : rule;
}

void read_rope_scaling(ConfigReader& reader, const RopeSections& sections, RopeType type, Scaling& scaling) {
  ScalingReader(reader, sections).read(type, scaling);
}

}  // namespace posenc
