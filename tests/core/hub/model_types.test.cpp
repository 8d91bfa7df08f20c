/// The table of model types: its order, its fixtures, and the list in the module's README, which is written from it.

#include "posenc/hub/model_types.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "hub/json.hpp"
#include "posenc/hub/packed_types.hpp"

using posenc::LayerPattern;
using posenc::Layout;
using posenc::ModelType;
using posenc::QkNorm;
using posenc::ScoreScale;
using posenc::Sinks;
using posenc::TypeEncoding;
using posenc::Verified;
using posenc::Windows;

namespace {

std::string path_of(const std::string& file) { return std::string(POSENC_ROOT "/") + file; }

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string shown(double value) {
  std::ostringstream text;
  text << std::setprecision(12) << value;
  return text.str();
}

std::string encoding_of(const ModelType& row) {
  switch (row.encoding) {
    case TypeEncoding::rotary:
      return row.layout == Layout::unnamed ? "rotary" : "rotary, " + std::string(posenc::name_of(row.layout));
    case TypeEncoding::none:
      return "none";
    case TypeEncoding::learned:
      return "learned table";
    case TypeEncoding::sinusoidal:
      return "sinusoidal table";
    case TypeEncoding::alibi:
      return "ALiBi";
    case TypeEncoding::mpt:
      return "ALiBi, its own slopes";
    case TypeEncoding::t5:
      return "T5's buckets";
    case TypeEncoding::grid:
      return "rotary, `rotaryGrid`'s " + std::string(row.ids);
    case TypeEncoding::unsupported:
      return "not supported";
  }
  return "";
}

std::string norm_of(QkNorm rule) {
  switch (rule) {
    case QkNorm::before:
      return "norms before rotation";
    case QkNorm::after:
      return "norms after rotation";
    case QkNorm::before_unless_off:
      return "norms before rotation unless a key is false";
    case QkNorm::after_unless_off:
      return "norms after rotation, where it rotates, unless a key is false";
    case QkNorm::before_if_on:
      return "norms before rotation if a key is true";
    case QkNorm::of_cross_attention:
      return "norms in cross-attention";
    case QkNorm::norm_unread:
      return "norms, caps and sinks are not known";
    case QkNorm::never:
      break;
  }
  return "";
}

std::string layers_of(const LayerPattern& layers) {
  if (layers.every <= 1) return "";
  if (layers.others == layers.one) return "one layer in " + shown(layers.every) + " does not rotate";
  std::string text = "one layer in " + shown(layers.every) + " " + std::string(name_of(layers.one)) + ", others " +
                     std::string(name_of(layers.others));
  if (layers.rotating == posenc::RotatingLayers::others) text += " and alone rotating";
  if (layers.rotating == posenc::RotatingLayers::windows)
    text += ", of which those with a window rotate, and the first `first_k_dense_replace`";
  return text;
}

/// The class fixes these: numbers where a config has none, and what no config has.
std::string traits_of(const ModelType& row) {
  std::string text;
  const auto add = [&](bool applies, const std::string& trait) {
    if (applies && !trait.empty()) text += (text.empty() ? "" : "; ") + trait;
  };
  const auto key = [](const char* name) { return "`" + std::string(name == nullptr ? "" : name) + "`"; };
  add(row.base != 10000, "base " + shown(row.base));
  add(row.local_base != 0, "base " + shown(row.local_base) + " in sliding layers");
  add(row.base_key != nullptr, "base from " + key(row.base_key));
  add(row.head_dim != 0, shown(row.head_dim) + " dimensions");
  add(row.unrotated_dim != 0, shown(row.unrotated_dim) + " beside them that do not rotate");
  const double percent = std::round(1000 * double{row.fraction}) / 10;
  add(row.fraction != 1, (row.is_slice ? "the last " : "the first ") + shown(percent) + " % rotate");
  add(row.rotary_dim != 0, "the first " + shown(row.rotary_dim) + " dimensions rotate");
  add(row.is_inverse, "by the opposite angle");
  add(row.is_nested, "a dictionary for each layer type");
  add(row.needs_rope, "a scaling rule");
  add(row.is_compressed, "compressed keys; outputs rotated back");
  add(row.rotates == posenc::RotationSwitch::position_type_or_off, "rotates if `position_embedding_type` is \"rope\"");
  add(row.rotates == posenc::RotationSwitch::position_type_or_table,
      "rotates if `position_embedding_type` is \"rotary\"");
  add(row.rotates == posenc::RotationSwitch::use_mem_rope, "rotates if `use_mem_rope`");
  add(row.rotates == posenc::RotationSwitch::use_rotary, "rotates if `use_rotary_positional_embeddings`");
  add(row.rotates == posenc::RotationSwitch::null_base, "rotates unless `rope_theta` is null");
  add(true, layers_of(row.layers));
  add(row.list == posenc::LayerList::unread, "which layers have attention is not known");
  add(row.list_key != nullptr, "layers from " + key(row.list_key));
  add(row.windows == Windows::everywhere || row.windows == Windows::everywhere_if_on, "windows in all layers");
  add(row.windows == Windows::unread, "which keys are local is not known");
  add(row.windows >= Windows::later_if_on && row.windows <= Windows::alternating_if_on,
      "windows by `max_window_layers`");
  add(row.windows == Windows::unrotated_if_on, "windows in layers that do not rotate if `use_sliding_window`");
  add(std::string(row.window_key) != "sliding_window", "window from " + key(row.window_key));
  add(row.window != 0, "window " + shown(row.window) + " by default");
  add(row.scale == ScoreScale::head_mscale, "scale times g²");
  add(row.scale == ScoreScale::half_head, "scale 1 / √(dimensions / 2)");
  add(row.scale == ScoreScale::one, "scores are not scaled");
  add(row.scale == ScoreScale::query_pre_attn_scalar, "scale from `query_pre_attn_scalar`");
  add(row.scale == ScoreScale::multiplier || row.scale == ScoreScale::multiplier_or_head,
      "scale from `attention_multiplier`");
  add(row.scale == ScoreScale::switches, "scale from `scale_attn_weights` and `scale_attn_by_inverse_layer_idx`");
  add(row.mask == posenc::MaskRule::bidirectional, "bidirectional");
  add(row.mask == posenc::MaskRule::by_decoder_key, "bidirectional unless `is_decoder`");
  add(row.mask == posenc::MaskRule::by_direction_key, "bidirectional if `use_bidirectional_attention`");
  add(row.mask == posenc::MaskRule::by_stack, "encoder and decoder");
  add(row.norm != QkNorm::never, norm_of(row.norm));
  add(row.sinks != Sinks::none, row.sinks == Sinks::everywhere ? "sinks" : "sinks in layers with windows");
  add(row.softcap != 0, "scores capped at " + shown(row.softcap) + " or `attn_logit_softcapping`");
  add(row.temperature != posenc::TemperatureRule::none, "temperature of queries");
  add(row.indexer.has_layout_of_plan || row.indexer.layout != Layout::unnamed, "indexer");
  add(!row.ids.empty() && row.encoding == TypeEncoding::rotary, "M-RoPE, ids of " + std::string(row.ids));
  add(row.is_time_last, "M-RoPE, time last");
  add(row.has_relative_keys, "relative keys in transformers 4");
  add(row.rows != 0, shown(row.rows) + " rows");
  add(row.rows_key != nullptr, "rows from " + key(row.rows_key));
  add(row.sinusoidal.key != nullptr,
      "sinusoidal if " + key(row.sinusoidal.key) + " is " + (row.sinusoidal.value ? "true" : "false"));
  add(row.first_row > 0, "first row " + shown(row.first_row));
  add(row.first_row < 0, "first row after that of padding" + (row.padding == 1 ? "" : ", " + shown(row.padding)));
  add(row.note != nullptr, row.note == nullptr ? "" : row.note);
  return text;
}

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char unit) { return (unit & 0xC0) != 0x80; }));
}

/// A Markdown table of all types.
std::string list_of_types() {
  std::vector<std::array<std::string, 4>> lines{{"model_type", "encoding, layout", "its class", "checked"}, {}};
  for (const ModelType& row : posenc::model_types())
    lines.push_back({"`" + std::string(row.type) + "`", encoding_of(row), traits_of(row),
                     source_of(row) + (row.verified == Verified::by_numbers ? "" : ", read")});
  std::array<std::size_t, 4> widths{};
  for (const auto& line : lines)
    for (std::size_t i = 0; i < 4; ++i) widths[i] = std::max(widths[i], width_of(line[i]));
  for (std::size_t i = 0; i < 4; ++i) lines[1][i].assign(widths[i], '-');
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < 4; ++i) text += "| " + line[i] + std::string(widths[i] - width_of(line[i]), ' ') + " ";
    text += "|\n";
  }
  return text;
}

}  // namespace

TEST_CASE("model types: rows are in alphabetical order, each once", "[hub]") {
  const auto rows = posenc::model_types();
  CHECK(std::ranges::adjacent_find(rows, std::ranges::greater_equal(), &ModelType::type) == rows.end());
  // As the module reads them, member by member.
  for (const ModelType& row : rows) {
    const ModelType read = posenc::model_type_of(row.type);
    CHECK(read.type == row.type);
    const ModelType kept = posenc::packed::kept_of(row);
    posenc::packed::each_member(
        [&](std::size_t, auto find) { CHECK(posenc::packed::is_same(find(read), find(kept))); });
  }
  CHECK(posenc::model_type_of("an unknown type").type.empty());
  // A member that is added has to be bound here, counted, and visited.
  [[maybe_unused]] const auto& [type, encoding, layout, base, local_base, base_key, own_keys, hidden_size, heads,
                                head_dim, unrotated_dim, fraction, rotary_dim, scales_local, is_slice, is_inverse,
                                is_nested, needs_rope, yarn_is_longrope, has_own_ntk, is_compressed, rotates, layers,
                                list, list_key, windows, sides, mask, window_key, window, first_window, scale, norm,
                                sinks, softcap, temperature, indexer, ids, is_time_last, without_mla, rows_of_table,
                                rows_key, first_row, padding, sinusoidal, has_relative_keys, verified, source, note] =
      rows.front();
  [[maybe_unused]] const auto& [others, one, every, key, is_first, rotating, needs_window, has_switches, end] = layers;
  [[maybe_unused]] const auto& [indexer_layout, has_layout_of_plan, is_at_end, layer_type] = indexer;
  [[maybe_unused]] const auto& [sinusoidal_key, sinusoidal_value] = sinusoidal;
  int visited = 0;
  posenc::packed::each_member([&](std::size_t, auto) { ++visited; });
  CHECK(visited == 45 + 9 + 4 + 2);
}

TEST_CASE("model types: those checked by numbers are the fixtures of tests/api/hub/models.json", "[hub]") {
  std::map<std::string, std::string> sources;
  const auto text = content_of(path_of("tests/api/hub/models.json"));
  const posenc::ConfigValue fixtures = testing::from_json(text);
  for (const posenc::ConfigValue& fixture : std::get<posenc::ConfigValue::List>(fixtures.value)) {
    const auto source = std::get<std::string>(fixture.find("source")->value);
    sources[std::get<std::string>(fixture.find("type")->value)] = source.substr(0, source.find(':'));
  }
  std::map<std::string, std::string> checked;
  for (const ModelType& row : posenc::model_types())
    if (row.verified == Verified::by_numbers) checked[std::string(row.type)] = source_of(row);
  CHECK(checked == sources);
}

// POSENC_WRITE=1 writes it.
TEST_CASE("model types: the README's list is that of the table", "[hub]") {
  const std::string path = path_of("src/posenc/hub/README.md");
  const std::string readme = content_of(path);
  const std::size_t first = readme.find("| model_type");
  REQUIRE(first != readme.npos);
  const std::size_t gap = readme.find("\n\n", first);
  const std::size_t last = gap == readme.npos ? readme.size() : gap + 1;
  const std::string list = list_of_types();
  if (std::getenv("POSENC_WRITE") != nullptr)
    std::ofstream(path) << readme.substr(0, first) << list << readme.substr(last);
  else
    CHECK(readme.substr(first, last - first) == list);
}
