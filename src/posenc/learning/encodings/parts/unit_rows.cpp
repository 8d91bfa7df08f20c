#include "posenc/learning/encodings/parts/unit_rows.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/learning/layers/rows.hpp"
#include "posenc/learning/room.hpp"

namespace posenc::learning {

Expected<void> UnitRows::reserve(std::size_t dims) {
  for (AlignedArray<float>* row : {&gain_, &d_gain_})
    if (auto made = make_room({dims}, *row); !made) return made;
  std::ranges::fill(gain_.span(), static_cast<float>(1 / std::sqrt(static_cast<double>(dims))));
  return {};
}

void UnitRows::divide(std::size_t rows, const float* x, float* units, float* inverses) const {
  rms_norm(rows, gain_.size(), x, gain_.data(), units, inverses);
}

void UnitRows::gradient(std::size_t rows, const float* x, const float* inverses, const float* d_units, float* d_x) {
  rms_norm_gradient(rows, gain_.size(), x, gain_.data(), inverses, d_units, d_x, d_gain_.data());
}

}  // namespace posenc::learning
