#include "posenc/hub/model.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "posenc/base/scalar_maths.hpp"
#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/hub_models.hpp"

namespace posenc {
namespace {

/// Models with DeepSeek-V3's scale, which yarn_apply_mscale in their own modeling_*.py multiplies.
constexpr std::string_view scaled_by_mscale[]{"axk1",          "deepseek_v2", "deepseek_v3", "deepseek_v32",
                                              "glm4_moe_lite", "glm_moe_dsa", "kimi_k2",     "longcat_flash",
                                              "mistral4",      "youtu"};

class ModelReader {
 public:
  ModelReader(const ConfigValue& config, HubConfig&& read) : whole_{&config, ""}, model_{std::move(read), {}} {
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
      if (plan != nullptr) made.plan = static_cast<std::size_t>(plan - config.plans.data());
      read_reach(made);
      made.temperature = temperature_of(layers);
      made.score_scale = score_scale_of(plan);
    }
    if (const auto& error = reader_.error()) return std::unexpected(*error);
    std::erase_if(model_.config.unknown_keys, [this](const std::string& path) { return reader_.has_read(path); });
    return std::move(model_);
  }

 private:
  void read_reach(ModelLayers& made) {
    const std::string& type = made.layers.type;
    made.reaches = type.ends_with("sliding_attention") || type == "hybrid_sliding" ? Reach::window
                   : type == "chunked_attention"                                   ? Reach::chunk
                                                                                   : Reach::all;
    if (made.reaches == Reach::all) return;
    const char* const key = made.reaches == Reach::window ? "sliding_window" : "attention_chunk_size";
    if (!reader_.read(config_, key, "", made.reach)) made.reaches = Reach::all;
    if (made.reaches != Reach::all && made.reach < 1)
      reader_.refuse(config_, key, static_cast<double>(made.reach), "a number >= 1");
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
    made.offset = 0;
    if (!reader_.read(rope_, "original_max_position_embeddings", "", made.period) || !(made.period > 0))
      reader_.refuse(rope_, "original_max_position_embeddings", made.period, "a number > 0");
    return made;
  }

  double lanes() {
    double rotated = 0;
    double still = 0;
    if (reader_.read(config_, "qk_rope_head_dim", "", rotated) && reader_.read(config_, "qk_nope_head_dim", "", still))
      return rotated + still;
    double lanes = hub_model(type_).defaults.head_dim;
    if (reader_.read(config_, "head_dim", "", lanes) || lanes != 0) return lanes;
    double heads = 0;
    reader_.read(config_, "hidden_size", "", lanes);
    reader_.read(config_, "num_attention_heads", "", heads);
    return heads > 0 ? lanes / heads : 0;
  }

  std::optional<double> score_scale_of(const HubPlan* plan) {
    if (hub_model(type_).model_type.empty()) return {};
    if (type_ == "gemma4_text") return 1;
    double scale = 1;
    if (type_.starts_with("granite")) {
      reader_.read(config_, "attention_multiplier", "", scale);
      return scale;
    }
    double size = 256;
    const bool is_gemma = type_ == "gemma2" || type_ == "gemma3_text";
    if (is_gemma)
      reader_.read(config_, "query_pre_attn_scalar", "", size);
    else
      size = lanes();
    if (!(size > 0)) return {};
    scale = 1 / std::sqrt(size);
    const auto* const yarn = plan != nullptr ? std::get_if<scaling::Yarn>(&plan->rotary.scaling) : nullptr;
    if (yarn == nullptr || std::ranges::find(scaled_by_mscale, type_) == std::end(scaled_by_mscale)) return scale;
    const double mscale = yarn->mscale_all_dim.value_or(0);
    const double g = mscale == 0 || yarn->factor <= 1 ? 1 : 0.1 * mscale * logarithm(yarn->factor) + 1;
    return scale * g * g;
  }

  ConfigReader reader_;
  Section whole_;
  Section config_;
  Section rope_;
  std::string type_;
  Model model_;
};

}  // namespace

Expected<Model> read_model(const ConfigValue& config) {
  auto read = read_hub_config(config);
  if (!read) return error_of(read);
  return ModelReader(config, std::move(*read)).read();
}

}  // namespace posenc
