#include "posenc/rotary/rotary_cache.hpp"

#include "rotary.hpp"

namespace posenc::embind {
namespace {

/// Values in a row of cosines.
val row_size(Address rotary, const std::string& form) {
  const auto meaning = cache_form_from_name(form);
  return meaning ? val(row_of(*meaning, object_at<Rotary>(rotary).rotary_dim())) : failure(meaning.error());
}

val write(Address rotary, const std::string& form, Address list, std::size_t count, double offset, Address cosines,
          std::size_t cosines_size, Address sines, std::size_t sines_size) {
  const auto meaning = cache_form_from_name(form);
  if (!meaning) return failure(meaning.error());
  return outcome(write_rotary_cache(object_at<Rotary>(rotary), *meaning, positions_at(list, count, offset),
                                    values_at<float>(cosines, cosines_size), values_at<float>(sines, sines_size)));
}

/// Sines of size 0 where the form has none.
val rotate_with_cache(const std::string& form, const std::string& layout, double rotary_dim, Address cosines,
                      std::size_t cosines_size, Address sines, std::size_t sines_size, Address x, std::size_t size,
                      Address shape, std::size_t rank, Address positions, bool inverse) {
  const auto form_meaning = cache_form_from_name(form);
  if (!form_meaning) return failure(form_meaning.error());
  const auto layout_meaning = layout_from_name(layout);
  if (!layout_meaning) return failure(layout_meaning.error());
  const auto made = sequence_shape_at(shape, rank);
  if (!made) return failure(made.error());
  const RotaryCache cache{*form_meaning, whole(rotary_dim), values_at<const float>(cosines, cosines_size),
                          values_at<const float>(sines, sines_size)};
  return outcome(posenc::rotate_with_cache(cache, *layout_meaning, values_at<float>(x, size), *made,
                                           positions_at(positions, made->sequence()), direction_of(inverse)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary_cache) {
  emscripten::function("rotaryCacheRow", &row_size);
  emscripten::function("rotaryCacheIn", &write);
  emscripten::function("rotateWithCache", &rotate_with_cache);
}

}  // namespace posenc::embind
