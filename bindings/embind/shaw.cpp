#include "posenc/relative/shaw.hpp"

#include "arguments.hpp"

namespace posenc::embind {
namespace {

val ids(double max_distance, Address shape, Address out, std::size_t size) {
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  return outcome(shaw_ids(*positions, whole(max_distance), values_at<std::int32_t>(out, size)));
}

/// The JavaScript side has allocated every array by its shape: no product of extents overflows here.
val attention(Address shape, std::size_t dim, std::size_t value_dim, double scale, double max_distance,
              const std::string& future, Address query, Address key, Address value, Address key_table,
              std::size_t key_table_size, Address value_table, std::size_t value_table_size, Address weights,
              Address output) {
  const auto meaning = future_from_name(future);
  if (!meaning) return failure(meaning.error());
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  const std::size_t queries = positions->heads() * positions->queries();
  const std::size_t keys = positions->heads() * positions->keys();
  return outcome(shaw_attention(
      *positions,
      {dim, value_dim, scale, whole(max_distance), *meaning, values_at<const float>(query, queries * dim),
       values_at<const float>(key, keys * dim), values_at<const float>(value, keys * value_dim),
       values_at<const float>(key_table, key_table_size), values_at<const float>(value_table, value_table_size)},
      values_at<float>(weights, queries * positions->keys()), values_at<float>(output, queries * value_dim)));
}

/// Dim, value dim, scale, maxDistance; query, key, value, both tables, weights, the output's gradient; the gradients of
/// query, key, value, both tables.
val backward(Address shape, Address list) {
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  Arguments in(list);
  const ShawInputs inputs{in.size(),
                          in.size(),
                          in.number(),
                          whole(in.number()),
                          Future::keep,
                          in.array<const float>(),
                          in.array<const float>(),
                          in.array<const float>(),
                          in.array<const float>(),
                          in.array<const float>()};
  const auto weights = in.array<const float>();
  const auto d_output = in.array<const float>();
  return outcome(
      shaw_backward(*positions, inputs, weights, d_output,
                    {in.array<float>(), in.array<float>(), in.array<float>(), in.array<float>(), in.array<float>()}));
}

}  // namespace

EMSCRIPTEN_BINDINGS(shaw) {
  emscripten::function("shawIds", &ids);
  emscripten::function("shawAttention", &attention);
  emscripten::function("shawBackward", &backward);
}

}  // namespace posenc::embind
