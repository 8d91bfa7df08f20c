#include "posenc/attention.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

val linear(Address x, std::size_t rows, std::size_t in, Address weight, std::size_t out, Address y) {
  return outcome(posenc::linear(values_at<const float>(x, rows * in), values_at<const float>(weight, out * in), in,
                                values_at<float>(y, rows * out)));
}

val attention(std::size_t queries, std::size_t keys, std::size_t dim, std::size_t value_dim, double scale,
              Address query, Address key, Address value, Address weights, Address output) {
  return outcome(
      posenc::attention({queries, keys, dim, value_dim}, scale, values_at<const float>(query, queries * dim),
                        values_at<const float>(key, keys * dim), values_at<const float>(value, keys * value_dim),
                        values_at<float>(weights, queries * keys), values_at<float>(output, queries * value_dim)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  emscripten::function("linear", &linear);
  emscripten::function("attention", &attention);
}

}  // namespace posenc::embind
