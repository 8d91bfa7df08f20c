#include "posenc/diagnosis/axes/axis_assignment.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/shortlist.hpp"

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

/// These are the bits of an assignment where nothing was expected: one of three orders, usual sections, any sections,
/// axes in another order, axes of no order at all, a pair.
constexpr double order_bits = 2, sections_bits = 3, any_sections_bits = 12, free_bits = 2;

/// Points with more axes than this are not tried with their axes in every order.
constexpr std::size_t most_permuted = 4;

/// Sections that fit beyond so many are no evidence: the rotations hardly constrain them.
constexpr std::size_t most_sections = 64;

/// Chunks are tried so often at most: many axes with pairs that allow them all have too many.
constexpr std::size_t most_steps = 1 << 14;

class AssignmentList {
 public:
  AssignmentList(const AxisChoices& choices, const AxisContext& context) : choices_(choices), context_(context) {}

  void add_all() {
    std::vector<std::int64_t> permutation(choices_.axes);
    std::iota(permutation.begin(), permutation.end(), 0);
    do {
      for (const MropeOrder order : orders) add_order(order, permutation);
    } while (choices_.axes <= most_permuted && std::ranges::next_permutation(permutation).found);
    for (std::size_t axis = 0; axis < choices_.axes; ++axis) add_single(static_cast<std::int64_t>(axis));
    if (made_.kept().empty()) add_free();
  }

  [[nodiscard]] std::vector<AxisAssignment> take(std::size_t most) && {
    return std::move(made_).merged(
        most, [](const AxisAssignment& a, const AxisAssignment& b) { return a.axis_of_pair == b.axis_of_pair; });
  }

 private:
  [[nodiscard]] bool expects() const { return !context_.mrope_section.empty(); }

  /// Sections of an order that may be meant, and with what they cost where nothing is expected.
  void add_order(MropeOrder order, std::span<const std::int64_t> permutation) {
    if (expects()) add(order, context_.mrope_section, permutation, 0);
    for (const Sections& sections : usual_sections()) add(order, sections, permutation, sections_bits);
    std::vector<Sections> fitting;
    collect(order, permutation, fitting);
    for (const Sections& sections : fitting) add(order, sections, permutation, any_sections_bits);
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
    if (assigned(order, sections, permutation)) fitting.push_back(std::move(sections));
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

  /// The axes of the points that the pairs take, where the rotations allow them.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> assigned(MropeOrder order, const Sections& sections,
                                                                  std::span<const std::int64_t> permutation) const {
    if (sections.size() != choices_.axes) return std::nullopt;
    std::vector<std::int64_t> axes = mrope_axes(sections, order, choices_.pairs);
    if (axes.empty()) return std::nullopt;
    for (std::int64_t& axis : axes) axis = permutation[static_cast<std::size_t>(axis)];
    if (!choices_.allows(axes)) return std::nullopt;
    return axes;
  }

  void add(MropeOrder order, const Sections& sections, std::span<const std::int64_t> permutation, double cost) {
    auto axes = assigned(order, sections, permutation);
    if (!axes) return;
    AxisAssignment made{*std::move(axes), sections, order, {}, cost};
    const bool is_moved = !std::ranges::is_sorted(permutation);
    if (expects()) {
      if (is_moved) made.mistakes.push_back(Mistake::axes_order);
      if (sections != context_.mrope_section) made.mistakes.push_back(Mistake::sections);
      if (order != context_.mrope_order) made.mistakes.push_back(Mistake::section_order);
      made.cost += mistake_bits * static_cast<double>(made.mistakes.size());
    } else {
      made.cost += order_bits + (is_moved ? mistake_bits : 0);
    }
    made_.offer(std::move(made));
  }

  void add_single(std::int64_t axis) {
    AxisAssignment made;
    made.axis_of_pair.assign(choices_.pairs, axis);
    if (!choices_.allows(made.axis_of_pair)) return;
    made.cost = mistake_bits;
    if (expects()) made.mistakes.push_back(Mistake::axis_missing);
    made_.offer(std::move(made));
  }

  /// Adds the axis that the rotations allow for each pair; where they allow several, that of the pair before it.
  void add_free() {
    AxisAssignment made;
    made.cost = free_bits * static_cast<double>(choices_.pairs);
    std::int64_t last = 0;
    for (std::size_t pair = 0; pair < choices_.pairs; ++pair) {
      const auto axes = static_cast<std::int64_t>(choices_.axes);
      std::int64_t axis = last;
      for (std::int64_t k = 0; k < axes && !choices_.allows(pair, axis); ++k) axis = (axis + 1) % axes;
      made.axis_of_pair.push_back(last = axis);
    }
    if (expects()) made.mistakes.push_back(Mistake::sections);
    made_.offer(std::move(made));
  }

  const AxisChoices& choices_;
  const AxisContext& context_;
  Shortlist<AxisAssignment> made_;
  mutable std::size_t steps_ = 0;
};

}  // namespace

// Unlike the library's own, which refuses sections that an order cannot have, this takes what wrong code makes of them.
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

std::vector<AxisAssignment> axis_assignments(const AxisChoices& choices, const AxisContext& context, std::size_t most) {
  AssignmentList list(choices, context);
  list.add_all();
  return std::move(list).take(most);
}

}  // namespace posenc::diagnosis
