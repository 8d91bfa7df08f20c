/// Models by their own code: tests/api/hub/models.json has a model on each line (tests/README.md describes how it was
/// made), and a model that is read from its config has to give the same numbers. A config there lacks the keys that
/// have the value of the model's class, so that the numbers are those of the row's defaults, too.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "hub/json.hpp"
#include "hub/model_text.hpp"
#include "posenc/hub/model_layer.hpp"
#include "posenc/hub/model_types.hpp"
#include "posenc/relative/t5.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"
#include "testing/testing.hpp"

namespace {

using posenc::ConfigValue;
using posenc::Model;
using posenc::ModelLayer;
using posenc::ModelLayers;
using posenc::Positions;
using testing::value_of;
namespace encoding = posenc::encoding;
using List = ConfigValue::List;

/// Our rounding to float32 and theirs to 7 digits, of values below 4.
constexpr double tolerance = 3e-7;

/// The models of the file.
const List& stored_models() {
  static const ConfigValue models = [] {
    std::ifstream file(POSENC_ROOT "/tests/api/hub/models.json");
    REQUIRE(file.good());
    return testing::from_json(std::string(std::istreambuf_iterator<char>(file), {}));
  }();
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

void check_near(double value, double expected, double most) {
  INFO(value << ", expected " << expected);
  CHECK(std::fabs(value - expected) <= most);
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

/// Compares rotated heads with the stored dimensions.
void check_rotated(const ConfigValue& stored, const std::vector<float>& values, std::size_t dim) {
  const auto dims = numbers(list(stored, "dims"));
  const List& out = list(stored, "out");
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t j = 0; j < dims.size(); ++j) {
      INFO("dimension " << dims[j] << " of position " << i);
      check_near(values[i * dim + static_cast<std::size_t>(dims[j])], number(std::get<List>(out[i].value)[j]),
                 tolerance);
    }
}

void check_query(const Model& model, const ConfigValue& stored, bool is_output) {
  const Places places(list(stored, "positions"));
  const auto dim = static_cast<std::size_t>(whole(stored, "dim"));
  double longest = 0;
  for (const auto* const positions : {&places.first, &places.points})
    for (const double position : *positions) longest = std::max(longest, position);
  const ModelLayer layer =
      value_of(ModelLayer::make(model, whole(stored, "layer"), {.length = static_cast<std::int64_t>(longest) + 1}));
  auto query = query_of(places.first.size(), dim);
  auto key = query;
  const auto shape = testing::sequence_first(
      testing::Shape{static_cast<std::int64_t>(places.first.size()), 1, static_cast<std::int64_t>(dim)});
  if (is_output)
    value_of(layer.apply_to_outputs({query, shape}, Positions::list(places.first)));
  else
    value_of(layer.apply({query, shape}, {key, shape}, Positions::list(places.first), places.points));
  check_rotated(stored, query, dim);
}

void check_indexer(const Model& model, const ConfigValue& stored) {
  const ModelLayers layers = value_of(ModelLayer::make(model, whole(stored, "layer"))).layers();
  REQUIRE(layers.indexer);
  const auto [dims, layout, scale] = *layers.indexer;
  CHECK(dims.dim == whole(stored, "dim"));
  check_near(scale, number(*stored.find("scale")), 1e-9);
  posenc::RotaryOptions options = model.config.plans[*layers.plan].rotary;
  options.layout = layout;
  options.dim = dims.count;
  options.rotary_dim = dims.count;
  const auto positions = numbers(list(stored, "positions"));
  const auto dim = static_cast<std::size_t>(dims.dim);
  auto query = query_of(positions.size(), dim);
  const auto shape = testing::sequence_first(testing::Shape{static_cast<std::int64_t>(positions.size()), 1, dims.dim});
  const auto part = value_of(shape.dims(dims.first, static_cast<std::size_t>(dims.count)));
  value_of(value_of(posenc::Rotary::make(options)).apply(query, part, Positions::list(positions)));
  check_rotated(stored, query, dim);
}

/// Layers, what they reach, and the scale of their scores.
void check_layers(const Model& model, const ConfigValue& stored) {
  const auto rows = unrolled(list(stored, "layers"));
  const auto reaches = stored.find("reach") ? unrolled(list(stored, "reach")) : std::vector<const List*>();
  std::size_t next = 0;
  for (const ModelLayers& run : model.layers)
    for (std::int64_t i = 0; i < run.layers.count; ++i, ++next) {
      INFO("layer " << next);
      REQUIRE(next < rows.size());
      const List& row = *rows[next];
      CHECK(run.plan.has_value() == std::get<bool>(row[2].value));
      const std::string& type = run.layers.type;
      // Layers without attention have several names.
      if (const auto* const wanted = std::get_if<std::string>(&row[1].value); wanted != nullptr && !type.empty())
        CHECK((type == "mamba" || type == "conv" ? "linear_attention" : type) ==
              (*wanted == "mamba" || *wanted == "conv" ? "linear_attention" : *wanted));
      if (reaches.empty() && !run.plan) continue;
      const List* const reach = reaches.empty() ? nullptr : std::get_if<List>(&reaches[next]->at(1).value);
      if (!reaches.empty() && reach == nullptr) continue;
      CHECK(posenc::name_of(run.reaches) == (reach != nullptr ? std::get<std::string>(reach->front().value) : "all"));
      CHECK(run.reach == (reach != nullptr && reach->size() > 1 ? static_cast<std::int64_t>(number(reach->at(1))) : 0));
      REQUIRE(run.score_scale);
      check_near(*run.score_scale, number(*stored.find("scale")), 1e-9);
    }
  CHECK(next == rows.size());
}

/// Compares the numbers of a model that does not rotate.
struct UnrotatedCheck {
  const ConfigValue& stored;

  void operator()(const encoding::Learned& table) const {
    CHECK(table.rows == whole(stored, "rows"));
    std::int64_t row = table.first_row;
    for (const double used : numbers(list(stored, "used"))) CHECK(static_cast<double>(row++) == used);
  }

  void operator()(const encoding::Sinusoidal& table) const {
    CHECK(table.first_row == whole(stored, "firstRow"));
    const std::string& preset = text(stored, "preset");
    posenc::SinusoidalChoice choice{.dim = whole(stored, "dim")};
    if (preset != "split") choice.preset = value_of(posenc::from_name<posenc::SinusoidalPreset>(preset));
    if (preset == "split") choice.order = posenc::Order::split;
    if (stored.find("order")) choice.order = value_of(posenc::from_name<posenc::Order>(text(stored, "order")));
    const auto rows = numbers(list(stored, "rows"));
    std::vector<float> values(rows.size() * static_cast<std::size_t>(choice.dim));
    const auto options = value_of(posenc::resolve(choice));
    value_of(value_of(posenc::Sinusoidal::make(options)).table(Positions::list(rows), values));
    check_rotated(stored, values, static_cast<std::size_t>(choice.dim));
  }

  void operator()(const encoding::Alibi& bias) const {
    CHECK(bias.heads == whole(stored, "heads"));
    std::vector<float> slopes(static_cast<std::size_t>(bias.heads));
    value_of(posenc::alibi_slopes(bias.options, slopes));
    const auto expected = numbers(list(stored, "slopes"));
    // Falcon's code rounds its slopes to bfloat16.
    for (std::size_t head = 0; head < expected.size(); ++head)
      check_near(slopes[head], expected[head], stored.find("rounded") ? expected[head] / 256 : tolerance);
  }

  void operator()(const encoding::T5& bias) const {
    CHECK(bias.heads == whole(stored, "heads"));
    CHECK(bias.buckets == whole(stored, "buckets"));
    CHECK(bias.max_distance == whole(stored, "maxDistance"));
    for (const bool is_encoder : {true, false}) {
      const auto buckets = value_of(posenc::T5Buckets::make({bias.buckets, bias.max_distance, is_encoder}));
      const auto expected = numbers(list(stored, is_encoder ? "encoder" : "decoder"));
      const auto distances = numbers(list(stored, "distances"));
      for (std::size_t i = 0; i < distances.size(); ++i)
        CHECK(buckets.bucket(static_cast<std::int64_t>(distances[i])) == expected[i]);
    }
  }

  void operator()(const encoding::None& /*none*/) const {}
  template <class Other>
  void operator()(const Other& /*other*/) const {
    FAIL("no fixture has this encoding");
  }
};

}  // namespace

TEST_CASE("model numbers: models give the numbers of their own code", "[hub]") {
  for (const ConfigValue& stored : stored_models()) {
    INFO(text(stored, "type"));
    const Model model = value_of(posenc::read_model(config_of_row(stored, text(stored, "type"))));
    CHECK(posenc::name_of(model.config.encoding) == text(stored, "encoding"));
    const bool rotates = text(stored, "encoding") == "rotary";
    if (!rotates) std::visit(UnrotatedCheck{stored}, model.config.encoding);
    CHECK(model.config.plans.empty() != rotates);
    if (!stored.find("rotations")) continue;
    check_layers(model, stored);
    for (const ConfigValue& rotation : list(stored, "rotations")) check_query(model, rotation, false);
    if (stored.find("outputs"))
      for (const ConfigValue& output : list(stored, "outputs")) check_query(model, output, true);
    if (stored.find("indexer")) check_indexer(model, *stored.find("indexer"));
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
