#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// The positional encoding of a type of model.
enum class TypeEncoding : std::uint8_t {
  rotary,       ///< unless a switch of its config is off (RotationSwitch)
  none,         ///< masks and recurrent layers alone distinguish positions
  learned,      ///< a table of `rows` rows, position p in row p + `first_row`
  sinusoidal,   ///< a table, position p in row p + `first_row`
  alibi,        ///< with the paper's slopes
  mpt,          ///< ALiBi with llm-foundry's slopes, rotary or a learned table, as `attn_config` has it
  t5,           ///< a bias by buckets of distances
  grid,         ///< rotation by coordinates, as the preset of rotary_grid that `ids` names
  unsupported,  ///< refused, with `note` as the reason
};

/// The key that decides whether a model rotates.
enum class RotationSwitch : std::uint8_t {
  position_type,         ///< `position_embedding_type`, "rope" by default, if the type is not listed: no class reads it
  position_type_or_off,  ///< the same, "none" by default
  position_type_or_table,  ///< the same, "absolute" by default
  ignored,                 ///< `position_embedding_type` is left over from BERT: the model rotates whatever its value
  use_mem_rope,            ///< false by default
  use_rotary,              ///< `use_rotary_positional_embeddings`, false by default (CogVideoX)
  null_dictionary,         ///< layers of a type whose dictionary is null do not
  null_base,               ///< `rope_theta` null: does not rotate
};

/// Whether a model rotates unless its config says otherwise.
[[nodiscard]] constexpr bool is_position_type(RotationSwitch rule) {
  return rule == RotationSwitch::position_type || rule == RotationSwitch::ignored ||
         rule == RotationSwitch::null_dictionary;
}

/// Layers that have a sliding window, where `layer_types` is not given.
enum class Windows : std::uint8_t {
  by_pattern,         ///< those that LayerPattern makes sliding
  everywhere,         ///< all, if the config has a window
  everywhere_if_on,   ///< all, if `use_sliding_window` is true
  later_if_on,        ///< those from `max_window_layers` on, if `use_sliding_window` is true
  later,              ///< the same, but `use_sliding_window` is true by default
  alternating_if_on,  ///< layers 0, 2, 4, ... below `max_window_layers`, if `use_sliding_window` is true
  unrotated_if_on,    ///< layers that do not rotate, if `use_sliding_window` is true
  unread,             ///< not known: no column says what the class does
};

/// The keys that a window of `sliding_window` = n reaches.
enum class WindowSides : std::uint8_t {
  before,           ///< n keys, the query's own included
  before_own,       ///< n keys on either side of the query's own
  half_before,      ///< n / 2 keys, the query's own included
  half_before_own,  ///< n / 2 keys on either side of the query's own (ModernBERT)
};

/// Names the rule for which keys a query attends to, before windows (Model::mask).
enum class MaskRule : std::uint8_t {
  causal,            ///< its own and those before it
  bidirectional,     ///< all
  by_decoder_key,    ///< all, or causal if `is_decoder` is true
  by_direction_key,  ///< causal, or all if `use_bidirectional_attention` is true or "all"; windows then have two sides
  by_stack,          ///< all in the encoder, causal in the decoder
  mask_unread,       ///< not known
};

/// Names of layers, as `layer_types` has them.
enum class LayerType : std::uint8_t { full, sliding, chunked, linear, hybrid };

/// "full_attention", ...
[[nodiscard]] std::string_view name_of(LayerType type);

/// The layer at an end of the stack that departs from the pattern.
enum class PatternEnd : std::uint8_t {
  none,
  first,         ///< layer 0 is of the type `one`
  last,          ///< the last layer is, even if `layer_types` has another
  last_if_none,  ///< the last layer is, if no other is
  counted_from,  ///< the last layer is of the type `one`, as is each `every`th before it; these do not rotate
};

/// The layers with attention that rotate.
enum class RotatingLayers : std::uint8_t {
  all,
  others,   ///< those that are not of the pattern's type `one`
  windows,  ///< those that have a window, and the first ones without experts (`first_k_dense_replace`)
};

/// Layer types that a model's code makes from a number: one layer in `every` is of the type `one`.
struct LayerPattern {
  LayerType others = LayerType::full;
  LayerType one = LayerType::full;
  std::int16_t every = 0;     ///< 0: the type has no pattern
  const char* key = nullptr;  ///< of the config, for `every`
  bool is_first = false;      ///< `one` is the first layer of each group; else the last
  RotatingLayers rotating = RotatingLayers::all;
  bool needs_window = false;  ///< there is no pattern where `sliding_window` is null
  bool has_switches = false;  ///< `no_rope_layers` has a number for each layer, 1 where it rotates
  PatternEnd end = PatternEnd::none;
};

/// Layer types that a list in the config encodes.
enum class LayerList : std::uint8_t {
  none,
  attention_indices,  ///< indices of the layers with full attention; the others are linear
  sliding_flags,      ///< 0: full attention, else sliding
  compress_ratios,    ///< 0: sliding, 4: compressed sparse, else heavily compressed
  repeated_types,     ///< names, repeated over all layers
  counted_types,      ///< [[names, number], ...]: each of the lists of names so many times ("global", "local")
  cross_attention,    ///< indices of the layers that attend to another input and do not rotate
  unread,             ///< which layers have attention is not known
  hybrid_of_54,       ///< `layers_block_type` names layers, else there are 54 (Zamba 2); indices have no effect
};

/// The factor of scores q·k, where d is the dimension of a head.
enum class ScoreScale : std::uint8_t {
  head,                   ///< 1 / √d
  head_mscale,            ///< g² / √d with YaRN's g(factor, mscale_all_dim)
  half_head,              ///< 1 / √(d / 2)
  one,                    ///< 1
  query_pre_attn_scalar,  ///< 1 / √query_pre_attn_scalar, 256 by default
  multiplier,             ///< `attention_multiplier`, 1 by default
  multiplier_or_head,     ///< `attention_multiplier`, else 1 / √d
  switches,  ///< 1 / √d, or 1 if `scale_attn_weights` is false; divided by the number of the layer, counted
             ///< from 1, if `scale_attn_by_inverse_layer_idx` is true
};

/// Where queries and keys are normalized, each by itself. The keys are `use_qk_norm` and `qk_layernorm`.
enum class QkNorm : std::uint8_t {
  never,
  before,              ///< before they rotate, and in layers that do not
  after,               ///< after they rotated
  of_cross_attention,  ///< in layers of cross-attention alone
  norm_unread,         ///< not known, nor whether scores have a cap or a sink
  before_unless_off,   ///< unless a key is false
  after_unless_off,    ///< the same, in layers that rotate alone
  before_if_on,        ///< if a key is true
};

/// Layers that have attention sinks: a learned score of each head, of which softmax drops the weight.
enum class Sinks : std::uint8_t {
  none,
  everywhere,
  in_windows,  ///< unless `add_swa_attention_sink_bias` and `add_full_attention_sink_bias` say otherwise
};

/// The rule by which queries are multiplied according to their position.
enum class TemperatureRule : std::uint8_t {
  none,
  llama4,      ///< in layers that do not rotate: `attn_temperature_tuning`, `attn_scale`, `floor_scale`
  ministral3,  ///< in all layers: `llama_4_scaling_beta`
};

/// The key that makes a table sinusoidal where it is otherwise learned.
struct SinusoidalSwitch {
  const char* key = nullptr;  ///< nullptr: there is none
  bool value = true;          ///< with which the table is sinusoidal; the default is the other
};

/// Heads of their own that choose a layer's keys.
struct IndexerRule {
  Layout layout = Layout::unnamed;   ///< unnamed: the type has no indexer
  bool has_layout_of_plan = false;   ///< the attention's layout in its place
  bool is_at_end = false;            ///< the rotated dimensions are the last of a head
  const char* layer_type = nullptr;  ///< the layers that have one; nullptr: all
};

/// How the numbers of this library were checked against a model's own code.
enum class Verified : std::uint8_t {
  by_numbers,      ///< tests/api/hub/models.json has what the code computed
  by_reading,      ///< the code was read
  by_reading_5_0,  ///< that of 5.0.0.dev0, d372b82754, the last that had the type
};

/// Holds what a type's code fixes, and what its configs may leave out.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): members are in the order in which rows are read
struct ModelType {
  std::string_view type = {};
  TypeEncoding encoding = TypeEncoding::rotary;
  Layout layout = Layout::unnamed;

  float base = 10000;
  float local_base = 0;            ///< of sliding attention, which then has a plan of its own; 0: none
  const char* base_key = nullptr;  ///< takes precedence over `rope_theta`; a list has a base for each layer
  const char* own_keys = "";       ///< those that few classes read, and its own does
  std::int16_t hidden_size = 0;    ///< where wrappers' configs have none; 0: it has to be given
  std::int16_t heads = 0;          ///< the same
  std::int16_t head_dim = 0;       ///< of the part that rotates, where heads are split; 0: hidden size / heads
  std::int16_t unrotated_dim = 0;  ///< of the other part, without `qk_nope_head_dim`
  float fraction = 1;              ///< of the dimensions that rotate
  std::int16_t rotary_dim = 0;     ///< in place of the fraction, if not 0
  bool scales_local = false;       ///< one dictionary for all layers scales sliding attention too
  bool is_slice = false;           ///< the rotated fraction is a head's last dimensions
  bool is_inverse = false;         ///< rotates by the opposite angle
  bool is_nested = false;          ///< needs a dictionary for each layer type: its class's defaults are not known here
  bool needs_rope = false;         ///< needs a dictionary: its class's default has a rule
  bool yarn_is_longrope = false;   ///< its first configs call LongRoPE "yarn"
  bool has_own_ntk = false;        ///< rule "ntk": base times f, and all frequencies divided by f^(2 / dimensions)
  bool is_compressed = false;      ///< DeepSeek-V4: plans "main" and "compress", outputs rotated back

  RotationSwitch rotates = RotationSwitch::position_type;
  LayerPattern layers = {};
  LayerList list = LayerList::none;
  const char* list_key = nullptr;
  Windows windows = Windows::by_pattern;
  WindowSides sides = WindowSides::before;
  MaskRule mask = MaskRule::causal;
  const char* window_key = "sliding_window";
  std::uint16_t window = 0;        ///< where no key has it; 0: no window
  std::int16_t first_window = 28;  ///< `max_window_layers` where it is not given

  ScoreScale scale = ScoreScale::head;
  QkNorm norm = QkNorm::never;
  Sinks sinks = Sinks::none;
  std::int16_t softcap =
      0;  ///< c of c·tanh(score / c) where `attn_logit_softcapping` is not given; 0: the key is not read
  TemperatureRule temperature = TemperatureRule::none;
  IndexerRule indexer = {};
  std::string_view ids = {};  ///< the preset of mrope_positions by which it numbers tokens, or of rotary_grid
  std::uint8_t merge = 2;  ///< `spatial_merge_size` of the grid "qwen2-vl"; 1: rows of patches, whatever the key says
  bool is_time_last = false;  ///< M-RoPE sections are height, width, time; 22, 22, 20 by default

  const char* without_mla = nullptr;  ///< the type whose attention it has where `use_mla` is false

  std::int16_t rows = 0;           ///< of a learned table
  const char* rows_key = nullptr;  ///< takes precedence over `max_position_embeddings` and `n_positions`
  std::int16_t first_row = 0;      ///< of a table; -1: one after `pad_token_id`
  std::int16_t padding = 1;        ///< `pad_token_id` by default
  SinusoidalSwitch sinusoidal = {};
  bool has_relative_keys = false;  ///< in transformers 4, by `position_embedding_type`

  Verified verified = Verified::by_numbers;
  const char* source = nullptr;  ///< the file, or X of modeling_X.py; nullptr: X is the type without its part
  const char* note = nullptr;    ///< what no other member states
};

/// The release of Hugging Face transformers whose modeling_*.py and configuration_*.py the rows were read in.
inline constexpr std::string_view transformers_version = "5.16.0.dev0, c49429ed1f, 16 August 2026";

/// All types that are known, in alphabetical order. A module that does not call it does without these rows:
/// model_type_of reads them packed.
[[nodiscard]] std::span<const ModelType> model_types();

/// The file in which a row was read.
[[nodiscard]] std::string source_of(const ModelType& row);

/// The row of a type, without its note unless it is refused; one without layout for a type that is not known.
[[nodiscard]] ModelType model_type_of(std::string_view type);

/// Whether layers of the type can have windows.
[[nodiscard]] constexpr bool has_windows(const ModelType& row) {
  return row.windows != Windows::by_pattern || row.layers.every != 0 || row.list != LayerList::none || row.window != 0;
}

/// Whether the row is that of a known type whose encoding this library has.
[[nodiscard]] constexpr bool is_known(const ModelType& row) {
  return row.layout != Layout::unnamed || row.encoding != TypeEncoding::rotary;
}

}  // namespace posenc
