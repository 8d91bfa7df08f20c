#include "posenc/diagnosis/laws/evidence.hpp"

#include <cmath>

namespace posenc::diagnosis {

double surprise(double residual, double unit, double floor) {
  const double ratio = residual / floor;
  return std::log2(1 + ratio * ratio) + std::log2(floor / unit);
}

}  // namespace posenc::diagnosis
