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

/// The same of a plan, for the lanes that it is for.
[[nodiscard]] Expected<RotaryOptions> rotary_options(std::optional<std::int64_t> rotary_dim, const std::string& layout,
                                                     Expected<FrequencyPlan> plan);

/// `dim`, `layout`, `base`, `rotaryDim`, `exponent`, and `exponentDim`, `scaling`, `length`.
template <class Call>
[[nodiscard]] Expected<RotaryOptions> rotary_options(const Call& in) {
  return rotary_options(in.rotary_dim, in.layout, frequency_plan(in));
}

/// What JavaScript knows of a rotary.
struct RotaryAnswer {
  double &handle, &rotary_dim, &attention_factor;
};

/// Keeps what was made, and answers what JavaScript knows of it.
[[nodiscard]] Expected<void> keep(const RotaryAnswer& answer, Expected<Rotary> rotary);

template <class Call>
[[nodiscard]] Expected<void> keep(const Call& in, Expected<Rotary> rotary) {
  return keep(RotaryAnswer{in.answer.handle, in.answer.rotary_dim, in.answer.attention_factor}, std::move(rotary));
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
