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

constexpr std::string_view without_softmax = "linear_attention mamba mamba2 conv recurrent moe mlp";

class LayerReader {
 public:
  LayerReader(ConfigReader& reader, const TextConfig& config)
      : reader_(reader), config_(config.text), type_(config.type), pattern_(type_.layers) {}

  std::vector<HubLayers> read() {
    read_count();
    read_switches();
    read_names();
    if (types_.empty()) read_list();
    // Indices of the hybrid ones have no effect of their own.
    if (type_.list == LayerList::hybrid_of_54 && has_known_layers_) reader_.ignore(config_, type_.list_key);
    if (types_.empty()) make_windows();
    if (types_.empty()) make_pattern();
    if (types_.empty()) fill({});
    if (count_ != 0 && types_.size() < count_) {
      reader_.refuse_number(config_, types_key_, static_cast<double>(types_.size()), expected::layer_types, {count_});
      return {};
    }
    // Some configs also list the layers after these, which predict further tokens.
    while (types_.size() > count_ && (count_ != 0 || pattern_.has_switches)) types_.pop_back();
    std::vector<HubLayers> runs;
    for (std::size_t i = 0; i < types_.size(); ++i) {
      const std::string_view type = types_[i];
      const bool is_known = has_known_layers_ && is_of_model(type);
      if (!is_known && has_known_layers_ && type != doubtful_) reader_.doubt(config_, types_key_, i);
      if (!is_known) doubtful_ = type;
      const bool rotates = is_known && is_rotating(i, type);
      if (runs.empty() || runs.back().type != type || runs.back().rotates != rotates)
        runs.push_back({0, std::string(type), rotates, is_known});
      ++runs.back().count;
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

  /// Types that are listed take precedence.
  void read_names() {
    for (const char* const key : {"layer_types", "layers_block_type"}) {
      if (!reader_.read(config_, key, types_, layers_option)) continue;
      types_key_ = key;
      for (std::string_view& type : types_)
        if (type == "attention") type = full_attention;
      if (pattern_.end == PatternEnd::last && !types_.empty()) types_.back() = full_attention;
      if (pattern_.key != nullptr) reader_.ignore(config_, pattern_.key);
      return;
    }
  }

  void read_list() {
    if (type_.list == LayerList::unread) has_known_layers_ = type_.encoding != TypeEncoding::rotary;
    if (type_.list == LayerList::none || type_.list == LayerList::unread) return;
    if (type_.list == LayerList::repeated_types) return read_repeated();
    if (type_.list == LayerList::counted_types) return read_counted();
    const bool is_cross = type_.list == LayerList::cross_attention;
    const bool is_hybrid = type_.list == LayerList::hybrid_of_54;
    const bool is_compressed = type_.list == LayerList::compress_ratios;
    std::vector<double> numbers;
    const bool is_given = !is_hybrid && reader_.read(config_, type_.list_key, layers_option, numbers);
    if (is_hybrid) has_known_layers_ = count_ == 54;
    // The lists of MllamaTextConfig, Zamba2Config and DeepseekV4Config.
    for (std::size_t i = 0; i < count_ && !is_given && has_known_layers_; ++i)
      if (is_compressed)
        numbers.push_back(i > 2 && i % 2 != 0 ? 4 : 128);
      else if (is_cross ? i % 5 == 3 && i < 40 : is_hybrid && i != 0 && (i < 48 ? i % 6 == 0 || i == 47 : i == 51))
        numbers.push_back(static_cast<double>(i));
    if (numbers.empty() && !is_given) return;
    if (is_cross || is_hybrid || type_.list == LayerList::attention_indices) {
      fill(is_cross ? full_attention : name_of(LayerType::linear));
      const std::string_view one = is_cross ? cross : is_hybrid ? name_of(LayerType::hybrid) : full_attention;
      for (const double index : numbers)
        if (index >= 0 && index < static_cast<double>(count_)) types_[static_cast<std::size_t>(index)] = one;
      return;
    }
    types_key_ = type_.list_key;
    for (const double number : numbers)
      push(number == 0      ? (is_compressed ? sliding_attention : full_attention)
           : !is_compressed ? sliding_attention
           : number == 4    ? "compressed_sparse_attention"
           : number == 128  ? "heavily_compressed_attention"
                            : "compressed");
  }

  void read_repeated() {
    std::vector<std::string_view> block;
    if (!reader_.read(config_, type_.list_key, block, layers_option) || block.empty()) return;
    types_key_ = type_.list_key;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::string_view type = block[i % block.size()];
      push(type == "attention" ? sliding_attention : type);
    }
  }

  void read_counted() {
    const auto* const groups = reader_.list(config_, type_.list_key, layers_option);
    if (groups == nullptr) return;
    for (const ConfigValue& group : *groups) {
      const auto* const pair = std::get_if<ConfigValue::List>(&group.value);
      const bool is_pair = pair != nullptr && pair->size() == 2;
      const auto* const layer_names = is_pair ? std::get_if<ConfigValue::List>(&pair->front().value) : nullptr;
      const auto* const times = is_pair ? std::get_if<double>(&pair->back().value) : nullptr;
      const bool is_group = layer_names != nullptr && times != nullptr && *times >= 0 && *times <= most_layers;
      for (std::int64_t i = 0; is_group && i < static_cast<std::int64_t>(*times); ++i)
        for (const ConfigValue& name : *layer_names)
          if (const auto* const word = std::get_if<std::string>(&name.value); word != nullptr && !is_too_many())
            push(*word == "local" ? sliding_attention : *word == "global" ? full_attention : std::string_view(*word));
      if (!is_group) reader_.refuse(config_, type_.list_key, expected::counted_types);
    }
    types_key_ = type_.list_key;
  }

  /// Out of line: each place would otherwise carry the code of a growing list.
  [[gnu::noinline]] void push(std::string_view type) { types_.emplace_back(type); }

  void fill(std::string_view type) {
    while (types_.size() < count_) push(type);
  }

  [[nodiscard]] bool is_too_many() const { return static_cast<double>(types_.size()) > most_layers; }

  /// Types of layers whose windows depend on `max_window_layers`.
  void make_windows() {
    const bool alternates = type_.windows == Windows::alternating_if_on;
    const bool is_unrotated = type_.windows == Windows::unrotated_if_on;
    bool is_used = type_.windows == Windows::later;
    if (!is_used && !alternates && !is_unrotated && type_.windows != Windows::later_if_on) return;
    const bool has_window = type_.window != 0 || config_.object->has("sliding_window");
    if (!has_window || reader_.is_null(config_, "sliding_window")) return;
    reader_.read(config_, "use_sliding_window", is_used, layers_option);
    if (!is_used) return;
    std::int64_t first = type_.first_window;
    if (!is_unrotated) reader_.read(config_, "max_window_layers", layers_option, first);
    for (std::size_t i = 0; i < count_; ++i) {
      const bool is_before = static_cast<std::int64_t>(i) < first;
      const bool is_sliding = is_unrotated ? switches_[i] == 0 : alternates ? is_before && i % 2 == 0 : !is_before;
      push(is_sliding ? sliding_attention : full_attention);
    }
  }

  void make_pattern() {
    if (!has_pattern()) return;
    // A word in place of a number: "LLLG" (EXAONE 4).
    if (pattern_.key != nullptr && value_at<std::string>(config_, pattern_.key) != nullptr) return read_letters();
    const std::string_view others = name_of(pattern_.others);
    const std::string_view one = name_of(pattern_.one);
    if (pattern_.has_switches) {
      for (const double rotates : switches_) push(rotates != 0 ? others : one);
      return;
    }
    const std::size_t every = interval(pattern_.key, pattern_.every);
    const std::size_t first = prefix();
    const std::size_t every_before = first != 0 ? prefix_interval() : 1;
    if (every == 0 || every_before == 0) return;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t from = pattern_.end == PatternEnd::counted_from ? (every - count_ % every) % every : 0;
      const std::size_t number = i < first ? i % every_before : (i - first + from) % every;
      const bool is_one = number == (pattern_.is_first ? 0 : (i < first ? every_before : every) - 1);
      push(is_one ? one : others);
    }
    if (count_ == 0) return;
    if (pattern_.end == PatternEnd::first) types_.front() = one;
    if (pattern_.end == PatternEnd::last || (pattern_.end == PatternEnd::last_if_none && count_ < every))
      types_.back() = one;
  }

  void read_letters() {
    std::string letters;
    reader_.read(config_, pattern_.key, letters, layers_option);
    if (letters.empty() || letters.find_first_not_of("LG") != letters.npos)
      return reader_.refuse(config_, pattern_.key, expected::layer_letters);
    for (std::size_t i = 0; i < count_; ++i)
      push(letters[i % letters.size()] == 'L' ? sliding_attention : full_attention);
  }

  /// The period of a pattern; 0 after an error.
  std::size_t interval(const char* key, std::int64_t every, const char* option = layers_option) {
    if (key == nullptr) return static_cast<std::size_t>(every);
    if (reader_.read(config_, key, pattern_.others == pattern_.one ? "" : layers_option, every))
      reader_.cite(config_, key, option);
    if (every < 1) reader_.refuse_below_one(config_, key);
    return every < 1 ? 0 : static_cast<std::size_t>(std::min(every, std::int64_t{1} << 20));
  }

  /// A number for each layer, 0 where it does not rotate: also a base for each.
  void read_switches() {
    const bool has_bases = has_list(config_, type_.base_key);
    if (!has_bases && !pattern_.has_switches) return;
    const char* const key = has_bases ? type_.base_key : "no_rope_layers";
    const char* const option = has_bases || pattern_.others == pattern_.one ? "" : layers_option;
    if (reader_.read(config_, key, option, switches_)) reader_.cite(config_, key, "rotating");
    if (switches_.empty() && pattern_.has_switches)
      if (const std::size_t every = interval(pattern_.key, pattern_.every, "rotating"); every != 0)
        for (std::size_t i = 0; i < count_; ++i) switches_.push_back((i + 1) % every != 0 ? 1 : 0);
    reader_.refuse_short(config_, key, switches_.size(), count_);
    switches_.resize(count_);
  }

  bool has_pattern() {
    return pattern_.every != 0 && !(pattern_.needs_window && reader_.is_null(config_, "sliding_window"));
  }

  /// Whether a type's name is one that the model's code has, or that its config has a rope dictionary for. No class has
  /// names of the others: it would refuse them, or ignore what they mean.
  bool is_of_model(std::string_view type) {
    const IndexerRule& indexer = type_.indexer;
    const bool is_hybrid = pattern_.one == LayerType::hybrid || type_.list == LayerList::hybrid_of_54;
    const bool is_indexed = indexer.layout != Layout::unnamed || indexer.has_layout_of_plan;
    const char* const own = type_.is_compressed ? "compressed_sparse_attention heavily_compressed_attention"
                            : is_hybrid         ? "hybrid hybrid_sliding"
                            : is_indexed        ? "deepseek_sparse_attention minimax_m3_sparse"
                            : type_.list == LayerList::cross_attention ? "cross_attention"
                                                                       : "";
    const bool is_usual = type == sliding_attention || (type == full_attention && !type_.is_compressed);
    if (type.empty() || is_usual || !has_softmax(type) || is_word(own, type)) return true;
    if (type == name_of(pattern_.others)) return !type_.is_compressed;
    const ConfigValue* const rope = config_.object->find("rope_parameters");
    return rope != nullptr && rope->find(type) != nullptr;
  }

  bool is_rotating(std::size_t index, std::string_view type) {
    if (type == cross || !has_softmax(type)) return false;
    if (index < switches_.size()) return switches_[index] != 0;
    if (pattern_.end == PatternEnd::counted_from && has_pattern())  // whatever they are called
      return (types_.size() - 1 - index) % static_cast<std::size_t>(pattern_.every) != 0;
    if (pattern_.rotating == RotatingLayers::others) return type != name_of(pattern_.one) || !has_pattern();
    const bool has_window = type == sliding_attention && !reader_.is_null(config_, type_.window_key);
    return pattern_.rotating == RotatingLayers::all || has_window || is_dense(index);
  }

  /// Cohere 2 MoE's first layers, without experts, rotate whatever their type (`force_rope` of its attention).
  bool is_dense(std::size_t index) {
    if (prefix_interval() != 1) return false;
    std::vector<std::string_view> types;
    if (reader_.read(config_, "mlp_layer_types", types)) return index < types.size() && types[index] == "dense";
    return index < prefix();
  }

  /// The number of Cohere 2 MoE's first layers that have a pattern of their own.
  std::size_t prefix() {
    std::int64_t count = 0;
    if (pattern_.rotating == RotatingLayers::windows) reader_.read(config_, "first_k_dense_replace", "", count);
    return count > 0 ? std::min(static_cast<std::size_t>(count), count_) : 0;
  }

  std::size_t prefix_interval() { return interval("prefix_dense_sliding_window_pattern", 1); }

  ConfigReader& reader_;
  const Section& config_;
  const ModelType& type_;
  const LayerPattern& pattern_;
  std::size_t count_ = 0;
  std::vector<std::string_view> types_;  ///< of each layer: a literal, or a text of the config
  std::vector<double> switches_;
  std::string_view types_key_ = "layer_types";
  std::string_view doubtful_;     ///< the last name that is not the model's
  bool has_known_layers_ = true;  ///< whether they are known where the config does not name them
};

}  // namespace

bool has_softmax(std::string_view layer_type) { return !is_word(without_softmax, layer_type); }

bool is_attention(std::string_view layer_type) {
  return layer_type.ends_with("attention") || layer_type.starts_with("hybrid");
}

std::vector<HubLayers> read_layers(ConfigReader& reader, const TextConfig& config) {
  return LayerReader(reader, config).read();
}

}  // namespace posenc
