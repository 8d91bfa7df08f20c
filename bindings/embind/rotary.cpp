#include "rotary.hpp"

namespace posenc::embind {

Expected<SequenceShape> sequence_shape(const std::vector<std::int64_t>& shape, std::optional<std::int64_t> sequence,
                                       std::optional<std::int64_t> dim, std::optional<std::int64_t> batch) {
  return SequenceShape::make(shape, {.sequence = sequence, .dim = dim, .batch = batch});
}

Expected<SequenceShape> sequence_shape_at(Address axes_and_extents, std::size_t rank) {
  const auto values = values_at<const double>(axes_and_extents, 3 + rank);
  std::int64_t extents[32];
  if (rank > std::size(extents))
    return std::unexpected(Error{"shape", std::to_string(rank) + " axes", "at most 32 axes"});
  for (std::size_t i = 0; i < rank; ++i) extents[i] = whole(values[3 + i]);
  return SequenceShape::make(
      {extents, rank},
      {.sequence = whole_if_given(values[0]), .dim = whole_if_given(values[1]), .batch = whole_if_given(values[2])});
}

Positions positions_at(Address five, std::size_t range_count) {
  const auto values = values_at<const double>(five, 5);
  const auto list = static_cast<Address>(values[0]);
  if (values[4] != 0) return Positions::repeat(range_count, values[2]);
  return positions_at(list, list == 0 ? range_count : static_cast<std::size_t>(values[1]), values[2], values[3]);
}

val rotary_handle(Expected<Rotary> made) {
  if (!made) return failure(made.error());
  return val(reinterpret_cast<Address>(new KeptRotary(std::move(*made))));
}

namespace {

Expected<RotaryStep*> workspace_of(KeptRotary& rotary) {
  if (!rotary.workspace) {
    auto made = RotaryStep::make(rotary);
    if (!made) return std::unexpected(made.error());
    rotary.workspace = std::move(*made);
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

/// The same rotation again and again, of one tensor that stays where it is.
struct PreparedStep {
  RotaryStep* workspace;
  std::span<float> x;
  SequenceShape shape;
  Direction direction;
};

val rotary_step_make(Address rotary, Address x, std::size_t size, Address shape, std::size_t rank, bool inverse) {
  auto& kept = object_at<KeptRotary>(rotary);
  const auto made = sequence_shape_at(shape, rank);
  if (!made) return failure(made.error());
  if (const auto checked = kept.check_rotation(size, *made, Positions::range(made->sequence())); !checked)
    return failure(checked.error());
  const auto workspace = workspace_of(kept);
  if (!workspace) return failure(workspace.error());
  return val(
      reinterpret_cast<Address>(new PreparedStep{*workspace, values_at<float>(x, size), *made, direction_of(inverse)}));
}

/// Called past Embind, whose crossing takes longer than the rotation of a token. rotaryApply says what was wrong.
extern "C" bool rotary_step(Address step, double position) {
  const auto& [workspace, x, shape, direction] = object_at<PreparedStep>(step);
  return workspace->apply(x, shape, Positions::range(shape.sequence(), position), direction).has_value();
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary) {
  emscripten::function("rotaryMake", &rotary_make);
  emscripten::function("rotaryDim", &rotary_rotary_dim);
  emscripten::function("rotaryAttentionFactor", &rotary_attention_factor);
  emscripten::function("rotaryCache", &rotary_cache);
  emscripten::function("rotaryApply", &rotary_apply);
  emscripten::function("rotaryFree", &free_object<KeptRotary>);
  emscripten::function("rotaryStepMake", &rotary_step_make);
  emscripten::function("rotaryStepFree", &free_object<PreparedStep>);
}

}  // namespace posenc::embind
