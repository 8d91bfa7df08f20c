#include "arguments.hpp"

namespace posenc::embind {
namespace {

PairShape pair_shape(Arguments& in) { return {in.size(), in.size(), in.size(), in.size()}; }

AttentionMask attention_mask(Arguments& in, MaskMeaning meaning) {
  return {meaning,           in.array<const std::uint8_t>(), pair_shape(in), in.array<const std::uint8_t>(), in.flag(),
          whole(in.number())};
}

}  // namespace

BatchedAttentionShape batched_shape(Arguments& in) {
  return {in.size(), in.size(), in.size(), in.size(), in.size(), in.size(), in.size()};
}

Dropout dropout_options(Arguments& in) {
  return {in.number(), static_cast<std::uint64_t>(in.number()), static_cast<std::uint64_t>(in.number()), in.flag()};
}

ScaledDotProductOptions attention_options(Arguments& in, MaskMeaning meaning) {
  return {in.number(), in.array<const float>(),     pair_shape(in),
          in.flag(),   attention_mask(in, meaning), dropout_options(in)};
}

}  // namespace posenc::embind
