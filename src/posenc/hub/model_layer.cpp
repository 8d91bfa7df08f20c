#include "posenc/hub/model_layer.hpp"

#include <utility>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/grid/mrope.hpp"

namespace posenc {

Expected<ModelLayer> ModelLayer::make(const Model& model, std::int64_t index, const ModelLayerOptions& options) {
  const ModelLayers* found = nullptr;
  std::int64_t count = 0;
  for (const ModelLayers& layers : model.layers) {
    count += layers.layers.count;
    if (found == nullptr && index >= 0 && index < count) found = &layers;
  }
  const HubEncoding& encoding = model.config.encoding;
  if (std::holds_alternative<encoding::Grid>(encoding) || std::holds_alternative<encoding::Unknown>(encoding) ||
      (found != nullptr && !found->layers.is_known))
    return invalid_argument("config", "\"" + model.model_type + "\"", expected::sequence_model);
  if (found == nullptr)
    return invalid_argument("index", static_cast<double>(index),
                            {count == 0 ? "a config that has the number of layers" : "a layer, from 0 to ",
                             count == 0 ? "" : decimal(count - 1)});
  ModelLayer made;
  made.layers_ = *found;
  if (!found->plan) return made;

  const HubPlan& plan = model.config.plans[*found->plan];
  RotaryOptions rotary = plan.rotary;
  if (options.layout != Layout::unnamed) rotary.layout = options.layout;
  rotary.length = options.length;
  made.direction_ = plan.inverse ? Direction::inverse : Direction::forward;
  if (plan.mrope_section.empty()) {
    POSENC_TRY_LET(rotation, Rotary::make(rotary));
    made.rotation_ = std::move(rotation);
  } else {
    POSENC_TRY_LET(rotation, mrope(rotary, plan.mrope_section, plan.mrope_order));
    made.rotation_ = std::move(rotation);
  }
  return made;
}

std::size_t ModelLayer::axes() const {
  const auto* const rotary = std::get_if<PointRotary>(&rotation_);
  return rotary != nullptr ? rotary->axes() : 1;
}

Expected<SequenceShape> ModelLayer::slice_of(const SequenceShape& shape) const {
  const auto& rotary = std::get<Rotary>(rotation_);
  if (shape.dim() == rotary.dim()) return shape;
  if (shape.dim() == static_cast<std::size_t>(layers_.dims.dim)) return shape.dims(layers_.dims.first, rotary.dim());
  const std::string whole = decimal(layers_.dims.dim);
  const std::string slice = decimal(rotary.dim());
  return invalid_argument("shape", static_cast<double>(shape.dim()),
                          {whole, whole == slice ? "" : ", or the rotated dimensions alone, ",
                           whole == slice ? "" : slice, " as the extent of heads"});
}

namespace {

/// Gives an error the caller's names of an array and of its shape.
template <class T>
Expected<T> named(Expected<T> checked, const char* array, const char* shape) {
  if (checked) return checked;
  std::string& argument = checked.error().argument;
  if (argument == "x") argument = array;
  if (argument == "shape") argument = shape;
  return checked;
}

}  // namespace

Expected<void> ModelLayer::apply(const HeadTensor& queries, const HeadTensor& keys, const Positions& positions,
                                 std::span<const double> points) const {
  const auto& temperature = layers_.temperature;
  if (temperature)
    POSENC_TRY(named(check_queries(*temperature, queries.values.size(), queries.shape, positions), "q", "shape"));
  if (axes() > 1) return apply_points(queries, keys, positions, points);
  if (!points.empty()) return invalid_argument("positions", static_cast<double>(points.size()), {"one for each token"});
  if (const auto* const rotary = std::get_if<Rotary>(&rotation_)) {
    const auto dims_of = [&](const HeadTensor& heads) -> Expected<SequenceShape> {
      POSENC_TRY_LET(dims, slice_of(heads.shape));
      POSENC_TRY(rotary->check_rotation(heads.values.size(), dims, positions));
      return dims;
    };
    POSENC_TRY_LET(query_dims, named(dims_of(queries), "q", "shape"));
    POSENC_TRY_LET(key_dims, named(dims_of(keys), "k", "keyShape"));
    POSENC_TRY(rotary->apply(queries.values, query_dims, positions, direction_));
    POSENC_TRY(rotary->apply(keys.values, key_dims, positions, direction_));
  }
  return temperature ? scale_queries(*temperature, queries.values, queries.shape, positions) : Expected<void>();
}

Expected<void> ModelLayer::apply_points(const HeadTensor& queries, const HeadTensor& keys, const Positions& positions,
                                        std::span<const double> points) const {
  const auto& rotary = std::get<PointRotary>(rotation_);
  AlignedArray<double> text;
  if (points.empty()) {
    POSENC_TRY_LET(repeated, AlignedArray<double>::make_unfilled(positions.count() * rotary.axes()));
    for (std::size_t i = 0; i < repeated.size(); ++i) repeated[i] = positions[i % positions.count()];
    text = std::move(repeated);
    points = text.span();
  }
  const Points tokens = Points::axes_first(points);
  POSENC_TRY(named(rotary.check_rotation(queries.values, queries.shape, tokens), "q", "shape"));
  POSENC_TRY(named(rotary.check_rotation(keys.values, keys.shape, tokens), "k", "keyShape"));
  POSENC_TRY(rotary.apply(queries.values, queries.shape, tokens, {}, direction_));
  return rotary.apply(keys.values, keys.shape, tokens, {}, direction_);
}

Expected<void> ModelLayer::apply_to_outputs(const HeadTensor& outputs, const Positions& positions) const {
  const auto* const rotary = std::get_if<Rotary>(&rotation_);
  if (rotary == nullptr || !layers_.rotates_outputs) return {};
  POSENC_TRY_LET(dims, slice_of(outputs.shape));
  return rotary->apply(outputs.values, dims, positions, Direction::inverse);
}

}  // namespace posenc
