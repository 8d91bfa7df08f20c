#pragma once

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "posenc/diagnosis/samples/head_samples.hpp"
#include "posenc/diagnosis/samples/pairing.hpp"

namespace posenc::diagnosis {

/// Compares all vectors with the expected rotation, value by value, and returns where they are further from it than
/// roundings explain: tokens and heads of any dimension, and the pairs. `searched` has the types of the values. Nothing
/// departs where positions have several axes and no sections were expected. Errors: those of HypothesisAngles.
[[nodiscard]] Expected<Departure> departure_from(const RotationSamples& samples, const Expectation& expected,
                                                 const RotationAxes& axes, const HeadSamples& searched,
                                                 const Pairing& pairing);

}  // namespace posenc::diagnosis
