#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "posenc/sinusoidal/order.hpp"

namespace posenc {

/// Which lanes of a row hold the sines and cosines; any that are left over hold 0.
struct Lanes {
  std::size_t sines, cosines;  ///< how many
  std::size_t first_sine, first_cosine, stride;

  Lanes(Order order, std::size_t dim, std::size_t frequencies)
      : sines(frequencies),
        cosines(std::min(frequencies, dim - frequencies)),
        first_sine(order == Order::cosines_first ? cosines : 0),
        first_cosine(order == Order::interleaved ? 1 : (order == Order::split ? sines : 0)),
        stride(order == Order::interleaved ? 2 : 1) {}

  [[nodiscard]] std::size_t sine(std::size_t i) const { return first_sine + i * stride; }
  [[nodiscard]] std::size_t cosine(std::size_t i) const { return first_cosine + i * stride; }
};

/// One row from its sines and cosines, each rounded here, once.
inline void write_row(const Lanes& lanes, double amplitude, const double* sines, const double* cosines,
                      std::span<float> row) {
  float* const first_sine = row.data() + lanes.first_sine;
  float* const first_cosine = row.data() + lanes.first_cosine;
  for (std::size_t i = 0; i < lanes.sines; ++i) first_sine[i * lanes.stride] = static_cast<float>(amplitude * sines[i]);
  for (std::size_t i = 0; i < lanes.cosines; ++i)
    first_cosine[i * lanes.stride] = static_cast<float>(amplitude * cosines[i]);
  std::ranges::fill(row.subspan(lanes.sines + lanes.cosines), 0.0f);
}

}  // namespace posenc
