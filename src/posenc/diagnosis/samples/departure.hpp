#pragma once

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "posenc/diagnosis/samples/head_samples.hpp"
#include "posenc/diagnosis/samples/pairing.hpp"

namespace posenc::diagnosis {

/// Compares all vectors with the expected rotation, value by value, and returns where they are further from it than
/// roundings explain. `searched` has the types of the values. Errors: those of write_rotations.
[[nodiscard]] Expected<Departure> departure_from(const RotationSamples& samples, const Expectation& expected,
                                                 const RotationAxes& axes, const HeadSamples& searched,
                                                 const Pairing& pairing);

}  // namespace posenc::diagnosis
