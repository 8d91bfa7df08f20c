#include "posenc/hub/rotary_plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/base/try.hpp"
#include "posenc/hub/model_types.hpp"
#include "posenc/hub/rope_scaling.hpp"

namespace posenc {
namespace {

/// Checks a plan as the core does, for any length and layout, and computes its attention factor.
Expected<void> check(HubPlan& plan) {
  const RotaryOptions& rotary = plan.rotary;
  const std::int64_t dims = rotary.rotary_dim.value_or(rotary.dim);
  POSENC_TRY(check_whole("dim", rotary.dim, 2, max_dim));
  if (dims < 2 || dims > rotary.dim || dims % 2 != 0)
    return invalid_argument(dims == rotary.dim ? "dim" : "rotaryDim", static_cast<double>(dims), expected::rotated_dims,
                            {rotary.dim});
  const FrequencyPlan frequencies{
      .frequencies = {dims, rotary.base, rotary.exponent}, .scaling = rotary.scaling, .length = 0};
  POSENC_TRY_LET(factor, posenc::attention_factor(frequencies));
  plan.attention_factor = factor;
  return {};
}

/// Reads one plan; each member function reads one concept of it.
class PlanReader {
 public:
  PlanReader(ConfigReader& reader, const TextConfig& config, const PlanSource& source)
      : reader_(reader),
        text_(config),
        config_(config.text),
        type_(config.type),
        source_(source),
        rope_(source.rope),
        fraction_(source.fraction) {}

  void read(HubPlan& plan) {
    plan.layer_type = source_.layer_type;
    plan.path = rope_.path;
    const RopeType type = rope_type_of(reader_, rope_, type_);
    read_dims(type, plan);
    plan.rotary.layout = layout_of_model();
    plan.rotary.base = base();
    plan.inverse = type_.is_inverse;
    read_rope_scaling(reader_, {rope_, config_, source_.is_flat, fraction_}, type, plan.rotary.scaling);
    if (type == RopeType::ntk) read_own_ntk(plan);
    read_sections(plan);
    if (reader_.error()) return;
    if (auto checked = check(plan); !checked) reader_.fail_by_path(std::move(checked.error()));
    // A key beside the dictionary that repeats one inside is known.
    for (const char* const key : {"rope_theta", "partial_rotary_factor"}) {
      const double* const inside = value_at<double>(rope_, key);
      const double* const beside = value_at<double>(config_, key);
      if (inside != nullptr && beside != nullptr && *inside == *beside) reader_.ignore(config_, key);
    }
    reader_.report(rope_);
  }

  double base() {
    const std::string_view layer_type = source_.layer_type;
    double base = source_.base;
    if (source_.is_listed) {
      reader_.ignore(rope_, "rope_theta");
      reader_.ignore(config_, "rope_theta");
      reader_.cite(config_, type_.base_key, "base");
      return base;
    }
    if (type_.is_compressed && layer_type == "compress" && rope_.path.find("compress") == rope_.path.npos) {
      reader_.read(config_, "compress_rope_theta", "base", base);
      return base;  // that of the dictionary is ignored
    }
    if (reader_.read(rope_, "rope_theta", "base", base)) return base;
    if (layer_type == sliding_attention)
      if (const auto local = local_base_of(reader_, text_)) return *local;
    if (type_.base_key != nullptr && reader_.read(config_, type_.base_key, "base", base)) return base;
    if (reader_.read(config_, "global_rope_theta rope_theta rotary_emb_base rope_embedding_base", "base", base))
      return base;
    const Section attention = reader_.object(config_, "attn_config");  // DBRX, MPT
    if (reader_.read(attention, "rope_theta", "base", base)) return base;
    return reader_.read(config_, "rope_ratio", "base", base) ? 10000 * base : base;
  }

 private:
  /// NTKScalingRotaryEmbedding of the model's code: (b f)^(-2i/d) f^(-2/d), a base of its own and a linear rule.
  void read_own_ntk(HubPlan& plan) {
    const double factor = std::get<scaling::Ntk>(plan.rotary.scaling).factor;
    if (rope_.object->find("mixed_b") != nullptr) return reader_.refuse(rope_, "mixed_b", expected::exactly, {"null"});
    const auto dims = static_cast<double>(plan.rotary.rotary_dim.value_or(plan.rotary.dim));
    plan.rotary.base *= factor;
    plan.rotary.scaling.emplace<scaling::Linear>().factor = exponential(2 * logarithm(factor) / dims);
  }

  /// Models that deinterleave have a flag for weights that were saved in Layout::half.
  Layout layout_of_model() {
    bool interleave = true;
    if (type_.layout != Layout::deinterleaved) return type_.layout;
    reader_.read(config_, "rope_interleave", interleave, "layout");
    return interleave ? type_.layout : Layout::half;
  }

  std::int64_t dim_of_head() {
    std::int64_t dim = 0;
    if (source_.layer_type == full_attention && reader_.read(config_, "global_head_dim", "dim", dim)) return dim;
    if (!is_split(config_))
      reader_.ignore(config_, "qk_rope_head_dim");
    else if (reader_.read(config_, "qk_rope_head_dim", "dim", dim))
      return dim;
    return head_dim_of(reader_, text_, true);
  }

  void read_dims(RopeType type, HubPlan& plan) {
    plan.rotary.dim = dim_of_head();
    // The default rule of most classes takes no notice of it; the other rules are functions that all share.
    const bool is_read = type_.type.empty() || type_.fraction != 1 || type != RopeType::plain || is_split(config_) ||
                         type_.unrotated_dim != 0 || is_word(type_.own_keys, "partial_rotary_factor");
    const char* const keys = is_read ? "partial_rotary_factor rotary_pct rope_pct" : "rotary_pct rope_pct";
    if (!is_read || !reader_.read(rope_, "partial_rotary_factor", "rotaryDim", fraction_))
      reader_.read(config_, keys, "rotaryDim", fraction_);
    const bool is_fraction = fraction_ >= 0 && fraction_ <= 1;
    if (!is_fraction) return reader_.fail_by_path({"rotaryDim", fraction_, expected::from_to, {0, 1}});
    if (type == RopeType::proportional) return;  // all dimensions, some of frequency 0
    if (type_.is_slice || is_split(config_)) return read_slice(plan);
    auto dims = static_cast<std::int64_t>(fraction_ * static_cast<double>(plan.rotary.dim));
    if (type_.rotary_dim != 0 && !reader_.is_null(config_, "rotary_dim")) dims = type_.rotary_dim;
    reader_.read(config_, "rotary_dim", "rotaryDim", dims);
    plan.rotary.rotary_dim = dims;
  }

  /// Where a head is split, a plan has only the dimensions that rotate, and a fraction refers to the whole head:
  /// `head_dim`, or both parts. A fraction of 1 refers to the rotated part (GLM-4.7-Flash).
  void read_slice(HubPlan& plan) {
    std::int64_t whole = type_.is_slice ? type_.head_dim : 0;
    std::int64_t unrotated = 0;
    std::int64_t rotated = 0;
    const bool is_named = reader_.read(config_, "qk_rope_head_dim", "dim", rotated);
    if (!reader_.read(config_, "head_dim", "", whole) && reader_.read(config_, "qk_nope_head_dim", "", unrotated))
      whole = rotated + unrotated;
    const auto dims = static_cast<std::int64_t>(fraction_ * static_cast<double>(whole));
    if (!is_named) rotated = dims;
    if (fraction_ != 1 && fraction_ != type_.fraction && dims != rotated)
      return reader_.fail_by_path({"rotaryDim", fraction_, expected::exactly, {"qk_rope_head_dim / head_dim"}});
    plan.rotary.dim = rotated;
    plan.rotary.rotary_dim = rotated;
  }

  void read_sections(HubPlan& plan) {
    std::vector<double> sections;
    // Classes of these interleave, and have sections of their own (modeling_qwen3_vl.py, _qwen3_5, _cohere_compass).
    const bool is_of_class = type_.ids.starts_with("qwen3");
    bool is_interleaved = is_of_class;
    reader_.read(rope_, "mrope_interleaved", is_interleaved);
    plan.mrope_order = is_interleaved ? MropeOrder::interleaved : MropeOrder::chunked;
    const char* key = "mrope_section";
    const bool is_first = reader_.read(rope_, key, "", sections);  // else as HunyuanOCR's first configs have it
    if (!is_first && reader_.read(rope_, "xdrope_section", "", sections)) key = "xdrope_section";
    // Glm4vTextRotaryEmbedding's, which the classes of its siblings inherit (modular_glm_ocr.py, _glm_image).
    const bool is_glm = type_.ids == "glm4v" || type_.type == "glm_image_text";
    const bool is_default = sections.empty() && (is_of_class || is_glm);
    if (is_default)
      sections = is_glm                   ? std::vector<double>{8, 12, 12}
                 : type_.fraction == 0.25 ? std::vector<double>{11, 11, 10}
                                          : std::vector<double>{24, 20, 20};
    double sum = 0;
    for (const double pairs : sections) {
      const bool is_count = pairs >= 0 && pairs <= static_cast<double>(max_dim) && std::floor(pairs) == pairs;
      if (!is_count) return reader_.refuse_number(rope_, key, pairs, expected::whole_at_least, {0});
      plan.mrope_section.push_back(static_cast<std::int64_t>(pairs));
      sum += pairs;
    }
    const auto half = plan.rotary.rotary_dim.value_or(plan.rotary.dim) / 2;
    // If interleaved, height and width each have every third pair, up to their number, and time has all others,
    // whatever its own number (apply_interleaved_mrope of Qwen3-VL).
    if (is_interleaved && sections.size() == 3 && (is_default || sum <= static_cast<double>(half))) {
      std::vector<std::int64_t>& pairs = plan.mrope_section;
      pairs[1] = std::min(pairs[1], (half + 1) / 3);
      pairs[2] = std::min(pairs[2], half / 3);
      pairs[0] = half - pairs[1] - pairs[2];
      return;
    }
    // height, width, time (rotary_embedding of modeling_ernie4_5_vl_moe.py), with the sections of its class.
    if (type_.is_time_last) {
      std::vector<std::int64_t>& pairs = plan.mrope_section;
      if (pairs.empty()) pairs = {22, 22, 20};
      if (sections.empty()) sum = 64;
      for (std::size_t i = pairs.size(); i-- > 1;) std::swap(pairs[i], pairs[i - 1]);  // the last to the front
      plan.mrope_order = MropeOrder::time_last;
    }
    if (plan.mrope_section.empty() || sum == static_cast<double>(half)) return;
    if (is_glm && is_default) return reader_.refuse(rope_, key, expected::pairs_sum, {half});
    reader_.refuse_number(rope_, key, sum, expected::pairs_sum, {half});
  }

  ConfigReader& reader_;
  const TextConfig& text_;
  const Section& config_;
  const ModelType& type_;
  const PlanSource& source_;
  const Section& rope_;
  double fraction_;  ///< of the dimensions that rotate
};

}  // namespace

void read_plan(ConfigReader& reader, const TextConfig& config, const PlanSource& source, HubPlan& plan) {
  PlanReader(reader, config, source).read(plan);
}

std::optional<double> local_base_of(ConfigReader& reader, const TextConfig& config) {
  double base = config.type.local_base;
  if (reader.read(config.text, "rope_local_base_freq local_rope_theta swa_rope_theta", "base", base)) return base;
  if (base == 0) return {};
  if (!reader.is_null(config.text, "local_rope_theta")) return base;
  const PlanSource of_full{.layer_type = full_attention, .base = config.type.base};
  return PlanReader(reader, config, of_full).base();
}

std::int64_t head_dim_of(ConfigReader& reader, const TextConfig& config, bool is_needed) {
  const Section& text = config.text;
  const auto read = [&](const char* keys, const char* option, std::int64_t& target) {
    const bool is_read = reader.read(text, keys, option, target);
    if (is_read && !is_needed && target < 1) reader.refuse_below_one(text, keys);
    return is_read || target != 0;
  };
  // Queries of such heads are made from two states beside each other.
  const bool is_double = config.type.scale == ScoreScale::half_head;
  std::int64_t dim = config.type.head_dim;
  if (read("head_dim attention_head_dim kv_channels", "dim", dim)) return dim;
  dim = config.type.hidden_size;
  std::int64_t heads = config.type.heads;
  const char* const heads_key = "num_attention_heads";
  const bool has_size = read("hidden_size n_embd d_model", "dim", dim);
  const bool has_heads = read("num_attention_heads n_head n_heads decoder_num_attention_heads", "", heads);
  if (is_double) dim *= 2;
  if (!is_needed) return heads > 0 ? dim / heads : 0;
  if (!has_size) reader.refuse(text, "head_dim", expected::whole_or_hidden_size);
  if (!has_heads) reader.refuse(text, heads_key, expected::whole);
  if (heads >= 1 && dim % heads == 0) return dim / heads;
  reader.refuse(text, heads_key, expected::divisor_of_hidden_size);
  return 2;
}

}  // namespace posenc
