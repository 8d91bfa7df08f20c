#include "posenc/diagnosis/fixtures.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/fixtures/chosen_outputs.hpp"
#include "posenc/diagnosis/fixtures/fixture_field.hpp"
#include "posenc/diagnosis/fixtures/wrong_rotations.hpp"

namespace posenc {
namespace {

using namespace diagnosis;

constexpr std::int64_t most_dims = 1024;

/// Positions up to it are whole numbers of float32.
constexpr std::int64_t most_length = std::int64_t{1} << 24;

/// Ratio of one position that is tried to the one before.
constexpr double position_ratio = 1.3;

/// The positions of axes have ratios of no simple numbers, so that none are multiples of another's.
constexpr double axis_ratio = 0.618;

/// Positions among which the fixture's are chosen: the first ones, then odd ones at about equal ratios, which bfloat16
/// does not represent where they are large, and the last.
std::vector<double> tried_positions(double length) {
  std::vector<double> positions;
  double next = 1;
  while (next < length - 1) {
    positions.push_back(next);
    next = std::max(next + 1, std::floor(next * position_ratio / 2) * 2 + 1);
  }
  positions.push_back(length - 1);
  return positions;
}

/// Positions of several axes are tried in the same way: they differ, each axis having the largest of one in three.
std::vector<double> tried_points(double length, std::size_t axes) {
  const std::vector<double> largest = tried_positions(length);
  const std::size_t tokens = largest.size();
  std::vector<double> points(axes * tokens);
  for (std::size_t token = 0; token < tokens; ++token)
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const double part = std::pow(axis_ratio, static_cast<double>((axis + token) % axes));
      points[axis * tokens + token] = std::floor(largest[token] * part);
    }
  return points;
}

/// The positions of some of the tokens.
std::vector<double> selected(std::span<const double> points, std::size_t axes, std::span<const std::size_t> tokens) {
  const std::size_t count = points.size() / axes;
  std::vector<double> made;
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (const std::size_t token : tokens) made.push_back(points[axis * count + token]);
  return made;
}

}  // namespace

Expected<Fixture> make_fixture(const Expectation& expected, const FixtureOptions& options) {
  POSENC_TRY(check_whole("length", options.length, 2, most_length));
  Expectation meant = expected;
  if (meant.plan) {
    POSENC_TRY(check_whole("expected.dim", meant.plan->dim, 2, most_dims));
    if (!meant.plan->length) meant.plan->length = options.length;
  }
  for (RotaryOptions& other : meant.others)
    if (!other.length) other.length = options.length;
  POSENC_TRY_LET(rotations, wrong_rotations(meant));
  const std::size_t axes = axes_of(meant);
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): wrong_rotations refuses what has no plan
  const auto dim = static_cast<std::size_t>(meant.plan->dim);
  const double length = static_cast<double>(options.length);
  const std::vector<double> tried = axes > 1 ? tried_points(length, axes) : tried_positions(length);
  POSENC_TRY_LET(field, fixture_field(rotations, tried, axes, dim));
  POSENC_TRY_LET(chosen, fixture_field(rotations, selected(tried, axes, discriminating_tokens(field)), axes, dim));
  return choose_outputs(chosen);
}

}  // namespace posenc
