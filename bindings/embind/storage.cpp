#include "posenc/storage.hpp"

#include "posenc/axial_sinusoid.hpp"
#include "posenc/sinusoid.hpp"
#include "rotary.hpp"

namespace posenc::embind {
namespace {

/// Calls use(T{}) for the type of 16 bits that has this name.
template <class Use>
val with_half(const std::string& dtype, const Use& use) {
  const auto storage = storage_from_name(dtype);
  if (!storage) return failure(storage.error());
  switch (*storage) {
    case Storage::float16:
      return use(Float16{});
    case Storage::bfloat16:
      return use(BFloat16{});
    case Storage::float32:
      break;
  }
  return failure({"dtype", "\"float32\"", "\"float16\" or \"bfloat16\", for values of 16 bits"});
}

/// From 16 bits to float32, or the other way.
val stored_convert(const std::string& dtype, bool widen, Address from, Address to, std::size_t size) {
  return with_half(dtype, [=]<class T>(T) {
    return outcome(widen ? convert(values_at<const T>(from, size), values_at<float>(to, size))
                         : convert(values_at<const float>(from, size), values_at<T>(to, size)));
  });
}

val stored_table(Address sinusoid, const std::string& dtype, Address list, std::size_t count, double offset,
                 Address out) {
  const auto& made = object_at<Sinusoid>(sinusoid);
  return with_half(dtype, [&]<class T>(T) {
    return outcome(made.table(positions_at(list, count, offset), values_at<T>(out, count * made.dim())));
  });
}

val stored_grid(Address sinusoid, const std::string& dtype, Address out) {
  const auto& made = object_at<AxialSinusoid>(sinusoid);
  return with_half(dtype, [&]<class T>(T) { return outcome(made.table(values_at<T>(out, made.size()))); });
}

val stored_cache(Address rotary, const std::string& dtype, const std::string& form, Address list, std::size_t count,
                 double offset, Address cosines, std::size_t cosines_size, Address sines, std::size_t sines_size) {
  const auto meaning = cache_form_from_name(form);
  if (!meaning) return failure(meaning.error());
  return with_half(dtype, [&]<class T>(T) {
    return outcome(object_at<Rotary>(rotary).cache(positions_at(list, count, offset),
                                                   values_at<T>(cosines, cosines_size), values_at<T>(sines, sines_size),
                                                   *meaning));
  });
}

val stored_apply(Address rotary, const std::string& dtype, Address x, std::size_t size, Address shape, std::size_t rank,
                 Address positions, bool inverse) {
  const auto made = sequence_shape_at(shape, rank);
  if (!made) return failure(made.error());
  return with_half(dtype, [&]<class T>(T) {
    return outcome(object_at<Rotary>(rotary).apply(values_at<T>(x, size), *made,
                                                   positions_at(positions, made->sequence()), direction_of(inverse)));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(storage) {
  emscripten::function("storedConvert", &stored_convert);
  emscripten::function("storedTable", &stored_table);
  emscripten::function("storedGrid", &stored_grid);
  emscripten::function("storedCache", &stored_cache);
  emscripten::function("storedApply", &stored_apply);
}

}  // namespace posenc::embind
