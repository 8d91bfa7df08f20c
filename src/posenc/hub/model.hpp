#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/base/names.hpp"
#include "posenc/hub/hub_config.hpp"
#include "posenc/rotary/query_temperature.hpp"

namespace posenc {

/// The keys that a query attends to; a causal mask excludes the later ones of them (Model::mask).
enum class Reach : std::uint8_t {
  unknown,  ///< of a type that is not listed, unless its config says it
  all,
  window,  ///< the last `reach` ones, its own included; in an encoder as many after it
  chunk,   ///< those whose positions have the same quotient by `reach`
};

template <>
inline constexpr auto names_of<Reach> = Names(
    "reach", {{"unknown", Reach::unknown}, {"all", Reach::all}, {"window", Reach::window}, {"chunk", Reach::chunk}});

/// The keys that a query attends to, before windows.
enum class Mask : std::uint8_t {
  unknown,
  causal,           ///< its own and those before it
  bidirectional,    ///< all
  encoder_decoder,  ///< all in the encoder, those before in the decoder
};

template <>
inline constexpr auto names_of<Mask> = Names("mask", {{"unknown", Mask::unknown},
                                                      {"causal", Mask::causal},
                                                      {"bidirectional", Mask::bidirectional},
                                                      {"encoder-decoder", Mask::encoder_decoder}});

/// When a layer normalizes queries and keys, each by itself.
enum class Normalizes : std::uint8_t { never, before_rotation, after_rotation };

template <>
inline constexpr auto names_of<Normalizes> = Names(
    "norm", {{"", Normalizes::never}, {"before", Normalizes::before_rotation}, {"after", Normalizes::after_rotation}});

/// The dimensions of a head that rotate: `count` of `dim`, from `first` on.
struct HeadDims {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t dim = 0;
};

/// Heads that choose a layer's keys: they rotate by the layer's frequencies, in their own dimensions and layout.
struct Indexer {
  HeadDims dims;
  Layout layout = Layout::unnamed;
  double score_scale = 1;
};

/// Consecutive layers that use positions alike.
struct ModelLayers {
  HubLayers layers;
  std::optional<std::size_t> plan;  ///< index into HubConfig::plans; none if nothing rotates
  HeadDims dims;                    ///< valid if there is a plan
  Reach reaches = Reach::all;
  std::int64_t reach = 0;
  std::optional<QueryTemperature> temperature;
  /// The factor of scores q·k without attention factors; none for an unknown type of model.
  std::optional<double> score_scale;
  Normalizes norm = Normalizes::never;
  /// c of c·tanh(score / c), which takes the place of scores before the mask.
  std::optional<double> softcap;
  /// Whether softmax counts a learned score of each head, of a key without a value.
  bool has_sinks = false;
  std::optional<Indexer> indexer;
  /// The number of positions that one compressed key represents, rotated at the first of them; 0: not compressed.
  std::int64_t compression = 0;
  /// Whether the attention's output is rotated too, back by the query's position (values were rotated with the keys).
  bool rotates_outputs = false;
};

/// The rule by which a model's code numbers its tokens.
struct ModelIds {
  /// "sequence" for 0, 1, 2, ...; a preset of mrope_positions; or empty for positions of several axes in a model of an
  /// unknown type.
  std::string_view rule = "sequence";
  std::optional<std::int64_t> merge;        ///< of the vision part: `spatial_merge_size`
  std::optional<double> tokens_per_second;  ///< of the vision part
};

struct Model {
  std::string model_type = {};
  /// The path of the text's config: "text_config.", or empty.
  std::string path = {};
  /// `max_position_embeddings`
  std::optional<double> length = {};
  /// `original_max_position_embeddings`, in a rope dictionary or beside it.
  std::optional<double> original_length = {};
  HubConfig config;
  std::vector<ModelLayers> layers = {};
  ModelIds ids = {};
  Mask mask = Mask::unknown;
};

/// Reads the positional encoding of a model, layer by layer.
///
/// - Dimensions: the first ones of a head, but the last ones where it is split (DeepSeek and models of its code).
/// - Mask: `is_causal` false makes decoders bidirectional; their windows are then as large on both sides.
/// - Scale of the scores: 1 / sqrt(dimensions of a head), both parts of a split one, times the square of
///   g(factor, mscale_all_dim) in models of DeepSeek-V3's code, unless the type's row has another (ScoreScale).
/// - Norms, caps and sinks: those of the type's attention; layers without softmax have none.
///
/// Sources: modeling_*.py of Hugging Face transformers, version 5 of August 2026. Errors: those of read_hub_config, and
/// values of these keys that are of another kind or out of range.
///
/// `path` is that of the config itself where it is a part of another ("vision_config."): keys are named with it.
[[nodiscard]] Expected<Model> read_model(const ConfigValue& config, std::string_view path = {});

/// The same of a config whose text and type are found already: a test changes the type's row.
[[nodiscard]] Expected<Model> read_model(class ConfigReader& reader, const struct TextConfig& text);

}  // namespace posenc
