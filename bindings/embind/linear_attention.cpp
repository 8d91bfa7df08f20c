#include "posenc/attention/linear_attention.hpp"

#include "rotary.hpp"

namespace posenc::embind {
namespace {

val attend(Address rotary, std::size_t heads, std::size_t queries, std::size_t keys, std::size_t dim,
           std::size_t value_dim, bool causal, double query_offset, Address query_positions, Address key_positions,
           Address query, Address key, Address value, Address output) {
  return outcome(linear_attention(
      {{queries, keys, dim, value_dim, heads}, causal, whole(query_offset)}, object_at<Rotary>(rotary),
      positions_at(query_positions, queries), positions_at(key_positions, keys),
      values_at<const float>(query, heads * queries * dim), values_at<const float>(key, heads * keys * dim),
      values_at<const float>(value, heads * keys * value_dim), values_at<float>(output, heads * queries * value_dim)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(linear_attention) { emscripten::function("linearAttention", &attend); }

}  // namespace posenc::embind
