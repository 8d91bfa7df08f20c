#include "posenc/rotary.hpp"

#include "crossing.hpp"
#include "scaling.hpp"

namespace posenc::embind {
namespace {

val rotary_make(double dim, const std::string& layout, double base, double rotary_dim, const std::string& exponent,
                double exponent_dim, const val& scaling, double length) {
  const auto layout_meaning = layout_from_name(layout);
  if (!layout_meaning) return failure(layout_meaning.error());
  auto plan = frequency_plan(dim, base, exponent, 0, 1, exponent_dim, scaling, length);
  if (!plan) return failure(plan.error());
  return handle(Rotary::make({whole(dim), *layout_meaning, base, whole_if_given(rotary_dim), plan->frequencies.exponent,
                              plan->exponent_dim, std::move(plan->scaling), plan->length}));
}

double rotary_attention_factor(Address rotary) { return object_at<Rotary>(rotary).attention_factor(); }

std::size_t rotary_rotary_dim(Address rotary) { return object_at<Rotary>(rotary).rotary_dim(); }

val rotary_cache(Address rotary, Address list, std::size_t count, double offset, Address cosines, Address sines) {
  const auto& made = object_at<Rotary>(rotary);
  const std::size_t size = count * (made.rotary_dim() / 2);
  return outcome(
      made.cache(positions_at(list, count, offset), values_at<float>(cosines, size), values_at<float>(sines, size)));
}

/// `shape` holds `rank` doubles. Without a list, positions run from `offset` over the sequence axis.
val rotary_apply(Address rotary, Address x, std::size_t size, Address shape, std::size_t rank, double sequence_axis,
                 Address list, std::size_t count, double offset, bool inverse) {
  std::int64_t extents[32];
  if (rank > std::size(extents)) return failure({"shape", std::to_string(rank) + " axes", "at most 32 axes"});
  for (std::size_t i = 0; i < rank; ++i) extents[i] = whole(values_at<const double>(shape, rank)[i]);
  const auto made = SequenceShape::make({extents, rank}, {.sequence = whole_if_given(sequence_axis)});
  if (!made) return failure(made.error());
  const auto positions = positions_at(list, list != 0 ? count : made->sequence(), offset);
  return outcome(object_at<Rotary>(rotary).apply(values_at<float>(x, size), *made, positions,
                                                 inverse ? Direction::inverse : Direction::forward));
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary) {
  emscripten::function("rotaryMake", &rotary_make);
  emscripten::function("rotaryDim", &rotary_rotary_dim);
  emscripten::function("rotaryAttentionFactor", &rotary_attention_factor);
  emscripten::function("rotaryCache", &rotary_cache);
  emscripten::function("rotaryApply", &rotary_apply);
  emscripten::function("rotaryFree", &free_object<Rotary>);
}

}  // namespace posenc::embind
