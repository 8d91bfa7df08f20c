#include "posenc/hub/model_scores.hpp"

#include <cmath>
#include <optional>
#include <string_view>

#include "posenc/base/check.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/hub/hub_layers.hpp"
#include "posenc/hub/model_types.hpp"
#include "posenc/hub/rotary_plan.hpp"

namespace posenc {
namespace {

class ScoreReader {
 public:
  ScoreReader(ConfigReader& reader, const TextConfig& config, const ScoreSource& source)
      : reader_(reader), text_(config), config_(config.text), type_(config.type), source_(source) {}

  void read(ModelLayers& made) {
    made.temperature = temperature_of(made.layers);
    made.score_scale = score_scale();
    if (!has_softmax(made.layers.type)) return;
    made.norm = norm_of(made.layers);
    made.has_sinks = has_sinks(made.layers.type);
    double cap = type_.softcap;
    if (cap == 0) return;
    constexpr const char* key = "attn_logit_softcapping";
    reader_.read(config_, key, "softcap", cap);
    if (!(cap > 0)) reader_.refuse(config_, key, expected::above, {0});
    if (!reader_.is_null(config_, key)) made.softcap = cap;
  }

 private:
  std::optional<QueryTemperature> temperature_of(const HubLayers& layers) {
    QueryTemperature made{0.1, 1, 8192};
    if (type_.temperature == TemperatureRule::llama4) {
      const bool is_tuned = is_temperature_on();
      reader_.read(config_, "attn_scale", "temperature", made.slope);
      reader_.read(config_, "floor_scale", "", made.period);
      if (!(made.period > 0)) reader_.refuse(config_, "floor_scale", expected::above, {0});
      if (!is_tuned || layers.rotates) return {};
      return made;
    }
    if (type_.temperature != TemperatureRule::ministral3) return {};
    if (!reader_.read(source_.rope, "llama_4_scaling_beta", "temperature", made.slope)) return {};
    made.shift = 0;
    if (!reader_.read(source_.rope, "original_max_position_embeddings", "", made.period) || !(made.period > 0))
      reader_.refuse(source_.rope, "original_max_position_embeddings", expected::above, {0});
    return made;
  }

  /// Llama 4's switch, which its first configs have as a number (Python takes any but 0 for true).
  bool is_temperature_on() {
    constexpr const char* key = "attn_temperature_tuning";
    double number = 1;
    bool is_on = true;
    if (value_at<double>(config_, key) != nullptr)
      reader_.read(config_, key, "temperature", number);
    else
      reader_.read(config_, key, is_on, "temperature");
    return is_on && number != 0;
  }

  std::optional<double> score_scale() {
    const ScoreScale rule = type_.scale;
    if (rule == ScoreScale::one) return 1;
    if (!is_known(type_)) return {};
    double scale = 1;
    if (rule == ScoreScale::multiplier || rule == ScoreScale::multiplier_or_head)
      if (reader_.read(config_, "attention_multiplier", "scale", scale) || rule == ScoreScale::multiplier) return scale;
    double size = 256;
    bool is_scaled = true;
    if (rule == ScoreScale::switches) reader_.read(config_, "scale_attn_weights", is_scaled, "scale");
    if (rule == ScoreScale::query_pre_attn_scalar)
      reader_.read(config_, "query_pre_attn_scalar", "scale", size);
    else
      size = static_cast<double>(whole_head_dim(reader_, text_)) / (rule == ScoreScale::half_head ? 2 : 1);
    if (!(size > 0)) return {};
    scale = is_scaled ? 1 / std::sqrt(size) : 1;
    if (has_scale_of_layer(reader_, text_)) scale /= static_cast<double>(source_.index + 1);
    const auto* const yarn =
        source_.plan != nullptr ? std::get_if<scaling::Yarn>(&source_.plan->rotary.scaling) : nullptr;
    if (yarn == nullptr || rule != ScoreScale::head_mscale) return scale;
    const double mscale = yarn->mscale_all_dim.value_or(0);
    const double g = mscale == 0 || yarn->factor <= 1 ? 1 : 0.1 * mscale * logarithm(yarn->factor) + 1;
    return scale * g * g;
  }

  Normalizes norm_of(const HubLayers& layers) {
    const QkNorm rule = type_.norm;
    const bool is_cross = layers.type == "cross_attention";
    if (is_cross != (rule == QkNorm::of_cross_attention)) return Normalizes::never;
    if (is_cross) return Normalizes::before_rotation;
    const bool is_switched = rule >= QkNorm::before_unless_off;
    bool is_on = rule != QkNorm::never && rule != QkNorm::norm_unread && rule < QkNorm::before_if_on;
    for (const char* const key : {"use_qk_norm", "qk_layernorm"}) {
      // Where a type's code does not read the key, one that says the same is no unknown key.
      const bool* const given = value_at<bool>(config_, key);
      if (is_switched)
        reader_.read(config_, key, is_on, "norm");
      else if (given != nullptr && *given == is_on)
        reader_.ignore(config_, key);
    }
    if (rule == QkNorm::after_unless_off && !layers.rotates) is_on = false;
    const bool is_after = rule == QkNorm::after || rule == QkNorm::after_unless_off;
    return !is_on ? Normalizes::never : is_after ? Normalizes::after_rotation : Normalizes::before_rotation;
  }

  bool has_sinks(std::string_view layer_type) {
    if (type_.sinks != Sinks::in_windows) return type_.sinks == Sinks::everywhere;
    bool is_on = layer_type == sliding_attention;
    reader_.read(config_, is_on ? "add_swa_attention_sink_bias" : "add_full_attention_sink_bias", is_on, "sinks");
    return is_on;
  }

  ConfigReader& reader_;
  const TextConfig& text_;
  const Section& config_;
  const ModelType& type_;
  const ScoreSource& source_;
};

}  // namespace

void read_scores(ConfigReader& reader, const TextConfig& config, const ScoreSource& source, ModelLayers& made) {
  ScoreReader(reader, config, source).read(made);
}

bool has_scale_of_layer(ConfigReader& reader, const TextConfig& config) {
  bool is_on = false;
  if (config.type.scale == ScoreScale::switches)
    reader.read(config.text, "scale_attn_by_inverse_layer_idx", is_on, "scale");
  return is_on;
}

std::int64_t whole_head_dim(ConfigReader& reader, const TextConfig& config) {
  std::int64_t rotated = config.type.head_dim;
  std::int64_t unrotated = config.type.unrotated_dim;
  if (is_split(config.text)) reader.read(config.text, "qk_rope_head_dim", "", rotated);
  if (is_split(config.text) || unrotated != 0) reader.read(config.text, "qk_nope_head_dim", "", unrotated);
  return unrotated != 0 ? rotated + unrotated : head_dim_of(reader, config, false);
}

}  // namespace posenc
