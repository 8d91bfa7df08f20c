#include "frequencies.hpp"

#include <type_traits>

namespace posenc::embind {

Expected<FrequencyPlan> finished(FrequencyPlan plan, const std::string& exponent, const Expected<Scaling>& scaling) {
  POSENC_TRY(set(plan.frequencies.exponent, exponent, from_name<Exponent>));
  if (!scaling) return std::unexpected(scaling.error());
  plan.scaling = *scaling;
  return plan;
}

Positions positions_of(const PositionList& list, std::optional<double> offset, std::size_t count) {
  if (list.data.address == 0) return Positions::range(count, offset.value_or(0));
  const auto values = list.data.as<const double>();
  return list.lists ? Positions::lists(values, static_cast<std::size_t>(*list.lists)) : Positions::list(values);
}

Expected<Scaling> read_scaling(Block& in) {
  const std::string type = in.word();
  if (type.empty()) return scaling::Default{};
  auto rule = scaling_from_name(type);
  if (!rule) return rule;
  // Those that were left out keep the core's defaults.
  const auto read = [&in](const char*, auto& option, bool is_optional) {
    using Option = std::remove_reference_t<decltype(option)>;
    if constexpr (std::is_same_v<Option, std::vector<double>>) {
      const auto values = in.array().as<const double>();
      option.assign(values.begin(), values.end());
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

namespace {

Expected<void> frequencies(const calls::Frequencies& in) {
  POSENC_TRY_LET(plan, frequency_plan(in));
  set(plan.frequencies.shift, in.shift);
  set(plan.frequencies.scale, in.scale);
  POSENC_TRY_LET(made, Frequencies::make_scaled(plan));
  const auto radians = in.out.as<double>();
  for (std::size_t i = 0; i < radians.size(); ++i) radians[i] = made.radians(i);
  in.answer.attention_factor = made.attention_factor();
  return {};
}

}  // namespace

EMSCRIPTEN_BINDINGS(frequencies) { expose<&frequencies>(); }

}  // namespace posenc::embind
