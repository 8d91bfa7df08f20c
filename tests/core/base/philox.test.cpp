#include "posenc/base/philox.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

using posenc::philox;
using Words = std::array<std::uint32_t, 4>;

TEST_CASE("philox: the known answers of Random123 for philox4x32 with 10 rounds", "[philox]") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("philox: for one key it is a permutation, and every word of counter and key matters", "[philox]") {
  std::set<Words> seen;
  for (std::uint32_t i = 0; i < 5000; ++i) seen.insert(philox({i, 0, 0, 0}, {7, 9}));
  CHECK(seen.size() == 5000);
  const Words zero = philox({}, {});
  for (std::size_t k = 0; k < 4; ++k) {
    Words counter{};
    counter[k] = 1;
    CHECK(philox(counter, {}) != zero);
  }
  CHECK(philox({}, {1, 0}) != zero);
  CHECK(philox({}, {0, 1}) != zero);
}
