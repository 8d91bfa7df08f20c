#include "hub/rope_rendering.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace reference {
namespace {

using posenc::ConfigValue;

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
  [[nodiscard]] std::string text(const char* key, const std::string& otherwise) const {
    const ConfigValue* const value = at(key);
    return value == nullptr ? otherwise : std::get<std::string>(value->value);
  }

 private:
  const ConfigValue* object_;
};

Quad get_mscale(Quad scale, Quad mscale) {
  return scale <= 1 ? static_cast<Quad>(1) : mscale * logarithm(scale) / 10 + 1;
}

Quad whole_below(Quad x) {
  const auto whole = static_cast<Quad>(static_cast<std::int64_t>(x));
  return whole > x ? whole - 1 : whole;
}

/// base ** (-arange(0, dim, 2) / over)
std::vector<Quad> powers(Quad base, std::int64_t dim, std::int64_t over) {
  std::vector<Quad> made;
  for (std::int64_t i = 0; i < dim; i += 2) made.push_back(1 / power(base, static_cast<Quad>(i) / over));
  return made;
}

struct Yarn {
  Quad base, length, factor, beta_fast, beta_slow;
  bool truncate;
};

void blend(std::vector<Quad>& inv, std::int64_t dim, const Yarn& yarn) {
  const auto find_correction_dim = [&](Quad rotations) {
    return dim * logarithm(yarn.length / (rotations * 2 * pi())) / (2 * logarithm(yarn.base));
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
    const Quad wavelength = 2 * pi() / value;
    const bool is_long = wavelength > length / low, is_short = wavelength < length / high;
    const Quad changed = is_long ? value / factor : value;
    const Quad weight = is_long || is_short ? static_cast<Quad>(0) : (length / wavelength - low) / (high - low);
    value = is_long || is_short ? changed : (1 - weight) * changed / factor + weight * changed;
  }
}

}  // namespace

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

  const std::int64_t dims = type == "proportional" ? static_cast<std::int64_t>(head_dim) : dim;
  made.is_doubtful = base <= 0 || dims < 2 || dims % 2 != 0 || (factor && *factor < 1);
  if (base <= 0 || dims < 2 || dims % 2 != 0) return made;
  made.frequencies = powers(base, dims, dims);
  if (type == "default") {
    made.is_doubtful |= rope.has("factor");  // a key without a meaning
  } else if (type == "linear") {
    if (!factor) return {};
    for (Quad& value : made.frequencies) value /= *factor;
  } else if (type == "proportional") {
    const auto angles = static_cast<std::int64_t>(std::floor(fraction * head_dim / 2));
    made.frequencies = powers(base, 2 * angles, dims);
    made.frequencies.resize(static_cast<std::size_t>(dims / 2), 0);
    for (Quad& value : made.frequencies) value /= factor.value_or(1);
  } else if (type == "dynamic") {
    if (!factor || !current || dim == 2) return {};
    const Quad longest = std::max(length, *current), f = *factor;
    const Quad growth = power(f * longest / *current - (f - 1), static_cast<Quad>(dim) / (dim - 2));
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
    if (f > 1) made.attention_factor = square_root(1 + logarithm(f) / logarithm(static_cast<Quad>(*original)));
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

}  // namespace reference
