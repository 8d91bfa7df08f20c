#include "posenc/frequencies/packed_positions.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

#include "posenc/rotary/rotary.hpp"
#include "testing/testing.hpp"

using posenc::Positions;
using testing::Generator;
using testing::require_error;
using testing::Shape;
using testing::value_of;

namespace {

using Ids = std::vector<std::int32_t>;

constexpr std::int32_t unwritten = -77;

Ids packed(const std::vector<std::int64_t>& boundaries) {
  Ids out(static_cast<std::size_t>(boundaries.back()), unwritten);
  value_of(posenc::packed_positions(boundaries, out));
  return out;
}

Ids masked(const Ids& mask, std::size_t sequence, std::int32_t padding) {
  Ids out(mask.size(), unwritten);
  value_of(posenc::mask_positions(mask, sequence, padding, out));
  return out;
}

void check_refused(const std::vector<std::int64_t>& boundaries, std::size_t size, std::string_view value) {
  Ids out(size, unwritten);
  const bool is_size = value.empty();
  require_error(posenc::packed_positions(boundaries, out), is_size ? "out" : "boundaries", value);
  CHECK(out == Ids(size, unwritten));
}

}  // namespace

TEST_CASE("packed positions: each sequence counts from 0", "[positions]") {
  CHECK(packed({0, 3, 5}) == Ids{0, 1, 2, 0, 1});
  CHECK(packed({0, 0, 2, 2, 3}) == Ids{0, 1, 0});
  CHECK(packed({0}).empty());
  CHECK(packed({0, 0}).empty());
}

TEST_CASE("packed positions: wrong boundaries are an Error and nothing is written", "[positions]") {
  check_refused({}, 3, "none");
  check_refused({1, 3}, 3, "1");
  check_refused({-1, 3}, 3, "-1");
  check_refused({0, 3, 2}, 2, "2");
  check_refused({0, -1}, 0, "-1");
  check_refused({0, std::int64_t{1} << 31}, 4, "2147483648");
  check_refused({0, 3}, 2, "");
  check_refused({0, 3}, 4, "");
}

TEST_CASE("packed positions: a packed batch rotates as its sequences alone do", "[positions][rotary]") {
  Generator generator(41);
  const posenc::RotaryOptions options{.dim = 12, .layout = posenc::Layout::interleaved};
  for (int round = 0; round < 30; ++round) {
    std::vector<std::int64_t> boundaries{0};
    for (std::size_t k = generator.below(5); k-- > 0;)
      boundaries.push_back(boundaries.back() + static_cast<std::int64_t>(generator.below(9)));
    const Ids ids = packed(boundaries);
    const std::vector<double> positions(ids.begin(), ids.end());
    const auto x = testing::fractions(ids.size() * 24, generator.next());
    const auto whole = testing::rotated(options, x, Shape{boundaries.back(), 2, 12}, Positions::list(positions));
    for (std::size_t k = 1; k < boundaries.size(); ++k) {
      const auto first = static_cast<std::size_t>(boundaries[k - 1]) * 24;
      const auto last = static_cast<std::size_t>(boundaries[k]) * 24;
      const std::vector<float> part(x.begin() + static_cast<std::ptrdiff_t>(first),
                                    x.begin() + static_cast<std::ptrdiff_t>(last));
      const std::int64_t length = boundaries[k] - boundaries[k - 1];
      CHECK(testing::same_bits(
          testing::rotated(options, part, Shape{length, 2, 12}, Positions::range(static_cast<std::size_t>(length))),
          std::span(whole).subspan(first, last - first)));
    }
  }
}

TEST_CASE("mask positions: padding on either side, in rows of their own", "[positions]") {
  const Ids mask{0, 0, 1, 1, 1,  //
                 1, 1, 1, 0, 0,  //
                 0, 1, 0, 1, 1,  //
                 0, 0, 0, 0, 0};
  CHECK(masked(mask, 5, 1) == Ids{1, 1, 0, 1, 2, 0, 1, 2, 1, 1, 1, 0, 1, 1, 2, 1, 1, 1, 1, 1});
  CHECK(masked(mask, 5, 0) == Ids{0, 0, 0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0});
  CHECK(masked(mask, 20, -1)[19] == -1);
  CHECK(masked({}, 0, 1).empty());
  CHECK(masked({}, 7, 1).empty());
}

TEST_CASE("mask positions: what is wrong is an Error and nothing is written", "[positions]") {
  Ids out(4, unwritten);
  const Ids ones(4, 1);
  require_error(posenc::mask_positions(Ids{1, 2, 1, 1}, 4, 1, out), "mask", "2");
  require_error(posenc::mask_positions(Ids{1, 0, 1, -1}, 4, 1, out), "mask", "-1");
  require_error(posenc::mask_positions(ones, 3, 1, out), "mask", "4");
  require_error(posenc::mask_positions(ones, 0, 1, out), "mask", "4");
  require_error(posenc::mask_positions(Ids{1, 1}, 2, 1, out), "out", "4");
  CHECK(out == Ids(4, unwritten));
}
