#include <cstdint>
#include <vector>
/// Numbers in row-major order, and their extents.
template <class Number>
struct Tensor {
  std::vector<std::int64_t> shape;
  std::vector<Number> data;
};

/// A tensor to be written.
template <class Number>
Tensor<Number> zeros(std::vector<std::int64_t> shape) {
  std::size_t size = 1;
  for (const std::int64_t extent : shape) size *= static_cast<std::size_t>(extent);
  return {.shape = shape, .data = std::vector<Number>(size)};
}

#include <initializer_list>
/// A number by its indices.
template <class Number>
double at(const Tensor<Number>& tensor, std::initializer_list<std::int64_t> indices) {
  std::int64_t flat = 0;
  auto extent = tensor.shape.begin();
  for (const std::int64_t index : indices) flat = flat * *extent++ + index;
  return static_cast<double>(tensor.data[static_cast<std::size_t>(flat)]);
}

/// A row of numbers after the other.
Tensor<float> rows(std::int64_t width, std::vector<float> data) {
  const auto count = static_cast<std::int64_t>(data.size()) / width;
  return {.shape = {count, width}, .data = std::move(data)};
}

#include "posenc/sinusoidal/sinusoidal.hpp"
Tensor<float> sinusoid(const posenc::Positions& positions, const posenc::SinusoidalOptions& options) {
  auto table = zeros<float>({static_cast<std::int64_t>(positions.count()), options.frequencies.dim});
  posenc::Sinusoidal::make(options).value().table(positions, table.data).value();
  return table;
}

#include "posenc/attention/add.hpp"
Tensor<float> add(const Tensor<float>& a, const Tensor<float>& b) {
  auto sum = zeros<float>(a.shape);
  posenc::add(a.data, a.shape[0], a.shape[1], b.data, sum.data).value();
  return sum;
}

Tensor<float> scale(Tensor<float> x, double factor) {
  for (float& value : x.data) value *= static_cast<float>(factor);
  return x;
}

#include "posenc/attention/linear.hpp"
/// The dot products of every row with every row.
Tensor<float> dot_products(const Tensor<float>& a, const Tensor<float>& b) {
  auto products = zeros<float>({a.shape[0], b.shape[0]});
  posenc::linear(a.data, b.data, a.shape[1], posenc::SumPrecision::float32, products.data).value();
  return products;
}

#include <numbers>
std::vector<double> radians(std::vector<double> degrees) {
  for (double& angle : degrees) angle *= std::numbers::pi / 180;
  return degrees;
}

#include "posenc/rotary/rotary.hpp"
Tensor<float> rotate(Tensor<float> x, const posenc::Positions& positions, const posenc::RotaryOptions& options) {
  const auto shape = posenc::SequenceShape::make(x.shape).value();
  posenc::Rotary::make(options).value().apply(x.data, shape, positions).value();
  return x;
}

/// The points (y, x) of a grid, one after another.
std::vector<double> grid(int height, int width) {
  std::vector<double> points;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) points.insert(points.end(), {static_cast<double>(y), static_cast<double>(x)});
  return points;
}

#include "posenc/grid/rotary_grid.hpp"
Tensor<float> rotate_points(Tensor<float> x, const std::vector<double>& points, const posenc::PointRotary& rotary) {
  const auto shape = posenc::SequenceShape::make(x.shape).value();
  rotary.apply(x.data, shape, posenc::Points::rows(points)).value();
  return x;
}

#include "posenc/attention/attention.hpp"
/// Weights and output.
std::pair<Tensor<float>, Tensor<float>> attention(const Tensor<float>& query, const Tensor<float>& key,
                                                  const Tensor<float>& value) {
  auto weights = zeros<float>({query.shape[0], key.shape[0]});
  auto output = zeros<float>({query.shape[0], value.shape[1]});
  const auto dim = static_cast<std::size_t>(query.shape[1]);
  const posenc::AttentionShape shape{.queries = query.data.size() / dim,
                                     .keys = key.data.size() / dim,
                                     .dim = dim,
                                     .value_dim = static_cast<std::size_t>(value.shape[1])};
  posenc::attention(shape, posenc::attention_scale(dim), query.data, key.data, value.data, weights.data, output.data)
      .value();
  return {weights, output};
}

#include "posenc/relative/relative_position.hpp"
/// Calls `write` for each offset and writes [heads, distances], for all queries and keys: [size, size] or [heads, size,
/// size].
template <class Number, class Write>
Tensor<Number> by_offset(const std::vector<std::int64_t>& shape, Write write) {
  const std::int64_t heads = shape.size() == 3 ? shape[0] : 1, size = shape.back();
  const auto positions = posenc::RelativePositions::make({.heads = heads, .queries = size, .keys = size}).value();
  std::vector<Number> known(static_cast<std::size_t>(heads) * positions.distances());
  write(positions, known).value();
  auto matrix = zeros<Number>(shape);
  posenc::relative_expand(positions, 1, known, matrix.data).value();
  return matrix;
}

/// The offsets of keys from queries.
Tensor<std::int32_t> offsets(std::int64_t size) {
  return by_offset<std::int32_t>(
      {size, size}, [](const auto& positions, auto& out) { return posenc::relative_offsets(positions, out); });
}

#include "posenc/relative/alibi.hpp"
Tensor<float> alibi(std::int64_t heads, std::int64_t size) {
  return by_offset<float>({heads, size, size}, [](const auto& positions, auto& out) {
    return posenc::alibi_bias({}, positions, posenc::Future::keep, out);
  });
}

#include "posenc/relative/t5.hpp"
Tensor<std::int32_t> t5_buckets(std::int64_t size, const posenc::T5Options& options) {
  return by_offset<std::int32_t>({size, size}, [&](const auto& positions, auto& out) {
    return posenc::T5Buckets::make(options).value().ids(positions, out);
  });
}

#include "posenc/frequencies/frequencies.hpp"
Tensor<double> frequencies_of(const posenc::FrequencyPlan& plan) {
  auto frequencies = zeros<double>({plan.frequencies.dim / 2});
  posenc::Frequencies::make_scaled(plan).value().write_radians(frequencies.data);
  return frequencies;
}

#include "posenc/rotary/float32_rotary.hpp"
/// Cosines and sines, [2, positions * pairs].
Tensor<float> cos_sin(const posenc::Rotary& rotary, const posenc::Positions& positions) {
  const std::size_t count = positions.count() * rotary.rotary_dim() / 2;
  auto both = zeros<float>({2, static_cast<std::int64_t>(count)});
  const std::span all(both.data);
  rotary.cache(positions, all.first(count), all.last(count)).value();
  return both;
}

#include "posenc/grid/mrope_positions.hpp"
/// Positions of a text, an image of so many tokens and a text, [time, row and column; tokens].
Tensor<std::int32_t> mrope_positions(std::int64_t before, std::int64_t rows, std::int64_t columns, std::int64_t after) {
  using Kind = posenc::MropeSegment::Kind;
  const std::vector<posenc::MropeSegment> segments{
      {.kind = Kind::text, .length = before},
      {.kind = Kind::image, .grid = {1, 2 * rows, 2 * columns}},  // four patches make a token
      {.kind = Kind::text, .length = after}};
  auto ids = zeros<std::int32_t>({3, before + rows * columns + after});
  const auto options = posenc::mrope_options("qwen2-vl").value();
  posenc::mrope_positions(options, segments, {.out = ids.data, .length = ids.data.size() / 3}).value();
  return ids;
}
