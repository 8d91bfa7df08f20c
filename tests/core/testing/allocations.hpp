#pragma once

#include <cstddef>

namespace testing {

/// How often memory has been asked for: by new, and for an AlignedArray of a library that is linked statically.
std::size_t allocations();

}  // namespace testing
