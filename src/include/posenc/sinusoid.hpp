#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/error.hpp"
#include "posenc/frequencies.hpp"
#include "posenc/positions.hpp"

namespace posenc {

/// Where sine and cosine of frequency i go in a row of dim d.
enum class Order : std::uint8_t {
  interleaved,  ///< sine in lane 2i, cosine in lane 2i + 1; an odd d ends with a sine ("Attention Is All You Need")
  split,        ///< ceil(d / 2) sines, then floor(d / 2) cosines
};

/// "interleaved" | "split"; an Error that lists them for anything else.
[[nodiscard]] Expected<Order> order_from_name(std::string_view name);

struct SinusoidOptions {
  FrequencyOptions frequencies;
  Order order = Order::interleaved;
};

/// Sinusoidal encodings of one dim, base, exponent and order.
class Sinusoid {
 public:
  /// Errors: those of Frequencies::make.
  [[nodiscard]] static Expected<Sinusoid> make(const SinusoidOptions& options);

  /// Writes a table [positions, dim], row-major, into `out` (size: positions.count() * dim).
  /// A row depends on its position alone, bit for bit, and has the same bits on every machine.
  /// Errors: those of Positions::check; a size of `out` that differs.
  /// Largest error against the real-number formula: 0.501 ulp where |x| >= 0.5, 3.0e-8 anywhere.
  [[nodiscard]] Expected<void> table(const Positions& positions, std::span<float> out) const;

  [[nodiscard]] std::size_t dim() const { return dim_; }

 private:
  Frequencies frequencies_;
  std::size_t dim_ = 0;
  Order order_ = Order::interleaved;
};

}  // namespace posenc
