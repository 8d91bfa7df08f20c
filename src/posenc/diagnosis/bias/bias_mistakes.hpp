#pragma once

#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/bias/bias_profile.hpp"
#include "posenc/diagnosis/bias_diagnosis.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"

namespace posenc::diagnosis {

/// A profile, and what was expected of it.
struct BiasTask {
  const BiasProfile& profile;
  const BiasExpectation& expected;

  [[nodiscard]] bool expects(std::string_view type) const { return expected.type == type; }
  /// The largest distance that counts as past from a centre: whether keys after it are open.
  [[nodiscard]] bool has_future(std::int64_t centre) const { return profile.last_open > centre; }
};

/// Errors: a word or a number of the expectation.
[[nodiscard]] Expected<void> check_expectation(const BiasExpectation& expected, const BiasExtents& extents);

/// The bits of a number other than the expected one: fewer if it is usual.
[[nodiscard]] double number_cost(double value, double expected, std::span<const double> usual);

/// A candidate for a bias with its centre (the distance at which key and query meet), whose mistakes, corrections and
/// costs follow from what was found; `cost` is that of its numbers.
[[nodiscard]] Candidate bias_candidate(const BiasTask& task, FoundBias found, std::int64_t centre,
                                       const BiasResidual& residual, double cost);

}  // namespace posenc::diagnosis
