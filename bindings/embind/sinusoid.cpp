#include "posenc/sinusoid.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

val sinusoid_make(double dim, double base, const std::string& exponent, const std::string& order) {
  const auto frequencies = frequency_options(dim, base, exponent);
  if (!frequencies) return failure(frequencies.error());
  const auto meaning = order_from_name(order);
  if (!meaning) return failure(meaning.error());
  return handle(Sinusoid::make({*frequencies, *meaning}));
}

val sinusoid_table(Address sinusoid, Address list, std::size_t count, double offset, Address out) {
  const auto& made = object_at<Sinusoid>(sinusoid);
  return outcome(made.table(positions_at(list, count, offset), values_at<float>(out, count * made.dim())));
}

}  // namespace

EMSCRIPTEN_BINDINGS(sinusoid) {
  emscripten::function("sinusoidMake", &sinusoid_make);
  emscripten::function("sinusoidTable", &sinusoid_table);
  emscripten::function("sinusoidFree", &free_object<Sinusoid>);
}

}  // namespace posenc::embind
