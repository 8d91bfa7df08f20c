#include "posenc/hub/hub_encoding.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "posenc/base/check.hpp"
#include "posenc/hub/config_reader.hpp"

namespace posenc {
namespace {

enum class Means : std::uint8_t { none, learned, sinusoidal, bloom, mpt, t5, unsupported };

/// A model that does not rotate. Each was read in Hugging Face transformers' modeling_*.py, version 5 of August 2026.
struct UnrotatedModel {
  std::string_view model_type;
  Means means;
  std::int16_t rows = 0;       ///< where the config leaves them out: its class's default
  std::int16_t first_row = 0;  ///< -1: one behind that of `pad_token_id`, 1 by default
};

constexpr UnrotatedModel unrotated_models[]{
    {"albert", Means::learned, 512},
    {"bart", Means::learned, 1024, 2},
    {"bert", Means::learned, 512},
    {"biogpt", Means::learned, 1024, 2},
    {"bloom", Means::bloom},
    {"camembert", Means::learned, 512, -1},
    {"deberta", Means::unsupported},
    {"deberta-v2", Means::unsupported},
    {"distilbert", Means::learned, 512},
    {"electra", Means::learned, 512},
    {"ernie", Means::learned, 512},
    {"falcon_mamba", Means::none},
    {"fsmt", Means::sinusoidal, 0, 2},
    {"gpt2", Means::learned, 1024},
    {"gpt_bigcode", Means::learned, 1024},
    {"gpt_neo", Means::learned, 2048},
    {"jamba", Means::none},
    {"layoutlm", Means::learned, 512},
    {"longt5", Means::t5},
    {"m2m_100", Means::sinusoidal, 0, 2},
    {"mamba", Means::none},
    {"mamba2", Means::none},
    {"marian", Means::sinusoidal},
    {"mbart", Means::learned, 1024, 2},
    {"mpnet", Means::learned, 512, -1},
    {"mpt", Means::mpt},
    {"mt5", Means::t5},
    {"nemotron_h", Means::none},
    {"opt", Means::learned, 2048, 2},
    {"pegasus", Means::sinusoidal},
    {"roberta", Means::learned, 512, -1},
    {"rwkv", Means::none},
    {"speech_to_text", Means::sinusoidal, 0, 2},
    {"switch_transformers", Means::t5},
    {"t5", Means::t5},
    {"udop", Means::t5},
    {"umt5", Means::t5},
    {"xglm", Means::sinusoidal, 0, 2},
    {"xlm-roberta", Means::learned, 512, -1},
    {"xlnet", Means::unsupported},
    {"xlstm", Means::none},
};

constexpr std::string_view names[]{"rotary", "none", "learned", "sinusoidal", "alibi", "t5"};

class EncodingReader {
 public:
  EncodingReader(ConfigReader& reader, const Section& config, std::string_view model_type)
      : reader_(reader), config_(config), model_type_(model_type) {}

  HubEncoding read() {
    for (const UnrotatedModel& model : unrotated_models)
      if (model.model_type == model_type_) return of_model(model);
    bool alibi = false;  // Falcon's, and that of models which are not known
    reader_.read(config_, "alibi", alibi);
    if (alibi) return alibi_of(config_, {.slopes = AlibiSlopes::paper}, "alibi");
    const Section attention = reader_.object(config_, "attn_config");
    reader_.read(attention, "alibi", alibi);
    if (alibi) return mpt();
    return of_switches();
  }

 private:
  HubEncoding of_model(const UnrotatedModel& model) {
    // What these say of it was never more than a default (modern BERTs have lost the other values).
    std::string word;
    if (reader_.read(config_, "position_embedding_type", word) && word != "absolute" && model.means == Means::learned)
      reader_.refuse(config_, "position_embedding_type", ConfigValue(word), "\"absolute\" in a model of that type");
    switch (model.means) {
      case Means::learned:
        return learned(model);
      case Means::sinusoidal:
        return encoding::Sinusoidal{model.first_row};
      case Means::bloom:
        return alibi_of(config_, {.slopes = AlibiSlopes::paper}, "n_head");
      case Means::mpt:
        return mpt();
      case Means::t5:
        return t5();
      case Means::unsupported:
        reader_.refuse(config_, "model_type", ConfigValue(std::string(model_type_)),
                       "a model whose encoding is one of this library's: its scores depend on projected distances");
        return encoding::None{};
      default:
        return encoding::None{};
    }
  }

  HubEncoding learned(const UnrotatedModel& model) {
    encoding::Learned table{model.rows, model.first_row};
    if (!reader_.read(config_, "max_position_embeddings", "", table.rows))
      reader_.read(config_, "n_positions", "", table.rows);
    if (table.rows < 1)
      reader_.refuse(config_, "max_position_embeddings", static_cast<double>(table.rows), "a number >= 1");
    if (model.first_row > 0) table.rows += model.first_row;  // the config counts positions
    if (model.first_row < 0) {
      std::int64_t padding = 1;
      reader_.read(config_, "pad_token_id", "", padding);
      table.first_row = padding + 1;
    }
    return table;
  }

  std::int64_t heads() {
    std::int64_t heads = 0;
    for (const char* const key : {"num_attention_heads", "n_heads", "n_head", "num_heads"})
      if (reader_.read(config_, key, "", heads)) {
        if (heads < 1) reader_.refuse(config_, key, static_cast<double>(heads), "a number >= 1");
        break;
      }
    return heads;
  }

  HubEncoding alibi_of(const Section& section, AlibiOptions options, std::string_view key) {
    options.distance = AlibiDistance::linear;
    const std::int64_t count = heads();
    if (count < 1) {
      const ConfigValue* const given = section.object != nullptr ? section.object->find(key) : nullptr;
      if (given != nullptr) reader_.refuse(section, key, *given, "a number of heads beside it (num_attention_heads)");
      reader_.refuse_missing(section, key, "a number of heads");
    }
    return encoding::Alibi{count, options};
  }

  /// llm-foundry's model. transformers 5 reads neither `alibi` nor `alibi_bias_max`, and always has true and 8.
  HubEncoding mpt() {
    const Section attention = reader_.object(config_, "attn_config");
    bool alibi = true;
    bool rotates = false;
    AlibiOptions options{.slopes = AlibiSlopes::mpt};
    reader_.read(attention, "alibi", alibi);
    reader_.read(attention, "rope", rotates);
    reader_.read(attention, "alibi_bias_max", "", options.steepness);
    const bool is_bias = options.steepness > 0 && options.steepness <= 1000;
    if (!is_bias) reader_.refuse(attention, "alibi_bias_max", options.steepness, "a number > 0, at most 1000");
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
    if (bias.heads < 1) reader_.refuse_missing(config_, "num_heads", "a number of heads");
    if (bias.buckets < 4)
      reader_.refuse(config_, "relative_attention_num_buckets", static_cast<double>(bias.buckets), "a number >= 4");
    if (bias.max_distance <= bias.buckets / 2)
      reader_.refuse(config_, "relative_attention_max_distance", static_cast<double>(bias.max_distance),
                     "more than half the number of buckets");
    return bias;
  }

  /// Models that can rotate, and say whether they do.
  HubEncoding of_switches() {
    bool is_off = false;
    // Kimi Linear, whose other layers have no positions.
    reader_.read(config_, "mla_use_nope", is_off);
    if (is_off) return encoding::None{};
    if (model_type_ == "zamba2") {
      bool rotates = false;
      reader_.read(config_, "use_mem_rope", rotates);
      if (!rotates) return encoding::None{};
    }
    if (model_type_ == "olmo_hybrid" && has_null_base()) return encoding::None{};
    return of_position_type();
  }

  /// As published checkpoints have it: in the dictionary, or beside it where there is none.
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
    const bool is_granite = model_type_ == "granitemoehybrid";
    // Left over from BERT: these rotate whatever it says.
    if (model_type_.starts_with("modernbert") || model_type_ == "nomic_bert" || model_type_ == "jina_embeddings_v3") {
      std::string word;
      reader_.read(config_, key, word);
      return encoding::Rotary{};
    }
    std::string type = is_granite ? "none" : "rope";
    reader_.read(config_, key, type);
    if (type == "rope" || type == "rotary") return encoding::Rotary{};
    if (type == "nope" || type == "none" || is_granite) return encoding::None{};
    if (type == "alibi") return alibi_of(config_, {.slopes = AlibiSlopes::paper}, key);
    if (type == "absolute" && !has_no_rope()) return encoding::Rotary{};
    if (type == "absolute" || type == "learned" || type == "learned_absolute")
      return learned({model_type_, Means::learned});
    reader_.refuse(config_, key, ConfigValue(type), "\"rope\", \"nope\", \"alibi\" or \"absolute\"");
    return encoding::None{};
  }

  ConfigReader& reader_;
  const Section& config_;
  std::string_view model_type_;
};

}  // namespace

std::string_view name_of(const HubEncoding& encoding) { return names[encoding.index()]; }

bool is_unrotated_model(std::string_view model_type) {
  return std::ranges::find(unrotated_models, model_type, &UnrotatedModel::model_type) != std::end(unrotated_models);
}

HubEncoding read_encoding(ConfigReader& reader, const Section& config, std::string_view model_type) {
  return EncodingReader(reader, config, model_type).read();
}

}  // namespace posenc
