#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "posenc/learning/encodings/make_encoding.hpp"
#include "posenc/learning/encodings/parts/layer_name.hpp"
#include "posenc/learning/encodings/parts/projected_rows.hpp"
#include "posenc/learning/encodings/parts/relative_rows.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc::learning {
namespace {

/// Dai et al. 2019, "Transformer-XL: Attentive Language Models Beyond a Fixed-Length Context": a score is (q_i + u) k_j
/// + (q_i + v) r, where r is a projection of the sinusoid of i - j, and u and v are learned.
class TransformerXlEncoding final : public Encoding {
 public:
  void declare(const PassShape& model, ParameterList& list) override {
    layers_.clear();
    const double deviation = 1 / std::sqrt(static_cast<double>(model.width));
    for (std::size_t layer = 0; layer < model.layers; ++layer)
      layers_.push_back(
          {list.add(layer_name(layer, "xl.content_bias"), model.heads, model.dims(), {}),
           list.add(layer_name(layer, "xl.position_bias"), model.heads, model.dims(), {}),
           list.add(layer_name(layer, "xl.relative"), model.width, model.width, {.deviation = deviation})});
  }

  Expected<void> reserve(const Reach& reach) override {
    const auto& [sequences, length, layers, heads, width] = reach.shape;
    rows_ = RelativeRows({.sign = RelativeSign::query_minus_key, .least = -reach.position, .most = reach.position});
    const std::size_t dims = reach.shape.dims(), distances = rows_.rows_up_to(reach);
    if (auto done = rows_.reserve(reach); !done) return done;
    if (auto done = projected_.reserve(layers, distances, width); !done) return done;
    for (const auto& [array, size] : {std::pair(&sinusoids_, distances * width), std::pair(&shifted_, length * dims),
                                      std::pair(&d_shifted_, length * dims), std::pair(&of_keys_, length)}) {
      auto made = AlignedArray<float>::make_unfilled(size);
      if (!made) return error_of(made);
      *array = *std::move(made);
    }
    auto product = Product::make({{dims, 1}, {1, dims}, {length, dims}});
    if (!product) return error_of(product);
    product_ = *std::move(product);
    const auto sinusoidal = Sinusoidal::make({.frequencies = {.dim = static_cast<std::int64_t>(width)}});
    if (!sinusoidal) return error_of(sinusoidal);
    return sinusoidal->table(Positions::range(distances, -reach.position), sinusoids_.span());
  }

  void begin(const Pass& pass) override {
    rows_.begin(pass);
    projected_.begin(pass.shape.layers, rows_.count());
    for (std::size_t layer = 0; layer < pass.shape.layers; ++layer)
      projected_.project(layer, needed_sinusoids(pass), pass.parameters + layers_[layer].relative);
  }

  void add_scores(const Pass& pass, const HeadPlace& place, const HeadRows& rows, float* scores) override {
    const std::size_t length = pass.shape.length;
    product_.set(length, pass.shape.dims(), 1, rows.key, {content_bias(pass, place, pass.parameters), 1, 1},
                 of_keys_.data(), 1);
    for (std::size_t i = 0; i < length; ++i)
      for (std::size_t j = 0; j < length; ++j) scores[i * length + j] += pass.scale * of_keys_[j];
    rows_.add_to_pairs(pass, place.sequence, pass.scale, shifted(pass, place, rows),
                       projected_.of_head(pass.shape, place), scores);
  }

  void scores_gradient(const Pass& pass, const HeadPlace& place, const HeadRows& rows, float* d_scores,
                       const HeadGradients& d_rows, float* gradients) override {
    const std::size_t length = pass.shape.length, dims = pass.shape.dims();
    std::fill_n(of_keys_.data(), length, 0.0f);
    for (std::size_t i = 0; i < length; ++i)
      for (std::size_t j = 0; j < length; ++j) of_keys_[j] += pass.scale * d_scores[i * length + j];
    const auto d_of_keys = row_major<const float>(of_keys_.data(), length);
    product_.add(length, 1, dims, transposed(d_of_keys), row_major(content_bias(pass, place, pass.parameters), dims),
                 d_rows.key.data, d_rows.key.row_stride);
    product_.add(1, length, dims, d_of_keys, rows.key, content_bias(pass, place, gradients), dims);

    rows_.sum_pairs(pass, place.sequence, pass.scale, d_scores);
    rows_.add_to_table(pass, shifted(pass, place, rows), projected_.gradient_of_head(pass.shape, place));
    std::fill_n(d_shifted_.data(), length * dims, 0.0f);
    rows_.add_to_tokens(pass, projected_.of_head(pass.shape, place), row_major(d_shifted_.data(), dims));
    float* const d_bias = position_bias(pass, place, gradients);
    for (std::size_t i = 0; i < length; ++i)
      for (std::size_t dimension = 0; dimension < dims; ++dimension) {
        const float d_dim = d_shifted_[i * dims + dimension];
        *d_rows.query.at(i, dimension) += d_dim;
        d_bias[dimension] += d_dim;
      }
  }

  void end_gradient(const Pass& pass, float* gradients) override {
    for (std::size_t layer = 0; layer < pass.shape.layers; ++layer)
      projected_.add_to_matrix(layer, needed_sinusoids(pass), gradients + layers_[layer].relative);
  }

 private:
  /// Where a layer's parameters begin.
  struct Places {
    std::size_t content_bias, position_bias, relative;
  };

  template <class T>
  [[nodiscard]] T* content_bias(const Pass& pass, const HeadPlace& place, T* values) const {
    return values + layers_[place.layer].content_bias + place.head * pass.shape.dims();
  }
  template <class T>
  [[nodiscard]] T* position_bias(const Pass& pass, const HeadPlace& place, T* values) const {
    return values + layers_[place.layer].position_bias + place.head * pass.shape.dims();
  }

  /// Those of the distances that the pass has.
  [[nodiscard]] const float* needed_sinusoids(const Pass& pass) const {
    return sinusoids_.data() + rows_.first_row() * pass.shape.width;
  }

  /// The queries + v.
  [[nodiscard]] Strided<const float> shifted(const Pass& pass, const HeadPlace& place, const HeadRows& rows) {
    const std::size_t dims = pass.shape.dims();
    const float* const bias = position_bias(pass, place, pass.parameters);
    for (std::size_t i = 0; i < pass.shape.length; ++i)
      for (std::size_t dimension = 0; dimension < dims; ++dimension)
        shifted_[i * dims + dimension] = *rows.query.at(i, dimension) + bias[dimension];
    return row_major<const float>(shifted_.data(), dims);
  }

  std::vector<Places> layers_;
  RelativeRows rows_{{}};  ///< of all distances, none of which is clipped
  ProjectedRows projected_;
  AlignedArray<float> sinusoids_;            ///< [distances, width], from the smallest distance to the largest
  AlignedArray<float> shifted_, d_shifted_;  ///< [length, dimensions]
  AlignedArray<float> of_keys_;              ///< u k_j or its gradient, [length]
  Product product_;
};

}  // namespace

Expected<std::unique_ptr<Encoding>> make_transformer_xl(const EncodingOptions& /*options*/) {
  return std::make_unique<TransformerXlEncoding>();
}

}  // namespace posenc::learning
