#include "posenc/attention/attention.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

val linear(Address x, std::size_t rows, std::size_t in, Address weight, std::size_t out, Address y) {
  return outcome(posenc::linear(values_at<const float>(x, rows * in), values_at<const float>(weight, out * in), in,
                                values_at<float>(y, rows * out)));
}

/// Without a bias its size is 0.
val attention(std::size_t heads, std::size_t queries, std::size_t keys, std::size_t dim, std::size_t value_dim,
              double scale, Address query, Address key, Address value, Address bias, std::size_t bias_size,
              bool bias_scaled, Address weights, Address output) {
  return outcome(posenc::attention(
      {queries, keys, dim, value_dim, heads}, scale, values_at<const float>(query, heads * queries * dim),
      values_at<const float>(key, heads * keys * dim), values_at<const float>(value, heads * keys * value_dim),
      values_at<float>(weights, heads * queries * keys), values_at<float>(output, heads * queries * value_dim),
      {values_at<const float>(bias, bias_size), bias_scaled}));
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  emscripten::function("linear", &linear);
  emscripten::function("attention", &attention);
}

}  // namespace posenc::embind
