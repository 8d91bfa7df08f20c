#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "posenc/base/array_maths.hpp"
#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/layer_name.hpp"
#include "posenc/learning/encodings/parts/path_keys.hpp"
#include "posenc/learning/encodings/parts/unit_rows.hpp"
#include "posenc/learning/product.hpp"
#include "posenc/learning/room.hpp"

namespace posenc::learning {
namespace {

/// PaTH: every token s has in each head a direction w, of length 1, and a strength 0 < b < 2, from what the layer reads
/// of it. The score of query i and key j before it is scale q_i H_i H_(i-1) ... H_(j+1) k_j, H_s = 1 - b_s w_s w_s^T.
/// The paper has causal attention alone; where a query sees what comes after it too, the product from its token to such
/// a key is the same seen from there: scale k_j H_j ... H_(i+1) q_i. Where tokens stand is not read.
///
/// From layers/path_attn.py of fla-org/flash-linear-attention at 27289fc and naive_path_attn of its
/// tests/ops/test_path_attn.py at 0675f13. Left out: the convolution over three neighbouring tokens, through which
/// directions go there, and the forget gate, which is an option. Its matrix of directions has a rank of at most 32,
/// this one any; w = x / sqrt(|x|^2 + 1e-6) there.
class PathEncoding final : public Encoding {
 public:
  void declare(const PassShape& model, ParameterList& list) override {
    parameters_.clear();
    for (std::size_t layer = 0; layer < model.layers; ++layer)
      parameters_.push_back({list.add(layer_name(layer, "path.directions"), model.width, model.width, {0, 0.02}),
                             list.add(layer_name(layer, "path.strengths"), model.heads, model.width, {0, 0.02}),
                             list.add(layer_name(layer, "path.strengths.bias"), model.heads, 1, {})});
  }

  [[nodiscard]] Expected<void> reserve(const Reach& reach) override {
    const auto& [sequences, length, layers, heads, width] = reach.shape;
    for (const auto& [array, size] : {std::pair(&raw_, width), std::pair(&directions_, width),
                                      std::pair(&inverses_, heads), std::pair(&strengths_, heads)})
      if (auto made = make_room({layers, sequences, length, size}, *array); !made) return made;
    for (const auto& [array, size] :
         {std::pair(&d_raw_, width), std::pair(&d_directions_, width), std::pair(&d_strengths_, heads)})
      if (auto made = make_room({sequences, length, size}, *array); !made) return made;
    if (auto made = unit_rows_.reserve(reach.shape.dims()); !made) return made;
    if (auto made = keys_.reserve(length, reach.shape.dims()); !made) return made;
    const std::size_t rows = reach.shape.rows();
    auto product = Product::make({{width, width}, {width, heads}, {heads, width}, {rows, width}});
    if (!product) return error_of(product);
    product_ = *std::move(product);
    return {};
  }

  void read_rows(const Pass& pass, std::size_t layer, const float* rows) override {
    const auto& [directions, strengths, bias] = parameters_[layer];
    const std::size_t count = pass.shape.rows(), heads = pass.shape.heads, width = pass.shape.width;
    const LayerRoom room = room_of(pass, layer);
    const auto read = row_major(rows, width);
    product_.set(count, width, width, read, transposed(row_major(pass.parameters + directions, width)), room.raw,
                 width);
    unit_rows_.divide(count * heads, room.raw, room.directions, room.inverses);
    product_.set(count, width, heads, read, transposed(row_major(pass.parameters + strengths, width)), room.strengths,
                 heads);
    for (std::size_t i = 0; i < count * heads; ++i) room.strengths[i] += pass.parameters[bias + i % heads];
    sigmoids(std::span(room.strengths, count * heads));
    for (std::size_t i = 0; i < count * heads; ++i) room.strengths[i] *= 2;
  }

  void add_scores(const Pass& pass, const HeadPlace& place, const HeadRows& rows, float* scores) override {
    const std::size_t length = pass.shape.length, dims = pass.shape.dims();
    const auto score = row_major(scores, length);
    const PathSteps steps = steps_of(pass, place);
    keys_.score(length, dims, pass.scale, rows.query, rows.key, steps, score);
    if (!pass.is_causal) keys_.score(length, dims, pass.scale, rows.key, rows.query, steps, transposed(score));
  }

  void scores_gradient(const Pass& pass, const HeadPlace& place, const HeadRows& rows, float* d_scores,
                       const HeadGradients& d_rows, float* /*gradients*/) override {
    const std::size_t length = pass.shape.length, dims = pass.shape.dims();
    const auto d_score = row_major(d_scores, length);
    const PathSteps steps = steps_of(pass, place);
    const std::size_t first = place.sequence * length;
    const PathStepGradients d_steps{row_major(d_directions_.data(), pass.shape.width).from(first, place.head * dims),
                                    row_major(d_strengths_.data(), pass.shape.heads).from(first, place.head)};
    for (std::size_t token = 0; token < length; ++token) {
      std::fill_n(d_steps.directions.at(token, 0), dims, 0.0f);
      *d_steps.strengths.at(token, 0) = 0;
    }
    keys_.gradient(length, dims, pass.scale, rows.query, rows.key, steps, d_score, d_rows.query, d_rows.key, d_steps);
    if (!pass.is_causal)
      keys_.gradient(length, dims, pass.scale, rows.key, rows.query, steps, transposed(d_score), d_rows.key,
                     d_rows.query, d_steps);
  }

  void read_gradient(const Pass& pass, std::size_t layer, const float* rows, float* d_rows, float* gradients) override {
    const auto& [directions, strengths, bias] = parameters_[layer];
    const std::size_t count = pass.shape.rows(), heads = pass.shape.heads, width = pass.shape.width;
    const LayerRoom room = room_of(pass, layer);
    for (std::size_t i = 0; i < count * heads; ++i) {
      d_strengths_[i] *= room.strengths[i] * (1 - room.strengths[i] / 2);
      gradients[bias + i % heads] += d_strengths_[i];
    }
    std::fill_n(d_raw_.data(), count * width, 0.0f);
    unit_rows_.gradient(count * heads, room.raw, room.inverses, d_directions_.data(), d_raw_.data());
    add_projected(pass, directions, width, d_raw_.data(), rows, d_rows, gradients);
    add_projected(pass, strengths, heads, d_strengths_.data(), rows, d_rows, gradients);
  }

 private:
  /// Where a layer's parameters begin.
  struct PathParameters {
    std::size_t directions, strengths, bias;
  };
  /// What the pass keeps of a layer.
  struct LayerRoom {
    float *raw, *directions, *inverses, *strengths;
  };

  LayerRoom room_of(const Pass& pass, std::size_t layer) {
    const std::size_t of_heads = layer * pass.shape.rows() * pass.shape.heads;
    const std::size_t of_dims = layer * pass.shape.rows() * pass.shape.width;
    return {raw_.data() + of_dims, directions_.data() + of_dims, inverses_.data() + of_heads,
            strengths_.data() + of_heads};
  }
  PathSteps steps_of(const Pass& pass, const HeadPlace& place) {
    const LayerRoom room = room_of(pass, place.layer);
    const std::size_t first = place.sequence * pass.shape.length;
    return {row_major<const float>(room.directions, pass.shape.width).from(first, place.head * pass.shape.dims()),
            row_major<const float>(room.strengths, pass.shape.heads).from(first, place.head)};
  }

  /// From the gradient of rows times a matrix, [rows, size], to those of the matrix and the rows.
  void add_projected(const Pass& pass, std::size_t matrix, std::size_t size, const float* d_projected,
                     const float* rows, float* d_rows, float* gradients) {
    const std::size_t count = pass.shape.rows(), width = pass.shape.width;
    const auto d = row_major(d_projected, size);
    product_.add(count, size, width, d, row_major(pass.parameters + matrix, width), d_rows, width);
    product_.add(size, count, width, transposed(d), row_major(rows, width), gradients + matrix, width);
  }

  std::vector<PathParameters> parameters_;    ///< of each layer
  AlignedArray<float> raw_, directions_;      ///< before and after division, [layers, rows, width]
  AlignedArray<float> inverses_, strengths_;  ///< [layers, rows, heads]
  AlignedArray<float> d_raw_, d_directions_;  ///< of the layer that is computed, [rows, width]
  AlignedArray<float> d_strengths_;           ///< and then of what is in the sigmoid, [rows, heads]
  UnitRows unit_rows_;
  PathKeys keys_;
  Product product_;
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_path(const EncodingOptions& /*options*/) {
  return std::make_unique<PathEncoding>();
}

}  // namespace posenc::learning
