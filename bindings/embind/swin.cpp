#include "posenc/relative/swin.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

val counted(const Expected<std::size_t>& count) {
  return count ? val(static_cast<double>(*count)) : failure(count.error());
}

SwinWindow window(double height, double width, bool class_token) { return {whole(height), whole(width), class_token}; }

val tokens(double height, double width, bool class_token) {
  return counted(swin_tokens(window(height, width, class_token)));
}

val rows(double height, double width, bool class_token) {
  return counted(swin_table_rows(window(height, width, class_token)));
}

val index(double height, double width, bool class_token, Address out, std::size_t size) {
  return outcome(swin_index(window(height, width, class_token), values_at<std::int32_t>(out, size)));
}

val bias(double height, double width, bool class_token, std::size_t heads, Address table, std::size_t table_size,
         Address out, std::size_t size) {
  return outcome(swin_bias(window(height, width, class_token), heads, values_at<const float>(table, table_size),
                           values_at<float>(out, size)));
}

val coordinates(double height, double width, double pretrained_height, double pretrained_width, Address out,
                std::size_t size) {
  return outcome(
      swin_log_coordinates({window(height, width, false), whole(pretrained_height), whole(pretrained_width), {}},
                           values_at<float>(out, size)));
}

val log_cpb(double height, double width, double pretrained_height, double pretrained_width, Address weight1,
            std::size_t weight1_size, Address bias1, std::size_t bias1_size, Address weight2, std::size_t weight2_size,
            Address bias2, std::size_t bias2_size, std::size_t heads, Address out, std::size_t size) {
  const Perceptron perceptron{values_at<const float>(weight1, weight1_size), values_at<const float>(bias1, bias1_size),
                              values_at<const float>(weight2, weight2_size), values_at<const float>(bias2, bias2_size)};
  return outcome(
      swin_log_cpb({window(height, width, false), whole(pretrained_height), whole(pretrained_width), perceptron}, heads,
                   values_at<float>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(swin) {
  emscripten::function("swinTokens", &tokens);
  emscripten::function("swinTableRows", &rows);
  emscripten::function("swinIndex", &index);
  emscripten::function("swinBias", &bias);
  emscripten::function("swinLogCoordinates", &coordinates);
  emscripten::function("swinLogCpb", &log_cpb);
}

}  // namespace posenc::embind
