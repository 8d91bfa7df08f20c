/// Configs with more than one plan: other encodings, layers that do not rotate, keys without effect. Configs come from
/// sources that each test names; configuration_*.py and modeling_*.py are those of Hugging Face transformers, version
/// 5, of 17 August 2026 (copied in 8b-is/transformers at e8c4f0b7).

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "hub/json.hpp"
#include "posenc/hub/hub_config.hpp"
#include "posenc/hub/model_types.hpp"
#include "testing/testing.hpp"

using posenc::HubConfig;
using posenc::HubLayers;
using posenc::Layout;
using testing::value_of;
namespace encoding = posenc::encoding;
namespace scaling = posenc::scaling;
using Keys = std::vector<std::string>;
using Layers = std::vector<HubLayers>;

namespace {

HubConfig read_model(const std::string& json) {
  INFO(json);
  return value_of(posenc::read_hub_config(testing::from_json(json)));
}

/// A config of that type with these members.
HubConfig read_type(const std::string& model_type, const std::string& members) {
  return read_model(R"({"model_type": ")" + model_type + R"(", )" + members + "}");
}

template <class Encoding>
Encoding encoding_of(const HubConfig& config) {
  CHECK(config.plans.empty());
  REQUIRE(std::holds_alternative<Encoding>(config.encoding));
  return std::get<Encoding>(config.encoding);
}

void check_refused_model(const std::string& json, std::string_view path, std::string_view value) {
  INFO(json);
  testing::require_error(posenc::read_hub_config(testing::from_json(json)), path, value);
}

}  // namespace

// convert_rope_params_to_dict in modeling_rope_utils.py; the dictionary is that of Qwen3's model card.
TEST_CASE("hub model: of rope_parameters and rope_scaling the latter wins, and the former is reported", "[hub]") {
  const std::string yarn = R"({"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768})";
  const std::string head = R"("head_dim": 128, "max_position_embeddings": 40960, )";
  const HubConfig both = read_type("qwen3", head + R"("rope_theta": 1000000, "rope_scaling": )" + yarn +
                                                R"(, "rope_parameters": {"rope_type": "default", "rope_theta": 1e6})");
  const auto rule = std::get<scaling::Yarn>(both.plans.at(0).rotary.scaling);
  CHECK(rule.factor == 4);
  CHECK(both.plans.at(0).rotary.base == 1e6);
  CHECK(both.unknown_keys == Keys{"rope_parameters"});
  // A base that is in rope_parameters alone is then ignored: the class's default applies.
  const HubConfig lost = read_type("qwen3", head + R"("rope_scaling": )" + yarn +
                                                R"(, "rope_parameters": {"rope_type": "default", "rope_theta": 1e6})");
  CHECK(lost.plans.at(0).rotary.base == 10000);
  CHECK(lost.unknown_keys == Keys{"rope_parameters"});
  // An empty dictionary does not take precedence.
  for (const std::string empty : {"{}", "null"}) {
    const HubConfig one = read_type("qwen3", head + R"("rope_scaling": )" + empty + R"(, "rope_parameters": )" + yarn);
    CHECK(std::get<scaling::Yarn>(one.plans.at(0).rotary.scaling).factor == 4);
  }
  // Models that put both together are not guessed at.
  check_refused_model(R"({"model_type": "gemma3_text", "rope_scaling": {"rope_type": "linear", "factor": 8},
                          "rope_parameters": {"full_attention": {}}})",
                      "rope_scaling", "an object");
}

// position_embeddings in modeling_bert.py, _roberta, _gpt2, _opt and _bart (offset = 2), with their classes' defaults.
TEST_CASE("hub model: learned tables in the place of rotation", "[hub]") {
  const auto check = [](const HubConfig& config, std::int64_t rows, std::int64_t first_row) {
    const auto table = encoding_of<encoding::Learned>(config);
    CHECK(table.rows == rows);
    CHECK(table.first_row == first_row);
    CHECK(config.unknown_keys.empty());
  };
  const std::string sizes = R"("hidden_size": 768, "num_attention_heads": 12)";
  check(read_type("bert", sizes + R"(, "max_position_embeddings": 512, "position_embedding_type": "absolute")"), 512,
        0);
  check(read_type("bert", sizes), 512, 0);
  check(read_type("roberta", sizes + R"(, "max_position_embeddings": 514, "pad_token_id": 1)"), 514, 2);
  check(read_type("gpt2", R"("n_embd": 768, "n_head": 12, "n_positions": 1024)"), 1024, 0);
  check(read_type("opt", sizes + R"(, "max_position_embeddings": 2048)"), 2050, 2);
  check(read_type("bart", R"("d_model": 1024, "max_position_embeddings": 1024)"), 1026, 2);
  check_refused_model(R"({"model_type": "bert", "position_embedding_type": "relative"})", "position_embedding_type",
                      "relative");
  CHECK(encoding_of<encoding::Sinusoidal>(read_type("xglm", R"("d_model": 1024)")).first_row == 2);
  // One row after that of padding, whose default differs by type.
  check(read_type("data2vec-text", sizes + R"(, "max_position_embeddings": 514)"), 514, 2);
  check(read_type("lilt", sizes), 512, 1);
  check(read_type("lilt", sizes + R"(, "pad_token_id": 1)"), 512, 2);
  CHECK(encoding_of<encoding::Sinusoidal>(read_type("nllb-moe", R"("pad_token_id": 5)")).first_row == 6);
  // Rows under a key of their own.
  check(read_type("whisper", R"("d_model": 384, "max_target_positions": 224)"), 224, 0);
  check_refused_model(R"({"model_type": "whisper", "max_target_positions": 0})", "max_target_positions", "0");
}

// BertSelfAttention of 4.53.3; BertGenerationEmbeddings adds its table, too.
TEST_CASE("hub model: relative keys in the place of a table", "[hub]") {
  for (const bool of_keys : {false, true}) {
    const std::string key = of_keys ? "relative_key_query" : "relative_key";
    const auto keys = encoding_of<encoding::RelativeKeys>(
        read_type("bert", R"("max_position_embeddings": 128, "position_embedding_type": ")" + key + "\""));
    CHECK(keys.max_distance == 127);
    CHECK(keys.of_keys == of_keys);
    check_refused_model(R"({"model_type": "bert-generation", "position_embedding_type": ")" + key + R"("})",
                        "position_embedding_type", key);
  }
}

// ESM-1b has the table and ESM-2 rotates; modeling_xlm.py and modeling_trocr.py.
TEST_CASE("hub model: a key chooses between a table and another encoding", "[hub]") {
  const std::string esm = R"("hidden_size": 1280, "num_attention_heads": 20, "pad_token_id": 1)";
  for (const std::string key : {"", R"(, "position_embedding_type": "absolute")"}) {
    const auto table = encoding_of<encoding::Learned>(read_type("esm", esm + key));
    CHECK(table.rows == 1026);
    CHECK(table.first_row == 2);
  }
  CHECK(read_type("esm", esm + R"(, "position_embedding_type": "rotary")").plans.size() == 1);
  encoding_of<encoding::Learned>(read_type("xlm", R"("emb_dim": 2048)"));
  encoding_of<encoding::Sinusoidal>(read_type("xlm", R"("sinusoidal_embeddings": true)"));
  encoding_of<encoding::Learned>(read_type("trocr", R"("use_learned_position_embeddings": true)"));
  encoding_of<encoding::Sinusoidal>(read_type("trocr", R"("use_learned_position_embeddings": false)"));
}

TEST_CASE("hub model: an encoding that is not one of the library's is refused with the reason", "[hub]") {
  for (const posenc::ModelType& row : posenc::model_types()) {
    if (row.encoding != posenc::TypeEncoding::unsupported) continue;
    INFO(row.type);
    const std::string json = R"({"model_type": ")" + std::string(row.type) + R"("})";
    const auto read = posenc::read_hub_config(testing::from_json(json));
    REQUIRE(!read);
    REQUIRE(row.note != nullptr);
    CHECK(read.error().expected().ends_with(row.note));
  }
}

// build_alibi_tensor in modeling_bloom.py and _falcon; build_mpt_alibi_tensor in modeling_mpt.py; BLOOM-176B's heads.
TEST_CASE("hub model: ALiBi in the place of rotation", "[hub]") {
  const auto bloom = encoding_of<encoding::Alibi>(read_type("bloom", R"("hidden_size": 14336, "n_head": 112)"));
  CHECK(bloom.heads == 112);
  CHECK(bloom.options.slopes == posenc::AlibiSlopes::paper);
  CHECK(bloom.options.distance == posenc::AlibiDistance::linear);
  const auto falcon = read_type("falcon", R"("hidden_size": 2048, "num_attention_heads": 32, "alibi": true)");
  CHECK(encoding_of<encoding::Alibi>(falcon).heads == 32);
  // llm-foundry: alibi_bias_max is the exponent of the last slope.
  const std::string mpt = R"("d_model": 4096, "n_heads": 32, "max_seq_len": 2048, "attn_config": )";
  const auto biased = encoding_of<encoding::Alibi>(read_type("mpt", mpt + R"({"alibi": true, "alibi_bias_max": 16})"));
  CHECK(biased.heads == 32);
  CHECK(biased.options.steepness == 16);
  CHECK(biased.options.slopes == posenc::AlibiSlopes::mpt);
  CHECK(encoding_of<encoding::Learned>(read_type("mpt", mpt + R"({"alibi": false})")).rows == 2048);
  const HubConfig rotated = read_type("mpt", mpt + R"({"alibi": false, "rope": true, "rope_theta": 5e5})");
  CHECK(rotated.plans.at(0).rotary.dim == 128);
  CHECK(rotated.plans.at(0).rotary.base == 5e5);
  check_refused_model(R"({"model_type": "bloom"})", "n_head", "none");
  check_refused_model(R"({"model_type": "mpt"})", "alibi", "none");
  check_refused_model(R"({"model_type": "mpt", "n_heads": 8, "attn_config": {"alibi_bias_max": 0}})",
                      "attn_config.alibi_bias_max", "0");
}

// configuration_t5.py and modeling_t5.py.
TEST_CASE("hub model: T5's buckets in the place of rotation", "[hub]") {
  const auto bias = encoding_of<encoding::T5>(read_type("t5", R"("d_model": 512, "num_heads": 8)"));
  CHECK(bias.heads == 8);
  CHECK(bias.buckets == 32);
  CHECK(bias.max_distance == 128);
  const auto other = encoding_of<encoding::T5>(read_type(
      "umt5", R"("num_heads": 6, "relative_attention_num_buckets": 64, "relative_attention_max_distance": 256)"));
  CHECK(other.buckets == 64);
  CHECK(other.max_distance == 256);
  check_refused_model(R"({"model_type": "deberta-v2", "hidden_size": 768})", "model_type", "deberta-v2");
}

// modeling_granitemoehybrid.py rotates where position_embedding_type is "rope", and null by default;
// modeling_modernbert.py always; modeling_jamba.py and modeling_nemotron_h.py never; modeling_zamba2.py with
// use_mem_rope. Kimi Linear: mlx-lm d78bf58e, models/kimi_linear.py, rotates nothing; the keys are those of its config.
TEST_CASE("hub model: nothing rotates, or all although another key denies it", "[hub]") {
  const std::string sizes = R"("hidden_size": 1536, "num_attention_heads": 12)";
  for (const std::string type : {R"(, "position_embedding_type": "nope", "rope_theta": 10000)", ""})
    encoding_of<encoding::None>(read_type("granitemoehybrid", sizes + type));
  CHECK(read_type("granitemoehybrid", sizes + R"(, "position_embedding_type": "rope")").plans.at(0).rotary.layout ==
        Layout::half);
  CHECK(read_type("modernbert", sizes + R"(, "position_embedding_type": "absolute")").plans.size() == 2);
  encoding_of<encoding::None>(read_type("jamba", sizes + R"(, "attn_layer_period": 8, "attn_layer_offset": 4)"));
  encoding_of<encoding::None>(read_type("nemotron_h", R"("hybrid_override_pattern": "M-M-M*-")"));
  encoding_of<encoding::None>(read_type("zamba2", sizes));
  CHECK(read_type("zamba2", R"("attention_head_dim": 160, "use_mem_rope": true)").plans.at(0).rotary.dim == 160);
  const HubConfig kimi = read_type("kimi_linear", R"("num_hidden_layers": 27, "mla_use_nope": true, "head_dim": 72,
      "rope_theta": 10000.0, "rope_scaling": null)");
  encoding_of<encoding::None>(kimi);
  CHECK(kimi.layers == Layers{{27, "", false}});
  CHECK(kimi.unknown_keys == Keys{"rope_theta"});
  // An unknown type has its own keys, or none.
  encoding_of<encoding::None>(read_model(R"({"head_dim": 64, "position_embedding_type": "nope"})"));
  check_refused_model(R"({"head_dim": 64, "position_embedding_type": "relative_key"})", "position_embedding_type",
                      "relative_key");
}

// Gemma3TextConfig.convert_rope_params_to_dict: null and missing types are filled up alike, with the class's bases.
TEST_CASE("hub model: a layer type that is null has its model's default, or none", "[hub]") {
  for (const std::string rope : {R"({"full_attention": null})", R"({"full_attention": null, "sliding_attention": {}})",
                                 R"({"full_attention": null, "sliding_attention": null})"}) {
    const HubConfig config = read_type("gemma3_text", R"("rope_parameters": )" + rope);
    REQUIRE(config.plans.size() == 2);
    CHECK(config.unknown_keys.empty());
    for (const auto& plan : config.plans) {
      CHECK(plan.rotary.base == (plan.layer_type == "full_attention" ? 1e6 : 1e4));
      CHECK(std::holds_alternative<scaling::Default>(plan.rotary.scaling));
    }
  }
  // Where the model has no default, a layer without a plan is an error.
  check_refused_model(R"({"model_type": "gemma4_text", "num_hidden_layers": 6, "rope_parameters": {
                          "full_attention": null, "sliding_attention": {"rope_theta": 1e4}}})",
                      "rope_parameters.full_attention", "none");
  check_refused_model(R"({"model_type": "gemma4_text", "num_hidden_layers": 6})", "rope_parameters", "none");
}

TEST_CASE("hub model: Cohere's base is half a million where the config has none", "[hub]") {  // configuration_cohere.py
  CHECK(read_type("cohere", R"("hidden_size": 8192, "num_attention_heads": 64)").plans.at(0).rotary.base == 5e5);
}

TEST_CASE("hub model: GPT-NeoX has its own key for the base, and no other", "[hub]") {  // configuration_gpt_neox.py
  const std::string keys = R"("hidden_size": 256, "num_attention_heads": 2, "rotary_pct": 0.25, "rope_theta": 5e5, )";
  CHECK(read_type("gpt_neox", keys + R"("rotary_emb_base": 20000)").plans.at(0).rotary.base == 20000);
  CHECK(read_type("llama", keys + R"("rotary_emb_base": 20000)").plans.at(0).rotary.base == 5e5);
}

// standardize_rope_params in modeling_rope_utils.py: where each layer type has a dictionary, as ModernBERT's make of
// one, the length beside them does not count.
TEST_CASE("hub model: an original length at the top is that of one dictionary for all layers", "[hub]") {
  const std::string rope =
      R"("rope_scaling": {"rope_type": "yarn", "factor": 2, "original_max_position_embeddings": 2048},
      "hidden_size": 128, "num_attention_heads": 2, "original_max_position_embeddings": 4096)";
  const auto length = [](const HubConfig& config) {
    return std::get<scaling::Yarn>(config.plans.at(0).rotary.scaling).original_length;
  };
  CHECK(length(read_type("modernbert", rope)) == 2048);
  CHECK(length(read_type("llama", rope)) == 4096);
}

// configuration_gemma4.py, _vaultgemma, _qwen2: layer_types where the config has none.
TEST_CASE("hub model: types of layers that a class makes", "[hub]") {
  const std::string count = R"("head_dim": 256, "num_hidden_layers": 3)";
  CHECK(read_type("gemma4_text", count + R"(, "rope_parameters": {"sliding_attention": {}, "full_attention": {}})")
            .layers == Layers{{2, "sliding_attention"}, {1, "full_attention"}});
  CHECK(read_type("vaultgemma", count).layers ==
        Layers{{1, "sliding_attention"}, {1, "full_attention"}, {1, "sliding_attention"}});
  const std::string window = count + R"(, "sliding_window": 4096, "max_window_layers": 1, "use_sliding_window": )";
  CHECK(read_type("qwen2", window + "true").layers == Layers{{1, "full_attention"}, {2, "sliding_attention"}});
  CHECK(read_type("qwen2", window + "false").layers == Layers{{3, ""}});
}

// MiMo-V2-Flash's numbers: configuration_mimo_v2_flash.py, the keys of its config.json: mlx-lm d78bf58e,
// models/mimo_v2_flash.py and tests/test_models.py; phi3small.py there. The configs of stablelm_epoch, Qwen-1 and
// Qwen2.5-1M were not read: these are keys that they are known to have.
// configuration_qwen2_moe.py: below max_window_layers, and every other one.
TEST_CASE("hub model: Qwen2-MoE's windows are those of every other layer", "[hub]") {
  const HubConfig config = read_type("qwen2_moe", R"("head_dim": 128, "num_hidden_layers": 6, "sliding_window": 64,
      "use_sliding_window": true, "max_window_layers": 3)");
  CHECK(config.layers == Layers{{1, "sliding_attention", true},
                                {1, "full_attention", true},
                                {1, "sliding_attention", true},
                                {3, "full_attention", true}});
}

// convert_rope_params_to_dict and _normalize_mrope_section_alias in configuration_hunyuan_vl.py, whose keys these are;
// alpha as in modeling_hunyuan_vl.py.
TEST_CASE("hub model: XD-RoPE has sections by another name", "[hub]") {
  const HubConfig config =
      read_type("hunyuan_vl", R"("head_dim": 128, "max_position_embeddings": 32768, "rope_theta": 10000,
      "rope_scaling": {"type": "xdrope", "alpha": 1000.0, "xdrope_section": [16, 16, 16, 16]})");
  const auto& plan = config.plans.at(0);
  CHECK(std::get<scaling::Ntk>(plan.rotary.scaling).factor == 1000);
  CHECK(plan.mrope_section == std::vector<std::int64_t>{16, 16, 16, 16});
  CHECK(plan.mrope_order == posenc::MropeOrder::chunked);
  CHECK(config.unknown_keys.empty());
  check_refused_model(R"({"model_type": "hunyuan_vl", "head_dim": 128, "rope_scaling": {"type": "xdrope", "alpha": 2,
      "xdrope_section": [16, 16, 16]}})",
                      "rope_scaling.xdrope_section", "48");
}

TEST_CASE("hub model: keys at the top are understood or reported", "[hub]") {
  const HubConfig mimo = read_type("mimo_v2_flash", R"("head_dim": 192, "num_hidden_layers": 8, "rope_theta": 5000000,
      "swa_rope_theta": 10000, "partial_rotary_factor": 0.334, "hybrid_layer_pattern": [0, 1, 1, 1, 1, 0, 1, 1])");
  REQUIRE(mimo.plans.size() == 2);
  CHECK(mimo.plans[0].rotary.base == 5e6);
  CHECK(mimo.plans[1].rotary.base == 1e4);
  for (const auto& plan : mimo.plans) CHECK(plan.rotary.rotary_dim == 64);
  CHECK(mimo.layers ==
        Layers{{1, "full_attention"}, {4, "sliding_attention"}, {1, "full_attention"}, {2, "sliding_attention"}});
  CHECK(mimo.unknown_keys.empty());

  CHECK(read_type("phi3small", R"("head_dim": 128, "rope_embedding_base": 1000000)").plans.at(0).rotary.base == 1e6);
  CHECK(read_type("stablelm_epoch", R"("head_dim": 80, "rope_pct": 0.25)").plans.at(0).rotary.rotary_dim == 20);
  CHECK(read_type("dbrx", R"("d_model": 6144, "n_heads": 48, "attn_config": {"rope_theta": 500000})")
            .plans.at(0)
            .rotary.base == 5e5);

  const HubConfig qwen = read_type("qwen", R"("kv_channels": 128, "rotary_emb_base": 10000, "rotary_pct": 1.0,
      "use_dynamic_ntk": true, "use_logn_attn": true)");
  CHECK(qwen.unknown_keys == Keys{"use_dynamic_ntk", "use_logn_attn"});
  const HubConfig dual = read_type("qwen2", R"("head_dim": 128, "rope_theta": 1e7, "dual_chunk_attention_config": {
      "chunk_size": 262144, "local_size": 8192, "original_max_position_embeddings": 262144})");
  CHECK(dual.unknown_keys == Keys{"dual_chunk_attention_config"});
  // Models whose code does not have them.
  const HubConfig other = read_type("llama", R"("head_dim": 128, "no_rope_layers": [1, 2], "no_rope_layer_interval": 4,
      "sliding_window_pattern": 6, "compress_rope_theta": 160000)");
  CHECK(other.unknown_keys ==
        Keys{"no_rope_layers", "no_rope_layer_interval", "sliding_window_pattern", "compress_rope_theta"});
}

TEST_CASE("hub model: a listed type's class ignores keys of other classes", "[hub]") {
  const std::string sizes = R"("hidden_size": 256, "num_attention_heads": 4, "num_hidden_layers": 2, )";
  for (const std::string type : {"llama", "qwen3", "deepseek_v3", "olmo2"})
    for (const std::string key :
         {R"("alibi": true)", R"("position_embedding_type": "alibi")", R"("position_embedding_type": "nope")",
          R"("attn_config": {"alibi": true})", R"("attn_config": {"rope_theta": 7})", R"("mla_use_nope": true)",
          R"("rotary_emb_base": 7)", R"("rope_ratio": 50)", R"("global_rope_theta": 7)", R"("rotary_pct": 0.5)",
          R"("rope_pct": 0.5)", R"("rope_local_base_freq": 7)", R"("swa_rope_theta": 7)"}) {
      CAPTURE(type, key);
      const HubConfig own = read_type(type, sizes + R"("rope_theta": 5e5, )" + key);
      const HubConfig plain = read_type(type, sizes + R"("rope_theta": 5e5)");
      REQUIRE(own.plans.size() == 1);
      CHECK(own.plans[0].rotary.base == 5e5);
      CHECK(own.plans[0].rotary.rotary_dim == plain.plans.at(0).rotary.rotary_dim);
      CHECK(own.layers == plain.layers);
      CHECK(own.unknown_keys.size() == 1);
    }
  CHECK(read_type("llama", sizes + R"("kv_channels": 32)").plans.at(0).rotary.dim == 64);
  // Inside a dictionary they are names as others are.
  CHECK(read_type("llama", sizes + R"("rope_parameters": {"rotary_emb_base": {}})").plans.size() == 1);
  CHECK(read_type("jetmoe", sizes + R"("kv_channels": 32)").plans.at(0).rotary.dim == 32);
}

TEST_CASE("hub model: keys without effect are reported at every level", "[hub]") {
  // InternVL and Qwen-Omni nest like this (configuration_qwen2_5_omni.py).
  const HubConfig nested = read_model(R"({"model_type": "outer", "rope_theta": 3, "thinker_config": {
      "model_type": "inner", "position_id_per_seconds": 25, "text_config": {"model_type": "qwen2", "head_dim": 128,
      "rope_theta": 1e6, "layers": [{"rope": {"base": 2}}, 3]}, "vision_config": {"rope_theta": 100, "hidden": 4}},
      "max_position_embeddings": 5, "alibi": null})");
  CHECK(nested.plans.at(0).rotary.base == 1e6);
  CHECK(nested.plans.at(0).rotary.layout == Layout::half);
  CHECK(nested.unknown_keys == Keys{"rope_theta", "thinker_config.position_id_per_seconds",
                                    "thinker_config.text_config.layers[0].rope",
                                    "thinker_config.vision_config.rope_theta"});
  CHECK(read_model(R"({"llm_config": {"model_type": "internlm2", "head_dim": 128, "rope_theta": 1e6}})")
            .plans.at(0)
            .rotary.base == 1e6);
  check_refused_model(R"({"llm_config": {"model_type": "llama", "head_dim": 64, "rope_theta": -1}})",
                      "llm_config.rope_theta", "-1");
  // ALiBi within.
  const HubConfig inner = read_model(R"({"llm_config": {"n_heads": 8, "attn_config": {"alibi": true}}})");
  CHECK(encoding_of<encoding::Alibi>(inner).heads == 8);
}

// configuration_deepseek_v4.py; the published DeepSeek-V4-Flash's keys as a test of another project quotes them.
TEST_CASE("hub model: DeepSeek-V4 has two bases, and YaRN on one of them without its factor", "[hub]") {
  const std::string sizes = R"("head_dim": 512, "num_hidden_layers": 6, "max_position_embeddings": 1048576,
      "rope_theta": 10000, "compress_rope_theta": 160000, "compress_ratios": [0, 0, 4, 128, 4, 128, 0], )";
  const std::string yarn = R"("rope_scaling": {"beta_fast": 32, "beta_slow": 1, "factor": 16,
      "original_max_position_embeddings": 65536, "type": "yarn"})";
  for (const std::string dims : {R"("qk_rope_head_dim": 64, )", R"("partial_rotary_factor": 0.125, )",
                                 R"("qk_rope_head_dim": 64, "partial_rotary_factor": 0.125, )", ""}) {
    const HubConfig config = read_type("deepseek_v4", sizes + dims + yarn);
    REQUIRE(config.plans.size() == 2);
    const auto& [main, compress] = std::tie(config.plans[0], config.plans[1]);
    CHECK(main.layer_type == "main");
    CHECK(main.rotary.base == 10000);
    CHECK(std::holds_alternative<scaling::Default>(main.rotary.scaling));
    CHECK(compress.layer_type == "compress");
    CHECK(compress.rotary.base == 160000);
    CHECK(std::get<scaling::Yarn>(compress.rotary.scaling).factor == 16);
    CHECK(compress.attention_factor == 1);
    for (const auto& plan : config.plans) {
      CHECK(plan.rotary.dim == 64);
      CHECK(plan.rotary.rotary_dim == 64);
      CHECK(plan.rotary.layout == Layout::interleaved);
    }
    CHECK(config.unknown_keys.empty());
    REQUIRE(config.layers.size() == 5);
    CHECK(config.layers[0] == HubLayers{2, "sliding_attention"});
    CHECK(config.layers[1] == HubLayers{1, "compressed_sparse_attention"});
    CHECK(plan_of(config, config.layers[0])->layer_type == "main");
    CHECK(plan_of(config, config.layers[2])->layer_type == "compress");
  }
}

// configuration_mistral4.py: the fraction is qk_rope_head_dim / (qk_nope_head_dim + qk_rope_head_dim).
TEST_CASE("hub model: a fraction beside qk_rope_head_dim refers to the whole head, and has to agree", "[hub]") {
  const std::string dims = R"("qk_nope_head_dim": 64, "qk_rope_head_dim": 64, )";
  const auto plan = read_type("mistral4", dims + R"("rope_parameters": {"partial_rotary_factor": 0.5})").plans.at(0);
  CHECK(plan.rotary.dim == 64);
  CHECK(plan.rotary.rotary_dim == 64);
  CHECK(plan.rotary.layout == Layout::deinterleaved);
  CHECK(read_type("glm4_moe_lite", dims + R"("partial_rotary_factor": 1.0)").plans.at(0).rotary.dim == 64);
  check_refused_model(R"({"model_type": "youtu", )" + dims + R"("partial_rotary_factor": 0.25})",
                      "partial_rotary_factor", "0.25");
}

// Ministral3Config, Mistral4Config, GptOssConfig and CwmConfig each have a dictionary where the config has none.
TEST_CASE("hub model: a rule that only a model's class knows is not left out in silence", "[hub]") {
  for (const std::string type : {"ministral3", "mistral4", "gpt_oss", "cwm"})
    check_refused_model(R"({"head_dim": 128, "model_type": ")" + type + R"("})", "rope_parameters", "none");
}

// Laguna's dictionaries: mlx-lm d78bf58e, tests/test_models.py; the keys left over are made up.
TEST_CASE("hub model: keys left over beside dictionaries of layer types are reported", "[hub]") {
  for (const std::string left : {R"("rope_theta": 500000.0)", R"("rope_type": "default")", R"("factor": 2.0)"}) {
    const HubConfig config = read_type(
        "laguna", R"("head_dim": 128, "rope_parameters": {)" + left + R"(, "full_attention": {"rope_type": "yarn",
        "rope_theta": 500000.0, "factor": 8.0, "original_max_position_embeddings": 4096, "beta_slow": 1.0,
        "beta_fast": 32.0, "partial_rotary_factor": 0.5}, "sliding_attention": {"rope_type": "default",
        "rope_theta": 10000.0, "partial_rotary_factor": 1.0}})");
    REQUIRE(config.plans.size() == 2);
    CHECK(config.plans[0].rotary.rotary_dim == 64);
    CHECK(std::get<scaling::Yarn>(config.plans[0].rotary.scaling).factor == 8);
    CHECK(config.plans[1].rotary.base == 10000);
    CHECK(config.unknown_keys == Keys{"rope_parameters." + left.substr(1, left.find('"', 1) - 1)});
  }
}

// no_rope_layers in modeling_llama4.py and modeling_smollm3.py; sliding windows alone rotate in modeling_cohere2.py,
// modeling_exaone4.py and modeling_afmoe.py; the others' types in their configuration_*.py.
TEST_CASE("hub model: which layers rotate", "[hub]") {
  const std::string sizes = R"("hidden_size": 512, "num_attention_heads": 4, "num_hidden_layers": )";
  CHECK(read_type("smollm3", sizes + "6").layers ==
        Layers{{3, "full_attention", true}, {1, "full_attention", false}, {2, "full_attention", true}});
  CHECK(read_type("smollm3", sizes + R"(3, "no_rope_layers": [0, 1, 1])").layers ==
        Layers{{1, "full_attention", false}, {2, "full_attention", true}});
  CHECK(read_type("llama4_text", sizes + R"(4, "no_rope_layers": [])").layers ==
        Layers{{3, "chunked_attention", true}, {1, "full_attention", false}});
  CHECK(read_type("llama4_text", sizes + R"(3, "no_rope_layer_interval": 2)").layers ==
        Layers{{1, "chunked_attention", true}, {1, "full_attention", false}, {1, "chunked_attention", true}});
  const HubConfig cohere = read_type("cohere2", sizes + R"(4, "sliding_window_pattern": 2)");
  CHECK(cohere.layers == Layers{{1, "sliding_attention", true},
                                {1, "full_attention", false},
                                {1, "sliding_attention", true},
                                {1, "full_attention", false}});
  CHECK(plan_of(cohere, cohere.layers[0]) == &cohere.plans[0]);
  CHECK(plan_of(cohere, cohere.layers[1]) == nullptr);
  CHECK(cohere.unknown_keys.empty());
  const std::string exaone = R"(2, "layer_types": ["sliding_attention", "full_attention"], "sliding_window_pattern": )";
  CHECK(read_type("exaone4", sizes + exaone + R"("LLLG", "sliding_window": 4096)").layers ==
        Layers{{1, "sliding_attention", true}, {1, "full_attention", false}});
  CHECK(read_type("exaone4", sizes + R"(2, "layer_types": ["full_attention", "full_attention"],
                                        "sliding_window": null, "sliding_window_pattern": null)")
            .layers == Layers{{2, "full_attention", true}});
  CHECK(read_type("qwen3_next", sizes + "4").layers ==
        Layers{{3, "linear_attention", false}, {1, "full_attention", true}});
  CHECK(read_type("granitemoehybrid", sizes + R"(3, "position_embedding_type": "rope",
                                                 "layers_block_type": ["mamba", "mamba", "attention"])")
            .layers == Layers{{2, "mamba", false}, {1, "full_attention", true}});
  CHECK(read_type("bamba", sizes + R"(4, "attn_layer_indices": [2])").layers ==
        Layers{{2, "linear_attention", false}, {1, "full_attention", true}, {1, "linear_attention", false}});
  CHECK(read_type("modernbert", sizes + "4").layers ==
        Layers{{1, "full_attention"}, {2, "sliding_attention"}, {1, "full_attention"}});
  // Nothing is left to rotate.
  encoding_of<encoding::None>(read_type("smollm3", sizes + R"(2, "no_rope_layers": [0, 0])"));
  encoding_of<encoding::None>(read_model(R"({"rope_theta": 10000, "head_dim": 64, "layer_types": ["mamba", "conv"]})"));
  // Layers that predict further tokens are listed after these.
  CHECK(read_model(R"({"rope_theta": 10000, "head_dim": 64, "num_hidden_layers": 1,
                        "layer_types": ["full_attention", "mtp"]})")
            .layers == Layers{{1, "full_attention"}});
}

TEST_CASE("hub model: of a type that is not listed only what its keys say is known", "[hub]") {
  for (const std::string own :
       {R"("n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 512)",
        R"("hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 12)", R"("a": 1)"}) {
    const HubConfig config = read_type("unlisted", own);
    encoding_of<encoding::Unknown>(config);
    CHECK(config.plans.empty());
    CHECK(config.layers.empty());
  }
  for (const std::string own : {R"("rope_theta": 5000)", R"("rotary_pct": 0.5)", R"("rope_scaling": null)",
                                R"("position_embedding_type": "rope")"})
    CHECK(std::holds_alternative<encoding::Rotary>(read_type("unlisted", R"("head_dim": 64, )" + own).encoding));
}

TEST_CASE("hub model: wrong layers are Errors", "[hub]") {
  const auto check = [](const std::string& members, std::string_view path, std::string_view value) {
    check_refused_model(R"({"rope_theta": 10000, "head_dim": 64, )" + members + "}", path, value);
  };
  check(R"("num_hidden_layers": 2, "layer_types": ["full_attention"])", "layer_types", "1");
  check(R"("layer_types": [1])", "layer_types[0]", "1");
  check(R"("layer_types": "full_attention")", "layer_types", "full_attention");
  check(R"("num_hidden_layers": 2.5)", "num_hidden_layers", "2.5");
  check(R"("num_hidden_layers": 1e300)", "num_hidden_layers", "1e+300");
  check(R"("num_hidden_layers": -1)", "num_hidden_layers", "-1");
  check(R"("model_type": "llama4_text", "num_hidden_layers": 2, "no_rope_layers": [1])", "no_rope_layers", "1");
  check(R"("model_type": "llama4_text", "num_hidden_layers": 2, "no_rope_layer_interval": 0)", "no_rope_layer_interval",
        "0");
  check(R"("model_type": "cohere2", "num_hidden_layers": 2, "sliding_window_pattern": -3)", "sliding_window_pattern",
        "-3");
  check(R"("layer_types": ["full_attention", "sliding_attention"], "rope_parameters": {"full_attention": {}})",
        "rope_parameters.sliding_attention", "none");
}

// modeling_nanochat.py: rotate_half is (x2, -x1).
TEST_CASE("hub model: NanoChat rotates by the opposite angle", "[hub]") {
  const std::string sizes = R"("hidden_size": 768, "num_attention_heads": 6)";
  CHECK(read_type("nanochat", sizes).plans.at(0).inverse);
  CHECK_FALSE(read_type("llama", sizes).plans.at(0).inverse);
}

// apply_interleaved_mrope in modeling_qwen3_vl.py: height and width overwrite pairs of time; 8, 12, 12 is GenLIP's.
TEST_CASE("hub model: interleaved sections leave time the pairs that are left over", "[hub]") {
  const auto sections = [](const std::string& order) {
    return read_model(R"({"head_dim": 72, "rope_scaling": {"mrope_section": [8, 12, 12], )" + order + "}}").plans.at(0);
  };
  const auto plan = sections(R"("mrope_interleaved": true)");
  CHECK(plan.mrope_section == std::vector<std::int64_t>{12, 12, 12});
  CHECK(posenc::mrope({.dim = 72, .layout = Layout::half}, plan.mrope_section, plan.mrope_order));
  // More than every third pair are not there to be had.
  const auto crowded = read_model(R"({"head_dim": 128, "rope_scaling": {"mrope_section": [16, 24, 24],
                                      "mrope_interleaved": true}})");
  CHECK(crowded.plans.at(0).mrope_section == std::vector<std::int64_t>{22, 21, 21});
  check_refused_model(R"({"head_dim": 72, "rope_scaling": {"mrope_section": [8, 12, 12]}})",
                      "rope_scaling.mrope_section", "32");
  check_refused_model(R"({"head_dim": 72, "rope_scaling": {"mrope_section": [13, 12, 12], "mrope_interleaved": true}})",
                      "rope_scaling.mrope_section", "37");
}

TEST_CASE("hub model: an encoding's name is that of the API", "[hub]") {
  CHECK(posenc::name_of(posenc::HubEncoding{}) == "rotary");
  CHECK(posenc::name_of(encoding::None{}) == "none");
  CHECK(posenc::name_of(encoding::Learned{}) == "learned");
  CHECK(posenc::name_of(encoding::Sinusoidal{}) == "sinusoidal");
  CHECK(posenc::name_of(encoding::Alibi{}) == "alibi");
  CHECK(posenc::name_of(encoding::T5{}) == "t5");
}
