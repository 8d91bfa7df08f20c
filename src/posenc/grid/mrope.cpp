#include "posenc/grid/mrope.hpp"

#include <utility>

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr Name order_names[]{
    {"chunked", MropeOrder::chunked},
    {"interleaved", MropeOrder::interleaved},
};

using Sections = std::span<const std::int64_t>;

Expected<void> check_sections(Sections sections, MropeOrder order, std::int64_t pairs) {
  if (sections.size() != 3)
    return wrong("sections", static_cast<double>(sections.size()), {"three numbers: pairs of time, height, width"});
  std::int64_t left = pairs;
  for (const std::int64_t section : sections) {
    if (section < 0 || section > left)
      return wrong("sections", static_cast<double>(section),
                   {"whole numbers >= 0 that add up to ", decimal(pairs), ", half of rotaryDim"});
    left -= section;
  }
  if (left != 0)
    return wrong("sections", static_cast<double>(pairs - left),
                 {"whole numbers >= 0 that add up to ", decimal(pairs), ", half of rotaryDim"});
  for (std::int64_t axis = 1; order == MropeOrder::interleaved && axis < 3; ++axis) {
    const std::int64_t section = sections[static_cast<std::size_t>(axis)];
    if (section > 0 && axis + 3 * (section - 1) >= pairs)
      return wrong("sections", static_cast<double>(section),
                   {"at most ", decimal((pairs - axis + 2) / 3), " pairs, to interleave: every third of them"});
  }
  return {};
}

std::size_t axis_of(std::size_t pair, Sections sections, MropeOrder order) {
  const auto s = [&](std::size_t axis) { return static_cast<std::size_t>(sections[axis]); };
  if (order == MropeOrder::interleaved) return pair / 3 < s(pair % 3) ? pair % 3 : 0;
  return pair < s(0) ? 0 : (pair < s(0) + s(1) ? 1 : 2);
}

/// The pairs of one axis and their frequencies.
Expected<AxisFrequencies> axis_frequencies(const Frequencies& all, Sections sections, MropeOrder order,
                                           std::size_t axis) {
  auto pairs = AlignedArray<std::uint32_t>::make(static_cast<std::size_t>(sections[axis]));
  if (!pairs) return std::unexpected(pairs.error());
  for (std::size_t pair = 0, i = 0; pair < all.count(); ++pair)
    if (axis_of(pair, sections, order) == axis) (*pairs)[i++] = static_cast<std::uint32_t>(pair);
  auto selected = all.selected(pairs->span());
  if (!selected) return std::unexpected(selected.error());
  return AxisFrequencies{std::move(*selected), std::move(*pairs)};
}

}  // namespace

Expected<MropeOrder> mrope_order_from_name(std::string_view name) {
  return from_name<MropeOrder>(order_names, "order", name);
}

Expected<PointRotary> mrope(const RotaryOptions& options, Sections sections, MropeOrder order) {
  const auto text = Rotary::make(options);
  if (!text) return std::unexpected(text.error());
  if (auto checked = check_point_layout(options.layout); !checked) return std::unexpected(checked.error());
  if (order == MropeOrder::unnamed) return std::unexpected(mrope_order_from_name("").error());
  const std::size_t pairs = text->rotary_dim() / 2;
  if (auto checked = check_sections(sections, order, static_cast<std::int64_t>(pairs)); !checked)
    return std::unexpected(checked.error());
  PointRotaryPlan plan;
  plan.dim = text->dim();
  plan.pairs = pairs;
  plan.layout = options.layout;
  plan.blocks.push_back(pairs);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto made = axis_frequencies(text->frequencies(), sections, order, axis);
    if (!made) return std::unexpected(made.error());
    plan.axes.push_back(std::move(*made));
  }
  return PointRotary::from(std::move(plan));
}

}  // namespace posenc
