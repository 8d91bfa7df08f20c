#include "posenc/frequencies/positions.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "posenc/frequencies/frequencies.hpp"
#include "testing/testing.hpp"

using posenc::Positions;
using testing::infinity;
using testing::require_error;
using testing::value_of;

namespace {

constexpr double two_to_53 = posenc::max_angle;

Positions list_of(const std::vector<double>& positions) { return Positions::list(positions); }

}  // namespace

TEST_CASE("positions: a range counts up from its offset, a list is what it is", "[positions]") {
  const auto range = Positions::range(3, -1.5);
  REQUIRE(range.count() == 3);
  CHECK(range[0] == -1.5);
  CHECK(range[2] == 0.5);
  const std::array positions{3.0, -2.5, 3.0};
  const auto list = Positions::list(positions);
  REQUIRE(list.count() == 3);
  CHECK(list[1] == -2.5);
  CHECK(Positions::range(2)[1] == 1);
}

TEST_CASE("positions: the largest angle of 2^53 is allowed, the next is not", "[positions]") {
  value_of(list_of({two_to_53, -two_to_53}).check(1));
  value_of(list_of({two_to_53 / 2}).check(2));
  value_of(list_of({two_to_53 * 1024}).check(1.0 / 1024));
  value_of(Positions::range(1, two_to_53).check(1));
  value_of(Positions::range(2, two_to_53 - 1).check(1));
  require_error(list_of({0, two_to_53 + 2}).check(1), "positions", "9007199254740994");
  require_error(list_of({-two_to_53 - 2, 0}).check(1), "positions", "-9007199254740994");
  require_error(list_of({two_to_53 / 2 + 1}).check(2), "positions", "4503599627370497");
  CHECK_FALSE(Positions::range(1, two_to_53 + 2).check(1).has_value());
  CHECK_FALSE(Positions::range(1, -two_to_53 - 2).check(1).has_value());
  CHECK_FALSE(Positions::range(2, two_to_53 / 2).check(2).has_value());
}

TEST_CASE("positions: what is not finite is refused wherever it stands", "[positions]") {
  const std::vector<double> bad{std::nan(""), infinity, -infinity};
  const std::vector<const char*> names{"nan", "inf", "-inf"};
  for (std::size_t i = 0; i < bad.size(); ++i) {
    for (std::size_t place = 0; place < 3; ++place) {
      std::vector<double> positions{1, 2, 3};
      positions[place] = bad[i];
      require_error(list_of(positions).check(1), "positions", names[i]);
    }
    require_error(Positions::range(1, bad[i]).check(1), "offset", names[i]);
  }
}

TEST_CASE("positions: what is too large to be split is refused, even with an angle of 0", "[positions]") {
  const double large[]{5e303};
  testing::require_error(Positions::list(large).check(0), "positions", "5");
  testing::require_error(Positions::range(1, -1e300).check(0), "offset", "1e+300");
}

TEST_CASE("positions: each of a range is its sum, rounded", "[positions]") {
  const auto range = Positions::range(4, two_to_53 - 1);
  value_of(range.check(1e-6));
  CHECK(range[0] == two_to_53 - 1);
  CHECK(range[1] == two_to_53);
  CHECK(range[2] == two_to_53);  // 2^53 + 1 is no double
  CHECK(range[3] == two_to_53 + 2);
  CHECK_FALSE(range.check(1).has_value());
  CHECK(Positions::range(2, 0.1)[1] == 0.1 + 1);
}

TEST_CASE("positions: none at all are fine", "[positions]") {
  value_of(Positions::range(0).check(1));
  value_of(Positions::list({}).check(1));
}
