#include "posenc/learned/learned_table.hpp"

#include "crossing.hpp"
#include "posenc/learned/table_init.hpp"

namespace posenc::embind {
namespace {

val init(double dim, double seed, bool uniform, double scale, double padding_row, double first_row, Address out,
         std::size_t size) {
  return outcome(init_table({whole(dim), whole(seed), uniform ? TableDistribution::uniform : TableDistribution::normal,
                             scale, whole_if_given(padding_row)},
                            whole(first_row), values_at<float>(out, size)));
}

val lookup(Address table, std::size_t table_size, double dim, Address ids, std::size_t count, double offset,
           Address out, std::size_t size) {
  return outcome(lookup_rows(values_at<const float>(table, table_size), whole(dim), table_rows_at(ids, count, offset),
                             values_at<float>(out, size)));
}

/// In place.
val add(Address x, std::size_t size, double dim, Address table, std::size_t table_size, Address ids, std::size_t count,
        double offset) {
  return outcome(add_rows(values_at<const float>(x, size), whole(dim), values_at<const float>(table, table_size),
                          table_rows_at(ids, count, offset), values_at<float>(x, size)));
}

val gradient(Address gradient, std::size_t size, double dim, Address ids, std::size_t count, double offset,
             double padding_row, Address out, std::size_t out_size) {
  return outcome(rows_gradient(values_at<const float>(gradient, size), whole(dim), table_rows_at(ids, count, offset),
                               whole_if_given(padding_row), values_at<float>(out, out_size)));
}

/// In place.
val padded(Address mask, std::size_t size, std::size_t sequence, double padding_idx, double past) {
  return outcome(padded_positions(values_at<const std::int32_t>(mask, size), sequence, whole(padding_idx), whole(past),
                                  values_at<std::int32_t>(mask, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(learned_table) {
  emscripten::function("tableInit", &init);
  emscripten::function("tableLookup", &lookup);
  emscripten::function("tableAdd", &add);
  emscripten::function("tableGradient", &gradient);
  emscripten::function("paddedPositions", &padded);
}

}  // namespace posenc::embind
