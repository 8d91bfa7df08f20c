#include "crossing.hpp"
#include "posenc/rotary/convert_layout.hpp"

namespace posenc::embind {
namespace {

Expected<Layout> named(const char* argument, const std::string& name) {
  auto meaning = layout_from_name(name);
  if (!meaning) meaning.error().argument = argument;
  return meaning;
}

val convert(double dim, double rotary_dim, const std::string& from, const std::string& to, std::size_t inner, Address x,
            std::size_t size, Address out) {
  const auto from_meaning = named("from", from);
  if (!from_meaning) return failure(from_meaning.error());
  const auto to_meaning = named("to", to);
  if (!to_meaning) return failure(to_meaning.error());
  return outcome(convert_layout({whole(dim), whole_if_given(rotary_dim), *from_meaning, *to_meaning}, inner,
                                values_at<const float>(x, size), values_at<float>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(layout_conversion) { emscripten::function("convertLayout", &convert); }

}  // namespace posenc::embind
