#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <numeric>
#include <vector>

#include "key_cache/key_model.hpp"
#include "posenc/key_cache/key_history.hpp"
#include "posenc/rotary/rotary.hpp"

using key_model::Cache;
using key_model::Model;
using key_model::random_cache;
using posenc::KeyEdit;
using posenc::KeyHistory;
using posenc::KeyType;
using posenc::Layout;
using posenc::Rotary;
using testing::value_of;
namespace edit = posenc::edit;

namespace {

constexpr std::size_t drift_tokens = 16, drift_dim = 128;

struct Drift {
  double absolute = 0;  ///< the largest error of a dimension
  double bound = 0;     ///< the history's, for pairs of norm sqrt(2)
};

/// Shifts one after another by these, each a call; 113-bit angles tell how far keys have drifted.
Drift drift_of(KeyType type, std::size_t edits, std::optional<bool> keep) {
  const auto rotary = value_of(Rotary::make({.dim = drift_dim, .layout = Layout::half}));
  std::vector<double> positions(drift_tokens);
  std::iota(positions.begin(), positions.end(), 1000);
  Cache cache = random_cache(type, drift_tokens, 1, drift_dim, 9);
  const key_model::Rotation rotation{
      .pairs = drift_dim / 2, .angle = [](std::size_t, std::size_t pair, auto at) {
        return reference::power(10000, -2 * static_cast<reference::Quad>(pair) / drift_dim) * at[0];
      }};
  Model model{1, drift_dim, 1, {rotation}, 0, {}};
  model.add(cache.values(), positions);
  auto history =
      value_of(KeyHistory::make({.rotation = rotary, .keep = keep.value_or(false)}, cache.keys(), positions));
  for (std::size_t i = 0; i < edits; ++i) {
    const double by = static_cast<double>(i * 7 % 23) - 9;
    const KeyEdit shift{edit::Shift{{}, {by}}};
    model.apply(shift);
    // Others do this: every call rotates what is there, and forgets.
    if (!keep) history = value_of(KeyHistory::make({.rotation = rotary}, cache.keys(), positions));
    value_of(history.edit(cache.keys(), {&shift, 1}));
  }
  const double bound = history.bound().dimension;
  const auto worst = key_model::worst_of(model, cache, bound);
  if (keep) CHECK(worst.bound <= 1);
  return {worst.absolute, bound * 1.41422};
}

}  // namespace

TEST_CASE("key history: how far keys drift, as a table", "[.drift]") {
  std::printf(
      "| dtype | edits | rotated in place each time | history without first bits (bound) | with them (bound) |\n");
  std::printf("| --- | --- | --- | --- | --- |\n");
  for (const KeyType type : key_model::types)
    for (const std::size_t edits : {std::size_t{1}, std::size_t{10}, std::size_t{1000}}) {
      const Drift others = drift_of(type, edits, std::nullopt), forgets = drift_of(type, edits, false),
                  keeps = drift_of(type, edits, true);
      std::printf("| %s | %zu | %.1e | %.1e (%.1e) | %.1e (%.1e) |\n", std::string(posenc::name_of(type)).c_str(),
                  edits, others.absolute, forgets.absolute, forgets.bound, keeps.absolute, keeps.bound);
    }
}

TEST_CASE("key history: a thousand edits drift no more than one, with the first bits", "[key_cache][accuracy]") {
  for (const KeyType type : key_model::types) {
    const Drift one = drift_of(type, 1, true), thousand = drift_of(type, 1000, true);
    CHECK(thousand.bound <= one.bound);
    CHECK(thousand.absolute <= one.bound);
    const Drift without = drift_of(type, 30, false);
    CHECK(without.absolute > thousand.absolute);
  }
}
