#include "posenc/diagnosis/views/pairing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc::diagnosis {
namespace {

/// Models have interleaved dimensions in multiples of this.
constexpr std::size_t usual_multiple = 16;

std::size_t rounded_up(std::size_t count, std::size_t multiple) { return (count + multiple - 1) / multiple * multiple; }

struct PairingLister {
  std::size_t dims;
  ChangedDims changed;
  std::vector<Pairing> pairings;

  [[nodiscard]] bool covers(std::size_t first, std::size_t count) const {
    return !changed.any || (first <= changed.first && changed.last < first + count);
  }

  void add(Layout reads, Layout writes, std::size_t first, std::size_t count) {
    const Pairing made{reads, writes, first, count};
    if (count == 2 && (reads == Layout::interleaved || writes == Layout::interleaved)) return;
    if (count < 2 || count % 2 != 0 || first + count > dims || !covers(first, count)) return;
    if (std::ranges::find(pairings, made) == pairings.end()) pairings.push_back(made);
  }

  /// The first dimensions, the last ones, and those from the first changed one on.
  void add_places(Layout reads, Layout writes, std::size_t count) {
    if (count > dims) return;
    add(reads, writes, 0, count);
    add(reads, writes, dims - count, count);
    if (changed.any) add(reads, writes, changed.first, count);
  }
};

/// The dimensions of `to` by those of `from`, pair by pair; dimensions that do not rotate follow in their order.
std::vector<std::int64_t> permutation(Layout to, const Pairing& to_dims, Layout from, const Pairing& from_dims,
                                      std::size_t dims) {
  std::vector<std::int64_t> made(dims, -1);
  std::vector<bool> taken(dims, false);
  for (std::size_t pair = 0; pair < to_dims.pairs(); ++pair)
    for (std::size_t part = 0; part < 2; ++part) {
      const std::size_t source = dim_of(from, from_dims, pair, part);
      made[dim_of(to, to_dims, pair, part)] = static_cast<std::int64_t>(source);
      taken[source] = true;
    }
  std::size_t next = 0;
  for (std::int64_t& dimension : made) {
    if (dimension >= 0) continue;
    while (taken[next]) ++next;
    dimension = static_cast<std::int64_t>(next++);
  }
  return made;
}

}  // namespace

Expected<Rotary> expected_rotary(const RotaryOptions& plan) {
  auto made = Rotary::make(plan);
  if (!made) made.error().argument = "expected." + made.error().argument;
  return made;
}

Expected<std::optional<Pairing>> expected_pairing(const Expectation& expected) {
  if (!expected.plan) return std::optional<Pairing>{};
  POSENC_TRY_LET(made, expected_rotary(*expected.plan));
  const auto last = static_cast<std::int64_t>(made.dim() - made.rotary_dim());
  if (expected.first_dim < 0 || expected.first_dim > last)
    return invalid_argument("expected.firstDim", static_cast<double>(expected.first_dim),
                            {"a dimension that has ", decimal(made.rotary_dim()), " from it on"});
  Pairing pairing{.first = static_cast<std::size_t>(expected.first_dim), .count = made.rotary_dim()};
  const Layout layout = made.layout();
  pairing.reads = layout == Layout::half ? Layout::half : Layout::interleaved;
  pairing.writes = layout == Layout::interleaved ? Layout::interleaved : Layout::half;
  if (expected.inverse) std::swap(pairing.reads, pairing.writes);
  return std::optional(pairing);
}

std::vector<Pairing> possible_pairings(std::size_t dims, const ChangedDims& changed,
                                       const std::optional<Pairing>& expected) {
  constexpr std::array<std::pair<Layout, Layout>, 3> with_halves{
      {{Layout::half, Layout::half}, {Layout::interleaved, Layout::half}, {Layout::half, Layout::interleaved}}};
  PairingLister lister{.dims = dims, .changed = changed, .pairings = {}};
  std::vector<std::size_t> usual;
  const std::size_t all = dims / 2 * 2;
  if (expected) {
    lister.add(expected->reads, expected->writes, expected->first, expected->count);
    lister.add(Layout::half, Layout::half, expected->first, expected->count);
    lister.add(Layout::interleaved, Layout::interleaved, expected->first, expected->count);
    // Half of them is a count that code has which takes dimensions for pairs.
    usual.insert(usual.end(), {expected->count, expected->count / 4 * 2});
  }
  // Interleaved pairs are from the start on, or up to the end.
  for (const std::size_t least : {changed.last + 1, dims - changed.first}) {
    if (!changed.any) break;
    const std::size_t count = rounded_up(least, 2);
    usual.insert(usual.end(), {count, rounded_up(count, usual_multiple), std::bit_ceil(count)});
  }
  usual.push_back(all);
  for (const std::size_t count : usual) lister.add_places(Layout::interleaved, Layout::interleaved, count);
  if (changed.any) usual.clear();
  for (std::size_t count = all; count >= 2 && changed.any; count -= 2) usual.push_back(count);
  for (const std::size_t count : usual)
    for (const auto& [reads, writes] : with_halves) lister.add_places(reads, writes, count);
  return std::move(lister.pairings);
}

std::vector<Mistake> pairing_mistakes(const Pairing& found, const Pairing& expected, std::size_t dims) {
  std::vector<Mistake> made;
  // Two dimensions are one pair in either layout.
  const bool reads = found.count > 2 && found.reads != expected.reads;
  const bool writes = found.count > 2 && found.writes != expected.writes;
  if (reads && writes)
    made.push_back(Mistake::layout);
  else if (reads || writes)
    made.push_back(Mistake::permuted);
  // All dimensions start at 0, wherever fewer would have started.
  const bool all = found.count == dims / 2 * 2 || expected.count == dims / 2 * 2;
  if (found.first != expected.first && !all) made.push_back(Mistake::first_dim);
  if (found.count != expected.count) made.push_back(Mistake::rotary_dim);
  return made;
}

DimRemedy dim_remedy(const Pairing& found, const Pairing& expected, std::size_t dims) {
  if (found == expected || found.count != expected.count) return {};
  // Either the right pairs were rotated and are elsewhere, or other pairs were.
  if (found.reads == expected.reads && found.first == expected.first)
    return {.dims = permutation(expected.writes, expected, found.writes, found, dims), .before = false};
  return {.dims = permutation(found.reads, found, expected.reads, expected, dims), .before = true};
}

RotaryOptions plan_of_pairs(RotaryOptions plan, std::size_t dims) {
  plan.dim = static_cast<std::int64_t>(dims);
  plan.rotary_dim = std::nullopt;
  plan.layout = Layout::half;
  return plan;
}

RotationHypothesis expected_hypothesis(const Expectation& expected, const Pairing& pairing) {
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): called where a plan is expected
  RotationHypothesis made{.plan = plan_of_pairs(*expected.plan, pairing.count)};
  made.first_position = expected.first_position;
  made.position_scale = expected.position_scale;
  made.negative = expected.inverse;
  made.arithmetic = expected.arithmetic.value_or(AngleArithmetic::exact);
  if (const auto factor = attention_factor(plan_of(made.plan))) made.factor = *factor;
  return made;
}

}  // namespace posenc::diagnosis
