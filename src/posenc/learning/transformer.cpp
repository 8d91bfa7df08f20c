#include "posenc/learning/transformer.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/learning/array_size.hpp"

namespace posenc::learning {
namespace {

/// The standard deviation of a matrix's elements with which the product is as large as its input.
double fan_in(std::size_t in) { return 1 / std::sqrt(static_cast<double>(in)); }

LayerOffsets declare_layer(std::size_t layer, std::size_t layers, std::size_t width, std::size_t hidden,
                           ParameterList& list) {
  const auto declare = [&](std::string_view name, std::size_t rows, std::size_t columns, Initial initial) {
    return list.declare(layer_name(layer, name), rows, columns, initial);
  };
  // Projections to the residual stream start smaller the more layers there are, as in GPT-2.
  const double residual = 1 / std::sqrt(2 * static_cast<double>(layers));
  return {declare("attention_norm", 1, width, {1, 0}),
          declare("query_key_value", 3 * width, width, {0, fan_in(width)}),
          declare("attention_output", width, width, {0, fan_in(width) * residual}),
          declare("mlp_norm", 1, width, {1, 0}),
          declare("up", hidden, width, {0, fan_in(width)}),
          declare("up_bias", 1, hidden, {0, 0}),
          declare("down", width, hidden, {0, fan_in(hidden) * residual}),
          declare("down_bias", 1, width, {0, 0})};
}

/// Makes the arrays that are smaller than they have to be. Errors: memory.
Expected<void> make_larger(std::initializer_list<std::pair<AlignedArray<float>*, std::size_t>> arrays) {
  for (const auto& [array, size] : arrays) {
    if (array->size() >= size) continue;
    POSENC_TRY(allocate({{*array, size}}, Fill::none));
  }
  return {};
}

/// An encoding's error with its argument named as a training's option: "encoding.rows". Memory and positions are no
/// options.
Error within_encoding(Error error) {
  const std::string_view argument = error.argument;
  const bool is_whole = argument.starts_with("encoding.") || argument.starts_with("model.");
  if (!is_whole && argument != "memory" && argument != "positions") error.argument.insert(0, "encoding.");
  return error;
}

std::size_t extent(std::int64_t value) { return static_cast<std::size_t>(value); }

}  // namespace

Expected<ModelOptions> ModelOptions::checked() const {
  ModelOptions model = *this;
  if (model.hidden == 0) model.hidden = 2 * model.width;
  POSENC_TRY(check_ranges(model));
  if (width < 2 * heads || width > 512 || width % (2 * heads) != 0)
    return invalid_argument("model.width", static_cast<double>(width),
                            {"a multiple of 2 * heads, ", decimal(2 * heads), ", of at most 512"});
  POSENC_TRY(check_whole("model.hidden", model.hidden, 1, 4096));
  return model;
}

Expected<Transformer> Transformer::make(std::size_t vocabulary, const ModelOptions& options,
                                        const EncodingOptions& encoding) {
  POSENC_TRY_LET(checked, options.checked());
  auto positional = make_encoding(encoding);
  if (!positional) return std::unexpected(within_encoding(std::move(positional.error())));
  Transformer made;
  made.options_ = checked;
  made.vocabulary_ = vocabulary;
  made.encoding_ = *std::move(positional);
  const std::size_t width = extent(checked.width), layers = extent(checked.layers);
  ParameterList& list = made.list_;
  // The deviation of PyTorch's nn.Embedding; where the embedding is the output too, logits start near 1.
  made.embedding_ = list.declare("embedding", vocabulary, width, {0, checked.ties_output ? fan_in(width) : 1});
  for (std::size_t layer = 0; layer < layers; ++layer)
    made.layers_.push_back(declare_layer(layer, layers, width, extent(checked.hidden), list));
  made.last_gain_ = list.declare("last_norm", 1, width, {1, 0});
  made.output_ = checked.ties_output ? made.embedding_ : list.declare("output", vocabulary, width, {0, fan_in(width)});
  made.size_without_encoding_ = list.size();
  made.encoding_->declare({0, 0, layers, extent(checked.heads), width}, list);
  return made;
}

Expected<Transformer> Transformer::with_encoding(const EncodingOptions& encoding) const {
  auto other = make(vocabulary_, options_, encoding);
  if (!other) return other;
  for (const Parameter& parameter : other->list_.parameters()) {
    const Parameter* known = list_.find(parameter.name);
    if (known == nullptr || known->rows != parameter.rows || known->columns != parameter.columns)
      return invalid_argument("encoding.type", std::string(name_of(encoding.type)),
                              {"an encoding that learns nothing which this model has not learned: it needs ",
                               parameter.name, " [", decimal(parameter.rows), ", ", decimal(parameter.columns), "]"});
  }
  // It finds its parameters where they are in this model.
  ParameterList list = list_;
  other->encoding_->declare({0, 0, layers_.size(), extent(options_.heads), extent(options_.width)}, list);
  other->list_ = std::move(list);
  other->embedding_ = embedding_;
  other->layers_ = layers_;
  other->last_gain_ = last_gain_;
  other->output_ = output_;
  return other;
}

Expected<void> Transformer::LayerBuffers::make(std::size_t all, std::size_t width, std::size_t hidden) {
  const std::size_t rows = array_size({all, width}), wide = array_size({all, hidden});
  return make_larger({{&x, rows},
                      {&normed, rows},
                      {&inverses, all},
                      {&query_key_value, array_size({3, all, width})},
                      {&attended, rows},
                      {&middle, rows},
                      {&mlp_normed, rows},
                      {&mlp_inverses, all},
                      {&up, wide},
                      {&gate, wide},
                      {&activated, wide}});
}

LayerRows Transformer::LayerBuffers::rows(std::size_t width) {
  float* const first = query_key_value.data();
  return {row_major(first, 3 * width), row_major(first + width, 3 * width), row_major(first + 2 * width, 3 * width)};
}

Expected<void> Transformer::reserve(std::size_t sequences, std::size_t length, std::int32_t largest,
                                    bool with_gradients) {
  const std::size_t width = extent(options_.width), hidden = extent(options_.hidden), heads = extent(options_.heads);
  const std::size_t rows = array_size({sequences, length}), dims = width / heads, wide = std::max({3 * width, hidden});
  const PassShape shape{sequences, length, layers_.size(), heads, width};
  if (auto made = encoding_->reserve({shape, largest}); !made)
    return std::unexpected(within_encoding(std::move(made.error())));
  buffers_.resize(with_gradients ? layers_.size() : 1);
  for (LayerBuffers& buffers : buffers_) POSENC_TRY(buffers.make(rows, width, hidden));
  const std::size_t back = with_gradients ? rows : 0;
  POSENC_TRY(make_larger({{&x_, array_size({rows, width})},
                          {&normed_, array_size({rows, width})},
                          {&inverses_, rows},
                          {&weights_, array_size({layers_.size(), sequences, heads, length, length})},
                          {&scores_, array_size({2, length, length})},
                          {&asked_rows_, array_size({rows, width})},
                          {&logits_, array_size({rows, vocabulary_})},
                          {&d_x_, array_size({back, width})},
                          {&d_rows_, array_size({2, back, width})},
                          {&d_wide_, array_size({back, wide})},
                          {&d_asked_, array_size({back, width})}}));
  POSENC_TRY(allocate({{asked_, rows}, {asked_targets_, rows}}));
  POSENC_TRY_LET(product, Product::make({{width, wide},
                                         {wide, width},
                                         {width, vocabulary_},
                                         {vocabulary_, width},
                                         {rows, width},
                                         {rows, hidden},
                                         {dims, length},
                                         {length, dims},
                                         {length, length}}));
  product_ = std::move(product);
  return {};
}

}  // namespace posenc::learning
