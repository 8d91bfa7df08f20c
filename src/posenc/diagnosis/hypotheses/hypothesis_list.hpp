#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "posenc/base/function_ref.hpp"
#include "posenc/diagnosis/hypotheses/changes.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"

namespace posenc::diagnosis {

/// Whether two numbers are equal up to the roundings of two ways to compute them.
[[nodiscard]] bool is_same(double a, double b);

/// The numbers of a hypothesis that decide its rotations: factor * e^(i (rates[k] p + phases[k])), or with real and
/// imaginary part exchanged.
struct HypothesisNumbers {
  std::vector<double> rates;
  double first_position = 0;  ///< in units of the caller's positions: phases[k] = rates[k] * first_position
  double factor = 1;
  bool exchanged = false;
  AngleArithmetic arithmetic = AngleArithmetic::exact;
  DType cosines = DType::float32;
  int sine_rows = 0;
  bool grows = false;  ///< of a rule whose frequencies depend on how long the text is

  /// Whether exact angles of these rates are what the hypothesis has: nothing is rounded on the way.
  [[nodiscard]] bool are_exact() const { return arithmetic == AngleArithmetic::exact && cosines == DType::float32; }
};

/// The numbers of a hypothesis, without rates where its plan has an error; or of one whose frequencies are these.
[[nodiscard]] HypothesisNumbers numbers_of(const RotationHypothesis& hypothesis);
[[nodiscard]] HypothesisNumbers numbers_of(const RotationHypothesis& hypothesis, std::span<const double> radians);

/// Whether they are equal but for roundings: at every position, then.
[[nodiscard]] bool same_numbers(const HypothesisNumbers& a, const HypothesisNumbers& b);

/// A hypothesis, by which changes it comes from what was expected.
struct ListedHypothesis {
  RotationHypothesis hypothesis;
  std::vector<Mistake> mistakes;
  HypothesisNumbers numbers;
  bool is_family = false;
  HypothesisAngles* angles = nullptr;  ///< of its frequencies; only while list_known() goes on
};

class HypothesisLister;

/// Lists of one diagnosis, whose searches ask for the same ones again and again.
class HypothesisLists {
 public:
  HypothesisLists();
  ~HypothesisLists();

  /// The expected hypothesis, each change of it alone, the family, and each pair of changes of different parts; of
  /// those that make the same numbers at every position, the first. `most_mistakes`: 1 leaves out the pairs, 0 all but
  /// the expected one. None where nothing was expected. Valid until more mistakes are asked for of the same context.
  [[nodiscard]] std::span<const ListedHypothesis> list(const RotationContext& context, std::size_t most_mistakes);

 private:
  std::vector<std::unique_ptr<HypothesisLister>> listers_;
};

/// Whether a pair may have turned by a rate, forwards or backwards, with angles that are off by so much of themselves.
using IsPossible = FunctionRef<bool(std::size_t pair, double rate, double off_by)>;

/// Takes a hypothesis, and says whether to go on to the next.
using Keep = FunctionRef<bool(const ListedHypothesis& each)>;

/// Calls `keep` with plans of published models' kind for so many dimensions, forwards and backwards, each at the
/// positions given and one on, until it says to stop: what may have been done where nothing was expected. Of each base
/// and rule `may_turn` is asked first. The first one turns nothing, if that may be; some come more than once.
void list_known(const RotationContext& context, std::int64_t dim, IsPossible may_turn, Keep keep);

/// The frequencies of a plan, in radians; none where the plan has an error.
[[nodiscard]] std::vector<double> radians_of(const RotaryOptions& plan);

}  // namespace posenc::diagnosis
