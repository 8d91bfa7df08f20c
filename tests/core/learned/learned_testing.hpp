#pragma once

#include "testing/reference.hpp"

/// Tests of learned tables share this.
namespace testing {

/// |value - exact| in float32 ulp, less what `slack` allows in sums whose terms may cancel.
inline double ulp_beyond(float value, reference::Quad exact, reference::Quad slack) {
  const reference::Quad error = static_cast<reference::Quad>(value) - exact;
  if (reference::magnitude(error) <= slack) return 0;
  return reference::ulp_error(value, error > 0 ? exact + slack : exact - slack);
}

}  // namespace testing
