#pragma once

#include "crossing.hpp"
#include "posenc/attention/scaled_dot_product.hpp"

namespace posenc::embind {

/// The arguments of a function that has many: doubles, read one after the other in the order they were written. An
/// array is two of them, its address and its size.
class Arguments {
 public:
  explicit Arguments(Address list) : next_(reinterpret_cast<const double*>(list)) {}

  // Out of line: functions that read many of them would otherwise be several times as large.
  [[nodiscard]] double number();
  [[nodiscard]] std::size_t size();
  [[nodiscard]] bool flag();

  template <class T>
  [[nodiscard]] std::span<T> array() {
    const auto [address, count] = place();
    return values_at<T>(address, count);
  }

 private:
  [[nodiscard]] std::pair<Address, std::size_t> place();

  const double* next_;
};

[[nodiscard]] BatchedAttentionShape batched_shape(Arguments& arguments);

/// p, seed, offset, training.
[[nodiscard]] Dropout dropout_options(Arguments& arguments);

/// scale; bias, its shape, whether it is scaled; mask, its shape, keyMask, causal, queryOffset; dropout.
[[nodiscard]] ScaledDotProductOptions attention_options(Arguments& arguments, MaskMeaning meaning);

}  // namespace posenc::embind
