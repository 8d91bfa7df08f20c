#pragma once

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/bias/pair_sample.hpp"

namespace posenc::diagnosis {

/// Finds what a bias of a window's table is. Errors: a window or a table that it does not fit.
[[nodiscard]] Expected<Diagnosis> diagnose_window_bias(const PairSample& sample, const BiasExpectation& expected);

}  // namespace posenc::diagnosis
