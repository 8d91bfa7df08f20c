#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"

#include <array>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"

namespace posenc::diagnosis {

std::string_view name_of(AngleArithmetic arithmetic) {
  static constexpr std::array<std::string_view, 5> names{"exact", "float32", "float16", "bfloat16", "product"};
  return names[static_cast<std::size_t>(arithmetic)];
}

Expected<void> write_rotations(const RotationHypothesis& hypothesis, std::span<const double> positions,
                               std::span<double> cosines, std::span<double> sines) {
  POSENC_TRY_LET(angles, HypothesisAngles::make(hypothesis));
  const std::size_t pairs = angles.pairs();
  POSENC_TRY(check_size("cosines", cosines.size(), positions.size(), pairs));
  POSENC_TRY(check_size("sines", sines.size(), positions.size(), pairs));
  const RotationMap map(hypothesis);
  // Nothing is written where one position fails.
  for (const double position : positions) POSENC_TRY(angles.check(position));
  for (std::size_t k = 0; k < positions.size(); ++k) {
    double* const real = cosines.data() + k * pairs;
    double* const imaginary = sines.data() + k * pairs;
    POSENC_TRY(angles.write(positions[k], real, imaginary));
    for (std::size_t i = 0; i < pairs; ++i) {
      const RotatedPair pair = map(real[i], imaginary[i]);
      real[i] = pair.real, imaginary[i] = pair.imaginary;
    }
  }
  return {};
}

}  // namespace posenc::diagnosis
