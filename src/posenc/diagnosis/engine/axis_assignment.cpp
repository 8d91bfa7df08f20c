#include "posenc/diagnosis/engine/axis_assignment.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "posenc/diagnosis/engine/ordering.hpp"

namespace posenc::diagnosis {
namespace {

using Sections = std::vector<std::int64_t>;

constexpr MropeOrder orders[]{MropeOrder::chunked, MropeOrder::interleaved, MropeOrder::time_last};

/// The sections of Qwen2-VL and Qwen2.5-VL, Qwen3-VL, Ernie 4.5 VL, GLM-4V and HunyuanOCR are these, as mrope() takes
/// them.
const std::vector<Sections>& usual_sections() {
  static const std::vector<Sections> usual{{16, 24, 24}, {24, 20, 20}, {20, 22, 22}, {8, 12, 12}, {16, 16, 16, 16}};
  return usual;
}

/// Points with more axes than this are not tried with their axes in every order.
constexpr std::size_t most_permuted = 4;

/// Sections that fit beyond so many are no evidence: the rotations hardly constrain them.
constexpr std::size_t most_sections = 64;

/// Chunks are tried so often at most: many axes with pairs that allow them all have too many.
constexpr std::size_t most_steps = 1 << 14;

/// The axes that each pair may have by the rotations alone, [pairs, axes].
struct AxisChoices {
  std::size_t pairs = 0, axes = 0;
  std::vector<bool> possible;

  [[nodiscard]] bool allows(std::size_t pair, std::int64_t axis) const {
    return possible[pair * axes + static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] bool allows(const std::vector<std::int64_t>& axis_of_pair) const {
    for (std::size_t pair = 0; pair < pairs; ++pair)
      if (!allows(pair, axis_of_pair[pair])) return false;
    return true;
  }
};

/// Whether two rotations are the same within what they may be off by.
bool agree(const Measured& measured, std::size_t a, std::size_t b) {
  const double reach = measured.error[a] + measured.error[b];
  return std::fabs(measured.real[a] - measured.real[b]) <= reach &&
         std::fabs(measured.imaginary[a] - measured.imaginary[b]) <= reach;
}

AxisChoices axis_choices(const Measured& measured, const Places& places) {
  AxisChoices choices{measured.pairs, places.axes, std::vector<bool>(measured.pairs * places.axes, true)};
  for (std::size_t axis = 0; axis < places.axes; ++axis) {
    std::map<double, std::vector<std::size_t>> known;  // by position: for each pair the token that is known best
    for (std::size_t i = 0; i < measured.tokens.size(); ++i) {
      const auto [place, is_new] = known.try_emplace(places.at(axis, measured.tokens[i]));
      if (is_new) {
        place->second.assign(measured.pairs, i);
        continue;
      }
      for (std::size_t pair = 0; pair < measured.pairs; ++pair) {
        std::size_t& best = place->second[pair];
        const std::size_t a = measured.at(best, pair), b = measured.at(i, pair);
        if (!agree(measured, a, b)) choices.possible[pair * places.axes + axis] = false;
        if (measured.error[b] < measured.error[a]) best = i;
      }
    }
  }
  return choices;
}

class AssignmentList {
 public:
  AssignmentList(AxisChoices choices, const AxisExpectation& expected)
      : choices_(std::move(choices)), expected_(expected) {}

  std::vector<AxisAssignment> list() && {
    std::vector<std::int64_t> permutation(choices_.axes);
    std::iota(permutation.begin(), permutation.end(), 0);
    if (expects()) add(expected_.order, expected_.sections, permutation);
    do {
      for (const MropeOrder order : orders) add_order(order, permutation);
    } while (choices_.axes <= most_permuted && std::ranges::next_permutation(permutation).found);
    for (std::size_t axis = 0; axis < choices_.axes; ++axis) add_single(static_cast<std::int64_t>(axis));
    if (made_.empty()) add_free();
    sort_by(made_, [](const AxisAssignment& each) { return each.mistakes.size(); });
    return std::move(made_);
  }

 private:
  [[nodiscard]] bool expects() const { return !expected_.sections.empty(); }

  void add_order(MropeOrder order, std::span<const std::int64_t> permutation) {
    if (expects()) add(order, expected_.sections, permutation);
    for (const Sections& sections : usual_sections()) add(order, sections, permutation);
    std::vector<Sections> fitting;
    collect(order, permutation, fitting);
    for (const Sections& sections : fitting) add(order, sections, permutation);
  }

  /// Collects all sections that the rotations allow in this order.
  void collect(MropeOrder order, std::span<const std::int64_t> permutation, std::vector<Sections>& fitting) const {
    const auto pairs = static_cast<std::int64_t>(choices_.pairs);
    if (order == MropeOrder::chunked) {
      Sections sections;
      collect_chunks(0, permutation, sections, fitting);
    } else if (choices_.axes == 3 && order == MropeOrder::time_last) {
      for (std::int64_t each = 1; 2 * each <= pairs && fitting.size() < most_sections; ++each)
        collect_one(order, {pairs - 2 * each, each, each}, permutation, fitting);
    } else if (choices_.axes == 3) {
      for (std::int64_t height = 1; 3 * height <= pairs + 1; ++height)
        for (std::int64_t width = 1; 3 * width <= pairs && fitting.size() < most_sections; ++width)
          collect_one(order, {pairs - height - width, height, width}, permutation, fitting);
    }
  }

  void collect_one(MropeOrder order, Sections sections, std::span<const std::int64_t> permutation,
                   std::vector<Sections>& fitting) const {
    const auto axes = assigned(order, sections, permutation);
    if (axes && choices_.allows(*axes)) fitting.push_back(std::move(sections));
  }

  /// Chunks by one axis after the other, each as long as its pairs allow, or shorter.
  void collect_chunks(std::size_t first, std::span<const std::int64_t> permutation, Sections& sections,
                      std::vector<Sections>& fitting) const {
    if (fitting.size() >= most_sections || ++steps_ > most_steps) return;
    const std::int64_t axis = permutation[sections.size()];
    std::size_t end = first;
    while (end < choices_.pairs && choices_.allows(end, axis)) ++end;
    if (sections.size() + 1 == choices_.axes) {
      if (end < choices_.pairs || end == first) return;
      sections.push_back(static_cast<std::int64_t>(end - first));
      fitting.push_back(sections);
      sections.pop_back();
      return;
    }
    for (; end > first; --end) {
      sections.push_back(static_cast<std::int64_t>(end - first));
      collect_chunks(end, permutation, sections, fitting);
      sections.pop_back();
    }
  }

  /// The axes of the points that the pairs take, whatever the rotations allow.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> assigned(MropeOrder order, const Sections& sections,
                                                                  std::span<const std::int64_t> permutation) const {
    if (sections.size() != choices_.axes) return std::nullopt;
    std::vector<std::int64_t> axes = mrope_axes(sections, order, choices_.pairs);
    if (axes.empty()) return std::nullopt;
    for (std::int64_t& axis : axes) axis = permutation[static_cast<std::size_t>(axis)];
    return axes;
  }

  /// Keeps an assignment; of equal ones the first.
  void keep(AxisAssignment made) {
    if (!choices_.allows(made.axis_of_pair)) return;
    for (AxisAssignment& each : made_) {
      if (each.axis_of_pair != made.axis_of_pair) continue;
      if (made.mistakes.size() < each.mistakes.size()) each = std::move(made);
      return;
    }
    made_.push_back(std::move(made));
  }

  void add(MropeOrder order, const Sections& sections, std::span<const std::int64_t> permutation) {
    auto axes = assigned(order, sections, permutation);
    if (!axes) return;
    AxisAssignment made{.axis_of_pair = *std::move(axes), .sections = sections, .order = order};
    if (expects()) {
      if (!std::ranges::is_sorted(permutation)) made.mistakes.push_back(Mistake::axes_order);
      if (sections != expected_.sections) made.mistakes.push_back(Mistake::sections);
      if (order != expected_.order) made.mistakes.push_back(Mistake::section_order);
    }
    keep(std::move(made));
  }

  void add_single(std::int64_t axis) {
    AxisAssignment made{.axis_of_pair = std::vector<std::int64_t>(choices_.pairs, axis)};
    if (expects()) made.mistakes.push_back(Mistake::axis_missing);
    keep(std::move(made));
  }

  /// Adds the axis that the rotations allow for each pair; where they allow several, that of the pair before it.
  void add_free() {
    AxisAssignment made;
    std::int64_t last = 0;
    for (std::size_t pair = 0; pair < choices_.pairs; ++pair) {
      const auto axes = static_cast<std::int64_t>(choices_.axes);
      std::int64_t axis = last;
      for (std::int64_t k = 0; k < axes && !choices_.allows(pair, axis); ++k) axis = (axis + 1) % axes;
      made.axis_of_pair.push_back(last = axis);
    }
    if (expects()) made.mistakes.push_back(Mistake::sections);
    keep(std::move(made));
  }

  AxisChoices choices_;
  const AxisExpectation& expected_;
  std::vector<AxisAssignment> made_;
  mutable std::size_t steps_ = 0;
};

}  // namespace

std::vector<std::int64_t> mrope_axes(const Sections& sections, MropeOrder order, std::size_t pairs) {
  const auto count = static_cast<std::int64_t>(pairs);
  if (std::ranges::any_of(sections, [&](std::int64_t section) { return section < 0 || section > count; })) return {};
  const std::int64_t sum = std::accumulate(sections.begin(), sections.end(), std::int64_t{0});
  if (order == MropeOrder::interleaved ? sum > count : sum != count) return {};
  if (order != MropeOrder::chunked && sections.size() != 3) return {};
  if (order == MropeOrder::time_last && sections[1] != sections[2]) return {};
  std::vector<std::int64_t> axes;
  std::int64_t chunk = 0, left = sections.empty() ? 0 : sections[0];
  for (std::int64_t pair = 0; pair < count; ++pair) {
    if (order == MropeOrder::interleaved) {
      axes.push_back(pair / 3 < sections[static_cast<std::size_t>(pair % 3)] ? pair % 3 : 0);
    } else if (order == MropeOrder::time_last) {
      axes.push_back(pair < sections[1] + sections[2] ? 1 + pair % 2 : 0);
    } else {
      while (left == 0) left = sections[static_cast<std::size_t>(++chunk)];
      axes.push_back(chunk);
      --left;
    }
  }
  return axes;
}

std::vector<AxisAssignment> axis_assignments(const Measured& measured, const Places& places,
                                             const AxisExpectation& expected) {
  return AssignmentList(axis_choices(measured, places), expected).list();
}

}  // namespace posenc::diagnosis
