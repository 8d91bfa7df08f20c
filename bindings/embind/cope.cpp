#include "posenc/relative/cope.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

/// The JavaScript side has allocated every array by its shape: no product of extents overflows here.
val bias(Address shape, std::size_t dim, const std::string& future, Address query, Address logits, Address embedding,
         std::size_t embedding_size, Address out, Address counts) {
  const auto meaning = future_from_name(future);
  if (!meaning) return failure(meaning.error());
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  const std::size_t queries = positions->heads() * positions->queries();
  const std::size_t pairs = queries * positions->keys();
  return outcome(cope_bias(*positions,
                           {dim, *meaning, values_at<const float>(query, queries * dim),
                            values_at<const float>(logits, pairs), values_at<const float>(embedding, embedding_size)},
                           values_at<float>(out, pairs), values_at<float>(counts, pairs)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(cope) { emscripten::function("copeBias", &bias); }

}  // namespace posenc::embind
