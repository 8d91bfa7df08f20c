#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "diagnosis/mutants/made_rotation.hpp"
#include "diagnosis/verdict_counts.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "testing/testing.hpp"

using testing::Stored;

namespace {

/// Samples one head of 64 dimensions that was rotated by this plan. `read` is what its input was stored in
/// later.
posenc::Diagnosis seen_of(const posenc::Expectation& done, const std::vector<double>& positions, Stored read,
                          const posenc::Expectation& expected) {
  const auto made = testing::make_rotation(done, {});
  REQUIRE(made.has_value());
  std::vector<double> before = testing::random_vectors(64 * positions.size(), 17, Stored::float32);
  const std::vector<double> after = rotate(*made, before, 1, positions, Stored::float32);
  for (double& value : before) value = testing::rounded(value, read);
  const std::vector<std::int64_t> shape{static_cast<std::int64_t>(positions.size()), 64};
  return testing::value_of(posenc::diagnose_rotation(
      {.before = {before, shape}, .after = {after, shape}, .positions = positions}, expected));
}

}  // namespace

TEST_CASE("dimensions that were rounded alone did not move", "[diagnosis]") {
  for (const posenc::Layout layout : {posenc::Layout::half, posenc::Layout::interleaved}) {
    posenc::Expectation expected;
    expected.plan = posenc::RotaryOptions{.dim = 64, .layout = layout, .rotary_dim = 32};
    const posenc::Diagnosis seen = seen_of(expected, {0, 1, 2, 7, 64, 511, 4095, 20000}, Stored::bfloat16, expected);
    REQUIRE(!seen.explanations.empty());
    CHECK(testing::names_of(seen.explanations[0].mistakes) == "none");
  }
}

TEST_CASE("vectors at position 0 alone are no evidence, though nothing was expected", "[diagnosis]") {
  posenc::Expectation done;
  done.plan = posenc::RotaryOptions{.dim = 64, .layout = posenc::Layout::half};
  const posenc::Diagnosis seen = seen_of(done, {0, 0}, Stored::float32, {});
  CHECK(seen.verdict == posenc::Verdict::ambiguous);
  CHECK(!seen.next.empty());
}
