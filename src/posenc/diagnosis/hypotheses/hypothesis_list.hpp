#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/mistaken_hypotheses.hpp"

namespace posenc::diagnosis {

/// Whether two numbers are equal up to the roundings of two ways to compute them.
[[nodiscard]] bool is_same(double a, double b);

/// The numbers of a hypothesis that decide its rotations, whatever arithmetic: factor * e^(i (rates[k] p + phases[k])),
/// or with real and imaginary part exchanged.
struct HypothesisNumbers {
  std::vector<double> rates;
  double first_position = 0;  ///< in units of the caller's positions: phases[k] = rates[k] * first_position
  double factor = 1;
  bool exchanged = false;
  AngleArithmetic arithmetic = AngleArithmetic::exact;
};

/// The numbers of a hypothesis whose frequencies are these.
[[nodiscard]] HypothesisNumbers numbers_of(const RotationHypothesis& hypothesis, std::span<const double> radians);

/// Whether they are equal but for roundings.
[[nodiscard]] bool same_numbers(const HypothesisNumbers& a, const HypothesisNumbers& b);

/// The hypotheses of mistaken_hypotheses. Those of one group and one arithmetic have the same angles: they differ by
/// sign, exchange and factor alone.
struct HypothesisList {
  std::vector<MistakenHypothesis> hypotheses;
  std::vector<HypothesisNumbers> numbers;
  std::vector<std::size_t> groups;
  std::vector<std::size_t> plans;        ///< of each hypothesis, among `angles`
  std::vector<HypothesisAngles> angles;  ///< exact ones of each plan, to be moved to a hypothesis's positions
};
[[nodiscard]] HypothesisList list_hypotheses(const RotationContext& context, bool pairs);

/// Lists that one diagnosis makes: its searches ask for the same ones again and again, and making one takes as long as
/// weighing it. Its contexts differ in the dimensions that rotate and in their exponents' denominator alone.
class HypothesisLists {
 public:
  /// list_hypotheses; the reference stays valid.
  HypothesisList& list(const RotationContext& context, bool pairs);

 private:
  std::map<std::tuple<std::int64_t, std::optional<std::int64_t>, bool>, HypothesisList> known_;
};

}  // namespace posenc::diagnosis
