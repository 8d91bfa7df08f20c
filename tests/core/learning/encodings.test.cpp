/// Every encoding has this in common.

#include <catch2/catch_test_macros.hpp>

#include "learning/encoding_reference.hpp"

TEST_CASE("learning: attention without an encoding, and its gradients", "[learning]") {
  testing::check_encoding({}, {}, 1e-6);
}
