#include "posenc/relative/transformer_xl.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

val shift(std::size_t heads, std::size_t queries, std::size_t width, Address x, Address out) {
  const std::size_t size = heads * queries * width;
  return outcome(relative_shift(heads, queries, width, values_at<const float>(x, size), values_at<float>(out, size)));
}

/// The JavaScript side has allocated every array by its shape: no product of extents overflows here.
val attention(Address shape, std::size_t dim, std::size_t value_dim, double scale, const std::string& future,
              Address query, Address key, Address value, Address relative, std::size_t relative_size,
              Address content_bias, Address position_bias, Address weights, Address output) {
  const auto meaning = future_from_name(future);
  if (!meaning) return failure(meaning.error());
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  const std::size_t queries = positions->heads() * positions->queries();
  const std::size_t keys = positions->heads() * positions->keys();
  return outcome(transformer_xl_attention(
      *positions,
      {dim, value_dim, scale, *meaning, values_at<const float>(query, queries * dim),
       values_at<const float>(key, keys * dim), values_at<const float>(value, keys * value_dim),
       values_at<const float>(relative, relative_size), values_at<const float>(content_bias, positions->heads() * dim),
       values_at<const float>(position_bias, positions->heads() * dim)},
      values_at<float>(weights, queries * positions->keys()), values_at<float>(output, queries * value_dim)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(transformer_xl) {
  emscripten::function("relativeShift", &shift);
  emscripten::function("transformerXlAttention", &attention);
}

}  // namespace posenc::embind
