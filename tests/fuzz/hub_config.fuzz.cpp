/// Configs made of the keys that are known, of others, and of values of every kind: the plans read from them can be
/// used, or there is an Error that explains.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "bytes.hpp"
#include "invariants.hpp"
#include "posenc/hub/model_layer.hpp"

using fuzz::Bytes;
using fuzz::require;
using posenc::ConfigValue;

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

const std::vector<std::string> keys = words_of(
    "model_type text_config rope_scaling rope_parameters full_attention sliding_attention rope_type type "
    "rope_theta factor alpha beta_fast beta_slow truncate mscale mscale_all_dim attention_factor short_factor "
    "long_factor short_mscale long_mscale low_freq_factor high_freq_factor original_max_position_embeddings "
    "max_position_embeddings partial_rotary_factor mrope_section mrope_interleaved head_dim global_head_dim "
    "qk_rope_head_dim kv_channels hidden_size num_attention_heads n_embd n_head rotary_dim rotary_pct "
    "rotary_emb_base rope_ratio global_rope_theta local_rope_theta rope_local_base_freq rope_interleave alibi "
    "position_embedding_type attn_config llm_config num_hidden_layers layer_types no_rope_layers "
    "no_rope_layer_interval sliding_window_pattern compress_ratios compress_rope_theta qk_nope_head_dim "
    "swa_rope_theta attn_scale floor_scale sliding_window attention_multiplier index_head_dim compress_rates "
    "compressed_sparse_attention vision_config spatial_merge_size block_types max_window_layers "
    "use_sliding_window pad_token_id num_heads relative_attention_num_buckets");
const std::vector<std::string> words = words_of(
    "default linear ntk dynamic yarn longrope llama3 proportional mrope su llama phi3 gptj gemma3_text "
    "modernbert chatglm deepseek_v3 gpt_neox bert mpt t5 smollm3 deepseek_v4 llama4_text bamba mistral4 nope "
    "alibi full_attention mamba granite ministral3 sliding_attention deepseek_v32 glm_moe_dsa "
    "minimax_m3_vl_text ernie4_5_vl_moe_text qwen2 recurrent_gemma compressed_sparse_attention nanochat");

ConfigValue value(Bytes& bytes, int depth);

ConfigValue object(Bytes& bytes, int depth) {
  ConfigValue::Object members;
  for (std::size_t count = bytes.below(12); count > 0; --count) {
    const std::size_t index = bytes.below(keys.size() + 1);
    std::string key = index < keys.size() ? keys[index] : bytes.text();
    ConfigValue made = value(bytes, depth + 1);
    if (std::ranges::find(members, key, &posenc::ConfigMember::key) == members.end())
      members.push_back({std::move(key), std::move(made)});
  }
  return {std::move(members)};
}

ConfigValue list(Bytes& bytes, int depth) {
  ConfigValue::List items;
  for (std::size_t count = bytes.below(9); count > 0; --count)
    items.push_back(bytes.byte() < 240 ? ConfigValue(bytes.number()) : value(bytes, depth + 1));
  return {std::move(items)};
}

ConfigValue value(Bytes& bytes, int depth) {
  const std::size_t kind = bytes.below(16);
  if (kind < 4 && depth < 4) return object(bytes, depth);
  if (kind < 9) return {bytes.number()};
  if (kind < 12) return {words[bytes.below(words.size())]};
  if (kind < 14) return list(bytes, depth);
  return kind == 14 ? ConfigValue(bytes.flag()) : ConfigValue();
}

void check_plan(posenc::HubPlan plan, std::int64_t length) {
  const std::int64_t dims = plan.rotary.rotary_dim.value_or(plan.rotary.dim);
  require(dims >= 2 && dims % 2 == 0 && dims <= plan.rotary.dim, "rotated dimensions fit into the head");
  require(std::isfinite(plan.attention_factor) && plan.attention_factor >= 0, "a finite attention factor");
  std::int64_t pairs = 0;
  for (const std::int64_t section : plan.mrope_section) pairs += section;
  require(plan.mrope_section.empty() || pairs == dims / 2, "sections add up");
  if (dims > 4096) return;  // too slow for a fuzzer
  if (plan.rotary.layout == posenc::Layout::unnamed) plan.rotary.layout = posenc::Layout::half;
  plan.rotary.length = length;
  const auto rotary = posenc::Rotary::make(plan.rotary);
  require(fuzz::check(rotary), "a plan is ready for Rotary::make");
  require(rotary->rotary_dim() == static_cast<std::size_t>(dims), "as many dimensions rotate as the plan says");
}

void check_model(const posenc::Model& model, std::int64_t length) {
  std::int64_t first = 0;
  for (const posenc::ModelLayers& made : model.layers) {
    require(!made.score_scale || std::isfinite(*made.score_scale), "a finite scale of the scores");
    require(made.plan.has_value() == made.layers.rotates, "a plan where there is rotation");
    const bool is_limited = made.reaches == posenc::Reach::window || made.reaches == posenc::Reach::chunk;
    require(is_limited ? made.reach > 0 : made.reaches == posenc::Reach::unknown || made.reach == 0,
            "a reach where it is limited");
    if (made.temperature)
      require(std::isfinite(made.temperature->slope) && made.temperature->period > 0,
              "a temperature that can be meant");
    const bool is_small = !made.plan || made.dims.count <= 4096;
    if (made.plan)
      require(made.dims.first >= 0 && made.dims.first + made.dims.count <= made.dims.dim, "dimensions of a head");
    if (made.indexer)
      require(made.indexer->dims.first + made.indexer->dims.count <= made.indexer->dims.dim,
              "dimensions of an indexer");
    const auto layer = is_small
                           ? posenc::ModelLayer::make(model, first, {.layout = posenc::Layout::half, .length = length})
                           : posenc::Expected<posenc::ModelLayer>(posenc::ModelLayer());
    // M-RoPE knows fewer layouts and more sections.
    const bool is_points = made.plan && !model.config.plans[*made.plan].mrope_section.empty();
    require(fuzz::check(layer) || is_points || !made.layers.is_known, "each layer that is known can be made");
    first += made.layers.count;
  }
}

/// Reads a config in at most 10 ms of the processor's time; the sanitizer's own work may come between, at times.
posenc::Expected<posenc::Model> read_quickly(const ConfigValue& config) {
  for (int tries = 0; tries < 5; ++tries) {
    const std::clock_t began = std::clock();
    auto model = posenc::read_model(config);
    if (std::clock() - began < CLOCKS_PER_SEC / 100) return model;
  }
  require(false, "a config is read or refused within 10 ms of the processor's time");
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes({data, size});
  const std::int64_t length = std::int64_t{1} << bytes.below(30);
  const ConfigValue config = bytes.byte() < 250 ? object(bytes, 0) : value(bytes, 0);
  const auto model = read_quickly(config);
  if (!fuzz::check(model)) return 0;
  const posenc::HubConfig* const read = &model->config;
  const bool is_rotary = std::holds_alternative<posenc::encoding::Rotary>(read->encoding);
  require(read->plans.empty() != is_rotary, "plans where there is rotation, and only there");
  for (const posenc::HubLayers& layers : read->layers)
    require(layers.count > 0 && layers.rotates == (plan_of(*read, layers) != nullptr),
            "layers that rotate have a plan");
  for (const posenc::HubPlan& plan : read->plans) check_plan(plan, length);
  check_model(*model, length);
  std::vector<std::string> unknown = read->unknown_keys;
  std::ranges::sort(unknown);
  require(std::ranges::adjacent_find(unknown) == unknown.end(), "each unknown key is named once");
  return 0;
}
