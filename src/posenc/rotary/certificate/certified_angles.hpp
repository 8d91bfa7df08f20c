#pragma once

#include <cstddef>
#include <span>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/error.hpp"
#include "posenc/frequencies/scaling/rules.hpp"
#include "posenc/rotary/certificate/arithmetic.hpp"
#include "posenc/rotary/certificate/rounding_error.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// The angles of an arithmetic, for certificate.hpp: how far they may be from the true ones. Those of
/// ArithmeticPreset::exact are the true ones.
class CertifiedAngles {
 public:
  /// Certifies a rotary and the plan that it was made of, which both must outlive this. Errors: a base that float32
  /// does not hold; memory.
  [[nodiscard]] static Expected<CertifiedAngles> make(const Rotary& rotary, const RotaryOptions& plan,
                                                      ArithmeticPreset arithmetic);

  /// A bound, and the pair that has it.
  struct Largest {
    Upper error;
    std::size_t pair = 0;

    void note(Upper of, std::size_t which) {
      if (of.value > error.value) error = of, pair = which;
    }
  };

  struct Errors {
    Largest one;         ///< of an angle
    Largest difference;  ///< of the difference of two positions' angles
  };

  /// At any position up to this one; `angles`, if they are wanted, are those of each pair.
  [[nodiscard]] Errors at(double last, std::span<double> angles = {}) const;

 private:
  /// Holds what is known of a pair, whatever the position.
  struct Pair {
    Upper slope;     ///< how far its computed frequency may be from the true one
    Upper size;      ///< the largest that it may be
    double odd = 0;  ///< its product with a position is exact, up to 2^digits / odd
    /// The parts of a running product: the angle is blended * (interpolated * product) + kept * product.
    Upper interpolated{1}, blended{0}, kept{1};

    void add(const DoubleDouble& computed, const DoubleDouble& truth);
  };

  CertifiedAngles(const Rotary& rotary, const RotaryOptions& plan, ArithmeticPreset arithmetic)
      : rotary_(&rotary), plan_(&plan), arithmetic_(arithmetic) {}

  void make_powers(const scaling::Float32Rule& rule);
  void make_products(const scaling::Float32Rule& rule);
  [[nodiscard]] Expected<void> make_from(const scaling::Float32Rule& rule);
  /// How an angle is made of the running product; what that multiplies it by.
  [[nodiscard]] DoubleDouble blend(const scaling::Float32Rule& rule, std::size_t i);
  /// The error of a blend of a product up to this one, which has an error itself.
  [[nodiscard]] static Upper blend_error(const Pair& pair, Upper product, Upper error);
  [[nodiscard]] DoubleDouble truth(std::size_t i) const;

  const Rotary* rotary_;
  const RotaryOptions* plan_;
  ArithmeticPreset arithmetic_;
  AlignedArray<Pair> pairs_;  ///< none of ArithmeticPreset::exact
  Upper step_;                ///< of the running product, the largest
};

}  // namespace posenc
