#include "rotary.hpp"

namespace posenc::embind {

Expected<RotaryOptions> rotary_options(std::optional<std::int64_t> rotary_dim, const std::string& layout,
                                       Expected<FrequencyPlan> plan) {
  POSENC_TRY_LET(pairs, from_name<Layout>(layout));
  if (!plan) return std::unexpected(std::move(plan.error()));
  return RotaryOptions{.dim = plan->frequencies.dim,
                       .layout = pairs,
                       .base = plan->frequencies.base,
                       .rotary_dim = rotary_dim,
                       .exponent = plan->frequencies.exponent,
                       .exponent_dim = plan->exponent_dim,
                       .scaling = std::move(plan->scaling),
                       .length = plan->length};
}

Expected<void> keep(const RotaryAnswer& answer, Expected<Rotary> rotary) {
  POSENC_TRY_LET(made, std::move(rotary));
  answer.rotary_dim = static_cast<double>(made.rotary_dim());
  answer.attention_factor = made.attention_factor();
  answer.handle = hold(KeptRotary(std::move(made)));
  return {};
}

Expected<SequenceShape> sequence_shape(const std::vector<std::int64_t>& shape, std::optional<std::int64_t> sequence,
                                       std::optional<std::int64_t> dim, std::optional<std::int64_t> batch) {
  return SequenceShape::make(shape, {.sequence = sequence, .dim = dim, .batch = batch});
}

Expected<RotaryStep*> workspace_of(KeptRotary& rotary) {
  if (!rotary.workspace) {
    POSENC_TRY_LET(made, RotaryStep::make(rotary));
    rotary.workspace = std::move(made);
  }
  return &*rotary.workspace;
}

namespace {

Expected<void> rotary_make(const calls::RotaryMake& in) {
  POSENC_TRY_LET(options, rotary_options(in));
  return keep(in, Rotary::make(options));
}

Expected<void> rotary_cache(const calls::RotaryCache& in) {
  const auto count = static_cast<std::size_t>(in.length.value_or(0));
  return held<KeptRotary>(in.rotary).cache(positions_of(in.positions, in.offset, count), in.out.cos.as<float>(),
                                           in.out.sin.as<float>());
}

Expected<void> rotary_apply(const calls::RotaryApply& in) { return apply_rotary(in, in.x.as<float>()); }

/// The same rotation, repeated, of one tensor that does not move.
struct PreparedStep {
  RotaryStep* workspace;
  std::span<float> x;
  SequenceShape shape;
  Direction direction;
};

Expected<void> rotary_step_make(const calls::RotaryStepMake& in) {
  auto& kept = held<KeptRotary>(in.rotary);
  const auto x = in.x.as<float>();
  POSENC_TRY_LET(shape, sequence_shape(in.shape, in.seq_axis, in.dim_axis, in.batch_axis));
  POSENC_TRY(kept.check_rotation(x.size(), shape, Positions::range(shape.sequence())));
  POSENC_TRY_LET(workspace, workspace_of(kept));
  in.answer.handle = hold(PreparedStep{workspace, x, shape, direction_of(in.inverse)});
  return {};
}

/// Called without Embind, whose crossing takes longer than the rotation of a token. rotaryApply returns the error.
extern "C" bool rotary_step(Address step, double position) {
  const auto& [workspace, x, shape, direction] = held<PreparedStep>(step);
  return workspace->apply(x, shape, Positions::range(shape.sequence(), position), direction).has_value();
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary) {
  expose<&rotary_make>();
  expose<&rotary_cache>();
  expose<&rotary_apply>();
  expose<&rotary_step_make>();
}

}  // namespace posenc::embind
