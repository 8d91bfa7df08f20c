/// Random configs of every rope type, against a rendering of what transformers 5 does with them, written from
/// src/transformers/modeling_rope_utils.py (17 August 2026): convert_rope_params_to_dict, standardize_rope_params, the
/// functions of ROPE_INIT_FUNCTIONS, and GPT-NeoX' compute_default_rope_parameters. Formulas are in 113 bits, and share
/// nothing with scaling_reference.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "hub/json.hpp"
#include "posenc/hub/hub_config.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::ConfigValue;
using reference::Quad;
using testing::Generator;

namespace {

/// A Python dictionary: what is null is there, and counts as None.
class Dictionary {
 public:
  explicit Dictionary(const ConfigValue* object) : object_(object) {}

  [[nodiscard]] bool has(const char* key) const { return object_ != nullptr && object_->has(key); }
  [[nodiscard]] const ConfigValue* at(const char* key) const {
    return object_ == nullptr ? nullptr : object_->find(key);
  }
  /// None where it is missing, null or no number.
  [[nodiscard]] std::optional<double> number(const char* key) const {
    const ConfigValue* const value = at(key);
    const double* const found = value == nullptr ? nullptr : std::get_if<double>(&value->value);
    return found == nullptr ? std::nullopt : std::optional(*found);
  }
  /// Whether there is something of another kind in its place: arithmetic with it raises.
  [[nodiscard]] bool is_odd(const char* key) const { return at(key) != nullptr && !number(key); }
  [[nodiscard]] std::vector<double> numbers(const char* key) const {
    std::vector<double> found;
    const ConfigValue* const list = at(key);
    if (list != nullptr)
      if (const auto* items = std::get_if<ConfigValue::List>(&list->value))
        for (const ConfigValue& item : *items) found.push_back(std::get<double>(item.value));
    return found;
  }
  [[nodiscard]] std::string text(const char* key, std::string otherwise) const {
    const ConfigValue* const value = at(key);
    return value == nullptr ? std::move(otherwise) : std::get<std::string>(value->value);
  }

 private:
  const ConfigValue* object_;
};

/// inv_freq and attention_scaling. `is_doubtful`: transformers warns of the options, or what comes out means nothing.
struct Rendered {
  std::vector<Quad> frequencies;
  Quad attention_factor = 1;
  bool is_doubtful = false;
};

Quad get_mscale(Quad scale, Quad mscale) {
  return scale <= 1 ? static_cast<Quad>(1) : mscale * reference::logarithm(scale) / 10 + 1;
}

Quad whole_below(Quad x) {
  const auto whole = static_cast<Quad>(static_cast<std::int64_t>(x));
  return whole > x ? whole - 1 : whole;
}

/// base ** (-arange(0, dim, 2) / over)
std::vector<Quad> powers(Quad base, std::int64_t dim, std::int64_t over) {
  std::vector<Quad> made;
  for (std::int64_t i = 0; i < dim; i += 2) made.push_back(1 / reference::power(base, static_cast<Quad>(i) / over));
  return made;
}

struct Yarn {
  Quad base, length, factor, beta_fast, beta_slow;
  bool truncate;
};

void blend(std::vector<Quad>& inv, std::int64_t dim, const Yarn& yarn) {
  const auto find_correction_dim = [&](Quad rotations) {
    return dim * reference::logarithm(yarn.length / (rotations * 2 * reference::pi())) /
           (2 * reference::logarithm(yarn.base));
  };
  Quad low = find_correction_dim(yarn.beta_fast), high = find_correction_dim(yarn.beta_slow);
  if (yarn.truncate) {
    low = whole_below(low);
    high = -whole_below(-high);
  }
  low = std::max(low, static_cast<Quad>(0));
  high = std::min(high, static_cast<Quad>(dim - 1));
  if (low == high) high += Quad(1) / 1000;
  for (std::size_t i = 0; i < inv.size(); ++i) {
    const Quad line = (static_cast<Quad>(i) - low) / (high - low);
    const Quad ramp = std::min(std::max(line, static_cast<Quad>(0)), static_cast<Quad>(1));
    inv[i] = inv[i] / yarn.factor * ramp + inv[i] * (1 - ramp);
  }
}

void smooth(std::vector<Quad>& inv, Quad length, Quad factor, Quad low, Quad high) {
  for (Quad& value : inv) {
    const Quad wavelength = 2 * reference::pi() / value;
    const bool is_long = wavelength > length / low, is_short = wavelength < length / high;
    const Quad changed = is_long ? value / factor : value;
    const Quad weight = is_long || is_short ? static_cast<Quad>(0) : (length / wavelength - low) / (high - low);
    value = is_long || is_short ? changed : (1 - weight) * changed / factor + weight * changed;
  }
}

/// What the dictionary of a layer type, or of all ("") gives; nothing where transformers raises.
std::optional<Rendered> render(const ConfigValue& json, const char* layer_type, double length) {
  const Dictionary config(&json);
  const ConfigValue* object = config.at("rope_scaling");
  if (object == nullptr || object->object()->empty()) object = config.at("rope_parameters");
  const bool is_flat = *layer_type == '\0';
  if (!is_flat) object = object->find(layer_type);
  const Dictionary rope(object);
  const std::string type = rope.text("rope_type", rope.text("type", "default"));
  for (const char* const key : {"factor", "rope_theta", "partial_rotary_factor", "original_max_position_embeddings"})
    if (rope.is_odd(key)) return {};
  Rendered made;

  const double base = rope.number("rope_theta").value_or(config.number("rope_theta").value_or(10000));
  const double fraction =
      config.number("partial_rotary_factor").value_or(rope.number("partial_rotary_factor").value_or(1));
  const auto hidden = static_cast<std::int64_t>(*config.number("hidden_size"));
  const auto heads = static_cast<std::int64_t>(*config.number("num_attention_heads"));
  if (!config.number("head_dim") && hidden % heads != 0) return {};  // LlamaConfig
  const double head_dim = config.number("head_dim").value_or(static_cast<double>(hidden / heads));
  const auto dim = static_cast<std::int64_t>(head_dim * fraction);
  const auto current = config.number("max_position_embeddings");
  auto original = rope.number("original_max_position_embeddings");
  if (is_flat && config.has("original_max_position_embeddings"))
    original = config.number("original_max_position_embeddings");
  if (!original) original = current;
  const auto factor = rope.number("factor");

  const std::int64_t lanes = type == "proportional" ? static_cast<std::int64_t>(head_dim) : dim;
  made.is_doubtful = base <= 0 || lanes < 2 || lanes % 2 != 0 || (factor && *factor < 1);
  if (base <= 0 || lanes < 2 || lanes % 2 != 0) return made;
  made.frequencies = powers(base, lanes, lanes);
  if (type == "default") {
    made.is_doubtful |= rope.has("factor");  // a key without a meaning
  } else if (type == "linear") {
    if (!factor) return {};
    for (Quad& value : made.frequencies) value /= *factor;
  } else if (type == "proportional") {
    const auto angles = static_cast<std::int64_t>(std::floor(fraction * head_dim / 2));
    made.frequencies = powers(base, 2 * angles, lanes);
    made.frequencies.resize(static_cast<std::size_t>(lanes / 2), 0);
    for (Quad& value : made.frequencies) value /= factor.value_or(1);
  } else if (type == "dynamic") {
    if (!factor || !current || dim == 2) return {};
    const Quad longest = std::max(length, *current), f = *factor;
    const Quad growth = reference::power(f * longest / *current - (f - 1), static_cast<Quad>(dim) / (dim - 2));
    made.frequencies = powers(base * growth, dim, dim);
  } else if (type == "yarn") {
    if (!original || (!factor && !current)) return {};
    const auto attention = rope.number("attention_factor");
    const double mscale = rope.number("mscale").value_or(0), all = rope.number("mscale_all_dim").value_or(0);
    const Quad f = factor ? static_cast<Quad>(*factor) : static_cast<Quad>(*current) / *original;
    made.attention_factor = get_mscale(f, 1);
    if (mscale != 0 && all != 0) made.attention_factor = get_mscale(f, mscale) / get_mscale(f, all);
    if (attention) made.attention_factor = *attention;
    const auto or_else = [&](const char* key, double otherwise) {
      const double given = rope.number(key).value_or(0);
      return given == 0 ? otherwise : given;
    };
    const double fast = or_else("beta_fast", 32), slow = or_else("beta_slow", 1);
    made.is_doubtful |= fast < slow || base <= 1;
    if (base == 1) return {};
    // Read from config.rope_parameters, which has it in a dictionary for all layers alone. null is false.
    const ConfigValue* const truncate = rope.at("truncate");
    const bool truncates =
        !is_flat || !rope.has("truncate") || (truncate != nullptr && std::get<bool>(truncate->value));
    blend(made.frequencies, dim, {base, *original, f, fast, slow, truncates});
  } else if (type == "longrope") {
    const auto short_factor = rope.numbers("short_factor"), long_factor = rope.numbers("long_factor");
    if (!original || (!factor && !current) || short_factor.empty() || long_factor.empty()) return {};
    const auto& divisors = length > *original ? long_factor : short_factor;
    if (divisors.size() != made.frequencies.size()) return {};
    made.is_doubtful |= short_factor.size() != long_factor.size();
    const auto attention = rope.number("attention_factor");
    const Quad f = factor ? static_cast<Quad>(*factor) : static_cast<Quad>(*current) / *original;
    if (f > 1)
      made.attention_factor =
          reference::square_root(1 + reference::logarithm(f) / reference::logarithm(static_cast<Quad>(*original)));
    if (attention) made.attention_factor = *attention;
    for (std::size_t i = 0; i < divisors.size(); ++i) made.frequencies[i] /= divisors[i];
  } else if (type == "llama3") {
    const auto low = rope.number("low_freq_factor"), high = rope.number("high_freq_factor");
    if (!factor || !low || !high || !original) return {};
    made.is_doubtful |= *high <= *low || (current && *original >= *current);
    smooth(made.frequencies, *original, *factor, *low, *high);
  } else {
    return {};
  }
  return made;
}

/// A JSON object, member by member.
class Writer {
 public:
  void put(const char* name, const std::string& value) {
    if (!text_.empty()) text_ += ", ";
    text_ += '"' + std::string(name) + "\": " + value;
  }
  void put(const char* name, double value) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", value);
    put(name, std::string(digits));
  }
  [[nodiscard]] std::string object() const { return '{' + text_ + '}'; }

 private:
  std::string text_;
};

class RandomConfig {
 public:
  explicit RandomConfig(Generator& generator) : generator_(generator) {}

  std::string flat() {
    const bool is_dictionary_of_4 = one_of(2);
    Writer config = beside();
    Writer rope = dictionary(is_dictionary_of_4);
    if (is_dictionary_of_4 || one_of(5)) put_base(config);
    if (one_of(4)) put_length(config, "original_max_position_embeddings");
    const char* const other = is_dictionary_of_4 ? "rope_parameters" : "rope_scaling";
    // Of two, rope_scaling is the one that counts, unless it is empty.
    if (one_of(6)) config.put(other, one_of(2) || is_dictionary_of_4 ? "null" : "{}");
    if (is_dictionary_of_4 && one_of(8))
      config.put("rope_parameters", R"({"rope_theta": 777, "rope_type": "default"})");
    config.put(is_dictionary_of_4 ? "rope_scaling" : "rope_parameters", rope.object());
    return config.object();
  }

  std::string nested() {
    Writer config = beside();
    if (one_of(2)) put_base(config);
    Writer layers;
    layers.put("full_attention", dictionary(false).object());
    layers.put("sliding_attention", dictionary(false).object());
    config.put("rope_parameters", layers.object());
    if (one_of(2)) config.put("layer_types", R"(["full_attention", "sliding_attention", "full_attention"])");
    return config.object();
  }

 private:
  [[nodiscard]] bool one_of(std::size_t count) { return generator_.below(count) == 0; }
  template <class T, std::size_t count>
  T pick(const T (&values)[count]) {
    return values[generator_.below(count)];
  }

  /// The lanes of a head, rarely wrong ones, and the lengths.
  Writer beside() {
    Writer config;
    const double heads = pick({4.0, 8.0, 14.0}), lanes = pick({16.0, 20.0, 32.0, 64.0, 80.0, 96.0, 128.0});
    const bool divides = !one_of(30);
    config.put("hidden_size", heads * lanes + (divides ? 0 : 1));
    config.put("num_attention_heads", heads);
    lanes_ = lanes;
    if (one_of(3))
      config.put("head_dim", lanes_ = one_of(20) ? 33 : 48);
    else if (one_of(4))
      config.put("head_dim", "null");
    fraction_ = 1;
    is_fraction_beside_ = one_of(2);
    if (one_of(3)) fraction_ = pick({0.25, 0.4, 0.5, 0.75, 0.3, 1.0});
    if (is_fraction_beside_ && fraction_ != 1)
      config.put("partial_rotary_factor", fraction_);
    else if (one_of(6))
      config.put("partial_rotary_factor", "null");
    if (!one_of(20)) put_length(config, "max_position_embeddings");
    return config;
  }

  void put_length(Writer& to, const char* key) { to.put(key, pick({2048.0, 4096.0, 8192.0, 32768.0, 131072.0})); }
  void put_base(Writer& to) {
    to.put("rope_theta",
           one_of(40) ? pick({0.0, -10000.0, 1.0, 0.5}) : pick({500.0, 10000.0, 150000.0, 500000.0, 1e7}));
  }
  void maybe(Writer& to, const char* key, double value) {
    if (one_of(2)) return;
    if (one_of(5))
      to.put(key, "null");
    else
      to.put(key, value);
  }

  Writer dictionary(bool is_dictionary_of_4) {
    Writer rope;
    const std::string type =
        one_of(40)
            ? "bogus"
            : pick({"default", "linear", "dynamic", "yarn", "yarn", "longrope", "longrope", "llama3", "proportional"});
    if (!(type == "default" && one_of(2)))
      rope.put(is_dictionary_of_4 && one_of(2) ? "type" : "rope_type", '"' + type + '"');
    if (!is_dictionary_of_4) put_base(rope);
    if (!is_fraction_beside_ && fraction_ != 1) rope.put("partial_rotary_factor", fraction_);
    const bool may_be_null = type == "yarn" || type == "longrope";
    if (may_be_null && one_of(3))
      rope.put("factor", "null");
    else if (one_of(30))
      rope.put("factor", R"("8")");
    else if (type != "default" ? !one_of(30) || may_be_null : one_of(20))
      rope.put("factor", one_of(20) ? 0.5 : pick({1.0, 2.0, 2.5, 4.0, 8.0, 32.0, 40.0}));
    if (may_be_null || type == "llama3") {
      if (!one_of(3)) put_length(rope, "original_max_position_embeddings");
    }
    if (may_be_null) maybe(rope, "attention_factor", pick({0.0, 0.8, 1.0, 1.19}));
    if (type == "yarn") {
      maybe(rope, "beta_fast", pick({0.0, 16.0, 32.0, 64.0, 0.25}));
      maybe(rope, "beta_slow", pick({0.0, 0.5, 1.0, 2.0}));
      maybe(rope, "mscale", pick({0.0, 0.707, 1.0}));
      maybe(rope, "mscale_all_dim", pick({0.0, 0.5, 1.0}));
      if (one_of(3)) rope.put("truncate", pick({"true", "false", "null"}));
    }
    if (type == "longrope") {
      rope.put("short_factor", list(1, 2));
      rope.put("long_factor", list(1, 40));
    }
    if (type == "llama3") {
      if (!one_of(20)) rope.put("low_freq_factor", pick({1.0, 2.0, 0.5}));
      rope.put("high_freq_factor", pick({4.0, 8.0, 1.0, 3.0}));
    }
    return rope;
  }

  std::string list(double least, double most) {
    const auto pairs = static_cast<std::size_t>(lanes_ * fraction_) / 2 + (one_of(30) ? 1 : 0);
    Writer items;
    std::string text = "[";
    for (std::size_t i = 0; i < pairs; ++i) {
      char digits[40];
      std::snprintf(digits, sizeof digits, "%s%.6g", i == 0 ? "" : ", ",
                    least + (most - least) * (0.5 + 0.5 * generator_.fraction()));
      text += digits;
    }
    return text + "]";
  }

  Generator& generator_;
  double lanes_ = 0, fraction_ = 1;
  bool is_fraction_beside_ = false;
};

/// The largest relative error of the plan's frequencies and attention factor.
double worst_of(posenc::HubPlan plan, const Rendered& rendered, std::int64_t length) {
  plan.rotary.layout = posenc::Layout::half;
  plan.rotary.length = length;
  const auto rotary = testing::value_of(posenc::Rotary::make(plan.rotary));
  REQUIRE(rotary.frequencies().count() == rendered.frequencies.size());
  const auto error = [](double value, Quad exact) {
    if (exact == 0) return value == 0 ? 0 : 1.0;
    return static_cast<double>(reference::magnitude((value - exact) / exact));
  };
  CHECK(rotary.attention_factor() == plan.attention_factor);
  double worst = error(plan.attention_factor, rendered.attention_factor);
  for (std::size_t i = 0; i < rendered.frequencies.size(); ++i)
    worst = std::max(worst, error(rotary.frequencies().radians(i), rendered.frequencies[i]));
  return worst;
}

}  // namespace

TEST_CASE("hub rules: 600 random configs agree with a rendering of transformers 5", "[hub]") {
  Generator generator(2026);
  int agreed = 0, refused = 0;
  double worst = 0;
  for (int round = 0; agreed < 600; ++round) {
    REQUIRE(round < 1200);
    RandomConfig random(generator);
    const bool is_nested = generator.below(5) == 0;
    const std::string json = is_nested ? random.nested() : random.flat();
    INFO(round << ": " << json);
    const ConfigValue config = testing::from_json(json);
    const auto read = posenc::read_hub_config(config);
    const auto types = is_nested ? std::vector{"full_attention", "sliding_attention"} : std::vector{""};
    bool raises = false, is_doubtful = false;
    for (const char* const type : types)
      for (const std::int64_t length : {std::int64_t{100}, std::int64_t{200000}}) {
        const auto rendered = render(config, type, static_cast<double>(length));
        raises |= !rendered;
        is_doubtful |= rendered && rendered->is_doubtful;
        if (!read || !rendered || rendered->frequencies.empty()) continue;
        const auto plan =
            std::ranges::find_if(read->plans, [&](const posenc::HubPlan& made) { return made.layer_type == type; });
        REQUIRE(plan != read->plans.end());
        worst = std::max(worst, worst_of(*plan, *rendered, length));
        REQUIRE(worst <= 1e-14);
      }
    if (!read) {
      INFO(read.error().message());
      REQUIRE((raises || is_doubtful));
      ++refused;
    } else {
      REQUIRE_FALSE(raises);
      ++agreed;
    }
  }
  std::printf("hub rules: %d configs agree to %.1e, %d are refused\n", agreed, worst, refused);
  CHECK(refused < agreed);
}
