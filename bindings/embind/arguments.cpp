#include "arguments.hpp"

namespace posenc::embind {
namespace {

PairShape pair_shape(Arguments& in) { return {in.size(), in.size(), in.size(), in.size()}; }

AttentionMask attention_mask(Arguments& in, MaskMeaning meaning) {
  return {meaning,           in.array<const std::uint8_t>(), pair_shape(in), in.array<const std::uint8_t>(), in.flag(),
          whole(in.number())};
}

}  // namespace

double Arguments::number() { return *next_++; }

std::size_t Arguments::size() { return static_cast<std::size_t>(number()); }

bool Arguments::flag() { return number() != 0; }

std::pair<Address, std::size_t> Arguments::place() {
  const auto address = static_cast<Address>(number());
  return {address, size()};
}

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
