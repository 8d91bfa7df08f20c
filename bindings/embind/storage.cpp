#include "posenc/base/dtype.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"
#include "posenc/rotary/rotary_cache.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"
#include "rotary.hpp"

namespace posenc::embind {
namespace {

/// A dtype of 16 bits.
Expected<Storage> half_storage(const std::string& dtype) {
  const auto storage = storage_from_name(dtype);
  if (storage && *storage == Storage::float32)
    return std::unexpected(Error{"dtype", "\"float32\"", "\"float16\" or \"bfloat16\", for values of 16 bits"});
  return storage;
}

/// From 16 bits to float32, or the other way.
val stored_convert(const std::string& dtype, bool widen, Address from, Address to, std::size_t size) {
  const auto storage = half_storage(dtype);
  if (!storage) return failure(storage.error());
  return outcome(
      widen ? convert(ConstHalfSpan(*storage, values_at<const std::uint16_t>(from, size)), values_at<float>(to, size))
            : convert(values_at<const float>(from, size), HalfSpan(*storage, values_at<std::uint16_t>(to, size))));
}

val stored_table(Address sinusoid, const std::string& dtype, Address list, std::size_t count, double offset,
                 Address out) {
  const auto storage = half_storage(dtype);
  if (!storage) return failure(storage.error());
  const auto& made = object_at<Sinusoid>(sinusoid);
  return outcome(made.table(positions_at(list, count, offset),
                            HalfSpan(*storage, values_at<std::uint16_t>(out, count * made.dim()))));
}

/// `mask`: 0 where there is none.
val stored_grid(Address sinusoid, const std::string& dtype, Address mask, std::size_t mask_size, Address out) {
  const auto storage = half_storage(dtype);
  if (!storage) return failure(storage.error());
  const auto& made = object_at<AxialSinusoid>(sinusoid);
  const HalfSpan table(*storage, values_at<std::uint16_t>(out, made.size()));
  return outcome(mask == 0 ? made.table(table) : made.table(values_at<const std::uint8_t>(mask, mask_size), table));
}

val stored_cache(Address rotary, const std::string& dtype, const std::string& form, Address list, std::size_t count,
                 double offset, Address cosines, std::size_t cosines_size, Address sines, std::size_t sines_size) {
  const auto storage = half_storage(dtype);
  if (!storage) return failure(storage.error());
  const auto meaning = cache_form_from_name(form);
  if (!meaning) return failure(meaning.error());
  return outcome(write_rotary_cache(object_at<Rotary>(rotary), *meaning, positions_at(list, count, offset),
                                    HalfSpan(*storage, values_at<std::uint16_t>(cosines, cosines_size)),
                                    HalfSpan(*storage, values_at<std::uint16_t>(sines, sines_size))));
}

val stored_apply(Address rotary, const std::string& dtype, Address x, std::size_t size, Address shape, std::size_t rank,
                 Address positions, bool inverse) {
  const auto storage = half_storage(dtype);
  if (!storage) return failure(storage.error());
  const auto made = sequence_shape_at(shape, rank);
  if (!made) return failure(made.error());
  return outcome(object_at<Rotary>(rotary).apply(HalfSpan(*storage, values_at<std::uint16_t>(x, size)), *made,
                                                 positions_at(positions, made->sequence()), direction_of(inverse)));
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
