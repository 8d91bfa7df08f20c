#include "posenc/hub/model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/base/try.hpp"
#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/model_types.hpp"

namespace posenc {
namespace {

constexpr Name reach_names[]{{"all", Reach::all}, {"window", Reach::window}, {"chunk", Reach::chunk}};

class ModelReader {
 public:
  ModelReader(ConfigReader& reader, const TextConfig& config, HubConfig&& read)
      : reader_(reader), text_(config), config_(config.text), type_(*config.type), model_{.config = std::move(read)} {
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
      made.rotates_outputs = type_.is_compressed;
      made.compression = compression_of(layers.type);
      made.indexer = indexer_of(layers, *plan);
    }
    read_ids();
    read_lengths();
    model_.model_type = text_.type_name;
    model_.path = config_.path;
    if (const auto& error = reader_.error()) return std::unexpected(*error);
    model_.config.unknown_keys = reader_.unknown_keys(text_.whole);
    return std::move(model_);
  }

 private:
  void read_reach(ModelLayers& made) {
    const std::string& type = made.layers.type;
    bool is_window = type.ends_with("sliding_attention") || type == "hybrid_sliding";
    if (type.empty()) {
      is_window = type_.windows == Windows::everywhere;
      if (type_.windows == Windows::everywhere_if_on) reader_.read(config_, "use_sliding_window", is_window);
    }
    made.reaches = is_window ? Reach::window : type == "chunked_attention" ? Reach::chunk : Reach::all;
    if (made.reaches == Reach::all) return;
    const char* const key = made.reaches == Reach::chunk ? "attention_chunk_size" : type_.window_key;
    made.reach = type_.window;
    if (!reader_.read(config_, key, "", made.reach) && type_.window == 0) made.reaches = Reach::all;
    if (made.reaches != Reach::all && made.reach < 1)
      reader_.refuse(config_, key, static_cast<double>(made.reach), expected::at_least, {1});
    if (type_.sides != WindowSides::before)
      made.reach = made.reach / 2 + (type_.sides == WindowSides::half_before_own ? 1 : 0);
  }

  std::optional<QueryTemperature> temperature_of(const HubLayers& layers) {
    QueryTemperature made{0.1, 1, 8192};
    if (type_.temperature == TemperatureRule::llama4) {
      bool is_tuned = true;
      reader_.read(config_, "attn_temperature_tuning", is_tuned);
      reader_.read(config_, "attn_scale", "", made.slope);
      reader_.read(config_, "floor_scale", "", made.period);
      if (!(made.period > 0)) reader_.refuse(config_, "floor_scale", made.period, expected::above, {0});
      if (!is_tuned || layers.rotates) return {};
      return made;
    }
    if (type_.temperature != TemperatureRule::ministral3) return {};
    if (!reader_.read(rope_, "llama_4_scaling_beta", "", made.slope)) return {};
    made.shift = 0;
    if (!reader_.read(rope_, "original_max_position_embeddings", "", made.period) || !(made.period > 0))
      reader_.refuse(rope_, "original_max_position_embeddings", made.period, expected::above, {0});
    return made;
  }

  bool read_size(const char* key, std::int64_t& size) {
    if (!reader_.read(config_, key, "", size)) return false;
    if (size < 1 || size > largest_size)
      reader_.refuse(config_, key, static_cast<double>(size), expected::at_least, {1});
    return true;
  }

  /// Dimensions of a whole head; 0 if the config has no key for them.
  std::int64_t head_dim() {
    std::int64_t rotated = 0;
    std::int64_t unrotated = 0;
    if (reader_.read(config_, "qk_rope_head_dim", "", rotated) &&
        reader_.read(config_, "qk_nope_head_dim", "", unrotated))
      return rotated + unrotated;
    std::int64_t dim = type_.head_dim;
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

  /// The dimensions of a plan are the last ones of heads that are larger.
  HeadDims dims_of(const HubPlan& plan) {
    const std::int64_t dim = plan.rotary.dim;
    const std::int64_t count = plan.rotary.rotary_dim.value_or(dim);
    const bool is_split = type_.is_slice || config_.object->find("qk_rope_head_dim") != nullptr;
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
    if (rate < 1) reader_.refuse(rates, key, static_cast<double>(rate), expected::at_least, {1});
    return rate;
  }

  /// The layouts are those of apply_rotary_pos_emb in the indexers' forward: DeepSeek-V3.2 rotates halves there, but
  /// interleaved pairs in its attention.
  std::optional<Indexer> indexer_of(const HubLayers& layers, const HubPlan& plan) {
    const IndexerRule& rule = type_.indexer;
    if (rule.layout == Layout::unnamed && !rule.has_layout_of_plan) return {};
    if (rule.layer_type != nullptr && layers.type != rule.layer_type) return {};
    Indexer made;
    made.dims.dim = 128;
    read_size("index_head_dim", made.dims.dim);
    made.dims.count = plan.rotary.rotary_dim.value_or(plan.rotary.dim);
    made.dims.first = rule.is_at_end ? made.dims.dim - made.dims.count : 0;
    if (made.dims.count > made.dims.dim)
      reader_.refuse(config_, "index_head_dim", static_cast<double>(made.dims.dim), expected::at_least,
                     {made.dims.count}, ", the rotated dimensions");
    made.layout = rule.has_layout_of_plan ? plan.rotary.layout : rule.layout;
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
    if (std::holds_alternative<encoding::Unknown>(model_.config.encoding)) model_.ids.rule = {};
    const auto& plans = model_.config.plans;
    if (std::ranges::none_of(plans, [](const HubPlan& plan) { return !plan.mrope_section.empty(); })) return;
    model_.ids.rule = type_.ids;
    const Section vision = reader_.object(text_.whole, "vision_config");
    std::int64_t merge = 0;
    if (reader_.read(vision, "spatial_merge_size", "", merge)) {
      if (merge < 1) reader_.refuse(vision, "spatial_merge_size", static_cast<double>(merge), expected::at_least, {1});
      model_.ids.merge = merge;
    }
    reader_.read(vision, "tokens_per_second", "", model_.ids.tokens_per_second);
  }

  std::optional<double> score_scale_of(const HubPlan* plan) {
    const ScoreScale rule = type_.scale;
    if (rule == ScoreScale::one) return 1;
    if (!is_known(type_)) return {};
    double scale = 1;
    if (rule == ScoreScale::multiplier || rule == ScoreScale::multiplier_or_head)
      if (reader_.read(config_, "attention_multiplier", "", scale) || rule == ScoreScale::multiplier) return scale;
    double size = 256;
    if (rule == ScoreScale::query_pre_attn_scalar)
      reader_.read(config_, "query_pre_attn_scalar", "", size);
    else
      size = static_cast<double>(head_dim()) / (rule == ScoreScale::half_head ? 2 : 1);
    if (!(size > 0)) return {};
    scale = 1 / std::sqrt(size);
    const auto* const yarn = plan != nullptr ? std::get_if<scaling::Yarn>(&plan->rotary.scaling) : nullptr;
    if (yarn == nullptr || rule != ScoreScale::head_mscale) return scale;
    const double mscale = yarn->mscale_all_dim.value_or(0);
    const double g = mscale == 0 || yarn->factor <= 1 ? 1 : 0.1 * mscale * logarithm(yarn->factor) + 1;
    return scale * g * g;
  }

  /// The largest size that is accepted: sums of two such are whole numbers too.
  static constexpr std::int64_t largest_size = std::int64_t{1} << 40;

  ConfigReader& reader_;
  const TextConfig& text_;
  const Section& config_;
  const ModelType& type_;
  Section rope_;
  Model model_;
};

}  // namespace

std::string_view name_of(Reach reach) { return name_of(reach_names, reach); }

Expected<Model> read_model(const ConfigValue& config) {
  if (config.object() == nullptr) return std::unexpected(Error{"config", config.shown(), expected::object});
  ConfigReader reader;
  const TextConfig text = text_config(reader, config);
  POSENC_TRY_LET(read, read_hub_config(reader, text));
  return ModelReader(reader, text, std::move(read)).read();
}

}  // namespace posenc
