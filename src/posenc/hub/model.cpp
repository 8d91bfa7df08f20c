#include "posenc/hub/model.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/hub_models.hpp"

namespace posenc {
namespace {

using Types = std::span<const std::string_view>;

bool is_in(Types types, std::string_view type) { return std::ranges::find(types, type) != types.end(); }

/// Models with DeepSeek-V3's scale, which yarn_apply_mscale in their own modeling_*.py multiplies.
constexpr std::string_view scaled_by_mscale[]{"axk1",          "axk2",          "deepseek_v2", "deepseek_v3",
                                              "deepseek_v32",  "glm4_moe_lite", "glm_moe_dsa", "kimi_k2",
                                              "longcat_flash", "minicpm3",      "mistral4",    "youtu"};
constexpr std::string_view scaled_by_one[]{
    "diffusion_gemma_text", "gemma3n_text", "gemma4_text", "gemma4_unified_text", "mt5", "t5", "umt5"};
constexpr std::string_view scaled_by_scalar[]{"gemma2",        "gemma3_text",      "step3p5",   "t5_gemma_module",
                                              "t5gemma2_text", "t5gemma2_decoder", "vaultgemma"};

/// Models whose layers have no types, and all have the window that the config has, if any.
constexpr std::string_view windowed[]{"doge", "ministral",       "ministral3", "mistral",   "mixtral",
                                      "phi3", "phi4_multimodal", "phimoe",     "qwen3_moe", "starcoder2"};

/// `get_rope_index` of their modeling_*.py.
constexpr struct {
  std::string_view model_type;
  std::string_view preset;
} id_rules[]{
    {"ernie4_5_vl_moe_text", "ernie4.5-vl"},
    {"glm4v_moe_text", "glm4v"},
    {"glm4v_text", "glm4v"},
    {"glm_ocr_text", "glm4v"},
    {"hunyuan_vl", "hunyuan-vl"},
    {"hunyuan_vl_text", "hunyuan-vl"},
    {"paddleocr_vl_text", "qwen2-vl"},
    {"qwen2_5_omni_text", "qwen2.5-omni"},
    {"qwen2_5_vl", "qwen2.5-vl"},
    {"qwen2_5_vl_text", "qwen2.5-vl"},
    {"qwen2_vl", "qwen2-vl"},
    {"qwen2_vl_text", "qwen2-vl"},
    {"qwen3_5_moe_text", "qwen3-vl"},
    {"qwen3_5_text", "qwen3-vl"},
    {"qwen3_omni_moe_text", "qwen3-omni"},
    {"qwen3_vl_moe_text", "qwen3-vl"},
    {"qwen3_vl_text", "qwen3-vl"},
};

constexpr Name reach_names[]{{"all", Reach::all}, {"window", Reach::window}, {"chunk", Reach::chunk}};

class ModelReader {
 public:
  ModelReader(ConfigReader& reader, const ConfigValue& config, HubConfig&& read)
      : reader_(reader), whole_{&config, ""}, model_{.config = std::move(read)} {
    config_ = text_section(reader_, whole_);
    if (!reader_.read(config_, "model_type", type_)) reader_.read(whole_, "model_type", type_);
    rope_ = reader_.object(config_, "rope_scaling");
    if (rope_.object == nullptr || rope_.object->object()->empty()) rope_ = reader_.object(config_, "rope_parameters");
  }

  Expected<Model> read() {
    const HubConfig& config = model_.config;
    for (const HubLayers& layers : config.layers) {
      ModelLayers& made = model_.layers.emplace_back();
      made.layers = layers;
      const HubPlan* const plan = plan_of(config, layers);
      read_reach(made);
      made.temperature = temperature_of(layers);
      made.score_scale = score_scale_of(plan);
      if (plan == nullptr) continue;
      made.plan = static_cast<std::size_t>(plan - config.plans.data());
      made.dims = dims_of(*plan);
      made.rotates_outputs = type_ == "deepseek_v4";
      made.compression = compression_of(layers.type);
      made.indexer = indexer_of(layers, *plan);
    }
    read_ids();
    read_lengths();
    model_.model_type = type_;
    model_.path = config_.path;
    if (const auto& error = reader_.error()) return std::unexpected(*error);
    model_.config.unknown_keys = reader_.unknown_keys(whole_);
    return std::move(model_);
  }

 private:
  void read_reach(ModelLayers& made) {
    const std::string& type = made.layers.type;
    bool is_window = type.ends_with("sliding_attention") || type == "hybrid_sliding";
    if (type.empty() && is_in(windowed, type_)) {
      is_window = type_ != "qwen3_moe";
      if (!is_window) reader_.read(config_, "use_sliding_window", is_window);
    }
    made.reaches = is_window ? Reach::window : type == "chunked_attention" ? Reach::chunk : Reach::all;
    if (made.reaches == Reach::all) return;
    const bool is_modern = type_.starts_with("modernbert");
    const char* const key = is_modern                      ? "local_attention"
                            : type_ == "recurrent_gemma"   ? "attention_window_size"
                            : made.reaches == Reach::chunk ? "attention_chunk_size"
                                                           : "sliding_window";
    if (is_modern) made.reach = 128;
    if (!reader_.read(config_, key, "", made.reach) && !is_modern) made.reaches = Reach::all;
    if (made.reaches != Reach::all && made.reach < 1)
      reader_.refuse(config_, key, static_cast<double>(made.reach), "a number >= 1");
    // Of the keys on both sides; the decoder has half the number, its own key included.
    if (is_modern) made.reach = made.reach / 2 + (type_ == "modernbert" ? 1 : 0);
  }

  std::optional<QueryTemperature> temperature_of(const HubLayers& layers) {
    QueryTemperature made{0.1, 1, 8192};
    if (type_ == "llama4_text") {
      bool is_tuned = true;
      reader_.read(config_, "attn_temperature_tuning", is_tuned);
      reader_.read(config_, "attn_scale", "", made.slope);
      reader_.read(config_, "floor_scale", "", made.period);
      if (!(made.period > 0)) reader_.refuse(config_, "floor_scale", made.period, "a number > 0");
      if (!is_tuned || layers.rotates) return {};
      return made;
    }
    if (type_ != "ministral3" && type_ != "mistral4") return {};
    if (!reader_.read(rope_, "llama_4_scaling_beta", "", made.slope)) return {};
    made.shift = 0;
    if (!reader_.read(rope_, "original_max_position_embeddings", "", made.period) || !(made.period > 0))
      reader_.refuse(rope_, "original_max_position_embeddings", made.period, "a number > 0");
    return made;
  }

  bool read_size(const char* key, std::int64_t& size) {
    if (!reader_.read(config_, key, "", size)) return false;
    if (size < 1 || size > largest_size) reader_.refuse(config_, key, static_cast<double>(size), "a number from 1 on");
    return true;
  }

  /// Dimensions of a whole head; 0 where the config does not say.
  std::int64_t head_dim() {
    std::int64_t rotated = 0;
    std::int64_t still = 0;
    if (reader_.read(config_, "qk_rope_head_dim", "", rotated) && reader_.read(config_, "qk_nope_head_dim", "", still))
      return rotated + still;
    const HubDefaults& defaults = hub_model(type_).defaults;
    std::int64_t dim = defaults.head_dim;
    for (const char* const key : {"head_dim", "attention_head_dim", "kv_channels"})
      if (read_size(key, dim)) return dim;
    if (dim != 0) return dim;
    std::int64_t heads = 0;
    for (const char* const key : {"hidden_size", "n_embd", "d_model"})
      if (dim == 0) read_size(key, dim);
    for (const char* const key : {"num_attention_heads", "n_head", "n_heads"})
      if (heads == 0) read_size(key, heads);
    return heads > 0 ? dim / heads : 0;
  }

  /// What a plan is of stands last in heads that are larger than it.
  HeadDims dims_of(const HubPlan& plan) {
    const std::int64_t dim = plan.rotary.dim;
    const std::int64_t count = plan.rotary.rotary_dim.value_or(dim);
    const bool is_split = hub_model(type_).defaults.is_slice || config_.object->find("qk_rope_head_dim") != nullptr;
    const std::int64_t whole = is_split ? head_dim() : dim;
    return whole > dim ? HeadDims{whole - count, count, whole} : HeadDims{0, count, dim};
  }

  /// DeepSeek-V4's `compress_rates`: m of the sparse layers, m' of the heavily compressed ones.
  std::int64_t compression_of(std::string_view layer_type) {
    const bool is_sparse = layer_type == "compressed_sparse_attention";
    if (!is_sparse && layer_type != "heavily_compressed_attention") return 0;
    std::int64_t rate = is_sparse ? 4 : 128;
    const Section rates = reader_.object(config_, "compress_rates");
    const char* const key = is_sparse ? "compressed_sparse_attention" : "heavily_compressed_attention";
    reader_.read(rates, key, "", rate);
    if (rate < 1) reader_.refuse(rates, key, static_cast<double>(rate), "a number >= 1");
    return rate;
  }

  /// The layouts are those of apply_rotary_pos_emb in the indexers' forward: DeepSeek-V3.2 rotates halves there, but
  /// interleaved pairs in its attention.
  std::optional<Indexer> indexer_of(const HubLayers& layers, const HubPlan& plan) {
    const bool is_v4 = type_ == "deepseek_v4";
    const bool is_minimax = type_ == "minimax_m3_vl_text";
    const bool is_glm = type_ == "glm_moe_dsa";
    if (!is_v4 && !is_minimax && !is_glm && type_ != "deepseek_v32" && type_ != "axk2") return {};
    if (is_v4 && layers.type != "compressed_sparse_attention") return {};
    if (is_minimax && layers.type != "minimax_m3_sparse") return {};
    Indexer made;
    made.dims.dim = 128;
    read_size("index_head_dim", made.dims.dim);
    made.dims.count = plan.rotary.rotary_dim.value_or(plan.rotary.dim);
    made.dims.first = is_v4 ? made.dims.dim - made.dims.count : 0;
    if (made.dims.count > made.dims.dim)
      reader_.refuse(config_, "index_head_dim", static_cast<double>(made.dims.dim),
                     "at least " + decimal(made.dims.count) + ", the rotated dimensions");
    made.layout = is_v4 || is_glm ? plan.rotary.layout : Layout::half;
    made.score_scale = 1 / std::sqrt(static_cast<double>(made.dims.dim));
    return made;
  }

  void read_lengths() {
    for (const char* const key : {"max_position_embeddings", "n_positions", "max_seq_len"})
      if (!model_.length) reader_.read(config_, key, "", model_.length);
    constexpr const char* key = "original_max_position_embeddings";
    if (!reader_.read(rope_, key, "", model_.original_length)) reader_.read(config_, key, "", model_.original_length);
  }

  void read_ids() {
    const auto& plans = model_.config.plans;
    if (std::ranges::none_of(plans, [](const HubPlan& plan) { return !plan.mrope_section.empty(); })) return;
    model_.ids.rule = "";
    for (const auto& [model_type, preset] : id_rules)
      if (model_type == type_) model_.ids.rule = preset;
    const Section vision = reader_.object(whole_, "vision_config");
    std::int64_t merge = 0;
    if (reader_.read(vision, "spatial_merge_size", "", merge)) {
      if (merge < 1) reader_.refuse(vision, "spatial_merge_size", static_cast<double>(merge), "a number >= 1");
      model_.ids.merge = merge;
    }
    reader_.read(vision, "tokens_per_second", "", model_.ids.tokens_per_second);
  }

  std::optional<double> score_scale_of(const HubPlan* plan) {
    if (is_in(scaled_by_one, type_)) return 1;
    const bool is_known = !hub_model(type_).model_type.empty() || is_unrotated_model(type_);
    if (!is_known) return {};
    double scale = 1;
    const bool is_granite = type_.starts_with("granite");
    if ((is_granite || type_ == "hyperclovax") &&
        (reader_.read(config_, "attention_multiplier", "", scale) || is_granite))
      return scale;
    double size = 256;
    if (is_in(scaled_by_scalar, type_))
      reader_.read(config_, "query_pre_attn_scalar", "", size);
    else
      size = static_cast<double>(head_dim()) / (type_ == "zamba2" ? 2 : 1);
    if (!(size > 0)) return {};
    scale = 1 / std::sqrt(size);
    const auto* const yarn = plan != nullptr ? std::get_if<scaling::Yarn>(&plan->rotary.scaling) : nullptr;
    if (yarn == nullptr || !is_in(scaled_by_mscale, type_)) return scale;
    const double mscale = yarn->mscale_all_dim.value_or(0);
    const double g = mscale == 0 || yarn->factor <= 1 ? 1 : 0.1 * mscale * logarithm(yarn->factor) + 1;
    return scale * g * g;
  }

  /// What sizes are at most, so that their sums are whole numbers too.
  static constexpr std::int64_t largest_size = std::int64_t{1} << 40;

  ConfigReader& reader_;
  Section whole_;
  Section config_;
  Section rope_;
  std::string type_;
  Model model_;
};

}  // namespace

std::string_view name_of(Reach reach) { return name_of(reach_names, reach); }

Expected<Model> read_model(const ConfigValue& config) {
  ConfigReader reader;
  auto read = read_hub_config(reader, config);
  if (!read) return error_of(read);
  return ModelReader(reader, config, std::move(*read)).read();
}

}  // namespace posenc
