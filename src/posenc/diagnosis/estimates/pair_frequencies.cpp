#include "posenc/diagnosis/estimates/pair_frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "posenc/diagnosis/estimates/frequency_estimate.hpp"
#include "posenc/diagnosis/estimates/phase.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"

namespace posenc::diagnosis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// One pair in so many may have no constant frequency: damaged values.
constexpr std::size_t pairs_a_failure = 10;

/// Frequencies of which the pair's largest, this share of the largest resolvable, may be an alias.
constexpr double nearly_aliased = 0.7;

/// Whole rotations a lattice step that may be missing, either way: the first pairs of a head rotate by one at most.
constexpr int most_aliases = 2;

/// A frequency of the other sign is as far from what is predicted as one that is e^10 times as large.
constexpr double other_sign = 10;

class Estimator {
 public:
  Estimator(const RotationCosts& scores, const PhaseAssumptions& assumed) : scores_(&scores), assumed_(&assumed) {
    if (assumed.first_position) zero_at_ = -*assumed.first_position;
    lattice_ = lattice_of(scores.positions(), zero_at_);
  }

  std::optional<EstimatedFrequencies> estimate() {
    if (!estimate_pairs()) return {};
    resolve();
    EstimatedFrequencies made;
    take_sign(made);
    if (zero_at_) {
      made.first_position = -*zero_at_;
    } else if (!find_first_position(made)) {
      return {};
    }
    return made;
  }

 private:
  [[nodiscard]] PairPhases phases_of(std::size_t pair) const {
    const PairRotations& rotations = scores_->rotations();
    PairPhases made{.positions = {scores_->positions().begin(), scores_->positions().end()},
                    .phases = {},
                    .errors = {},
                    .zero_at = zero_at_,
                    .relative_error = assumed_->relative_error};
    for (std::size_t k = 0; k < rotations.tokens; ++k) {
      const std::size_t at = k * rotations.pairs + pair;
      const double real = rotations.cosines[at], imaginary = rotations.sines[at];
      const double size = std::hypot(real, imaginary), unit = rotations.units[at];
      made.phases.push_back(assumed_->exchanged ? std::atan2(real, imaginary) : std::atan2(imaginary, real));
      made.errors.push_back(size > explained_units * unit ? unit / size : infinity);
    }
    return made;
  }

  bool estimate_pairs() {
    const std::size_t pairs = scores_->rotations().pairs;
    std::size_t determined = 0, failed = 0;
    candidates_.resize(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
      const PairPhases phases = phases_of(i);
      const auto known =
          std::count_if(phases.errors.begin(), phases.errors.end(), [](double e) { return e < infinity; });
      const std::size_t unknown = zero_at_ ? 1 : 2;
      if (static_cast<std::size_t>(known) < unknown) continue;
      ++determined;
      candidates_[i] = estimate_frequency(phases, lattice_);
      if (!candidates_[i].empty()) continue;
      if (++failed * pairs_a_failure > pairs) return false;
    }
    return determined > failed;
  }

  /// Takes a candidate of each pair, from the last to the first.
  void resolve() {
    chosen_.assign(candidates_.size(), std::nullopt);
    double next = 0, after = 0;  // of the pairs behind, in logarithms; 0 where there are none
    for (std::size_t i = candidates_.size(); i-- > 0;) {
      auto& candidates = candidates_[i];
      if (candidates.empty()) continue;
      PairFrequency best = candidates.front();
      const bool continues = next != 0 && after != 0;
      if (continues) {
        const double predicted = next * (next / after);
        double nearest = infinity;
        for (const PairFrequency& candidate : candidates)
          for (int aliases = -most_aliases; aliases <= most_aliases; ++aliases) {
            // Whole rotations in a lattice step change no phase.
            if (aliases != 0 && std::fabs(predicted) * lattice_ < nearly_aliased * std::numbers::pi) continue;
            PairFrequency alias = candidate;
            alias.radians += aliases * cycle / lattice_;
            const double distance = std::fabs(std::log(std::fabs(alias.radians / predicted))) +
                                    (alias.radians * predicted < 0 ? other_sign : 0);
            if (distance < nearest) nearest = distance, best = alias;
          }
      } else {
        for (const PairFrequency& candidate : candidates)
          if (std::fabs(candidate.radians) < std::fabs(best.radians)) best = candidate;
      }
      chosen_[i] = best;
      if (std::fabs(best.radians) > explained_units * best.error) after = next, next = best.radians;
    }
  }

  /// The sign that most have, and of the others' magnitudes none.
  void take_sign(EstimatedFrequencies& made) const {
    double signs = 0;
    for (const auto& chosen : chosen_)
      if (chosen && std::fabs(chosen->radians) > explained_units * chosen->error) signs += chosen->radians > 0 ? 1 : -1;
    made.negative = signs < 0;
    for (const auto& chosen : chosen_) {
      made.sample.radians.push_back(!chosen ? 0 : made.negative ? -chosen->radians : chosen->radians);
      made.sample.errors.push_back(chosen ? chosen->error : infinity);
    }
  }

  /// Finds where phases are 0: from the slowest pair, whose phase is less than half a cycle, to the fastest.
  bool find_first_position(EstimatedFrequencies& made) const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): only those that are there are in the order
      if (chosen_[i] && std::fabs(chosen_[i]->radians) > explained_units * chosen_[i]->error) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::fabs(chosen_[a]->radians) < std::fabs(chosen_[b]->radians);
    });
    double first = 0, error = infinity;
    for (const std::size_t i : order) {
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): the same
      const PairFrequency& pair = *chosen_[i];
      if (error == infinity) {
        first = pair.phase / pair.radians;
        error = (pair.phase_error + std::fabs(first) * pair.error) / std::fabs(pair.radians);
        continue;
      }
      const double off = wrapped(pair.phase - first * pair.radians);
      const double own = pair.phase_error + std::fabs(first) * pair.error;
      const double reach = explained_units * (own + error * std::fabs(pair.radians));
      if (reach > std::numbers::pi) continue;
      if (std::fabs(off) > reach) return false;
      const double next = own / std::fabs(pair.radians);
      const double weight = error * error / (error * error + next * next);
      first += weight * off / pair.radians;
      error = error * next / std::sqrt(error * error + next * next);
    }
    made.first_position = first, made.first_error = error;
    return error < infinity;
  }

  const RotationCosts* scores_;
  const PhaseAssumptions* assumed_;
  std::optional<double> zero_at_;
  double lattice_ = 0;
  std::vector<std::vector<PairFrequency>> candidates_;
  std::vector<std::optional<PairFrequency>> chosen_;
};

}  // namespace

std::optional<EstimatedFrequencies> estimate_frequencies(const RotationCosts& scores, const PhaseAssumptions& assumed) {
  return Estimator(scores, assumed).estimate();
}

}  // namespace posenc::diagnosis
