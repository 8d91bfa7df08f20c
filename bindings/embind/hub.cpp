#include <algorithm>

#include "json.hpp"
#include "modules.hpp"
#include "posenc/hub/hub_config.hpp"
#include "posenc/hub/model.hpp"
#include "posenc/hub/model_layer.hpp"

namespace posenc::embind {
namespace {

class HubWriter : public Writer<HubWriter> {
 public:
  using Writer::write;

  void write(const HubPlan& plan) {
    write(Kind::object);
    member_or_null("layerType", plan.layer_type);
    member("path", std::string_view(plan.path));
    member("rotary", plan.rotary);
    member("attentionFactor", plan.attention_factor);
    member("inverse", plan.inverse);
    write(std::string_view("mrope"));
    plan.mrope_section.empty() ? write(Kind::none) : write_mrope(plan.mrope_section, plan.mrope_order);
    write(Kind::end);
  }

  void write(const SecondEncoding& second) {
    write(Kind::object);
    member("of", second.of);
    member("encoding", second.encoding);
    write(Kind::end);
  }

  void write(const HubEncoding& encoding) {
    write(Kind::object);
    member("type", name_of(encoding));
    std::visit([this](const auto& has) { this->numbers_of(has); }, encoding);
    write(Kind::end);
  }

  void numbers_of(const auto& /*rotary, none, unknown*/) {}
  void numbers_of(const encoding::Grid& grid) {
    member("preset", grid.preset);
    member("dim", grid.dim);
    if (grid.base) member("base", *grid.base);
    if (grid.merge != 0) member("mergeSize", grid.merge);
    const auto count = std::ranges::find(grid.dims, 0) - grid.dims.begin();
    if (count > 0) member("dims", std::vector<double>(grid.dims.begin(), grid.dims.begin() + count));
  }
  void numbers_of(const encoding::RelativeKeys& table) {
    member("maxDistance", table.max_distance);
    member("ofKeys", table.of_keys);
  }
  void numbers_of(const encoding::Learned& table) {
    member("rows", table.rows);
    member("firstRow", table.first_row);
  }
  void numbers_of(const encoding::Sinusoidal& table) { member("firstRow", table.first_row); }
  void numbers_of(const encoding::Alibi& bias) {
    member("heads", bias.heads);
    member("slopes", std::string_view(bias.options.slopes == AlibiSlopes::mpt ? "mpt" : "paper"));
    member("steepness", bias.options.steepness);
    const bool is_linear = bias.options.distance == AlibiDistance::linear;
    member("distance", std::string_view(is_linear ? "linear" : "symmetric"));
  }
  void numbers_of(const encoding::T5& bias) {
    member("heads", bias.heads);
    member("buckets", bias.buckets);
    member("maxDistance", bias.max_distance);
  }

  void member_plan(const HubLayers& layers, std::optional<std::int64_t> plan) {
    layers.is_known ? member_or_null("plan", plan) : member("plan", std::string_view("unknown"));
  }

  /// Writes which of the plans the layers of a kind have.
  void write(const HubConfig& config, const HubLayers& layers) {
    write(Kind::object);
    member("count", layers.count);
    member_or_null("type", layers.type);
    const HubPlan* const plan = plan_of(config, layers);
    member_plan(layers, plan == nullptr ? std::nullopt : std::optional(plan - config.plans.data()));
    write(Kind::end);
  }

  void write(const HubConfig& config) {
    write(Kind::object);
    write_plans(config);
    write(std::string_view("layers"));
    write(Kind::list);
    for (const HubLayers& layers : config.layers) write(config, layers);
    write(Kind::end);
    write(Kind::end);
  }

  void write_plans(const HubConfig& config) {
    member("encoding", config.encoding);
    member("plans", config.plans);
    member("unknownKeys", config.unknown_keys);
    member("secondEncodings", config.second_encodings);
    member("parts", config.parts);
    member("otherCode", config.other_code);
    write(std::string_view("evidence"));
    write(Kind::list);
    for (const Evidence& evidence : config.evidence) {
      const bool is_code = evidence.known == Known::numbers || evidence.known == Known::source;
      write(Kind::object);
      member("trait", std::string_view(evidence.trait));
      member_or_null("plan", evidence.plan < 0 ? std::nullopt : std::optional(std::int64_t{evidence.plan}));
      member("known", name_of(evidence.known));
      member_or_null("from", is_code ? config.source : evidence.path);
      write(Kind::end);
    }
    write(Kind::end);
  }

  void write(const Model& model) {
    write(Kind::object);
    member_or_null("type", model.model_type);
    member("path", std::string_view(model.path));
    member_or_null("length", model.length);
    member_or_null("originalLength", model.original_length);
    write_plans(model.config);
    member("mask", name_of(model.mask));
    member("layers", model.layers);
    write(std::string_view("ids"));
    write(Kind::object);
    member_or_null("rule", model.ids.rule);
    member("mergeSize", model.ids.merge);
    member("tokensPerSecond", model.ids.tokens_per_second);
    write(Kind::end);
    write(Kind::end);
  }

  void write(const HeadDims& dims) {
    write(Kind::object);
    member("first", dims.first);
    member("count", dims.count);
    member("dim", dims.dim);
    write(Kind::end);
  }

  void write(const QueryTemperature& temperature) {
    write(Kind::object);
    member("slope", temperature.slope);
    member("shift", temperature.shift);
    member("period", temperature.period);
    write(Kind::end);
  }

  void write(const Indexer& indexer) {
    write(Kind::object);
    member("dims", indexer.dims);
    if (indexer.layout != Layout::unnamed) member("layout", name_of(indexer.layout));
    member("scale", indexer.score_scale);
    write(Kind::end);
  }

  void write(const ModelLayers& layers) {
    const auto plan = layers.plan ? std::optional(static_cast<std::int64_t>(*layers.plan)) : std::nullopt;
    write(Kind::object);
    member("count", layers.layers.count);
    member_or_null("type", layers.layers.type);
    member_plan(layers.layers, plan);
    member_or_null("dims", layers.plan ? std::optional(layers.dims) : std::nullopt);
    write(std::string_view("reach"));
    write(Kind::object);
    member("type", name_of(layers.reaches));
    if (layers.reaches == Reach::window || layers.reaches == Reach::chunk) member("size", layers.reach);
    write(Kind::end);
    member_or_null("temperature", layers.temperature);
    member_or_null("scale", layers.score_scale);
    member_or_null("norm", name_of(layers.norm));
    member_or_null("softcap", layers.softcap);
    member("sinks", layers.has_sinks);
    member_or_null("indexer", layers.indexer);
    member_or_null("compression", layers.compression == 0 ? std::nullopt : std::optional(layers.compression));
    member("rotatesOutputs", layers.rotates_outputs);
    write(Kind::end);
  }
};

ConfigValue config_of(const auto& in) { return Reader(in.config.template as<const double>().data()).value(); }

}  // namespace

Expected<void> run(const calls::HubConfig& in) {
  POSENC_TRY_LET(read, read_hub_config(config_of(in)));
  return answer_with<HubWriter>(in, read);
}

Expected<void> run(const calls::Model& in) {
  POSENC_TRY_LET(read, read_model(config_of(in), in.path));
  return answer_with<HubWriter>(in, read);
}

Expected<void> run(const calls::ModelLayerMake& in) {
  POSENC_TRY_LET(read, read_model(config_of(in), in.path));
  ModelLayerOptions options{.length = in.length};
  POSENC_TRY(set(options.layout, in.layout));
  POSENC_TRY_LET(made, ModelLayer::make(read, in.index, options));
  std::int64_t first = 0;
  std::size_t run = 0;
  while (in.index >= first + read.layers[run].layers.count) first += read.layers[run++].layers.count;
  in.answer.run = static_cast<double>(run);
  in.answer.axes = static_cast<double>(made.axes());
  in.answer.handle = to_handle(std::move(made));
  return {};
}

Expected<void> run(const calls::ModelLayerApply& in) {
  const auto& layer = from_handle<ModelLayer>(in.layer);
  POSENC_TRY_LET(shape, sequence_shape(in));
  // Several axes have ids of their own, unless each token has one number.
  const bool is_text = !in.positions.lists && in.positions.size == shape.sequence();
  const bool is_points = layer.axes() > 1 && in.positions.is_given() && !is_text;
  const PositionList positions = is_points ? PositionList{} : in.positions;
  auto key_shape = in.key_shape.empty() ? Expected<SequenceShape>(shape) : sequence_shape(in, in.key_shape);
  if (!key_shape && key_shape.error().argument == "shape") key_shape.error().argument = "keyShape";
  if (!key_shape) return error_of(key_shape);
  const std::span<const double> points = is_points ? in.positions.as<const double>() : std::span<const double>();
  return layer.apply({in.q, shape}, {in.k, *key_shape}, positions_of(positions, in.offset, shape.sequence()), points);
}

Expected<void> run(const calls::ModelLayerOutputs& in) {
  POSENC_TRY_LET(shape, sequence_shape(in));
  return from_handle<ModelLayer>(in.layer).apply_to_outputs({in.x, shape}, positions_of(in, shape.sequence()));
}

}  // namespace posenc::embind
