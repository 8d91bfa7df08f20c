#include "posenc/grid/mrope.hpp"

#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

using Sections = std::span<const std::int64_t>;

Expected<void> check_sections(Sections sections, MropeOrder order, std::int64_t pairs) {
  const std::size_t axes = sections.size();
  if (order == MropeOrder::chunked ? axes < 2 || axes > 8 : axes != 3)
    return invalid_argument("sections", static_cast<double>(axes), expected::sections);
  if (order == MropeOrder::time_last && sections[1] != sections[2])
    return invalid_argument("sections", static_cast<double>(sections[2]), expected::sections_alike);
  const bool is_interleaved = order == MropeOrder::interleaved;
  const auto refused = [&](double value) {
    return invalid_argument("sections", value, is_interleaved ? expected::sections_at_most : expected::sections_sum,
                            {pairs});
  };
  std::int64_t left = pairs;
  for (const std::int64_t section : sections) {
    const auto value = static_cast<double>(section);
    if (section < 0 || section > left) return refused(section < 0 ? value : static_cast<double>(pairs - left) + value);
    left -= section;
  }
  if (left != 0 && !is_interleaved) return refused(static_cast<double>(pairs - left));
  for (std::int64_t axis = 1; is_interleaved && axis < 3; ++axis) {
    const std::int64_t section = sections[static_cast<std::size_t>(axis)];
    if (section > 0 && axis + 3 * (section - 1) >= pairs)
      return invalid_argument("sections", static_cast<double>(section), expected::at_most, {(pairs - axis + 2) / 3},
                              " pairs, to interleave: every third of them");
  }
  return {};
}

std::size_t axis_of(std::size_t pair, Sections sections, MropeOrder order) {
  const auto s = [&](std::size_t axis) { return static_cast<std::size_t>(sections[axis]); };
  if (order == MropeOrder::interleaved) return pair / 3 < s(pair % 3) ? pair % 3 : 0;
  if (order == MropeOrder::time_last) return pair < s(1) + s(2) ? 1 + pair % 2 : 0;
  std::size_t axis = 0;
  for (; pair >= s(axis); ++axis) pair -= s(axis);
  return axis;
}

/// The pairs of one axis and their frequencies.
Expected<AxisFrequencies> axis_frequencies(const Frequencies& all, Sections sections, MropeOrder order,
                                           std::size_t axis) {
  // Interleaved, time has what the others leave.
  const auto size = axis == 0 && order == MropeOrder::interleaved
                        ? static_cast<std::int64_t>(all.count()) - sections[1] - sections[2]
                        : sections[axis];
  POSENC_TRY_LET(pairs, AlignedArray<std::uint32_t>::make(static_cast<std::size_t>(size)));
  for (std::size_t pair = 0, i = 0; pair < all.count(); ++pair)
    if (axis_of(pair, sections, order) == axis) pairs[i++] = static_cast<std::uint32_t>(pair);
  POSENC_TRY_LET(selected, all.selected(pairs.span()));
  return AxisFrequencies{std::move(selected), std::move(pairs)};
}

}  // namespace

Expected<PointRotary> mrope(const RotaryOptions& options, Sections sections, MropeOrder order) {
  POSENC_TRY_LET(text, Rotary::make(options));
  POSENC_TRY(check_point_layout(options.layout));
  if (order == MropeOrder::unnamed) return std::unexpected(from_name<MropeOrder>("").error());
  const std::size_t pairs = text.rotary_dim() / 2;
  POSENC_TRY(check_sections(sections, order, static_cast<std::int64_t>(pairs)));
  PointRotaryPlan plan;
  plan.dim = text.dim();
  plan.pairs = pairs;
  plan.layout = options.layout;
  plan.blocks.push_back(pairs);
  for (std::size_t axis = 0; axis < sections.size(); ++axis) {
    POSENC_TRY_LET(made, axis_frequencies(text.frequencies(), sections, order, axis));
    plan.axes.push_back(std::move(made));
  }
  return PointRotary::from(std::move(plan));
}

Expected<std::vector<std::size_t>> mrope_axes(std::size_t pairs, Sections sections, MropeOrder order) {
  if (order == MropeOrder::unnamed) return std::unexpected(from_name<MropeOrder>("").error());
  POSENC_TRY(check_sections(sections, order, static_cast<std::int64_t>(pairs)));
  std::vector<std::size_t> axes(pairs);
  for (std::size_t pair = 0; pair < pairs; ++pair) axes[pair] = axis_of(pair, sections, order);
  return axes;
}

}  // namespace posenc
