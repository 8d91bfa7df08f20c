#pragma once

#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/samples/head_samples.hpp"
#include "posenc/diagnosis/samples/pairing.hpp"
#include "posenc/diagnosis/samples/rotation_search.hpp"

namespace posenc::diagnosis {

/// Whether the vectors do not show that each pair is rotated as found: a pair that is zeros in all of them, or one that
/// was expected to stay and is moved no more than noise would move it.
[[nodiscard]] bool has_unshown_pair(const RotationQuestion& question, const Pairing& pairing,
                                    const HeadSamples& samples, const FoundRotation& found);

}  // namespace posenc::diagnosis
