#pragma once

#include <cstddef>
#include <span>

#include "angle_rows.hpp"
#include "lanes.hpp"
#include "posenc/aligned_array.hpp"
#include "posenc/error.hpp"

namespace posenc {

/// Writes sinusoidal rows of consecutive whole positions. Around a centre they come in pairs, centre + fine and
/// centre - fine: both are sums and differences of the same four products, and two such pairs are made from one reading
/// of the centre.
class SinusoidRows {
 public:
  /// `bytes` of the whole output. `angles` must outlive this. Errors: memory.
  [[nodiscard]] static Expected<SinusoidRows> make(const Lanes& lanes, AngleRows& angles, std::size_t bytes);

  /// The rows of first, first + 1, ..., whole positions that parts_of takes apart; amplitude 1, no lane left over.
  void write(double first, std::span<float> out);

 private:
  SinusoidRows(const Lanes& lanes, AngleRows& angles, AlignedArray<float> tile)
      : lanes_(lanes), angles_(&angles), tile_(std::move(tile)) {}

  static constexpr std::size_t reach = static_cast<std::size_t>(PositionParts::reach);

  [[nodiscard]] std::size_t dim() const { return lanes_.sines + lanes_.cosines; }
  void write_block(const AngleRows::Row& centre, float* first);

  Lanes lanes_;
  AngleRows* angles_;
  AlignedArray<float> tile_;  ///< of one block, for outputs that the caches do not hold
};

}  // namespace posenc
