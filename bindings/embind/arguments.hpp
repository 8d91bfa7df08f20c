#pragma once

#include "crossing.hpp"
#include "posenc/scaled_dot_product.hpp"

namespace posenc::embind {

/// The arguments of a function that has many: doubles, read one after the other in the order they were written. An
/// array is two of them, its address and its size.
class Arguments {
 public:
  explicit Arguments(Address list) : next_(reinterpret_cast<const double*>(list)) {}

  [[nodiscard]] double number() { return *next_++; }
  [[nodiscard]] std::size_t size() { return static_cast<std::size_t>(number()); }
  [[nodiscard]] bool flag() { return number() != 0; }

  template <class T>
  [[nodiscard]] std::span<T> array() {
    const auto address = static_cast<Address>(number());
    return values_at<T>(address, size());
  }

 private:
  const double* next_;
};

[[nodiscard]] BatchedAttentionShape batched_shape(Arguments& arguments);

/// p, seed, offset, training.
[[nodiscard]] Dropout dropout_options(Arguments& arguments);

/// scale; bias, its shape, whether it is scaled; mask, its shape, keyMask, causal, queryOffset; dropout.
[[nodiscard]] ScaledDotProductOptions attention_options(Arguments& arguments, MaskMeaning meaning);

}  // namespace posenc::embind
