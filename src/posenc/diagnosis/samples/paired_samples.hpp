#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "posenc/diagnosis/samples/head_samples.hpp"
#include "posenc/diagnosis/samples/pairing.hpp"
#include "posenc/diagnosis/samples/rotation_search.hpp"

namespace posenc::diagnosis {

/// Samples whose axes are known, and the pairings they allow.
struct PairedSamples {
  RotationAxes axes;
  HeadSamples samples;
  std::vector<PairingFit> pairings;

  [[nodiscard]] double misfit() const {
    return pairings.empty() ? std::numeric_limits<double>::infinity() : pairings.front().misfit;
  }
};

/// A question about samples, and the axes and pairings that fit best. `expected` outlives it.
struct PairedQuestion {
  RotationQuestion asked;
  PairedSamples read;
  std::vector<std::size_t> departing = {};  ///< tokens that the explanation found of others explains least

  [[nodiscard]] std::vector<std::int64_t> axes() const {
    return {static_cast<std::int64_t>(read.axes.sequence), static_cast<std::int64_t>(read.axes.dims)};
  }
};

/// Reads vectors along the axes that are named, or else fit best. Errors: types, shapes and positions that do not go
/// together; an axis that the vectors do not have; an expected plan of other dimensions; those of expected_pairing.
[[nodiscard]] Expected<PairedQuestion> read_samples(const RotationSamples& samples, const Expectation& expected);

}  // namespace posenc::diagnosis
