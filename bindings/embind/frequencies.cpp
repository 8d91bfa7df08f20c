#include "posenc/frequencies/frequencies.hpp"

#include "calls.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/frequencies/packed_positions.hpp"

namespace posenc::embind {

Expected<Scaling> read_scaling(Block& in) {
  const auto type = in.word_if_given();
  if (!type) return scaling::Default{};
  auto rule = scaling_from_name(*type);
  if (!rule) return rule;
  // Options that were left out keep the core's defaults.
  const auto read = [&in](const char*, auto& option, bool is_optional) {
    using Option = std::remove_reference_t<decltype(option)>;
    if constexpr (std::is_same_v<Option, std::vector<double>>) {
      set(option, in.array());
    } else if constexpr (std::is_same_v<Option, bool>) {
      set(option, in.flag_if_given());
    } else if (is_optional) {
      set(option, in.number_if_given());
    } else {
      option = in.number();
    }
  };
  std::visit([&read](auto& made) { each_option(read, made); }, *rule);
  return rule;
}

Expected<void> run(const calls::Frequencies& in) {
  FrequencyPlan plan;
  POSENC_TRY(fill<calls::ScalingFields>(plan.frequencies, in));
  POSENC_TRY(fill<calls::FrequencyFields>(plan, in));
  POSENC_TRY_LET(made, Frequencies::make_scaled(plan));
  made.write_radians(in.out.as<double>());
  in.answer.attention_factor = made.attention_factor();
  return {};
}

Expected<void> run(const calls::PackedPositions& in) {
  const auto given = in.boundaries.as<const double>();
  POSENC_TRY_LET(boundaries, AlignedArray<std::int64_t>::make_unfilled(given.size()));
  for (std::size_t i = 0; i < given.size(); ++i) boundaries[i] = static_cast<std::int64_t>(given[i]);
  return packed_positions(boundaries.span(), in.out);
}

Expected<void> run(const calls::MaskPositions& in) {
  return mask_positions(in.mask, in.mask.extent(1), in.padding.value_or(default_padding_position), in.out);
}

}  // namespace posenc::embind
