#include "posenc/diagnosis/hypotheses/evidence.hpp"

#include <cmath>

namespace posenc::diagnosis {

double data_bits(double residual, double unit, double floor) {
  const double ratio = residual / floor;
  return std::log2(1 + ratio * ratio) + std::log2(floor / unit);
}

}  // namespace posenc::diagnosis
