#include "posenc/learned/reformer_axial.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

Expected<ReformerAxial> axial_at(Address shape, std::size_t rank, Address dims, std::size_t dim_count,
                                 const std::string& combination) {
  const auto meaning = axial_combination_from_name(combination);
  if (!meaning) return std::unexpected(meaning.error());
  return ReformerAxial::make(extents_at(shape, rank), extents_at(dims, dim_count), *meaning);
}

val lookup(Address shape, std::size_t rank, Address dims, std::size_t dim_count, const std::string& combination,
           Address tables, std::size_t tables_size, Address ids, std::size_t count, double offset, Address out,
           std::size_t size) {
  const auto axial = axial_at(shape, rank, dims, dim_count, combination);
  if (!axial) return failure(axial.error());
  return outcome(axial->lookup(values_at<const float>(tables, tables_size), table_rows_at(ids, count, offset),
                               values_at<float>(out, size)));
}

val gradient(Address shape, std::size_t rank, Address dims, std::size_t dim_count, const std::string& combination,
             Address gradient, std::size_t gradient_size, Address ids, std::size_t count, double offset, Address out,
             std::size_t size) {
  const auto axial = axial_at(shape, rank, dims, dim_count, combination);
  if (!axial) return failure(axial.error());
  return outcome(axial->gradient(values_at<const float>(gradient, gradient_size), table_rows_at(ids, count, offset),
                                 values_at<float>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(reformer_axial) {
  emscripten::function("reformerAxialLookup", &lookup);
  emscripten::function("reformerAxialGradient", &gradient);
}

}  // namespace posenc::embind
