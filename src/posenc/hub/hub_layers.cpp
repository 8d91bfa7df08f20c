#include "posenc/hub/hub_layers.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "posenc/base/check.hpp"
#include "posenc/hub/config_reader.hpp"

namespace posenc {
namespace {

constexpr std::string_view full = "full_attention";
constexpr std::string_view sliding = "sliding_attention";
constexpr std::string_view chunked = "chunked_attention";
constexpr std::string_view linear = "linear_attention";

/// More than any model has: what is built from a number alone is no longer.
constexpr double most_layers = 1000;

/// How a model's code makes types of layers out of a number: one in so many, the first or the last of each.
struct LayerPattern {
  std::string_view model_type;
  const char* key;  ///< nullptr: its code has it fixed
  std::int16_t every;
  bool is_first;
  std::string_view others;
  std::string_view one;
  std::string_view unrotated = {};  ///< of the two
};

/// configuration_*.py and modeling_*.py of Hugging Face transformers, version 5 of August 2026; mimo_v2_flash's too.
constexpr LayerPattern patterns[]{
    {"afmoe", "global_attn_every_n_layers", 4, false, sliding, full, full},
    {"cohere2", "sliding_window_pattern", 4, false, sliding, full, full},
    {"cwm", nullptr, 4, true, sliding, full},
    {"exaone4", "sliding_window_pattern", 4, false, sliding, full, full},
    {"exaone_moe", "sliding_window_pattern", 4, false, sliding, full, full},
    {"gemma2", nullptr, 2, false, sliding, full},
    {"gemma3_text", "sliding_window_pattern", 6, false, sliding, full},
    {"gemma3n_text", nullptr, 5, false, sliding, full},
    {"gemma4_text", nullptr, 6, false, sliding, full},
    {"gpt_oss", nullptr, 2, false, sliding, full},
    {"laguna", nullptr, 1, false, full, full},
    {"llama4_text", "no_rope_layer_interval", 4, false, chunked, full, full},
    {"mellum", nullptr, 1, false, full, full},
    {"mimo_v2_flash", nullptr, 6, false, sliding, full},
    {"modernbert", "global_attn_every_n_layers", 3, true, sliding, full},
    {"modernbert-decoder", "global_attn_every_n_layers", 3, true, sliding, full},
    {"olmo3", nullptr, 4, false, sliding, full},
    {"olmo_hybrid", nullptr, 4, false, linear, full},
    {"qwen3_5_moe_text", "full_attention_interval", 4, false, linear, full},
    {"qwen3_5_text", "full_attention_interval", 4, false, linear, full},
    {"qwen3_next", "full_attention_interval", 4, false, linear, full},
    {"smollm3", "no_rope_layer_interval", 4, false, full, full},
    {"vaultgemma", nullptr, 2, false, sliding, full},
    {"zaya", nullptr, 1, false, "hybrid", "hybrid"},
};

/// Layers without queries and keys that could be rotated.
constexpr std::string_view without_attention[]{linear, "mamba", "mamba2", "conv", "recurrent", "moe", "mlp"};

/// Models with `max_window_layers`, of which their configuration_*.py makes types.
constexpr std::string_view windowed_later[]{"dots1",      "qwen2",           "qwen2_5_omni_text",
                                            "qwen2_5_vl", "qwen2_5_vl_text", "qwen2_moe",
                                            "qwen2_vl",   "qwen2_vl_text",   "qwen3"};

class LayerReader {
 public:
  LayerReader(ConfigReader& reader, const Section& config, std::string_view model_type)
      : reader_(reader), config_(config), model_type_(model_type) {
    for (const LayerPattern& pattern : patterns)
      if (pattern.model_type == model_type) pattern_ = &pattern;
  }

  std::vector<HubLayers> read() {
    read_count();
    read_switches();
    std::vector<std::string> types = read_types();
    if (types.empty()) types = types_by_list();
    if (types.empty()) types = types_by_window();
    if (types.empty()) types = types_by_pattern();
    if (types.empty()) types.assign(count_, std::string());
    if (count_ != 0 && types.size() < count_) {
      reader_.refuse(config_, types_key_, static_cast<double>(types.size()),
                     "a type for each of " + decimal(count_) + " layers");
      return {};
    }
    // Some list the layers behind the model's own too, those which predict further tokens.
    if (count_ != 0) types.resize(count_);
    if (has_switches()) types.resize(switches_.size());
    const std::vector<bool> rotation = rotation_of(types);
    std::vector<HubLayers> runs;
    for (std::size_t i = 0; i < types.size(); ++i) {
      HubLayers layer{1, std::move(types[i]), rotation[i]};
      if (!runs.empty() && runs.back().type == layer.type && runs.back().rotates == layer.rotates)
        ++runs.back().count;
      else
        runs.push_back(std::move(layer));
    }
    return runs;
  }

 private:
  void read_count() {
    for (const char* const key : {"num_hidden_layers", "n_layer", "n_layers", "num_layers"}) {
      double count = 0;
      if (!reader_.read(config_, key, "", count)) continue;
      const bool is_count = count >= 0 && count <= most_layers && std::floor(count) == count;
      if (!is_count) reader_.refuse(config_, key, count, "a whole number from 0 to 1000");
      if (is_count) count_ = static_cast<std::size_t>(count);
      return;
    }
  }

  std::vector<std::string> read_types() {
    for (const char* const key : {"layer_types", "layers_block_type"}) {
      std::vector<std::string> types;
      if (!reader_.read(config_, key, types)) continue;
      types_key_ = key;
      for (std::string& type : types)
        if (type == "attention") type = full;
      if (model_type_ == "gemma4_text" && !types.empty()) types.back() = full;
      // What the types would have been made of has no say then.
      if (pattern_ != nullptr && pattern_->key != nullptr) reader_.pass(config_, pattern_->key);
      return types;
    }
    // RecurrentGemma's, again and again.
    std::vector<std::string> block;
    std::vector<std::string> types;
    if (model_type_ == "recurrent_gemma" && reader_.read(config_, "block_types", block) && !block.empty())
      for (std::size_t i = 0; i < count_; ++i) types.push_back(block[i % block.size()]);
    for (std::string& type : types)
      if (type == "attention") type = sliding;
    return types;
  }

  /// Numbers for each layer, or of those that have attention.
  std::vector<std::string> types_by_list() {
    std::vector<std::string> types;
    std::vector<double> numbers;
    if (model_type_ == "deepseek_v4" && reader_.read(config_, "compress_ratios", "", numbers)) {
      types_key_ = "compress_ratios";
      for (const double ratio : numbers)
        types.emplace_back(ratio == 0   ? sliding
                           : ratio == 4 ? "compressed_sparse_attention"
                                        : "heavily_compressed_attention");
    } else if (model_type_.starts_with("mimo_v2") && reader_.read(config_, "hybrid_layer_pattern", "", numbers)) {
      types_key_ = "hybrid_layer_pattern";
      for (const double is_sliding : numbers) types.emplace_back(is_sliding == 0 ? full : sliding);
    } else if (const char* const key = model_type_ == "bamba"            ? "attn_layer_indices"
                                       : model_type_.starts_with("lfm2") ? "full_attn_idxs"
                                                                         : nullptr;
               key != nullptr && reader_.read(config_, key, "", numbers)) {
      types.assign(count_, std::string(linear));
      for (const double index : numbers)
        if (index >= 0 && index < static_cast<double>(count_)) types[static_cast<std::size_t>(index)] = full;
    }
    return types;
  }

  /// Windows from a layer on.
  std::vector<std::string> types_by_window() {
    double window = 0;
    std::int64_t first = 0;
    bool is_used = model_type_ == "dots1";
    if (std::ranges::find(windowed_later, model_type_) == std::end(windowed_later)) return {};
    reader_.read(config_, "use_sliding_window", is_used);
    if (!is_used || !reader_.read(config_, "sliding_window", "", window)) return {};
    if (!reader_.read(config_, "max_window_layers", "", first)) return {};
    // Of Qwen2-MoE every other one below that layer is sliding; of the others, those from it on.
    const bool alternates = model_type_ == "qwen2_moe";
    std::vector<std::string> types;
    for (std::size_t i = 0; i < count_; ++i) {
      const bool is_before = static_cast<std::int64_t>(i) < first;
      types.emplace_back((alternates ? is_before && i % 2 == 0 : !is_before) ? sliding : full);
    }
    return types;
  }

  std::vector<std::string> types_by_pattern() {
    if (pattern_ == nullptr || !is_windowed()) return {};
    if (has_switches()) {
      std::vector<std::string> types;
      types.reserve(switches_.size());
      for (const double rotates : switches_) types.emplace_back(rotates != 0 ? pattern_->others : pattern_->one);
      return types;
    }
    const std::size_t every = interval();
    if (every == 0) return {};
    std::vector<std::string> types(count_, std::string(pattern_->others));
    for (std::size_t i = pattern_->is_first ? 0 : every - 1; i < count_; i += every) types[i] = pattern_->one;
    if (model_type_ == "mimo_v2_flash" && count_ > 0) types.front() = full;
    if (model_type_ == "gemma4_text" && count_ > 0) types.back() = full;
    if (model_type_ == "olmo_hybrid" && count_ > 0 && count_ < every) types.back() = full;
    return types;
  }

  /// 0 after an error.
  std::size_t interval() {
    std::int64_t every = pattern_->every;
    if (pattern_->key == nullptr) return static_cast<std::size_t>(every);
    reader_.read(config_, pattern_->key, "", every);
    if (every < 1) reader_.refuse(config_, pattern_->key, static_cast<double>(every), "a number >= 1");
    return every < 1 ? 0 : static_cast<std::size_t>(std::min(every, std::int64_t{1} << 20));
  }

  /// Whether the model has a number for each layer, 1 where it rotates.
  [[nodiscard]] bool has_switches() const { return model_type_ == "llama4_text" || model_type_ == "smollm3"; }

  void read_switches() {
    if (!has_switches()) return;
    reader_.read(config_, "no_rope_layers", "", switches_);
    if (switches_.empty())
      if (const std::size_t every = interval(); every != 0)
        for (std::size_t i = 0; i < count_; ++i) switches_.push_back((i + 1) % every != 0 ? 1 : 0);
    if (switches_.size() < count_)
      reader_.refuse(config_, "no_rope_layers", static_cast<double>(switches_.size()),
                     "a number for each of " + decimal(count_) + " layers");
    switches_.resize(count_);
  }

  /// EXAONE has full attention that rotates in every layer where its window is null.
  bool is_windowed() { return !model_type_.starts_with("exaone") || !reader_.is_null(config_, "sliding_window"); }

  /// Which layers rotate.
  std::vector<bool> rotation_of(const std::vector<std::string>& types) {
    std::vector<bool> rotation;
    const std::string_view unrotated = pattern_ != nullptr && is_windowed() ? pattern_->unrotated : "";
    for (std::size_t i = 0; i < types.size(); ++i) {
      const bool is_left_out = has_switches() ? switches_[i] == 0 : !unrotated.empty() && types[i] == unrotated;
      rotation.push_back(!is_left_out && std::ranges::find(without_attention, types[i]) == std::end(without_attention));
    }
    return rotation;
  }

  ConfigReader& reader_;
  const Section& config_;
  std::string_view model_type_;
  const LayerPattern* pattern_ = nullptr;
  std::size_t count_ = 0;
  std::vector<double> switches_;
  std::string_view types_key_ = "layer_types";
};

}  // namespace

std::vector<HubLayers> read_layers(ConfigReader& reader, const Section& config, std::string_view model_type) {
  return LayerReader(reader, config, model_type).read();
}

}  // namespace posenc
