#pragma once

// Vectors as wide as the compiler may use. What sees them is built once more for every level of the processor, and must
// not meet what was built for another: a source that includes this, itself or by a header, stands in CMakeLists.txt's
// `vector_sources`.

#ifndef POSENC_VECTORS
#error "a source with vectors that is not one of vector_sources in CMakeLists.txt"
#endif

#include <xsimd/xsimd.hpp>
