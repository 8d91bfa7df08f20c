/// Models by their own code: tests/api/hub/models.json has a model on each line (tests/README.md describes how it was
/// made), and a model that is read from its config has to give the same numbers. A config there lacks the keys that
/// have the value of the model's class, so that the numbers are those of the row's defaults, too: a row of which a
/// member is taken away or changed has to differ from a line of its type.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_tostring.hpp>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "hub/json.hpp"
#include "hub/model_text.hpp"
#include "posenc/hub/config_reader.hpp"
#include "posenc/hub/model_layer.hpp"
#include "posenc/hub/packed_types.hpp"
#include "posenc/relative/t5.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"
#include "testing/testing.hpp"

namespace {

using posenc::ConfigValue;
using posenc::Expected;
using posenc::Model;
using posenc::ModelLayer;
using posenc::ModelLayers;
using posenc::ModelType;
using posenc::Positions;
namespace encoding = posenc::encoding;
using List = ConfigValue::List;

/// Our rounding to float32 and theirs to 7 digits, of values below 4.
constexpr double tolerance = 3e-7;

/// The models of the file.
const List& stored_models() {
  static const ConfigValue models = testing::from_file("api/hub/models.json");
  return std::get<List>(models.value);
}

const List& list(const ConfigValue& of, const char* key) { return std::get<List>(of.find(key)->value); }
const std::string& text(const ConfigValue& of, const char* key) { return std::get<std::string>(of.find(key)->value); }
double number(const ConfigValue& value) { return std::get<double>(value.value); }
std::int64_t whole(const ConfigValue& of, const char* key) { return static_cast<std::int64_t>(number(*of.find(key))); }

std::vector<double> numbers(const List& items) {
  std::vector<double> all;
  for (const ConfigValue& item : items) all.push_back(number(item));
  return all;
}

/// Runs, [count, ...values], one item of theirs for each of `count`.
std::vector<const List*> unrolled(const List& runs) {
  std::vector<const List*> all;
  for (const ConfigValue& run : runs) {
    const auto& items = std::get<List>(run.value);
    all.insert(all.end(), static_cast<std::size_t>(number(items.front())), &items);
  }
  return all;
}

/// The config of a line, as one of a type.
ConfigValue config_of_row(const ConfigValue& stored, const std::string& type) {
  ConfigValue config = *stored.find("config");
  std::get<ConfigValue::Object>(config.value).push_back({"model_type", {type}});
  return config;
}

/// One head of the query at each position, which has the value ((37 l mod 19) - 9) / 8 in dimension l.
std::vector<float> query_of(std::size_t positions, std::size_t dim) {
  std::vector<float> query(positions * dim);
  for (std::size_t i = 0; i < query.size(); ++i)
    query[i] = static_cast<float>(static_cast<int>(i % dim * 37 % 19) - 9) / 8;
  return query;
}

/// The positions of a stored rotation: one number each, or one for each axis, [axes, positions].
struct Places {
  std::vector<double> first;
  std::vector<double> points;

  explicit Places(const List& positions) {
    if (std::holds_alternative<double>(positions.front().value)) {
      first = numbers(positions);
      return;
    }
    for (std::size_t axis = 0; axis < std::get<List>(positions.front().value).size(); ++axis)
      for (const ConfigValue& at : positions) points.push_back(number(std::get<List>(at.value)[axis]));
    first.resize(positions.size());
  }
};

/// Compares a line with the model that a row reads from its config, and keeps the first difference.
class Comparison {
 public:
  Comparison(const ConfigValue& stored, const ModelType& row) : stored_(stored) {
    posenc::ConfigReader reader;
    posenc::TextConfig config = posenc::text_config(reader, *stored.find("config"));
    config.type = row;
    reader.read_own_keys(config.text, row.own_keys);
    auto model = posenc::read_model(reader, config);
    if (stored.find("refused"))
      same("the refused key", model ? "none" : model.error().argument, text(stored, "refused"));
    else if (made(std::move(model), model_))
      compare();
  }

  /// Empty if there is none.
  [[nodiscard]] const std::string& difference() const { return difference_; }

 private:
  template <class T>
  void same(const std::string& what, const T& value, const T& expected) {
    if (value != expected) differ(what, Catch::Detail::stringify(value), Catch::Detail::stringify(expected));
  }

  void near(const std::string& what, double value, double expected, double most) {
    if (!(std::fabs(value - expected) <= most)) differ(what, std::to_string(value), std::to_string(expected));
  }

  void differ(const std::string& what, const std::string& value, const std::string& expected) {
    if (difference_.empty()) difference_ = what + " is " + value + ", expected " + expected;
  }

  template <class T>
  bool made(Expected<T> result, T& target) {
    if (!result) differ("an error", result.error().message(), "none");
    const bool is_made = result.has_value();
    if (is_made) target = *std::move(result);
    return is_made;
  }

  /// As `made`, of a result without a value.
  bool done(const Expected<void>& result) {
    if (!result) differ("an error", result.error().message(), "none");
    return result.has_value();
  }

  void compare() {
    const bool rotates = text(stored_, "encoding") == "rotary";
    same("encoding", std::string(posenc::name_of(model_.config.encoding)), text(stored_, "encoding"));
    same("plans", model_.config.plans.empty(), !rotates);
    if (stored_.find("mask")) same("mask", std::string(posenc::name_of(model_.mask)), text(stored_, "mask"));
    if (stored_.find("ids")) same("ids", std::string(model_.ids.rule), text(stored_, "ids"));
    same("unknown keys", model_.config.unknown_keys.empty(), stored_.find("unknown") == nullptr);
    if (!difference_.empty()) return;
    if (!rotates) std::visit([&](const auto& read) { compare_unrotated(read); }, model_.config.encoding);
    if (stored_.find("layers")) compare_layers();
    if (!difference_.empty() || !stored_.find("rotations")) return;
    for (const ConfigValue& rotation : list(stored_, "rotations")) compare_query(rotation, false);
    if (stored_.find("outputs"))
      for (const ConfigValue& output : list(stored_, "outputs")) compare_query(output, true);
    if (stored_.find("indexer")) compare_indexer(*stored_.find("indexer"));
  }

  /// Compares rotated heads with the stored dimensions.
  void compare_rotated(const ConfigValue& stored, const std::vector<float>& values, std::size_t dim) {
    const auto dims = numbers(list(stored, "dims"));
    const List& out = list(stored, "out");
    for (std::size_t i = 0; i < out.size(); ++i)
      for (std::size_t j = 0; j < dims.size(); ++j)
        near("dimension " + std::to_string(static_cast<int>(dims[j])) + " of position " + std::to_string(i),
             values[i * dim + static_cast<std::size_t>(dims[j])], number(std::get<List>(out[i].value)[j]), tolerance);
  }

  void compare_query(const ConfigValue& stored, bool is_output) {
    const Places places(list(stored, "positions"));
    const auto dim = static_cast<std::size_t>(whole(stored, "dim"));
    double longest = 0;
    for (const auto* const positions : {&places.first, &places.points})
      for (const double position : *positions) longest = std::max(longest, position);
    ModelLayer layer;
    if (!made(ModelLayer::make(model_, whole(stored, "layer"), {.length = static_cast<std::int64_t>(longest) + 1}),
              layer))
      return;
    auto query = query_of(places.first.size(), dim);
    auto key = query;
    const auto shape = testing::sequence_first(
        testing::Shape{static_cast<std::int64_t>(places.first.size()), 1, static_cast<std::int64_t>(dim)});
    if (done(is_output ? layer.apply_to_outputs({query, shape}, Positions::list(places.first))
                       : layer.apply({query, shape}, {key, shape}, Positions::list(places.first), places.points)))
      compare_rotated(stored, query, dim);
  }

  void compare_indexer(const ConfigValue& stored) {
    ModelLayer layer;
    if (!made(ModelLayer::make(model_, whole(stored, "layer")), layer)) return;
    const ModelLayers& layers = layer.layers();
    same("an indexer", layers.indexer.has_value(), true);
    if (!layers.indexer) return;
    const auto [dims, layout, scale] = *layers.indexer;
    same("dimensions of the indexer", dims.dim, whole(stored, "dim"));
    near("scale of the indexer", scale, number(*stored.find("scale")), 1e-9);
    if (!difference_.empty()) return;
    posenc::RotaryOptions options = model_.config.plans[*layers.plan].rotary;
    options.layout = layout;
    options.dim = dims.count;
    options.rotary_dim = dims.count;
    const auto positions = numbers(list(stored, "positions"));
    auto query = query_of(positions.size(), static_cast<std::size_t>(dims.dim));
    const auto shape =
        testing::sequence_first(testing::Shape{static_cast<std::int64_t>(positions.size()), 1, dims.dim});
    const auto part = testing::value_of(shape.dims(dims.first, static_cast<std::size_t>(dims.count)));
    if (done(testing::value_of(posenc::Rotary::make(options)).apply(query, part, Positions::list(positions))))
      compare_rotated(stored, query, static_cast<std::size_t>(dims.dim));
  }

  /// Layers, what they reach, and the scale of their scores; "scores" has norms, caps and sinks of layers that have
  /// any.
  void compare_layers() {
    const auto rows = unrolled(list(stored_, "layers"));
    const auto reaches = stored_.find("reach") ? unrolled(list(stored_, "reach")) : std::vector<const List*>();
    const auto scores = stored_.find("scores") ? unrolled(list(stored_, "scores")) : std::vector<const List*>();
    std::size_t next = 0;
    for (const ModelLayers& run : model_.layers)
      for (std::int64_t i = 0; i < run.layers.count; ++i, ++next) {
        const std::string layer = " of layer " + std::to_string(next);
        if (next >= rows.size()) continue;
        const List& row = *rows[next];
        same("rotation" + layer, run.plan.has_value(), std::get<bool>(row[2].value));
        const std::string& type = run.layers.type;
        // Layers without attention have several names.
        const auto name = [](const std::string& of) { return of == "mamba" || of == "conv" ? "linear_attention" : of; };
        if (const auto* const wanted = std::get_if<std::string>(&row[1].value);
            wanted != nullptr && (!type.empty() || *wanted == "hybrid"))
          same("type" + layer, name(type), name(*wanted));
        const List* const score = scores.empty() ? nullptr : scores[next];
        same("norm" + layer, std::string(posenc::name_of(run.norm)),
             score != nullptr ? std::get<std::string>(score->at(1).value) : "");
        same("sinks" + layer, run.has_sinks, score != nullptr && std::get<bool>(score->at(3).value));
        near("cap" + layer, run.softcap.value_or(0), score != nullptr ? number(score->at(2)) : 0, 0);
        if (reaches.empty() && !run.plan) continue;
        const List* const reach = reaches.empty() ? nullptr : std::get_if<List>(&reaches[next]->at(1).value);
        if (!reaches.empty() && reach == nullptr) continue;
        same("reach" + layer, std::string(posenc::name_of(run.reaches)),
             reach != nullptr ? std::get<std::string>(reach->front().value) : "all");
        same("reach" + layer, run.reach,
             reach != nullptr && reach->size() > 1 ? static_cast<std::int64_t>(number(reach->at(1))) : 0);
        near("scale" + layer, run.score_scale.value_or(0), number(*stored_.find("scale")), 1e-9);
      }
    same("layers", next, rows.size());
  }

  void compare_unrotated(const encoding::Learned& table) {
    same("rows", table.rows, whole(stored_, "rows"));
    same("first row", static_cast<double>(table.first_row), numbers(list(stored_, "used")).front());
  }

  void compare_unrotated(const encoding::Sinusoidal& table) {
    same("first row", table.first_row, whole(stored_, "firstRow"));
    const std::string& preset = text(stored_, "preset");
    posenc::SinusoidalChoice choice{.dim = whole(stored_, "dim")};
    if (preset != "split") choice.preset = testing::value_of(posenc::from_name<posenc::SinusoidalPreset>(preset));
    if (preset == "split") choice.order = posenc::Order::split;
    if (stored_.find("order"))
      choice.order = testing::value_of(posenc::from_name<posenc::Order>(text(stored_, "order")));
    const auto rows = numbers(list(stored_, "rows"));
    std::vector<float> values(rows.size() * static_cast<std::size_t>(choice.dim));
    const auto options = testing::value_of(posenc::resolve(choice));
    testing::value_of(testing::value_of(posenc::Sinusoidal::make(options)).table(Positions::list(rows), values));
    compare_rotated(stored_, values, static_cast<std::size_t>(choice.dim));
  }

  void compare_unrotated(const encoding::Alibi& bias) {
    same("heads", bias.heads, whole(stored_, "heads"));
    std::vector<float> slopes(static_cast<std::size_t>(bias.heads));
    testing::value_of(posenc::alibi_slopes(bias.options, slopes));
    const auto expected = numbers(list(stored_, "slopes"));
    // Falcon's code rounds its slopes to bfloat16.
    for (std::size_t head = 0; head < expected.size(); ++head)
      near("a slope", slopes[head], expected[head], stored_.find("rounded") ? expected[head] / 256 : tolerance);
  }

  void compare_unrotated(const encoding::T5& bias) {
    same("heads", bias.heads, whole(stored_, "heads"));
    same("buckets", bias.buckets, whole(stored_, "buckets"));
    same("distances", bias.max_distance, whole(stored_, "maxDistance"));
    for (const bool is_encoder : {true, false}) {
      const auto buckets = testing::value_of(posenc::T5Buckets::make({bias.buckets, bias.max_distance, is_encoder}));
      const auto expected = numbers(list(stored_, is_encoder ? "encoder" : "decoder"));
      const auto distances = numbers(list(stored_, "distances"));
      for (std::size_t i = 0; i < distances.size(); ++i)
        near("a bucket", static_cast<double>(buckets.bucket(static_cast<std::int64_t>(distances[i]))), expected[i], 0);
    }
  }

  void compare_unrotated(const encoding::None& /*none*/) {}
  template <class Other>
  void compare_unrotated(const Other& /*other*/) {
    differ("encoding", "another", "one that lines have");
  }

  const ConfigValue& stored_;
  Model model_;
  std::string difference_;
};

/// The first difference between a row and the lines of its type, as it says how to mend it; empty if there is none.
std::string difference(const ModelType& row) {
  std::string first;
  for (const ConfigValue& stored : stored_models())
    if (first.empty() && text(stored, "type") == row.type) first = Comparison(stored, row).difference();
  return first.empty() ? first
                       : std::string(row.type) + ": " + first +
                             ": compare the row in model_types.cpp with posenc::source_of, or write the line anew with "
                             "what its code computes (tests/README.md)";
}

#define POSENC_TEXT_OF(...) #__VA_ARGS__
#define POSENC_TEXT(...) POSENC_TEXT_OF(__VA_ARGS__)
constexpr const char* member_names = POSENC_TEXT(POSENC_MEMBERS_OF_ROWS);

/// Other values of a member: that of a row which has none, and a wrong one.
template <class Member>
std::vector<Member> changes_of(const Member& value, const Member& plain) {
  if constexpr (posenc::packed::is_text<Member>)
    return {"another"};
  else if constexpr (std::is_same_v<Member, bool>)
    return {!value};
  else if constexpr (std::is_enum_v<Member>)
    return {value != plain ? plain : static_cast<Member>(std::is_same_v<Member, posenc::ScoreScale> ? 3 : 1)};
  else
    return {plain, static_cast<Member>(value + (value < 1000 ? 4 : value / 2))};
}

/// Members that no number has: they name where a row was read or what is not known, or were read in another version.
bool is_read(const ModelType& row, const std::string& member) {
  if (member == "mask") {
    const auto has_mask = [&](const ConfigValue& line) {
      return text(line, "type") == row.type && line.find("mask") != nullptr;
    };
    return std::ranges::none_of(stored_models(), has_mask);
  }
  // ids.json has the numbers of ids; transformers 4 had relative keys; this version ignores the one's fraction, does
  // not run the other without the key, and computes a fraction of Mellum's and Solar's heads that fails as it is used.
  const bool is_older = member == "has_relative_keys" || (row.type == "recurrent_gemma" && member == "fraction") ||
                        (row.type == "mistral4" && member.ends_with("d_dim")) ||
                        (member == "own_keys" && (row.type == "mellum" || row.type == "solar_open"));
  // Which layer each group ends with is none where all are of one type.
  const bool is_one_type = member == "every" && row.layers.others == row.layers.one;
  const bool is_unread = (member == "windows" && row.windows == posenc::Windows::unread) ||
                         (member == "list" && row.list == posenc::LayerList::unread);
  return member == "ids" || is_older || is_one_type || is_unread || member == "verified" || member == "source" ||
         member == "note" || member == "without_mla";
}

/// Members whose default, that of Llama, says as much as another value.
bool is_always_used(const ModelType& row, const std::string& member) {
  if (row.encoding == posenc::TypeEncoding::sinusoidal) return member == "first_row";
  if (row.encoding == posenc::TypeEncoding::learned) return member == "rows" || member == "first_row";
  const bool is_of_scores = member == "scale" || member == "norm" || member == "sinks" || member == "softcap";
  // Where dictionaries have to be given they have their own; DBRX's base is ignored in this version.
  const bool is_given = row.is_nested || row.needs_rope || row.type == "dbrx";
  const bool is_of_plan = !is_given && (member == "base" || member == "fraction");
  return row.encoding == posenc::TypeEncoding::rotary && (is_of_scores || is_of_plan);
}

}  // namespace

TEST_CASE("model numbers: models give the numbers of their own code", "[hub]") {
  for (const ModelType& row : posenc::model_types()) CHECK(difference(row) == "");
}

TEST_CASE("model numbers: a row with another value of a member differs from the numbers", "[hub]") {
  for (const ModelType& row : posenc::model_types()) {
    if (row.verified != posenc::Verified::by_numbers) continue;
    const ModelType plain_row;
    ModelType changed = row;
    std::istringstream names(member_names);
    const auto change = [&](const auto& value, const auto& plain, auto& member) {
      std::string name;
      std::getline(names >> std::ws, name, ',');
      const bool is_plain = posenc::packed::is_same(value, plain);
      if ((is_plain && !is_always_used(row, name)) || is_read(row, name)) return;
      for (const auto& other : changes_of(value, plain)) {
        if (is_plain && other == plain) continue;
        member = other;
        INFO(row.type << ": `" << name << "` in model_types.cpp has no number of the model's code in models.json");
        CHECK(difference(changed) != "");
      }
      member = value;
    };
    posenc::packed::each_member(change, row, plain_row, changed);
  }
}

TEST_CASE("model numbers: rows that are checked by numbers are the models of the file, with its sources", "[hub]") {
  std::map<std::string, std::string> sources;
  for (const ConfigValue& model : stored_models())
    sources[text(model, "type")] = text(model, "source").substr(0, text(model, "source").find(':'));
  for (const posenc::ModelType& row : posenc::model_types()) {
    if (row.verified != posenc::Verified::by_numbers) continue;
    const std::string type(row.type);
    INFO(type << ": a row without a line in tests/api/hub/models.json has Verified::by_reading");
    CHECK(sources[type] == source_of(row));
    sources.erase(type);
  }
  for (const auto& [type, source] : sources) FAIL_CHECK(type << ": a line without a row in model_types.cpp");
}

TEST_CASE("model evidence: what is said by a key changes with it, and goes when it is taken away", "[hub]") {
  for (const ConfigValue& stored : stored_models())
    for (const std::string& type : {text(stored, "type"), std::string("a type of your own")}) {
      INFO(text(stored, "type") << " as " << type);
      testing::check_said_by_keys(config_of_row(stored, type));
    }
}

TEST_CASE("model evidence: that layers of a type that is not listed rotate, and which, is assumed", "[hub]") {
  for (const ConfigValue& stored : stored_models()) {
    const auto model = posenc::read_model(config_of_row(stored, "a type of your own"));
    if (!model || model->config.plans.empty()) continue;
    INFO(text(stored, "type"));
    CHECK(testing::text_of(*model, "how:rotating")
              .starts_with(testing::text_of(*model, "plan").find('?') == std::string::npos ? "assumed" : "unknown"));
    for (const posenc::Evidence& item : model->config.evidence)
      CHECK((item.known != posenc::Known::numbers && item.known != posenc::Known::source));
  }
}
