#include "crossing.hpp"
#include "posenc/relative/t5.hpp"

namespace posenc::embind {
namespace {

val make(double buckets, double max_distance, bool bidirectional) {
  return handle(T5Buckets::make({whole(buckets), whole(max_distance), bidirectional}));
}

val ids(Address buckets, Address shape, Address out, std::size_t size) {
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  return outcome(object_at<T5Buckets>(buckets).ids(*positions, values_at<std::int32_t>(out, size)));
}

val bias(Address buckets, Address table, std::size_t table_size, Address shape, const std::string& future, Address out,
         std::size_t size) {
  const auto meaning = future_from_name(future);
  if (!meaning) return failure(meaning.error());
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  return outcome(object_at<T5Buckets>(buckets).bias(*positions, *meaning, values_at<const float>(table, table_size),
                                                    values_at<float>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(t5_bucket) {
  emscripten::function("t5Make", &make);
  emscripten::function("t5Ids", &ids);
  emscripten::function("t5Bias", &bias);
  emscripten::function("t5Free", &free_object<T5Buckets>);
}

}  // namespace posenc::embind
