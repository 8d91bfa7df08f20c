#include "posenc/rotary/xpos.hpp"

#include "rotary.hpp"

namespace posenc::embind {
namespace {

val make(double dim, const std::string& layout, double base, double rotary_dim, const std::string& exponent,
         double exponent_dim, const val& scaling, double length, double centre, double scale_base) {
  const auto options = rotary_options(dim, layout, base, rotary_dim, exponent, exponent_dim, scaling, length);
  if (!options) return failure(options.error());
  return handle(Xpos::make({*options, number_if_given(centre), scale_base}));
}

std::size_t rotary_dim_of(Address xpos) { return object_at<Xpos>(xpos).rotary().rotary_dim(); }

double attention_factor_of(Address xpos) { return object_at<Xpos>(xpos).rotary().attention_factor(); }

val apply(Address xpos, Address x, std::size_t size, Address shape, std::size_t rank, Address positions,
          const std::string& side, bool inverse) {
  const auto meaning = xpos_side_from_name(side);
  if (!meaning) return failure(meaning.error());
  const auto made = sequence_shape_at(shape, rank);
  if (!made) return failure(made.error());
  return outcome(object_at<Xpos>(xpos).apply(
      values_at<float>(x, size), *made, positions_at(positions, made->sequence()), *meaning, direction_of(inverse)));
}

val scales(Address xpos, Address list, std::size_t count, double offset, Address out, std::size_t size) {
  return outcome(object_at<Xpos>(xpos).scales(positions_at(list, count, offset), values_at<float>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(xpos) {
  emscripten::function("xposMake", &make);
  emscripten::function("xposRotaryDim", &rotary_dim_of);
  emscripten::function("xposAttentionFactor", &attention_factor_of);
  emscripten::function("xposApply", &apply);
  emscripten::function("xposScales", &scales);
  emscripten::function("xposFree", &free_object<Xpos>);
}

}  // namespace posenc::embind
