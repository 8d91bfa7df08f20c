#pragma once

#include "frequencies.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/rotary_step.hpp"

namespace posenc::embind {

/// A rotary, and from its first rotation on what that keeps.
struct KeptRotary : Rotary {
  explicit KeptRotary(Rotary&& rotary) : Rotary(std::move(rotary)) {}

  std::optional<RotaryStep> workspace = std::nullopt;
};

/// `dim`, `layout`, `base`, `rotaryDim`, `exponent`, and `exponentDim`, `scaling`, `length`.
template <class Call>
[[nodiscard]] Expected<RotaryOptions> rotary_options(const Call& in) {
  POSENC_TRY_LET(layout, layout_from_name(in.layout));
  POSENC_TRY_LET(plan, frequency_plan(in));
  return RotaryOptions{.dim = in.dim,
                       .layout = layout,
                       .base = plan.frequencies.base,
                       .rotary_dim = in.rotary_dim,
                       .exponent = plan.frequencies.exponent,
                       .exponent_dim = plan.exponent_dim,
                       .scaling = std::move(plan.scaling),
                       .length = plan.length};
}

/// Keeps what was made, and answers what JavaScript knows of it.
template <class Call>
[[nodiscard]] Expected<void> keep(const Call& in, Expected<Rotary> rotary) {
  POSENC_TRY_LET(made, std::move(rotary));
  in.answer.rotary_dim = static_cast<double>(made.rotary_dim());
  in.answer.attention_factor = made.attention_factor();
  in.answer.handle = hold(KeptRotary(std::move(made)));
  return {};
}

[[nodiscard]] Expected<SequenceShape> sequence_shape(const std::vector<std::int64_t>& shape,
                                                     std::optional<std::int64_t> sequence,
                                                     std::optional<std::int64_t> dim,
                                                     std::optional<std::int64_t> batch);

/// `shape`, `seqAxis`, `dimAxis` and `batchAxis`; positions [batch, sequence] are those of the first axis, unless
/// another is named.
template <class Call>
[[nodiscard]] Expected<SequenceShape> sequence_shape(const Call& in, const PositionList& positions) {
  const auto batch = in.batch_axis || !positions.lists ? in.batch_axis : 0;
  return sequence_shape(in.shape, in.seq_axis, in.dim_axis, batch);
}

/// What a rotary keeps, made when it is first asked for.
[[nodiscard]] Expected<RotaryStep*> workspace_of(KeptRotary& rotary);

[[nodiscard]] inline Direction direction_of(std::optional<bool> inverse) {
  return inverse.value_or(false) ? Direction::inverse : Direction::forward;
}

template <class Call>
[[nodiscard]] Expected<void> apply_rotary(const Call& in, std::span<float> x) {
  POSENC_TRY_LET(shape, sequence_shape(in, in.positions));
  POSENC_TRY_LET(workspace, workspace_of(held<KeptRotary>(in.rotary)));
  return workspace->apply(x, shape, positions_of(in.positions, in.offset, shape.sequence()), direction_of(in.inverse));
}

}  // namespace posenc::embind
