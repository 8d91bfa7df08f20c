#include "posenc/rotary/rotary_shift.hpp"

#include "posenc/rotary/rotary_matrix.hpp"
#include "rotary.hpp"

namespace posenc::embind {
namespace {

val shift(Address rotary, Address x, std::size_t size, Address shape, std::size_t rank, Address by) {
  const auto made = sequence_shape_at(shape, rank);
  if (!made) return failure(made.error());
  return outcome(
      shift_rotated(object_at<Rotary>(rotary), values_at<float>(x, size), *made, positions_at(by, made->sequence())));
}

val again(Address from, Address to, Address x, std::size_t size, Address shape, std::size_t rank, Address positions) {
  const auto made = sequence_shape_at(shape, rank);
  if (!made) return failure(made.error());
  return outcome(rotate_again(object_at<Rotary>(from), object_at<Rotary>(to), values_at<float>(x, size), *made,
                              positions_at(positions, made->sequence())));
}

val matrix(Address rotary, double position, bool inverse, Address out, std::size_t size) {
  return outcome(
      rotary_matrix(object_at<Rotary>(rotary), position, direction_of(inverse), values_at<float>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary_shift) {
  emscripten::function("rotaryShift", &shift);
  emscripten::function("rotaryAgain", &again);
  emscripten::function("rotaryMatrix", &matrix);
}

}  // namespace posenc::embind
