#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/key_cache/key_rotation.hpp"

namespace posenc {

/// Takes a key from one rotation to another, composed in double and rounded to float32 once.
struct KeyRerotation {
  bool is_none = true;     ///< no dimension changes its value
  AngleRow<float> row{};   ///< heads() * pairs() of each, with all factors and scales; valid until the next call of at
  bool is_scaled = false;  ///< by factors or scales other than 1
};

/// Makes the rerotations from one rotation to another, one token after the other.
class KeyRerotations {
 public:
  /// Both as KeyRotation::check_becomes wants them; they must outlive this. Errors: memory.
  [[nodiscard]] static Expected<KeyRerotations> make(const KeyRotation& from, const KeyRotation& to);

  /// From coordinates of the one to those of the other.
  [[nodiscard]] const KeyRerotation& at(const double* from, const double* to);

  /// Whether a token, whose coordinates these are, has the rerotation that the last call made.
  [[nodiscard]] bool is_same(const double* from, const double* to) const;

 private:
  KeyRerotations(const KeyRotation& from, const KeyRotation& to) : from_(from), to_(to) {}

  [[nodiscard]] std::size_t count() const { return to_.heads() * to_.pairs(); }
  [[nodiscard]] static AngleRow<double> row_of(const KeyRotation& rotation, AngleRows& rows, std::size_t axis,
                                               double coordinate, double* scratch);
  [[nodiscard]] AngleRow<double> difference(std::size_t axis, double from, double to);
  void add_axis(std::size_t axis, AngleRow<double> row, double factor);

  KeyRotation from_, to_;
  bool same_angles_ = false;  ///< the same angles: what counts is the difference of the coordinates
  std::vector<AngleRows> from_rows_, to_rows_;
  /// The sum, and two rows of an axis: sines and cosines each.
  AlignedArray<double> sum_, old_, now_;
  AlignedArray<float> rounded_;
  std::size_t padded_ = 0;  ///< of an axis, the largest
  KeyRerotation rerotation_;
  bool is_difference_ = false;  ///< whether the last rerotation is that of these differences, whatever the coordinates
  std::vector<double> by_;
};

}  // namespace posenc
