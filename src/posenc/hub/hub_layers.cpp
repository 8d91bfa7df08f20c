#include "posenc/hub/hub_layers.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "posenc/base/check.hpp"
#include "posenc/hub/config_reader.hpp"

namespace posenc {
namespace {

constexpr std::string_view cross = "cross_attention";

/// The option of the keys that determine which layers there are.
constexpr const char* layers_option = "layers";

/// The largest number of layers that is accepted: more than any model has.
constexpr double most_layers = 1000;

constexpr std::string_view without_softmax[]{"linear_attention", "mamba", "mamba2", "conv", "recurrent", "moe", "mlp"};

/// Of each layer its type: a literal, or a text of the config.
using Types = std::vector<std::string_view>;

class LayerReader {
 public:
  LayerReader(ConfigReader& reader, const TextConfig& config)
      : reader_(reader), config_(config.text), type_(config.type), pattern_(type_.layers) {}

  std::vector<HubLayers> read() {
    read_count();
    read_switches();
    Types types = listed_types();
    if (types.empty()) types = types_by_list();
    if (types.empty()) types = types_by_window();
    if (types.empty()) types = types_by_pattern();
    if (types.empty()) types = repeated(std::string_view());
    if (count_ != 0 && types.size() < count_) {
      reader_.refuse_number(config_, types_key_, static_cast<double>(types.size()), expected::layer_types, {count_});
      return {};
    }
    // Some configs also list the layers after these, which predict further tokens.
    if (count_ != 0 || pattern_.has_switches) types.resize(count_);
    std::vector<HubLayers> runs;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const bool rotates = is_rotating(i, types[i]);
      if (!runs.empty() && runs.back().type == types[i] && runs.back().rotates == rotates)
        ++runs.back().count;
      else
        runs.push_back({1, std::string(types[i]), rotates});
    }
    return runs;
  }

 private:
  void read_count() {
    constexpr const char* keys = "num_hidden_layers n_layer n_layers num_layers decoder_num_hidden_layers";
    double count = 0;
    reader_.read(config_, keys, "", count);
    const bool is_count = count >= 0 && count <= most_layers && std::floor(count) == count;
    if (!is_count) reader_.refuse(config_, keys, expected::whole_from_to, {0, 1000});
    if (is_count) count_ = static_cast<std::size_t>(count);
  }

  Types listed_types() {
    for (const char* const key : {"layer_types", "layers_block_type"}) {
      Types types;
      if (!reader_.read(config_, key, types, layers_option)) continue;
      types_key_ = key;
      for (std::string_view& type : types)
        if (type == "attention") type = full_attention;
      if (pattern_.end == PatternEnd::last && !types.empty()) types.back() = full_attention;
      // Types that are listed take precedence.
      if (pattern_.key != nullptr) reader_.ignore(config_, pattern_.key);
      return types;
    }
    return {};
  }

  Types types_by_list() {
    Types types;
    if (type_.list == LayerList::repeated_types) {
      Types block;
      if (!reader_.read(config_, type_.list_key, block, layers_option) || block.empty()) return types;
      for (std::size_t i = 0; i < count_; ++i) {
        const std::string_view type = block[i % block.size()];
        push(types, type == "attention" ? sliding_attention : type);
      }
      return types;
    }
    if (type_.list == LayerList::counted_types) return counted_types();
    std::vector<double> numbers;
    if (type_.list == LayerList::none) return types;
    const bool is_given = reader_.read(config_, type_.list_key, layers_option, numbers);
    const bool is_cross = type_.list == LayerList::cross_attention;
    if (is_cross && !is_given) numbers = {3, 8, 13, 18, 23, 28, 33, 38};  // MllamaTextConfig
    if (numbers.empty() && !is_given) return types;
    if (is_cross || type_.list == LayerList::attention_indices) {
      types = repeated(is_cross ? full_attention : name_of(LayerType::linear));
      for (const double index : numbers)
        if (index >= 0 && index < static_cast<double>(count_))
          types[static_cast<std::size_t>(index)] = is_cross ? cross : full_attention;
      return types;
    }
    types_key_ = type_.list_key;
    for (const double number : numbers)
      if (type_.list == LayerList::sliding_flags)
        push(types, number == 0 ? full_attention : sliding_attention);
      else
        push(types, number == 0   ? sliding_attention
                    : number == 4 ? "compressed_sparse_attention"
                                  : "heavily_compressed_attention");
    return types;
  }

  Types counted_types() {
    Types types;
    const auto* const groups = reader_.list(config_, type_.list_key, layers_option);
    if (groups == nullptr) return types;
    for (const ConfigValue& group : *groups) {
      const auto* const pair = std::get_if<ConfigValue::List>(&group.value);
      const bool is_pair = pair != nullptr && pair->size() == 2;
      const auto* const layer_names = is_pair ? std::get_if<ConfigValue::List>(&pair->front().value) : nullptr;
      const auto* const times = is_pair ? std::get_if<double>(&pair->back().value) : nullptr;
      const bool is_group = layer_names != nullptr && times != nullptr && *times >= 0 && *times <= most_layers;
      for (std::int64_t i = 0; is_group && i < static_cast<std::int64_t>(*times); ++i)
        for (const ConfigValue& name : *layer_names)
          if (const auto* const word = std::get_if<std::string>(&name.value); word != nullptr && !is_too_many(types))
            push(types, *word == "local"    ? sliding_attention
                        : *word == "global" ? full_attention
                                            : std::string_view(*word));
      if (!is_group) reader_.refuse(config_, type_.list_key, expected::counted_types);
    }
    types_key_ = type_.list_key;
    return types;
  }

  [[nodiscard, gnu::noinline]] Types repeated(std::string_view type) const { return Types(count_, type); }

  /// Out of line: each place would otherwise carry the code of a growing list.
  [[gnu::noinline]] static void push(Types& types, std::string_view type) { types.emplace_back(type); }

  static bool is_too_many(const Types& types) { return static_cast<double>(types.size()) > most_layers; }

  /// Types of layers whose windows depend on `max_window_layers`.
  Types types_by_window() {
    const bool alternates = type_.windows == Windows::alternating_if_on;
    const bool is_unrotated = type_.windows == Windows::unrotated_if_on;
    bool is_used = type_.windows == Windows::later;
    if (!is_used && !alternates && !is_unrotated && type_.windows != Windows::later_if_on) return {};
    reader_.read(config_, "use_sliding_window", is_used, layers_option);
    const bool has_window = type_.window != 0 || config_.object->has("sliding_window");
    if (!is_used || !has_window || reader_.is_null(config_, "sliding_window")) return {};
    std::int64_t first = type_.first_window;
    if (!is_unrotated) reader_.read(config_, "max_window_layers", layers_option, first);
    Types types;
    for (std::size_t i = 0; i < count_; ++i) {
      const bool is_before = static_cast<std::int64_t>(i) < first;
      const bool is_sliding = is_unrotated ? switches_[i] == 0 : alternates ? is_before && i % 2 == 0 : !is_before;
      push(types, is_sliding ? sliding_attention : full_attention);
    }
    return types;
  }

  Types types_by_pattern() {
    if (!has_pattern()) return {};
    if (std::string letters; reads_letters(letters)) return types_by_letters(letters);
    const std::string_view others = name_of(pattern_.others);
    const std::string_view one = name_of(pattern_.one);
    Types types;
    if (pattern_.has_switches) {
      for (const double rotates : switches_) push(types, rotates != 0 ? others : one);
      return types;
    }
    const std::size_t every = interval();
    if (every == 0) return {};
    types = repeated(others);
    for (std::size_t i = pattern_.is_first ? 0 : every - 1; i < count_; i += every) types[i] = one;
    if (count_ == 0) return types;
    if (pattern_.end == PatternEnd::first) types.front() = one;
    if (pattern_.end == PatternEnd::last || (pattern_.end == PatternEnd::last_if_none && count_ < every))
      types.back() = one;
    return types;
  }

  /// Whether the pattern's key has a word in place of a number: "LLLG" (EXAONE 4).
  bool reads_letters(std::string& letters) {
    const ConfigValue* const value = pattern_.key != nullptr ? config_.object->find(pattern_.key) : nullptr;
    if (value == nullptr || !std::holds_alternative<std::string>(value->value)) return false;
    return reader_.read(config_, pattern_.key, letters, layers_option);
  }

  Types types_by_letters(std::string_view letters) {
    Types types;
    if (letters.empty() || letters.find_first_not_of("LG") != letters.npos) {
      reader_.refuse(config_, pattern_.key, expected::layer_letters);
      return types;
    }
    for (std::size_t i = 0; i < count_; ++i)
      push(types, letters[i % letters.size()] == 'L' ? sliding_attention : full_attention);
    return types;
  }

  /// The period of the pattern; 0 after an error.
  std::size_t interval() {
    std::int64_t every = pattern_.every;
    if (pattern_.key == nullptr) return static_cast<std::size_t>(every);
    reader_.read(config_, pattern_.key, layers_option, every);
    if (every < 1) reader_.refuse_below_one(config_, pattern_.key);
    return every < 1 ? 0 : static_cast<std::size_t>(std::min(every, std::int64_t{1} << 20));
  }

  /// A number for each layer, 0 where it does not rotate: also a base for each.
  void read_switches() {
    const bool has_bases = ConfigReader::has_list(config_, type_.base_key);
    if (!has_bases && !pattern_.has_switches) return;
    const char* const key = has_bases ? type_.base_key : "no_rope_layers";
    reader_.read(config_, key, layers_option, switches_);
    if (switches_.empty() && pattern_.has_switches)
      if (const std::size_t every = interval(); every != 0)
        for (std::size_t i = 0; i < count_; ++i) switches_.push_back((i + 1) % every != 0 ? 1 : 0);
    reader_.refuse_short(config_, key, switches_.size(), count_);
    switches_.resize(count_);
  }

  bool has_pattern() {
    return pattern_.every != 0 && !(pattern_.needs_window && reader_.is_null(config_, "sliding_window"));
  }

  bool is_rotating(std::size_t index, std::string_view type) {
    const bool is_excluded = index < switches_.size()
                                 ? switches_[index] == 0
                                 : !pattern_.one_rotates && type == name_of(pattern_.one) && has_pattern();
    return !is_excluded && type != cross && has_softmax(type);
  }

  ConfigReader& reader_;
  const Section& config_;
  const ModelType& type_;
  const LayerPattern& pattern_;
  std::size_t count_ = 0;
  std::vector<double> switches_;
  std::string_view types_key_ = "layer_types";
};

}  // namespace

bool has_softmax(std::string_view layer_type) {
  return std::ranges::find(without_softmax, layer_type) == std::end(without_softmax);
}

bool is_attention(std::string_view layer_type) {
  return layer_type.ends_with("attention") || layer_type.starts_with("hybrid");
}

std::vector<HubLayers> read_layers(ConfigReader& reader, const TextConfig& config) {
  return LayerReader(reader, config).read();
}

}  // namespace posenc
