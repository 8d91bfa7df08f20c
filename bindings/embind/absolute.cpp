#include "crossing.hpp"
#include "posenc/attention/add.hpp"

namespace posenc::embind {
namespace {

val absolute_add(Address x, std::size_t size, std::size_t rows, std::size_t dim, Address table,
                 std::size_t table_size) {
  return outcome(add_absolute(values_at<const float>(x, size), rows, dim, values_at<const float>(table, table_size),
                              values_at<float>(x, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(absolute) { emscripten::function("absoluteAdd", &absolute_add); }

}  // namespace posenc::embind
