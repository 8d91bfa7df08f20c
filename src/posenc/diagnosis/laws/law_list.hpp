#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "posenc/diagnosis/laws/mistaken_laws.hpp"
#include "posenc/diagnosis/laws/turn_angles.hpp"

namespace posenc::diagnosis {

/// Whether two numbers are the same, computed in two ways.
[[nodiscard]] bool is_same(double a, double b);

/// The numbers of a law that decide its turns, whatever arithmetic: factor * e^(i (rates[k] p + phases[k])), or with
/// real and imaginary part exchanged.
struct LawNumbers {
  std::vector<double> rates;
  double first_position = 0;  ///< in units of the caller's positions: phases[k] = rates[k] * first_position
  double factor = 1;
  bool exchanged = false;
  AngleArithmetic arithmetic = AngleArithmetic::exact;
};

/// Of a law whose frequencies are these.
[[nodiscard]] LawNumbers numbers_of(const TurnLaw& law, std::span<const double> radians);

/// Whether they are the same but for roundings.
[[nodiscard]] bool same_numbers(const LawNumbers& a, const LawNumbers& b);

/// The laws of mistaken_laws. Those of one group and one arithmetic have the same angles: they differ by sign,
/// exchange and factor alone.
struct LawList {
  std::vector<MistakenLaw> laws;
  std::vector<LawNumbers> numbers;
  std::vector<std::size_t> groups;
  std::vector<std::size_t> plans;  ///< of each law, among `angles`
  std::vector<TurnAngles> angles;  ///< exact ones of each plan, to be moved to a law's positions
};
[[nodiscard]] LawList list_laws(const TurnContext& context, bool pairs);

/// Lists that one diagnosis makes: its searches ask for the same ones again and again, and making one takes as long as
/// weighing it. Its contexts differ in the dimensions that rotate and in their exponents' denominator alone.
class LawLists {
 public:
  /// list_laws; the reference stays valid.
  LawList& list(const TurnContext& context, bool pairs);

 private:
  std::map<std::tuple<std::int64_t, std::optional<std::int64_t>, bool>, LawList> known_;
};

}  // namespace posenc::diagnosis
