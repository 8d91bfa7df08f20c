#include "posenc/hub/model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/base/error_code.hpp"
#include "posenc/base/try.hpp"
#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/model_scores.hpp"
#include "posenc/hub/model_types.hpp"
#include "posenc/hub/rope_scaling.hpp"

namespace posenc {
namespace {

class ModelReader {
 public:
  ModelReader(ConfigReader& reader, const TextConfig& config)
      : reader_(reader), text_(config), config_(config.text), type_(config.type) {}

  Expected<Model> read() {
    read_plans(reader_, text_, model_.config);
    if (const auto& error = reader_.error()) return std::unexpected(*error);
    rope_ = rope_dictionary(reader_, config_);
    const std::size_t mark = reader_.mark();
    model_.mask = read_mask();
    read_windows();
    for (const HubLayers& layers : model_.config.layers) {
      const std::int64_t end = layers_before_ + layers.count;
      while (layers_before_ < end) {
        const std::int64_t together = alike(end);
        add(layers, together);
        layers_before_ += together;
      }
    }
    // Without their number there are no layers, but keys of theirs have an effect.
    if (model_.layers.empty() && is_known(type_)) {
      add({}, 0);
      model_.layers.clear();
    }
    read_ids();
    model_.config.second_encodings = read_second_encodings(reader_, text_);
    note_traits(mark);
    read_lengths();
    model_.model_type = text_.type_name;
    model_.path = config_.path;
    if (is_known(type_)) model_.config.source = source_of(type_);
    if (const auto& error = reader_.error()) return std::unexpected(*error);
    reader_.add_unknown_keys(text_, model_.config.unknown_keys, model_.config.parts);
    note_other_code();
    return std::move(model_);
  }

 private:
  /// What its type's code does is assumed of a model whose code may be another.
  void note_other_code() {
    HubConfig& config = model_.config;
    config.other_code = text_.other_code;
    if (is_known(type_))
      for (const ConfigMember& member : *config_.object->object())
        if (std::string path = config_.path + member.key;
            std::ranges::find(config.unknown_keys, path) != config.unknown_keys.end() &&
            is_of_other_code(type_, member))
          config.other_code.push_back(std::move(path));
    if (config.other_code.empty()) return;
    for (Evidence& each : config.evidence) {
      // That a head's dimensions all rotate is said by its type's class alone, and not by a key of their number.
      const bool is_of_class = std::string_view(each.trait) == "dims" && !has_part(each.path, "rotary rope");
      if (is_of_class) each.path.clear();
      if (is_of_class || each.known == Known::numbers || each.known == Known::source) each.known = Known::assumed;
    }
  }

  void add(const HubLayers& layers, std::int64_t count) {
    const HubConfig& config = model_.config;
    ModelLayers& made = model_.layers.emplace_back();
    made.layers = layers;
    made.layers.count = count;
    if (!layers.is_known) made.reaches = Reach::unknown;
    if (!layers.is_known) return;
    const HubPlan* const plan = plan_of(config, layers);
    read_reach(made);
    read_scores(reader_, text_, {rope_, plan, layers_before_}, made);
    if (plan == nullptr) return;
    made.plan = static_cast<std::size_t>(plan - config.plans.data());
    made.dims = dims_of(*plan);
    made.rotates_outputs = type_.is_compressed;
    made.compression = compression_of(layers.type);
    made.indexer = indexer_of(layers, *plan);
  }

  /// A window for each layer (Longformer).
  void read_windows() {
    if (type_.windows != Windows::everywhere || !has_list(config_, type_.window_key)) return;
    reader_.read(config_, type_.window_key, "reach", windows_);
    std::int64_t count = 0;
    for (const HubLayers& layers : model_.config.layers) count += layers.count;
    reader_.refuse_short(config_, type_.window_key, windows_.size(), static_cast<std::size_t>(count));
  }

  /// The number of layers, from the one at hand to `end`, that have its scale and its window.
  std::int64_t alike(std::int64_t end) {
    if (has_scale_of_layer(reader_, text_)) return 1;
    if (windows_.empty()) return end - layers_before_;
    std::int64_t next = layers_before_ + 1;
    while (next < end && listed_window(next) == listed_window(layers_before_)) ++next;
    return next - layers_before_;
  }

  [[nodiscard]] double listed_window(std::int64_t layer) const {
    const auto index = static_cast<std::size_t>(layer);
    return index < windows_.size() ? windows_[index] : 0;
  }

  Mask read_mask() {
    bool is_on = false;
    switch (is_known(type_) ? type_.mask : MaskRule::mask_unread) {
      case MaskRule::causal:  // a switch of transformers' masks, whatever the type
        is_on = true;
        reader_.read(config_, "is_causal", is_on, "mask");
        return is_on ? Mask::causal : Mask::bidirectional;
      case MaskRule::bidirectional:
        return Mask::bidirectional;
      case MaskRule::by_stack:
        return Mask::encoder_decoder;
      case MaskRule::mask_unread:
        return Mask::unknown;
      case MaskRule::by_decoder_key:
        is_on = config_.path.ends_with("decoder.");  // wrappers set it
        reader_.read(config_, "is_decoder", is_on, "mask");
        return is_on ? Mask::causal : Mask::bidirectional;
      case MaskRule::by_direction_key:
        break;
    }
    constexpr const char* key = "use_bidirectional_attention";
    std::string word;  // Gemma 4 has "vision" too: its text is causal then
    const bool is_word = value_at<std::string>(config_, key) != nullptr;
    if (is_word ? reader_.read(config_, key, word, "mask") : reader_.read(config_, key, is_on, "mask"))
      is_on = is_on || word == "all";
    return is_on ? Mask::bidirectional : Mask::causal;
  }

  /// Notes how the traits are known that are read here; those of a plan are in the list already.
  void note_traits(std::size_t mark) {
    if (std::holds_alternative<encoding::Unknown>(model_.config.encoding)) return;
    // A fixture of a type that rotates has what its attention was given; what a key would say is the class's default.
    const auto listed = [&](bool has_key) {
      return has_key ? Known::source : type_.encoding == TypeEncoding::rotary ? Known::numbers : Known::assumed;
    };
    const auto note = [&](const char* trait, Known known) {
      add_evidence(model_.config.evidence, reader_, type_, trait, -1, {trait, mark, known});
    };
    const bool has_unknown =
        std::ranges::any_of(model_.layers, [](const ModelLayers& layers) { return layers.reaches == Reach::unknown; });
    if (has_unknown || type_.windows == Windows::unread)
      model_.config.evidence.push_back({"reach", -1, Known::unknown, {}});
    else
      note("reach", listed(has_windows(type_)));
    note("mask", type_.mask == MaskRule::mask_unread ? Known::unknown : Known::source);
    const bool rotates = type_.encoding == TypeEncoding::rotary;
    note("scale", listed(type_.scale >= (rotates ? ScoreScale::query_pre_attn_scalar : ScoreScale::head_mscale)));
    note("temperature", listed(false));
    const Known scores = type_.norm == QkNorm::norm_unread ? Known::unknown : Known::source;
    for (const char* const trait : {"norm", "softcap", "sinks"}) note(trait, scores);
    note("ids", model_.ids.rule == "sequence" ? Known::assumed : Known::source);
  }

  void read_reach(ModelLayers& made) {
    made.reaches = Reach::unknown;
    const std::string& type = made.layers.type;
    if (type_.windows == Windows::unread || (type.empty() && type_.list == LayerList::unread)) return;
    // The reach of a type that is not listed is known where the config names the layer's type.
    const bool is_listed = is_known(type_);
    const bool is_sliding = type == sliding_attention && config_.object->find(type_.window_key) != nullptr;
    if (!is_listed && !is_sliding && type != full_attention) return;
    const Windows rule = type_.windows;
    bool is_window = type == sliding_attention || type == "hybrid_sliding";
    // The code of a type without windows takes no notice of such a name, nor that of one with windows in all layers of
    // another; engines do.
    const bool is_ignored = is_window ? !has_windows(type_) : rule == Windows::everywhere && type == full_attention;
    if (is_listed && is_ignored) return;
    if (type.empty()) is_window = rule == Windows::everywhere || rule == Windows::everywhere_if_on;
    // Without the switch the class has no window, whatever its layers are called.
    if (rule == Windows::everywhere_if_on || rule == Windows::later_if_on || rule == Windows::alternating_if_on) {
      bool is_on = false;
      reader_.read(config_, "use_sliding_window", is_on, is_window ? "reach" : "");
      is_window = is_window && is_on;
    }
    made.reaches = is_window ? Reach::window : type == "chunked_attention" ? Reach::chunk : Reach::all;
    if (made.reaches == Reach::all) return;
    const char* const key = type_.window_key;
    made.reach = type_.window;
    if (!windows_.empty()) {
      const double window = listed_window(layers_before_);
      made.reach = window < static_cast<double>(largest_size) ? static_cast<std::int64_t>(std::max(window, 0.0)) : 0;
    } else if (!reader_.read(config_, key, "reach", made.reach) &&
               (type_.window == 0 || reader_.is_null(config_, key))) {
      made.reaches = Reach::all;
      made.reach = 0;
      return;
    }
    if (!is_listed && made.reach < 1) made.reaches = Reach::unknown;  // whether 0 or -1 means none is its code's
    if (is_listed && made.reach < 1)
      windows_.empty() ? reader_.refuse_below_one(config_, key)
                       : reader_.refuse_number(config_, key, static_cast<double>(made.reach), expected::at_least, {1});
    if (type_.mask == MaskRule::by_direction_key && model_.mask == Mask::bidirectional) made.reach = made.reach / 2 + 1;
    if (type_.mask == MaskRule::causal && model_.mask == Mask::bidirectional) ++made.reach;
    if (type_.sides >= WindowSides::half_before) made.reach /= 2;
    if (type_.sides == WindowSides::half_before_own || type_.sides == WindowSides::before_own) ++made.reach;
  }

  bool read_size(const char* key, std::int64_t& size) {
    if (!reader_.read(config_, key, "", size)) return false;
    if (size < 1 || size > largest_size) reader_.refuse_below_one(config_, key);
    return true;
  }

  /// The dimensions of a plan are the last ones of heads that are larger.
  HeadDims dims_of(const HubPlan& plan) {
    const std::int64_t dim = plan.rotary.dim;
    const std::int64_t count = plan.rotary.rotary_dim.value_or(dim);
    const bool is_part = type_.is_slice || type_.unrotated_dim != 0 || is_split(config_);
    const std::int64_t whole = is_part ? whole_head_dim(reader_, text_) : dim;
    return whole > dim ? HeadDims{whole - count, count, whole} : HeadDims{0, count, dim};
  }

  /// DeepSeek-V4's `compress_rates`: m of the sparse layers, m' of the heavily compressed ones.
  std::int64_t compression_of(const std::string& layer_type) {
    const bool is_sparse = layer_type == "compressed_sparse_attention";
    if (!is_sparse && layer_type != "heavily_compressed_attention") return 0;
    std::int64_t rate = is_sparse ? 4 : 128;
    const Section rates = reader_.object(config_, "compress_rates");
    reader_.read(rates, layer_type.c_str(), "", rate);
    if (rate < 1) reader_.refuse_below_one(rates, layer_type);
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
      reader_.refuse(config_, "index_head_dim", expected::at_least, {made.dims.count}, ", the rotated dimensions");
    made.layout = rule.has_layout_of_plan ? plan.rotary.layout : rule.layout;
    made.score_scale = 1 / std::sqrt(static_cast<double>(made.dims.dim));
    return made;
  }

  void read_lengths() {
    reader_.read(config_, "max_position_embeddings n_positions max_seq_len", "", model_.length);
    // Looked at only: where the rule does not read it, it is an unknown key.
    for (const Section* const section : {&config_, static_cast<const Section*>(&rope_)})
      if (const double* const number = value_at<double>(*section, "original_max_position_embeddings"))
        if (std::isfinite(*number)) model_.original_length = *number;
  }

  void read_ids() {
    if (std::holds_alternative<encoding::Unknown>(model_.config.encoding)) model_.ids.rule = {};
    const auto& plans = model_.config.plans;
    if (std::ranges::none_of(plans, [](const HubPlan& plan) { return !plan.mrope_section.empty(); })) return;
    model_.ids.rule = type_.ids;
    const Section vision = reader_.object(text_.whole, "vision_config");
    std::int64_t merge = 0;
    if (reader_.read(vision, "spatial_merge_size", "", merge)) {
      if (merge < 1) reader_.refuse_below_one(vision, "spatial_merge_size");
      model_.ids.merge = merge;
    }
    reader_.read(vision, "tokens_per_second", "", model_.ids.tokens_per_second);
  }

  /// The largest size that is accepted: sums of two such are whole numbers too.
  static constexpr std::int64_t largest_size = std::int64_t{1} << 40;

  ConfigReader& reader_;
  const TextConfig& text_;
  const Section& config_;
  const ModelType& type_;
  Section rope_;
  Model model_;
  std::vector<double> windows_;     ///< one for each layer, where a list has them
  std::int64_t layers_before_ = 0;  ///< the one at hand
};

}  // namespace

Expected<Model> read_model(const ConfigValue& config, std::string_view path) {
  if (config.object() == nullptr) return std::unexpected(Error{"config", config.shown(), expected::object});
  ConfigReader reader;
  return read_model(reader, text_config(reader, config, path));
}

Expected<Model> read_model(ConfigReader& reader, const TextConfig& text) { return ModelReader(reader, text).read(); }

Expected<HubConfig> read_hub_config(const ConfigValue& config) {
  // All of the model is read, so that the keys that it reads are not unknown here.
  POSENC_TRY_LET(model, read_model(config));
  return std::move(model.config);
}

}  // namespace posenc
