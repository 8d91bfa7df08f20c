#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "posenc/grid/point_rotary.hpp"
#include "posenc/hub/model.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// Options that a config does not have.
struct ModelLayerOptions {
  /// Replaces the model's layout, for permuted weights; required if the model's is not known.
  Layout layout = Layout::unnamed;
  /// The sequence length, for scaling rules that depend on it.
  std::optional<std::int64_t> length = std::nullopt;
};

/// Values of a tensor and their arrangement in memory.
struct HeadTensor {
  std::span<float> values;
  SequenceShape shape;
};

/// The rotation and the temperature of one layer of a model.
class ModelLayer {
 public:
  /// Errors: an index that no layer has; those of Rotary::make and of mrope.
  [[nodiscard]] static Expected<ModelLayer> make(const Model& model, std::int64_t index,
                                                 const ModelLayerOptions& options = {});

  /// Rotates queries and keys, whole heads or the rotated dimensions alone, and then gives queries their temperature,
  /// in place. Layers that do not rotate leave keys as they are. `points` are [axes, sequence] for models whose
  /// positions have several axes; without them these are all equal, as in text. Largest error: that of Rotary::apply,
  /// and of scale_queries. Errors: those of Rotary::apply, PointRotary::apply and scale_queries. Both are then
  /// unchanged.
  [[nodiscard]] Expected<void> apply(const HeadTensor& queries, const HeadTensor& keys, const Positions& positions,
                                     std::span<const double> points = {}) const;

  /// Rotates the attention's output back by its queries' positions, where the layer does so.
  [[nodiscard]] Expected<void> apply_to_outputs(const HeadTensor& outputs, const Positions& positions) const;

  [[nodiscard]] const ModelLayers& layers() const { return layers_; }
  /// The number of axes of a token's position: 1, unless apply takes `points`.
  [[nodiscard]] std::size_t axes() const;

 private:
  [[nodiscard]] Expected<SequenceShape> slice_of(const SequenceShape& shape) const;
  [[nodiscard]] Expected<void> apply_points(const HeadTensor& queries, const HeadTensor& keys,
                                            const Positions& positions, std::span<const double> points) const;

  ModelLayers layers_;
  Direction direction_ = Direction::forward;
  std::variant<std::monostate, Rotary, PointRotary> rotation_;
};

}  // namespace posenc
