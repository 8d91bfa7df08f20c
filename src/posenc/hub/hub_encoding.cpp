#include "posenc/hub/hub_encoding.hpp"

#include <algorithm>
#include <string>

#include "posenc/base/check.hpp"
#include "posenc/hub/config_reader.hpp"

namespace posenc {
namespace {

constexpr std::string_view names[]{"rotary", "none", "learned", "sinusoidal", "alibi", "t5", "grid", "shaw", "unknown"};

/// The option of the keys that determine the encoding.
constexpr const char* encoding_option = "encoding";

class EncodingReader {
 public:
  EncodingReader(ConfigReader& reader, const TextConfig& config)
      : reader_(reader), config_(config.text), type_(config.type) {}

  HubEncoding read() {
    if (type_.type.empty() && !find_positional_key()) return encoding::Unknown{};
    if (type_.encoding != TypeEncoding::rotary) return of_unrotated();
    if (is_on(config_, "alibi")) return alibi_of(config_, {.slopes = AlibiSlopes::paper}, "alibi");
    if (is_on(reader_.object(config_, "attn_config"), "alibi")) return mpt();
    return of_switches();
  }

 private:
  /// Whether a switch that is off by default says which encoding there is.
  bool is_on(const Section& section, const char* key) {
    bool on = false;
    reader_.read(section, key, on, encoding_option);
    return on;
  }

  static constexpr const char* switches =
      "alibi rope rotary use_rope use_rotary use_rotary_emb use_rotary_embeddings use_nope";

  /// Finds a key that says how positions are encoded, and not only how many there are.
  bool find_positional_key() {
    if (config_.object == nullptr || config_.object->object() == nullptr) return false;
    bool is_found = false;
    for (const ConfigMember& member : *config_.object->object()) {
      const std::string_view name = member.key;
      const ConfigValue* const value = config_.object->find(name);
      // One position does not describe the cells of an image or a video, whatever "rope" is called there.
      const bool is_grid = has_part(name, "patch_size image_size axes_dim axes_len _axes sample_height");
      const bool* const flag = value_at<bool>(config_, name);
      const bool is_false = flag != nullptr && !*flag;
      const bool is_off = flag != nullptr && name != "mla_use_nope" && name != "alibi" &&
                          (*flag ? has_part(name, "nope no_ro alibi") : name.starts_with("use_ro"));
      if (is_grid || is_off) return false;
      const bool is_inside = name == "attn_config" && value != nullptr &&
                             (value->find("alibi") != nullptr || value->find("rope") != nullptr);
      const bool is_named = has_part(name, "rope rotary position_embedding_type use_nope") || name == "alibi";
      if (!is_inside && (!is_named || is_false)) continue;
      // A switch says that it is so; of others, and of numbers of a rotation, it is assumed that they are about it.
      bool is_on = false;
      if (flag != nullptr && is_word(switches, name)) reader_.read(config_, member.key.c_str(), is_on, encoding_option);
      is_found = true;
    }
    return is_found;
  }

  HubEncoding of_unrotated() {
    // Version 5 has removed the other values of this key. BertSelfAttention of 4.53.3 had these two.
    std::string word;
    const bool has_word = type_.encoding == TypeEncoding::learned;
    const bool is_named =
        has_word && reader_.read(config_, "position_embedding_type", word, encoding_option) && word != "absolute";
    const bool is_of_keys = word == "relative_key_query";
    if (type_.has_relative_keys && (is_of_keys || word == "relative_key"))
      return encoding::RelativeKeys{rows_of_table() - 1, is_of_keys};
    if (is_named)
      reader_.refuse(config_, "position_embedding_type", expected::exactly, {"\"absolute\""},
                     " in a model of that type");
    switch (type_.encoding) {
      case TypeEncoding::learned:
        return learned();
      case TypeEncoding::sinusoidal:
        return encoding::Sinusoidal{first_row()};
      case TypeEncoding::alibi:
        return alibi_of(config_, {.slopes = AlibiSlopes::paper}, "n_head");
      case TypeEncoding::mpt:
        return mpt();
      case TypeEncoding::t5:
        return t5();
      case TypeEncoding::grid:
        return grid();
      case TypeEncoding::unsupported:
        reader_.refuse(config_, "model_type", expected::known_encoding, {type_.note});
        return encoding::None{};
      default:
        return encoding::None{};
    }
  }

  HubEncoding learned() {
    if (is_sinusoidal()) return encoding::Sinusoidal{first_row()};
    encoding::Learned table{rows_of_table(), first_row()};
    if (type_.first_row > 0) table.rows += type_.first_row;  // the config counts positions
    return table;
  }

  std::int64_t rows_of_table() {
    std::int64_t rows = type_.rows;
    const char* keys = "max_position_embeddings n_positions";
    if (type_.rows_key != nullptr && reader_.read(config_, type_.rows_key, "", rows))
      keys = type_.rows_key;
    else
      reader_.read(config_, keys, "", rows);
    if (rows < 1) reader_.refuse_below_one(config_, keys);
    return rows;
  }

  bool is_sinusoidal() {
    const auto [key, value] = type_.sinusoidal;
    if (key == nullptr) return false;
    bool given = !value;
    reader_.read(config_, key, given, encoding_option);
    return given == value;
  }

  std::int64_t first_row() {
    if (type_.first_row >= 0) return type_.first_row;
    std::int64_t padding = type_.padding;
    reader_.read(config_, "pad_token_id", "", padding);
    return padding + 1;
  }

  HubEncoding grid() {
    // CogVideoX-2B has a sinusoidal table in its place.
    if (type_.rotates == RotationSwitch::use_rotary && !is_on(config_, "use_rotary_positional_embeddings"))
      return encoding::Unknown{};
    encoding::Grid made{type_.ids, 0, {}, {}};
    if (type_.ids == "qwen2-vl") {
      made.merge = type_.merge;
      if (type_.merge != 1 && reader_.read(config_, "spatial_merge_size", "", made.merge) && made.merge < 1)
        reader_.refuse_below_one(config_, "spatial_merge_size");
    }
    std::vector<double> dims;
    reader_.read(config_, "axes_dims_rope rope_axes_dim", "dims", dims);
    for (std::size_t i = 0; i < std::min(dims.size(), made.dims.size()); ++i) made.dims[i] = dims[i];
    reader_.read(config_, "head_dim attention_head_dim", "", made.dim);
    std::int64_t size = type_.hidden_size;
    reader_.read(config_, "embed_dim", "", size) || *type_.own_keys != '\0' ||
        reader_.read(config_, "hidden_size", "", size);
    std::int64_t count = heads();
    if (count == 0) count = type_.heads;
    if (made.dim == 0 && count > 0) made.dim = size / count;
    if (made.dim < 2) reader_.refuse(config_, "head_dim", expected::whole_or_hidden_size);
    const Section rope = reader_.object(config_, "rope_parameters");
    if (!reader_.read(rope, "rope_theta", "base", made.base)) reader_.read(config_, "rope_theta", "base", made.base);
    if (type_.ids == "wan") reader_.ignore(config_, "rope_max_seq_len");  // the length of a table that it computes
    return made;
  }

  std::int64_t heads() {
    constexpr const char* keys = "num_attention_heads n_heads n_head num_heads";
    std::int64_t heads = 0;
    if (reader_.read(config_, keys, "", heads) && heads < 1) reader_.refuse_below_one(config_, keys);
    return heads;
  }

  HubEncoding alibi_of(const Section& section, AlibiOptions options, std::string_view key) {
    options.distance = type_.mask == MaskRule::causal ? AlibiDistance::linear : AlibiDistance::symmetric;
    const std::int64_t count = heads();
    if (count < 1) {
      const ConfigValue* const given = section.object != nullptr ? section.object->find(key) : nullptr;
      if (given != nullptr) reader_.refuse(section, key, expected::heads_beside);
      reader_.refuse(section, key, expected::number, {}, " of heads");
    }
    return encoding::Alibi{count, options};
  }

  /// MPT by its own code, llm-foundry; transformers 5 ignores `alibi` and `alibi_bias_max` and always has true and 8.
  HubEncoding mpt() {
    const Section attention = reader_.object(config_, "attn_config");
    bool alibi = true;
    bool rotates = false;
    AlibiOptions options{.slopes = AlibiSlopes::mpt};
    reader_.read(attention, "alibi", alibi, encoding_option);
    reader_.read(attention, "rope", rotates, encoding_option);
    reader_.read(attention, "alibi_bias_max", "", options.steepness);
    const bool is_bias = options.steepness > 0 && options.steepness <= 1000;
    if (!is_bias) reader_.refuse(attention, "alibi_bias_max", expected::above_to, {0, 1000});
    if (alibi) return alibi_of(attention, options, "alibi");
    if (rotates) return encoding::Rotary{};
    std::int64_t rows = 2048;
    reader_.read(config_, "max_seq_len", "", rows);
    return encoding::Learned{rows, 0};
  }

  HubEncoding t5() {
    encoding::T5 bias{heads(), 32, 128};
    reader_.read(config_, "relative_attention_num_buckets", "", bias.buckets);
    reader_.read(config_, "relative_attention_max_distance", "", bias.max_distance);
    if (bias.heads < 1) reader_.refuse(config_, "num_heads", expected::number, {}, " of heads");
    if (bias.buckets < 4) reader_.refuse(config_, "relative_attention_num_buckets", expected::at_least, {4});
    if (bias.max_distance <= bias.buckets / 2)
      reader_.refuse(config_, "relative_attention_max_distance", expected::more_than_half_buckets);
    return bias;
  }

  /// Reads the switches of models that can rotate.
  HubEncoding of_switches() {
    // Kimi Linear's other layers have no positions.
    if (is_on(config_, "mla_use_nope")) return encoding::None{};
    if (type_.rotates == RotationSwitch::use_mem_rope && !is_on(config_, "use_mem_rope")) return encoding::None{};
    if (type_.rotates == RotationSwitch::null_base && has_null_base()) return encoding::None{};
    return of_position_type();
  }

  /// The base of published checkpoints is in the dictionary, or beside it where there is none.
  bool has_null_base() {
    const Section rope = reader_.object(config_, "rope_parameters");
    return reader_.is_null(rope.object != nullptr ? rope : config_, "rope_theta");
  }

  bool has_no_rope() {
    for (const char* const key : {"rope_parameters", "rope_scaling", "rope_theta"})
      if (config_.object->find(key) != nullptr) return false;
    return true;
  }

  HubEncoding of_position_type() {
    constexpr const char* key = "position_embedding_type";
    const bool is_off = type_.rotates == RotationSwitch::position_type_or_off;
    const bool is_table = type_.rotates == RotationSwitch::position_type_or_table;
    std::string type = is_off ? "none" : is_table ? "absolute" : "rope";
    const bool is_ignored = type_.rotates == RotationSwitch::ignored;
    if (is_position_type(type_.rotates) && !is_ignored && !type_.type.empty()) return encoding::Rotary{};
    reader_.read(config_, key, type, is_ignored ? "" : encoding_option);
    if (is_ignored) return encoding::Rotary{};
    if (type == "rope" || type == "rotary") return encoding::Rotary{};
    if (type == "nope" || type == "none" || is_off) return encoding::None{};
    if (type == "alibi") return alibi_of(config_, {.slopes = AlibiSlopes::paper}, key);
    if (type == "absolute" && !is_table && !has_no_rope()) return encoding::Rotary{};
    if (type == "absolute" || type == "learned" || type == "learned_absolute") return learned();
    reader_.refuse(config_, key, expected::one_of, {"\"rope\", \"nope\", \"alibi\", \"absolute\""});
    return encoding::None{};
  }

  ConfigReader& reader_;
  const Section& config_;
  const ModelType& type_;
};

}  // namespace

std::string_view name_of(const HubEncoding& encoding) { return names[encoding.index()]; }

HubEncoding read_encoding(ConfigReader& reader, const TextConfig& config) {
  return EncodingReader(reader, config).read();
}

}  // namespace posenc
