#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/hub_encoding.hpp"

namespace posenc {
namespace {

/// What a type's class has.
struct SecondRow {
  std::string_view types;
  std::string_view of;
  std::string_view keys = {};  ///< the first for the rows or buckets
  std::int64_t count = 0;
  TypeEncoding encoding = TypeEncoding::unsupported;  ///< none of this library's
  const char* distance_key = "";
  const char* switch_key = "";  ///< false: there is none, and that is the default if it is to be used ("use_...")
};

constexpr auto rows_of = TypeEncoding::learned;
constexpr auto buckets_of = TypeEncoding::t5;

/// Read in each type's file (source_of) of transformers 5.16.0.dev0 and, of names in capitals, of diffusers.
constexpr SecondRow second_rows[]{
    {"CogVideoXTransformer3DModel", "table", "", 0, TypeEncoding::unsupported, "", "use_learned_positional_embeddings"},
    {"CogVideoXTransformer3DModel FluxTransformer2DModel HunyuanVideoTransformer3DModel WanTransformer3DModel",
     "timesteps"},
    {"bros", "boxes", "dim_bbox bbox_scale"},
    {"clvp_decoder", "text"},
    {"git", "images"},
    {"layoutlm layoutlmv2 layoutlmv3 lilt", "boxes", "max_2d_position_embeddings", 1024, rows_of},
    {"layoutlmv2 layoutlmv3", "distances", "rel_pos_bins", 32, buckets_of, "max_rel_pos",
     "has_relative_attention_bias"},
    {"layoutlmv2 layoutlmv3", "distances of boxes", "rel_2d_pos_bins", 64, buckets_of, "max_rel_2d_pos",
     "has_spatial_attention_bias"},
    {"led", "decoder", "max_decoder_position_embeddings", 1024, rows_of},
    {"longt5", "global keys"},
    {"luke", "entities"},
    {"lxmert", "boxes"},
    {"markuplm", "paths"},
    {"moonshine_streaming", "encoder", "max_position_embeddings", 4096, rows_of},
    {"mpnet", "distances", "relative_attention_num_buckets", 32, buckets_of},
    {"prophetnet xlm-prophetnet", "distances", "relative_max_distance"},
    {"seamless_m4t seamless_m4t_v2", "speech", "position_embeddings_type"},
    {"tapas", "cells"},
    {"udop", "boxes", "max_2d_position_embeddings relative_bias_args"},
    {"visual_bert", "images", "max_position_embeddings", 512, rows_of},
    {"whisper", "encoder", "max_source_positions", 1500, TypeEncoding::sinusoidal},
};

}  // namespace

std::vector<SecondEncoding> read_second_encodings(ConfigReader& reader, const TextConfig& config) {
  std::vector<SecondEncoding> found;
  for (const SecondRow& row : second_rows) {
    if (!is_word(row.types, config.type.type)) continue;
    bool is_on = !std::string_view(row.switch_key).starts_with("use_");
    reader.read(config.text, row.switch_key, is_on);
    reader.ignore(config.text, row.keys);
    if (!is_on) continue;
    HubEncoding& made = found.emplace_back(row.of, encoding::Unknown{}).encoding;
    encoding::T5 bias{0, row.count, 4 * row.count};
    const std::string key(row.keys);
    if (row.count != 0 && reader.read(config.text, key.c_str(), "", bias.buckets) && bias.buckets < 1)
      reader.refuse_below_one(config.text, key);
    if (row.encoding == rows_of) made = encoding::Learned{bias.buckets, 0};
    if (row.encoding == TypeEncoding::sinusoidal) made = encoding::Sinusoidal{0};
    if (row.encoding != buckets_of || !reader.read(config.text, "num_attention_heads", "", bias.heads)) continue;
    reader.read(config.text, row.distance_key, "", bias.max_distance);
    made = bias;
  }
  return found;
}

}  // namespace posenc
