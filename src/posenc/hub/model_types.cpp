#include "posenc/hub/model_types.hpp"

#include <array>
#include <cstring>

#include "posenc/hub/packed_types.hpp"

namespace posenc {
namespace table {

using enum Layout;
using enum LayerType;
using enum QkNorm;
using enum ScoreScale;
using enum Windows;
using enum Verified;
using enum MaskRule;
using enum TypeEncoding;
using enum RotationSwitch;

namespace {

/// A learned table with attention to both sides.
constexpr ModelType encoder(ModelType row) {
  row.encoding = learned;
  if (row.mask == causal) row.mask = bidirectional;
  if (row.rows == 0) row.rows = 512;
  return row;
}

/// An encoder that transformers 4 could also make a decoder, or give relative keys.
constexpr ModelType bert(ModelType row) {
  if (row.mask == causal) row.mask = by_decoder_key;
  row.has_relative_keys = true;
  return encoder(row);
}

constexpr ModelType stacks(ModelType row) {
  row.mask = by_stack;
  return row;
}

constexpr ModelType of_cells(ModelType row) {
  row.encoding = grid;
  row.mask = bidirectional;
  row.verified = by_reading;
  return row;
}

constexpr ModelType refused(std::string_view type, const char* reason, Verified verified = by_reading,
                            const char* source = nullptr) {
  return {.type = type, .encoding = unsupported, .verified = verified, .source = source, .note = reason};
}

/// A vision tower whose functions gave the numbers of Qwen2-VL's.
constexpr ModelType qwen2_vision(std::string_view type, std::int16_t size, std::int16_t heads,
                                 const char* source = nullptr) {
  return of_cells({.type = type, .hidden_size = size, .heads = heads, .ids = "qwen2-vl", .source = source});
}

/// The same of patches that come row by row, not in blocks.
constexpr ModelType patch_rows(ModelType row) {
  row.merge = 1;
  return row;
}

constexpr ModelType video(std::string_view type, std::string_view ids, const char* source) {
  return of_cells({.type = type, .norm = norm_unread, .ids = ids, .source = source});
}

/// A row with another's members where it has the defaults.
constexpr ModelType like(const ModelType& other, ModelType row) {
  const ModelType plain_row;
  const auto inherit = [](auto& member, const auto& plain, const auto& from) {
    if (packed::is_same(member, plain)) member = from;
  };
  packed::each_member(inherit, row, plain_row, other);
  return row;
}

constexpr const char* fraction_key = "partial_rotary_factor";
constexpr const char* cells = "its scores have a bias by distances of cells";
constexpr const char* embedded_cells = "its scores depend on embedded distances of cells";
constexpr const char* projected = "its scores depend on projected distances";

// Members that several rows have in common, by the name of one of them, or of what it is.

// clang-format off
constexpr ModelType mla{.layout = deinterleaved, .head_dim = 64, .unrotated_dim = 128, .scale = head_mscale};
constexpr ModelType by_type{.layout = half, .head_dim = 128, .is_nested = true, .norm = before};
constexpr ModelType qwen2_vl{.layout = half, .base = 1000000, .windows = later_if_on};
constexpr ModelType qwen3_next{.layout = half, .head_dim = 256, .fraction = 0.25, .layers = {.others = linear,
    .every = 4, .key = "full_attention_interval"}, .norm = before};
constexpr ModelType gemma2{.layout = half, .head_dim = 256, .layers = {.others = sliding, .every = 2}, .window = 4096,
    .scale = query_pre_attn_scalar, .softcap = 50};
constexpr ModelType gemma3{.layout = half, .base = 1000000, .local_base = 10000, .head_dim = 256,
    .layers = {.others = sliding, .every = 6}, .window = 4096, .scale = query_pre_attn_scalar, .norm = before};
constexpr ModelType cohere2{.layout = interleaved, .layers = {.others = sliding, .every = 4,
    .key = "sliding_window_pattern", .rotating = RotatingLayers::windows}, .window = 4096};
constexpr ModelType exaone4{.layout = half, .layers = {.others = sliding, .every = 4, .key = "sliding_window_pattern",
    .rotating = RotatingLayers::others, .needs_window = true}, .window = 4096, .norm = before};
constexpr ModelType granite_swa{.layout = half, .base_key = "layer_rope_theta", .scales_local = true,
    .layers = {.others = sliding, .every = 4, .is_first = true}, .window = 128, .scale = multiplier,
    .sinks = Sinks::everywhere};
constexpr ModelType modernbert{.layout = half, .base = 160000, .local_base = 10000, .own_keys = "global_rope_theta",
    .scales_local = true, .rotates = ignored, .layers = {.others = sliding, .every = 3,
    .key = "global_attn_every_n_layers", .is_first = true}, .window_key = "local_attention", .window = 128};
constexpr ModelType forecast = stacks({.encoding = sinusoidal,
    .note = "[sin, cos] with exponent 2i/d; the decoder begins at row `context_length`"});
constexpr ModelType seamless = stacks({.encoding = sinusoidal, .first_row = -1, .padding = 0,
    .note = "tensor2tensor's exponent; the speech encoder has distances"});
constexpr ModelType qwen3_text{.layout = half, .norm = before, .ids = "qwen3-vl"};
constexpr ModelType gpt_neox{.layout = half, .base_key = "rotary_emb_base", .own_keys = "rotary_emb_base rotary_pct"};
constexpr ModelType gpt_oss{.base = 150000, .head_dim = 64, .needs_rope = true, .window = 128,
    .sinks = Sinks::everywhere}; constexpr ModelType lfm2{.layout = half, .base = 1000000, .norm = before};
constexpr ModelType longformer = encoder({.windows = everywhere, .sides = WindowSides::half_before_own,
    .window_key = "attention_window", .window = 512});
constexpr ModelType sinusoids{.encoding = sinusoidal, .first_row = -1, .note = "tensor2tensor's exponent"};
constexpr ModelType audio{.encoding = sinusoidal, .windows = unread, .mask = bidirectional,
    .note = "tensor2tensor's exponent; windows of `n_window` frames"};
constexpr ModelType xlm{.encoding = learned, .mask = mask_unread, .rows = 512,
    .sinusoidal = {.key = "sinusoidal_embeddings"}, .note = "causal if `causal`"};
constexpr ModelType prophetnet = stacks({.encoding = learned, .rows = 512, .first_row = -1, .padding = 0,
    .note = "the decoder's scores also have a bias by buckets of distances"});
constexpr ModelType qformer = encoder({.note = "queries, which come first, have no positions"});
// clang-format on

}  // namespace

/// To add a type: a row here, and a line in tests/api/hub/models.json with what its own code computed (tests/README.md
/// has the form), or Verified::by_reading. Members that are not named have the defaults of model_types.hpp, which are
/// those of Llama. Where this release departs from earlier ones or from the config, plans follow the config.
///
/// Files are those of `transformers_version`, unless a row names another; those of diffusers were read at 58eb52c0,
/// Wan's norms at 061bc7f9. A fixture has queries rotated in a layer of each kind, the layers that rotate, the keys
/// they attend to, norms, caps, sinks and the scale of scores; or rows of a table, slopes, buckets; with the class's
/// defaults. Relative keys were read in 4.53.3.
constexpr ModelType rows[]{
    // clang-format off
    video("ChromaTransformer2DModel", "flux", "transformer_chroma.py (diffusers)"),
    of_cells({.type = "CogVideoXTransformer3DModel", .rotates = use_rotary, .norm = norm_unread, .ids = "cogvideox",
     .source = "cogvideox_transformer_3d.py (diffusers)"}),
    video("FluxTransformer2DModel", "flux", "transformer_flux.py (diffusers)"),
    video("HunyuanVideoFramepackTransformer3DModel", "hunyuan-video",
     "transformer_hunyuan_video_framepack.py (diffusers)"),
    video("HunyuanVideoTransformer3DModel", "hunyuan-video", "transformer_hunyuan_video.py (diffusers)"),
    refused("LTXVideoTransformer3DModel", "coordinates are fractions of a base size, frequencies multiples of pi / 2",
     by_reading, "transformer_ltx.py (diffusers)"),
    of_cells({.type = "QwenImageTransformer2DModel", .norm = norm_unread, .ids = "flux",
     .source = "transformer_qwenimage.py (diffusers)", .note = "rows and columns are counted from the middle"}),
    video("SkyReelsV2Transformer3DModel", "wan", "transformer_skyreels_v2.py (diffusers)"),
    video("WanAnimateTransformer3DModel", "wan", "transformer_wan_animate.py (diffusers)"),
    of_cells({.type = "WanTransformer3DModel", .norm = before, .ids = "wan",
     .source = "transformer_wan.py (diffusers)"}),
    video("WanVACETransformer3DModel", "wan", "transformer_wan_vace.py (diffusers)"),
    {.type = "afmoe", .layout = half, .head_dim = 128, .layers = {.others = sliding, .every = 4,
     .key = "global_attn_every_n_layers", .rotating = RotatingLayers::others}, .window = 1024, .norm = before},
    {.type = "aimv2_text_model", .encoding = learned, .rows = 77}, bert({.type = "albert", .mask = bidirectional}),
    bert({.type = "align_text_model", .mask = bidirectional}),
    bert({.type = "altclip_text_model", .mask = bidirectional, .rows = 514, .first_row = -1}),
    {.type = "apertus", .layout = half, .base = 12000000, .norm = before}, {.type = "arcee", .layout = half},
    {.type = "aria_text", .layout = half}, like(forecast, {.type = "autoformer"}), like(mla, {.type = "axk1"}),
    like(mla, {.type = "axk2", .head_dim = 32, .unrotated_dim = 64, .indexer = {.layout = half}}),
    refused("baichuan", "models with hidden size 4096 rotate, larger ones have ALiBi: no key says which", by_reading,
     "modeling_baichuan.py of Baichuan2-13B, vLLM's baichuan.py at 0019d7cd"),
    {.type = "bamba", .layout = half, .fraction = 0.5, .layers = {.one = linear, .every = 1},
     .list = LayerList::attention_indices, .list_key = "attn_layer_indices"},
    stacks({.type = "bart", .encoding = learned, .rows = 1024, .first_row = 2}), bert({.type = "bert"}),
    encoder({.type = "bert-generation", .mask = by_decoder_key}),
    encoder({.type = "big_bird", .windows = unread, .mask = by_decoder_key, .rows = 4096,
     .note = "blocks of `block_size`, unless `attention_type` is \"original_full\""}),
    stacks({.type = "bigbird_pegasus", .encoding = learned, .windows = unread, .rows = 4096,
     .note = "the encoder's keys are blocks, unless `attention_type` is \"original_full\""}),
    {.type = "biogpt", .encoding = learned, .rows = 1024, .first_row = 2},
    {.type = "bitnet", .layout = half, .base = 500000},
    stacks({.type = "blenderbot", .encoding = learned, .rows = 128}),
    stacks({.type = "blenderbot-small", .encoding = learned, .rows = 512}),
    like(qformer, {.type = "blip_2_qformer", .source = "blip_2"}),
    bert({.type = "blip_text_model", .source = "blip_text"}), {.type = "bloom", .encoding = alibi},
    {.type = "blt_global_transformer", .layout = interleaved, .base = 500000, .source = "blt"},
    {.type = "blt_local_decoder", .layout = interleaved, .base = 500000, .source = "blt"},
    {.type = "blt_local_encoder", .layout = interleaved, .base = 500000, .source = "blt"},
    {.type = "blt_patcher", .layout = interleaved, .source = "blt"},
    bert({.type = "bridgetower_text_model", .rows = 514, .first_row = -1}),
    bert({.type = "bros", .note = "scores also depend on distances of boxes"}),
    bert({.type = "camembert", .first_row = -1}),
    encoder({.type = "canine", .windows = unread, .rows = 16384,
     .note = "rows count characters; deep layers have a fourth"}),
    {.type = "chameleon", .layout = half, .norm = before},
    {.type = "chatglm", .layout = interleaved, .own_keys = "kv_channels rope_ratio", .fraction = 0.5,
     .norm = norm_unread, .verified = by_reading, .source = "modeling_chatglm.py of ChatGLM3 and GLM-4-9B"},
    bert({.type = "chinese_clip_text_model", .mask = bidirectional}),
    refused("clap_audio_model", cells, by_reading, "clap"),
    bert({.type = "clap_text_model", .mask = bidirectional, .rows = 514, .first_row = -1}),
    {.type = "clip_text_model", .encoding = learned, .rows = 77},
    {.type = "clipseg_text_model", .encoding = learned, .rows = 77},
    {.type = "clvp_decoder", .encoding = learned, .rows = 608, .note = "text before speech has a table of its own"},
    {.type = "coarse_acoustics", .encoding = learned, .rows = 1024, .rows_key = "block_size", .source = "bark"},
    {.type = "codegen", .layout = interleaved, .rotary_dim = 64},
    {.type = "cohere", .layout = interleaved, .base = 500000, .norm = before_if_on}, like(cohere2, {.type = "cohere2"}),
    like(cohere2, {.type = "cohere2_moe", .head_dim = 128}),
    {.type = "cohere_compass_text", .layout = half, .is_nested = true, .rotates = null_dictionary,
     .layers = {.every = 1}, .window = 4096, .ids = "qwen3-vl"}, qwen2_vision("cohere_compass_vision", 1152, 16),
    encoder({.type = "convbert", .note = "half of the heads are convolutions"}),
    {.type = "cosmos3_edge_text", .layout = half, .base = 1e8F, .head_dim = 128, .ids = "qwen3-vl"},
    refused("cpmant", "its scores have a bias by buckets of distances"),
    {.type = "csm", .layout = half, .base = 500000},
    {.type = "csm_depth_decoder_model", .layout = half, .base = 500000, .source = "csm"},
    {.type = "ctrl", .encoding = sinusoidal, .note = "[sin, cos] with exponent 2i/d"},
    {.type = "cwm", .layout = half, .base = 1000000, .head_dim = 128, .needs_rope = true, .layers = {.others = sliding,
     .every = 4, .is_first = true}, .window = 8192},
    refused("data2vec-audio", "a convolution over the sequence encodes positions"),
    bert({.type = "data2vec-text", .first_row = -1}),
    {.type = "dbrx", .layout = half, .own_keys = "attn_config", .note = "`attn_config.rope_theta` is ignored"},
    refused("deberta", projected), refused("deberta-v2", projected),
    {.type = "decision_transformer", .encoding = learned, .rows = 4096, .rows_key = "max_ep_len",
     .verified = by_reading, .note = "a row a time step, which the caller gives"},
    {.type = "deepseek_ocr2_text", .layout = half},
    like(mla, {.type = "deepseek_v2", .layout = interleaved, .without_mla = "llama", .note = "DeepSeek-OCR"}),
    like(mla, {.type = "deepseek_v3"}), like(mla, {.type = "deepseek_v32", .indexer = {.layout = half}}),
    {.type = "deepseek_v4", .layout = interleaved, .head_dim = 512, .fraction = 0.125, .is_slice = true,
     .is_compressed = true, .list = LayerList::compress_ratios, .list_key = "compress_ratios", .window = 128,
     .norm = before, .sinks = Sinks::everywhere, .indexer = {.has_layout_of_plan = true, .is_at_end = true,
     .layer_type = "compressed_sparse_attention"}},
    {.type = "dia_decoder", .layout = half, .head_dim = 128, .scale = one, .note = "cross-attention does not rotate"},
    {.type = "dia_encoder", .layout = half, .head_dim = 128, .mask = bidirectional, .scale = one},
    {.type = "diffllama", .layout = half},
    {.type = "diffusion_gemma_text", .mask = mask_unread, .scale = one, .verified = by_reading},
    of_cells({.type = "dinov3_vit", .hidden_size = 384, .heads = 6, .ids = "dinov3"}),
    encoder({.type = "distilbert", .sinusoidal = {.key = "sinusoidal_pos_embds"}}),
    {.type = "doge", .layout = half, .windows = everywhere, .norm = before}, refused("donut-swin", cells),
    {.type = "dots1", .layout = half, .windows = later, .window = 4096, .first_window = 62, .norm = before},
    bert({.type = "dpr", .mask = bidirectional, .verified = by_reading, .note = "a BERT"}), bert({.type = "electra"}),
    {.type = "emu3_text_model", .layout = half, .base = 1000000}, bert({.type = "ernie"}),
    {.type = "ernie4_5", .layout = interleaved, .base = 500000, .head_dim = 128},
    {.type = "ernie4_5_moe", .layout = interleaved, .base = 500000},
    {.type = "ernie4_5_vl_moe", .is_time_last = true, .verified = by_reading},
    {.type = "ernie4_5_vl_moe_text", .layout = interleaved, .base = 500000, .ids = "ernie4.5-vl", .is_time_last = true},
    qwen2_vision("ernie4_5_vl_moe_vision", 1280, 16),
    encoder({.type = "ernie_m", .rows = 514, .first_row = -1, .verified = by_reading_5_0}),
    {.type = "esm", .layout = half, .rotates = position_type_or_table, .mask = by_decoder_key, .rows = 1026,
     .first_row = -1, .note = "queries are scaled before they are rotated"},
    {.type = "eurobert", .layout = half, .mask = bidirectional}, {.type = "evolla", .layout = half, .base = 500000},
    like(exaone4, {.type = "exaone4"}),
    like(exaone4, {.type = "exaone4_5_text", .verified = by_reading, .source = "modular_exaone4_5.py",
     .note = "the text of EXAONE 4.5 is an exaone4"}),
    qwen2_vision("exaone4_5_vision", 3584, 16),
    like(exaone4, {.type = "exaone_moe"}),
    {.type = "falcon", .layout = half, .own_keys = "alibi", .note = "`alibi`: rounded slopes, scaled too"},
    {.type = "falcon_h1", .layout = half, .layers = {.one = hybrid, .every = 1}},
    {.type = "falcon_mamba", .encoding = none, .verified = by_reading}, refused("fastspeech2_conformer", projected),
    encoder({.type = "fine_acoustics", .rows = 1024, .rows_key = "block_size", .source = "bark"}),
    like(xlm, {.type = "flaubert"}), encoder({.type = "flava_text_model"}),
    {.type = "flex_olmo", .layout = half, .base = 500000, .norm = before},
    encoder({.type = "fnet", .note = "Fourier transforms in place of attention"}),
    stacks(like(sinusoids, {.type = "fsmt"})), refused("funnel", projected),
    {.type = "gemma", .layout = half, .head_dim = 256}, like(gemma2, {.type = "gemma2"}),
    like(gemma3, {.type = "gemma3_text", .layers = {.key = "sliding_window_pattern"}, .mask = by_direction_key}),
    refused("gemma3n_audio", projected, by_reading, "gemma3n"),
    like(gemma3, {.type = "gemma3n_text", .layers = {.every = 5}, .window = 512, .scale = one}),
    refused("gemma4_audio", projected, by_reading, "gemma4"),
    {.type = "gemma4_text", .layout = half, .head_dim = 256, .is_nested = true, .layers = {.others = sliding,
     .every = 6, .end = PatternEnd::last}, .mask = by_direction_key, .window = 512, .scale = one, .norm = before},
    {.type = "gemma4_unified_text", .scale = one, .verified = by_reading},
    {.type = "git", .encoding = learned, .mask = mask_unread, .rows = 1024, .note = "text is causal"},
    {.type = "glm", .layout = interleaved, .head_dim = 128, .fraction = 0.5},
    {.type = "glm4", .layout = interleaved, .head_dim = 128, .fraction = 0.5},
    {.type = "glm4_moe", .layout = half, .fraction = 0.5, .norm = before_if_on},
    like(mla, {.type = "glm4_moe_lite", .unrotated_dim = 192}),
    {.type = "glm4v_moe_text", .layout = half, .fraction = 0.5, .ids = "glm4v"},
    qwen2_vision("glm4v_moe_vision", 1536, 12),
    {.type = "glm4v_text", .layout = interleaved, .own_keys = fraction_key, .ids = "glm4v"},
    qwen2_vision("glm4v_vision", 1536, 12), {.type = "glm_image_text", .layout = half, .own_keys = fraction_key},
    like(mla, {.type = "glm_moe_dsa", .unrotated_dim = 192, .indexer = {.has_layout_of_plan = true}}),
    {.type = "glm_ocr_text", .layout = interleaved, .own_keys = fraction_key, .ids = "glm4v"},
    qwen2_vision("glm_ocr_vision", 1024, 16),
    {.type = "glmasr_encoder", .layout = half, .fraction = 0.5, .mask = bidirectional},
    {.type = "gpt2", .encoding = learned, .scale = switches, .rows = 1024},
    {.type = "gpt_bigcode", .encoding = learned, .scale = switches, .rows = 1024},
    {.type = "gpt_neo", .encoding = learned, .layers = {.others = full, .one = sliding, .every = 2},
     .list = LayerList::counted_types, .list_key = "attention_types", .window_key = "window_size", .window = 256,
     .scale = one, .rows = 2048}, like(gpt_neox, {.type = "gpt_neox", .fraction = 0.25}),
    like(gpt_neox, {.type = "gpt_neox_japanese", .own_keys = "partial_rotary_factor rotary_emb_base rotary_pct"}),
    like(gpt_oss, {.type = "gpt_oss", .layout = half, .layers = {.others = sliding, .every = 2}}),
    {.type = "gptj", .layout = interleaved, .rotary_dim = 64},
    {.type = "gptsan-japanese", .encoding = learned, .mask = mask_unread, .rows = 1280, .verified = by_reading_5_0,
     .note = "a prefix is attended to from both sides"}, {.type = "granite", .layout = half, .scale = multiplier},
    {.type = "granite4_vision_text", .layout = half, .scale = multiplier, .source = "granite4_vision"},
    refused("granite_speech_encoder", "its scores depend on embedded distances"),
    refused("granite_speech_plus_encoder", "its scores depend on embedded distances"),
    like(granite_swa, {.type = "granite_swa"}), {.type = "granitemoe", .layout = half, .scale = multiplier},
    like(granite_swa, {.type = "granitemoe_swa"}),
    {.type = "granitemoehybrid", .layout = half, .rotates = position_type_or_off, .layers = {.one = linear, .every = 1},
     .scale = multiplier}, {.type = "granitemoeshared", .layout = half, .scale = multiplier},
    {.type = "groupvit_text_model", .encoding = learned, .rows = 77},
    {.type = "helium", .layout = interleaved, .base = 100000, .head_dim = 128},
    {.type = "higgs_audio_v2", .layout = half, .head_dim = 128, .needs_rope = true},
    {.type = "hrm_text", .layout = half, .head_dim = 128, .mask = mask_unread, .source = "hrm_text",
     .note = "`num_hidden_layers` counts each use of a layer; a prefix is attended to from both sides"},
    refused("hubert", "a convolution over the sequence encodes positions"),
    {.type = "hunyuan_v1_dense", .layout = half, .norm = after, .note = "`alpha` is static NTK"},
    {.type = "hunyuan_v1_moe", .layout = half, .norm = after, .note = "`alpha` is static NTK"},
    {.type = "hunyuan_vl", .layout = half, .norm = after, .ids = "hunyuan-vl", .verified = by_reading},
    {.type = "hunyuan_vl_text", .layout = half, .norm = after, .ids = "hunyuan-vl", .verified = by_reading,
     .note = "in images the two dimensions of a pair have different positions"},
    {.type = "hy_v3", .layout = half, .base = 11158840, .head_dim = 128, .norm = before},
    {.type = "hyperclovax", .layout = half, .scale = multiplier_or_head}, encoder({.type = "ibert", .first_row = -1}),
    {.type = "idefics", .layout = half, .note = "`qk_layer_norms` is about layers between these, of cross-attention"},
    {.type = "imagegpt", .encoding = learned, .scale = switches, .rows = 1024}, like(forecast, {.type = "informer"}),
    refused("inkling_text", "its scores have a bias by distances"),
    like(qformer, {.type = "instructblip_qformer", .source = "instructblip"}),
    like(qformer, {.type = "instructblipvideo_qformer", .source = "instructblipvideo"}),
    {.type = "internlm2", .layout = half, .verified = by_reading,
     .source = "modeling_internlm2.py of InternLM2, NanSang2000/S1mpleAgent at 0143463e"},
    {.type = "jais2", .layout = half}, {.type = "jamba", .encoding = none, .list = LayerList::unread},
    {.type = "jetmoe", .layout = half, .own_keys = "kv_channels"},
    {.type = "jina_embeddings_v3", .layout = half, .base = 20000, .hidden_size = 1024, .heads = 16, .rotates = ignored,
     .mask = bidirectional}, like(mla, {.type = "kimi_k2", .verified = by_reading, .source = "deepseek_v3"}),
    like(mla, {.type = "kimi_linear", .own_keys = "mla_use_nope", .verified = by_reading,
     .source = "vLLM's kimi_linear.py, 01d9958672"}),
    like(sinusoids, {.type = "kosmos_2_5_text_model", .source = "kosmos2_5"}),
    like(sinusoids, {.type = "kosmos_2_text_model", .source = "kosmos2"}),
    {.type = "kyutai_speech_to_text", .layout = half, .source = "kyutai_speech_to_text"},
    like(by_type, {.type = "laguna", .own_keys = fraction_key, .layers = {.every = 1}, .window = 512}),
    {.type = "lasr_encoder", .layout = half, .mask = bidirectional}, encoder({.type = "layoutlm"}),
    encoder({.type = "layoutlmv2", .verified = by_reading, .note = "scores also have biases by distances and boxes"}),
    encoder({.type = "layoutlmv3", .first_row = -1, .note = "scores also have biases by distances and boxes"}),
    like(longformer, {.type = "led", .rows = 16384, .rows_key = "max_encoder_position_embeddings",
     .note = "the encoder; the decoder has `max_decoder_position_embeddings` rows, no windows"}),
    refused("levit", cells),
    like(lfm2, {.type = "lfm2", .list = LayerList::attention_indices, .list_key = "full_attn_idxs"}),
    like(lfm2, {.type = "lfm2_moe", .list = LayerList::unread}),
    bert({.type = "lilt", .mask = bidirectional, .first_row = -1, .padding = 0}),
    {.type = "llama", .layout = half, .hidden_size = 4096, .heads = 32},
    {.type = "llama4_text", .layout = interleaved, .base = 500000, .head_dim = 128, .layers = {.others = chunked,
     .every = 4, .key = "no_rope_layer_interval", .has_switches = true}, .window_key = "attention_chunk_size",
     .window = 8192, .norm = after_unless_off, .temperature = TemperatureRule::llama4},
    of_cells({.type = "llama4_vision_model", .hidden_size = 768, .heads = 16, .ids = "llama4"}),
    like(mla, {.type = "longcat_flash", .base = 10000000, .note = "two attentions a layer count as two"}),
    like(longformer, {.type = "longformer", .first_row = -1, .note = "tokens may have global attention"}),
    stacks({.type = "longt5", .encoding = t5, .scale = one}),
    encoder({.type = "luke", .first_row = -1, .note = "entities also have the mean of their words' rows"}),
    encoder({.type = "lxmert"}), stacks(like(sinusoids, {.type = "m2m_100"})),
    {.type = "mamba", .encoding = none, .verified = by_reading},
    {.type = "mamba2", .encoding = none, .verified = by_reading},
    stacks({.type = "marian", .encoding = sinusoidal, .note = "[sin, cos] with exponent 2i/d"}),
    encoder({.type = "markuplm", .first_row = -1, .padding = 0}), refused("maskformer-swin", cells),
    stacks({.type = "mbart", .encoding = learned, .rows = 1024, .first_row = 2}),
    refused("mctct", "its scores depend on embedded distances", by_reading_5_0),
    refused("mega", "its scores have a bias by distances", by_reading_5_0), bert({.type = "megatron-bert"}),
    like(by_type, {.type = "mellum", .own_keys = fraction_key, .layers = {.every = 1}, .window = 1024}),
    {.type = "metaclip_2_text_model", .encoding = learned, .rows = 77},
    {.type = "mimi", .layout = half, .windows = everywhere, .window = 250},
    {.type = "mimo_v2_flash", .layout = half, .base = 5000000, .local_base = 10000, .head_dim = 192, .fraction = 0.334F,
     .layers = {.others = sliding, .every = 6, .end = PatternEnd::first}, .list = LayerList::sliding_flags,
     .list_key = "hybrid_layer_pattern", .window = 128, .sinks = Sinks::in_windows},
    like(mla, {.type = "minicpm3", .layout = half, .head_dim = 32, .unrotated_dim = 64}),
    {.type = "minimax", .layout = half, .base = 1000000, .layers = {.others = linear, .every = 2, .is_first = true},
     .note = "this version ignores `rotary_dim`"},
    {.type = "minimax_m2", .layout = half, .base = 5000000, .own_keys = fraction_key, .head_dim = 128, .norm = before,
     .note = "no `rotary_dim`"},
    {.type = "minimax_m3_vl_text", .layout = half, .base = 5000000, .head_dim = 128, .rotary_dim = 64, .norm = before,
     .indexer = {.layout = half, .layer_type = "minimax_m3_sparse"}},
    {.type = "ministral", .layout = half, .layers = {.one = sliding, .every = 1}, .window = 4096},
    {.type = "ministral3", .layout = half, .head_dim = 128, .needs_rope = true, .windows = everywhere,
     .temperature = TemperatureRule::ministral3},
    {.type = "mistral", .layout = half, .windows = everywhere, .window = 4096},
    like(mla, {.type = "mistral4", .unrotated_dim = 64, .needs_rope = true,
     .temperature = TemperatureRule::ministral3}),
    {.type = "mixtral", .layout = half, .base = 1000000, .windows = everywhere},
    patch_rows(qwen2_vision("mlcd_vision_model", 1664, 16, "mlcd")),
    {.type = "mllama_text_model", .layout = half, .base = 500000, .list = LayerList::cross_attention,
     .list_key = "cross_attention_layers", .norm = of_cross_attention}, encoder({.type = "mobilebert"}),
    like(modernbert, {.type = "modernbert", .sides = WindowSides::half_before_own, .mask = bidirectional}),
    like(modernbert, {.type = "modernbert-decoder", .sides = WindowSides::half_before}),
    {.type = "moonshine", .layout = interleaved, .fraction = 0.9F, .mask = by_stack},
    {.type = "moonshine_streaming", .layout = interleaved, .fraction = 0.8F, .mask = by_stack,
     .note = "the decoder; the encoder does not rotate"},
    {.type = "moonshine_streaming_encoder", .encoding = none, .windows = unread, .mask = bidirectional,
     .verified = by_reading,
     .note = "keys before and after as `sliding_windows` has them, where an attention mask is given"},
    {.type = "moshi", .layout = half},
    encoder({.type = "mpnet", .first_row = -1, .note = "scores also have a bias by buckets of distances"}),
    {.type = "mpt", .encoding = mpt, .own_keys = "attn_config alibi"},
    encoder({.type = "mra", .windows = unread, .first_row = 2, .note = "attends to blocks chosen at two resolutions"}),
    stacks({.type = "mt5", .encoding = t5, .scale = one}),
    {.type = "muse_glimmer_text", .layout = half, .base_key = "layer_rope_theta", .head_dim = 128, .scales_local = true,
     .layers = {.others = sliding, .every = 4, .end = PatternEnd::counted_from}, .window = 2048, .norm = before,
     .note = "normalized queries are multiplied by `qk_scale_factor`"},
    {.type = "musicgen_decoder", .encoding = sinusoidal, .note = "[cos, sin] with tensor2tensor's exponent"},
    {.type = "musicgen_melody_decoder", .encoding = sinusoidal, .note = "[cos, sin] with tensor2tensor's exponent"},
    stacks({.type = "mvp", .encoding = learned, .rows = 1024, .first_row = 2}),
    {.type = "nanochat", .layout = half, .is_inverse = true, .norm = after},
    {.type = "nemotron", .layout = half, .fraction = 0.5}, refused("nemotron_asr_streaming_encoder", projected),
    {.type = "nemotron_h", .encoding = none, .list = LayerList::unread},
    {.type = "new", .layout = half, .has_own_ntk = true, .rotates = ignored, .mask = bidirectional, .norm = norm_unread,
     .verified = by_reading, .source = "modeling.py of Alibaba-NLP/new-impl (gte)"},
    refused("nezha", "its scores depend on sinusoids of distances", by_reading_5_0),
    stacks(like(sinusoids, {.type = "nllb-moe"})),
    {.type = "nomic_bert", .layout = half, .base = 1000, .rotates = ignored, .mask = bidirectional},
    encoder({.type = "nystromformer", .rows = 510, .first_row = 2, .note = "attention is approximated by landmarks"}),
    {.type = "olmo", .layout = half}, {.type = "olmo2", .layout = half, .norm = before},
    {.type = "olmo3", .layout = half, .base = 500000, .local_base = 500000, .layers = {.others = sliding, .every = 4},
     .window = 4096, .norm = before},
    {.type = "olmo_hybrid", .layout = half, .rotates = null_base, .layers = {.others = linear, .every = 4,
     .end = PatternEnd::last_if_none}, .norm = before}, {.type = "olmoe", .layout = half, .norm = before},
    {.type = "open-llama", .layout = half, .verified = by_reading_5_0},
    {.type = "openai-gpt", .encoding = learned, .rows = 512, .source = "openai"},
    like(gpt_oss, {.type = "openai_privacy_filter", .layout = interleaved, .windows = everywhere,
     .sides = WindowSides::before_own, .mask = bidirectional,
     .note = "queries and keys are each multiplied by the root of the scale"}),
    {.type = "opt", .encoding = learned, .rows = 2048, .first_row = 2},
    {.type = "owlv2_text_model", .encoding = learned, .rows = 16},
    {.type = "owlvit_text_model", .encoding = learned, .rows = 16},
    {.type = "paddleocr_vl_text", .layout = half, .base = 500000, .head_dim = 128, .ids = "qwen2-vl"},
    patch_rows(qwen2_vision("paddleocr_vl_vision", 1152, 16)), refused("parakeet_ctc", projected),
    refused("parakeet_encoder", projected),
    {.type = "pe_audio_encoder", .layout = interleaved, .base = 20000, .head_dim = 128, .mask = bidirectional,
     .norm = before}, stacks({.type = "pegasus", .encoding = sinusoidal, .note = "[sin, cos] with exponent 2i/d"}),
    stacks({.type = "pegasus_x", .encoding = sinusoidal, .windows = unread,
     .note = "tensor2tensor's exponent; the encoder attends within blocks of `block_size`"}),
    refused("perceiver", "its preprocessor encodes positions"),
    {.type = "persimmon", .layout = half, .fraction = 0.5, .norm = before_unless_off},
    {.type = "phi", .layout = half, .fraction = 0.5, .norm = before_if_on},
    {.type = "phi3", .layout = half, .own_keys = fraction_key, .yarn_is_longrope = true, .windows = everywhere},
    {.type = "phi4_multimodal", .layout = half, .own_keys = fraction_key, .windows = everywhere},
    refused("phi4_multimodal_audio", "its scores have a bias by distances", by_reading, "phi4_multimodal"),
    {.type = "phimoe", .layout = half, .base = 1000000, .windows = everywhere, .note = "`short_factor` at any length"},
    {.type = "pix2struct_text_model", .encoding = t5, .scale = one},
    of_cells({.type = "pixtral", .hidden_size = 1024, .heads = 16, .ids = "pixtral"}),
    stacks({.type = "plbart", .encoding = learned, .rows = 1024, .first_row = 2}),
    stacks({.type = "pop2piano", .encoding = t5, .scale = one}), like(prophetnet, {.type = "prophetnet"}),
    bert({.type = "qdqbert", .verified = by_reading_5_0}),
    {.type = "qwen2", .layout = half, .windows = later_if_on, .window = 4096},
    like(audio, {.type = "qwen2_5_omni_audio_encoder", .source = "qwen2_5_omni"}),
    refused("qwen2_5_omni_dit", "only the first head rotates", by_reading, "qwen2_5_omni"),
    like(qwen2_vl, {.type = "qwen2_5_omni_talker", .head_dim = 128, .window = 32768, .ids = "qwen2.5-omni",
     .source = "qwen2_5_omni"}), like(qwen2_vl, {.type = "qwen2_5_omni_text", .window = 32768, .ids = "qwen2.5-omni"}),
    qwen2_vision("qwen2_5_omni_vision_encoder", 3584, 16, "qwen2_5_omni"),
    like(qwen2_vl, {.type = "qwen2_5_vl", .window = 4096, .first_window = 80, .ids = "qwen2.5-vl"}),
    like(qwen2_vl, {.type = "qwen2_5_vl_text", .window = 4096, .first_window = 80, .ids = "qwen2.5-vl"}),
    qwen2_vision("qwen2_5_vl_vision", 3584, 16),
    {.type = "qwen2_moe", .layout = half, .windows = alternating_if_on, .window = 4096},
    like(qwen2_vl, {.type = "qwen2_vl", .window = 4096, .first_window = 80, .ids = "qwen2-vl"}),
    like(qwen2_vl, {.type = "qwen2_vl_text", .window = 4096, .first_window = 80, .ids = "qwen2-vl"}),
    of_cells({.type = "qwen2_vl_vision", .own_keys = "embed_dim", .hidden_size = 1280, .heads = 16, .ids = "qwen2-vl"}),
    {.type = "qwen3", .layout = half, .head_dim = 128, .windows = later_if_on, .window = 4096, .norm = before},
    like(qwen3_next, {.type = "qwen3_5_moe_text", .ids = "qwen3-vl"}), qwen2_vision("qwen3_5_moe_vision", 1152, 16),
    like(qwen3_next, {.type = "qwen3_5_text", .ids = "qwen3-vl"}), qwen2_vision("qwen3_5_vision", 1152, 16),
    like(audio, {.type = "qwen3_asr_encoder"}),
    {.type = "qwen3_moe", .layout = half, .windows = everywhere_if_on, .window = 4096, .norm = before},
    like(qwen3_next, {.type = "qwen3_next"}),
    like(audio, {.type = "qwen3_omni_moe_audio_encoder", .source = "qwen3_omni_moe"}),
    {.type = "qwen3_omni_moe_talker_code_predictor", .layout = half, .head_dim = 128, .windows = later, .norm = before,
     .source = "qwen3_omni_moe"},
    like(qwen3_text, {.type = "qwen3_omni_moe_talker_text", .ids = "qwen3-omni", .source = "qwen3_omni_moe"}),
    like(qwen3_text, {.type = "qwen3_omni_moe_text", .base = 1000000, .ids = "qwen3-omni"}),
    qwen2_vision("qwen3_omni_moe_vision_encoder", 1152, 16, "qwen3_omni_moe"),
    like(qwen3_text, {.type = "qwen3_vl_moe_text", .base = 500000}), qwen2_vision("qwen3_vl_moe_vision", 1152, 16),
    like(qwen3_text, {.type = "qwen3_vl_text", .base = 500000, .head_dim = 128}),
    qwen2_vision("qwen3_vl_vision", 1152, 16),
    bert({.type = "realm", .mask = bidirectional, .verified = by_reading_5_0}),
    {.type = "recurrent_gemma", .layout = half, .fraction = 0.5, .layers = {.others = linear, .one = sliding,
     .every = 3}, .list = LayerList::repeated_types, .list_key = "block_types", .window_key = "attention_window_size",
     .window = 2048, .note = "this version ignores `partial_rotary_factor`"},
    refused("reformer", "its table is a sum of two, unless `axial_pos_embds` is false"),
    encoder({.type = "rembert", .mask = by_decoder_key}),
    encoder({.type = "retribert", .verified = by_reading_5_0, .note = "a BERT"}),
    bert({.type = "roberta", .first_row = -1}), bert({.type = "roberta-prelayernorm", .first_row = -1}),
    bert({.type = "roc_bert"}),
    {.type = "roformer", .layout = interleaved, .mask = by_decoder_key, .note = "from its sinusoidal table"},
    {.type = "rwkv", .encoding = none, .verified = by_reading},
    refused("sam3_vit_model", "columns and rows rotate as in RoPE-Axial, in windows", by_reading, "sam3"),
    refused("sam_hq_vision_model", embedded_cells, by_reading, "sam_hq"),
    refused("sam_vision_model", embedded_cells, by_reading, "sam"), like(seamless, {.type = "seamless_m4t"}),
    like(seamless, {.type = "seamless_m4t_v2"}), {.type = "seed_oss", .layout = half, .head_dim = 128},
    refused("seggpt", embedded_cells),
    {.type = "semantic", .encoding = learned, .rows = 1024, .rows_key = "block_size", .source = "bark"},
    refused("sew", "a convolution over the sequence encodes positions"),
    refused("sew-d", "its scores depend on projected distances, and a convolution over the sequence encodes positions"),
    encoder({.type = "siglip2_text_model", .rows = 64}), encoder({.type = "siglip_text_model", .rows = 64}),
    {.type = "smollm3", .layout = half, .base = 2000000, .layers = {.every = 4, .key = "no_rope_layer_interval",
     .has_switches = true}, .windows = unrotated_if_on},
    {.type = "solar_open", .layout = half, .base = 1000000, .own_keys = fraction_key, .head_dim = 128},
    stacks(like(sinusoids, {.type = "speech_to_text", .source = "speech_to_text"})),
    like(sinusoids, {.type = "speech_to_text_2", .verified = by_reading_5_0}),
    refused("speecht5", "its scores depend on embedded distances"), bert({.type = "splinter", .mask = bidirectional}),
    encoder({.type = "squeezebert"}), {.type = "stablelm", .layout = half, .fraction = 0.25, .norm = before_if_on},
    {.type = "starcoder2", .layout = half, .windows = everywhere},
    {.type = "step3p5", .layout = half, .base_key = "rope_theta", .own_keys = fraction_key, .head_dim = 128,
     .layers = {.every = 1}, .norm = before, .source = "step3p7"}, refused("swin", cells), refused("swin2sr", cells),
    refused("swinv2", cells), stacks({.type = "switch_transformers", .encoding = t5, .scale = one}),
    stacks({.type = "t5", .encoding = t5, .scale = one}),
    like(gemma2, {.type = "t5_gemma_module", .mask = by_decoder_key, .source = "t5gemma"}),
    like(gemma3, {.type = "t5gemma2_decoder", .note = "the encoder's keys, which do not rotate, are beside its own"}),
    like(gemma3, {.type = "t5gemma2_text", .sides = WindowSides::half_before, .mask = bidirectional,
     .note = "one key more after the query"}),
    encoder({.type = "tapas", .rows = 1024, .note = "cells begin anew unless `reset_position_index_per_cell` is "
         "false"}), like(forecast, {.type = "time_series_transformer"}),
    {.type = "timesfm2_5", .layout = half, .head_dim = 80, .norm = after, .verified = by_reading,
     .note = "each dimension of a query is also multiplied by a learned factor"},
    {.type = "tipsv2_text_model", .encoding = sinusoidal, .mask = bidirectional, .note = "tensor2tensor's exponent"},
    {.type = "trajectory_transformer", .encoding = learned, .rows = 249, .rows_key = "block_size",
     .verified = by_reading_5_0}, refused("transfo-xl", projected, by_reading_5_0),
    {.type = "trocr", .encoding = learned, .rows = 512, .first_row = 2,
     .sinusoidal = {.key = "use_learned_position_embeddings", .value = false}},
    stacks({.type = "udop", .encoding = t5, .scale = one}), stacks({.type = "umt5", .encoding = t5, .scale = one}),
    refused("unispeech", "a convolution over the sequence encodes positions"),
    refused("unispeech-sat", "a convolution over the sequence encodes positions"), like(gemma2, {.type = "vaultgemma"}),
    qwen2_vision("video_llama_3_vision", 768, 12),
    {.type = "videoprism_text_model", .encoding = sinusoidal, .softcap = 50, .note = "[sin, cos] with exponent 2i/d"},
    encoder({.type = "visual_bert"}), refused("vits", "its scores depend on embedded distances"),
    refused("vjepa2", "neighbours are paired, but the angles are those of halves"),
    {.type = "voxtral_realtime_encoder", .layout = half, .head_dim = 64, .windows = everywhere, .window = 750},
    {.type = "voxtral_realtime_text", .layout = half, .windows = everywhere, .window = 4096},
    refused("wav2vec2", "a convolution over the sequence encodes positions"),
    refused("wav2vec2-bert",
     "by `position_embeddings_type` its scores depend on distances, or the states before W_q and W_k rotate"),
    refused("wav2vec2-conformer",
     "by `position_embeddings_type` its scores depend on distances, or the states before W_q and W_k rotate"),
    refused("wavlm", "its scores have a bias by buckets, and a convolution over the sequence encodes positions"),
    stacks({.type = "whisper", .encoding = learned, .rows = 448, .rows_key = "max_target_positions",
     .note = "the encoder has `max_source_positions` sinusoids, tensor2tensor's exponent"}),
    {.type = "xclip_text_model", .encoding = learned, .rows = 77, .source = "x_clip"},
    like(sinusoids, {.type = "xglm"}), like(xlm, {.type = "xlm"}),
    like(prophetnet, {.type = "xlm-prophetnet", .verified = by_reading_5_0}),
    bert({.type = "xlm-roberta", .first_row = -1}), bert({.type = "xlm-roberta-xl", .rows = 514, .first_row = -1}),
    refused("xlnet", projected), {.type = "xlstm", .encoding = none, .verified = by_reading},
    bert({.type = "xmod", .first_row = -1}),
    encoder({.type = "yoso", .rows = 4096, .first_row = 2, .note = "attention is estimated by hashing"}),
    like(mla, {.type = "youtu"}),
    {.type = "zamba", .encoding = none, .list = LayerList::unread, .scale = half_head, .verified = by_reading},
    {.type = "zamba2", .layout = half, .rotates = use_mem_rope, .list = LayerList::hybrid_of_54,
     .list_key = "hybrid_layer_ids", .scale = half_head},
    like(by_type, {.type = "zaya", .own_keys = fraction_key, .layers = {.one = hybrid, .every = 1}}),
    // clang-format on
};

}  // namespace table

namespace {

constexpr std::size_t packed_size = packed::pack(table::rows, nullptr);

/// All rows; those above are for the compiler, and for tests.
constexpr std::array<char, packed_size> packed_rows = [] {
  std::array<char, packed_size> bytes{};
  packed::pack(table::rows, bytes.data());
  return bytes;
}();

constexpr std::string_view layer_type_names[]{"full_attention", "sliding_attention", "chunked_attention",
                                              "linear_attention", "hybrid"};

}  // namespace

std::string_view name_of(LayerType type) { return layer_type_names[static_cast<std::size_t>(type)]; }

std::span<const ModelType> model_types() { return table::rows; }

std::string source_of(const ModelType& row) {
  std::string_view name = row.source != nullptr ? std::string_view(row.source) : row.type;
  if (name.find('.') != name.npos) return std::string(name);
  if (row.source == nullptr)
    for (const std::string_view part : {"_model", "_text", "_vision", "_encoder", "_decoder", "_ctc"})
      if (name.ends_with(part)) name.remove_suffix(part.size());
  std::string file = "modeling_";
  for (const char letter : name) file += letter == '-' ? '_' : letter;
  file += ".py";
  return row.verified == Verified::by_reading_5_0 ? file + " of 5.0.0.dev0, d372b82754" : file;
}

ModelType model_type_of(std::string_view type) {
  for (const char* end = packed_rows.data(); end != packed_rows.data() + packed_size;) {
    const std::string_view name = end;
    const char* next = end + name.size() + 3;
    const std::ptrdiff_t low = static_cast<unsigned char>(next[-2]), high = static_cast<unsigned char>(next[-1]);
    end = next + low + 256 * high;
    if (name != type) continue;
    ModelType row;
    row.type = name;
    while (next != end) {
      const char place = *next++;
      char at = 0;
      const auto read = [&](auto& member) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if (++at != place) return;
        if constexpr (packed::is_text<Member>)
          member = next;
        else
          std::memcpy(&member, next, sizeof member);
        next += packed::is_text<Member> ? std::strlen(next) + 1 : sizeof member;
      };
      packed::each_member(read, row);
    }
    return row;
  }
  return {};
}

}  // namespace posenc
