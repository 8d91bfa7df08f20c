#include "posenc/relative/swin.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::SwinLogCpb;
using posenc::SwinWindow;
using reference::Quad;
using testing::fractions;
using testing::require_error;
using testing::value_of;

namespace {

std::vector<std::int32_t> index_of(const SwinWindow& window) {
  const std::size_t tokens = value_of(posenc::swin_tokens(window));
  std::vector<std::int32_t> out(tokens * tokens);
  value_of(posenc::swin_index(window, out));
  return out;
}

Quad log_coordinate(std::int64_t distance, std::int64_t extent) {
  const Quad t = static_cast<Quad>(8 * distance) / (extent == 1 ? 1 : extent - 1);
  const Quad size = reference::logarithm(1 + reference::magnitude(t)) / (3 * reference::logarithm(2));
  return t < 0 ? -size : size;
}

}  // namespace

TEST_CASE("swin: the index of a 2 x 2 window as the paper's code gives it", "[swin]") {
  CHECK(index_of({2, 2}) == std::vector<std::int32_t>{4, 3, 1, 0, 5, 4, 2, 1, 7, 6, 4, 3, 8, 7, 5, 4});
  CHECK(index_of({1, 1, true}) == std::vector<std::int32_t>{3, 1, 2, 0});
}

TEST_CASE("swin: the index depends on differences alone, in any window", "[swin]") {
  for (const std::int64_t height : {1, 2, 3, 7})
    for (const std::int64_t width : {1, 2, 5, 8}) {
      const auto index = index_of({height, width});
      const auto with_token = index_of({height, width, true});
      const auto tokens = height * width;
      for (std::int64_t i = 0; i < tokens; ++i)
        for (std::int64_t j = 0; j < tokens; ++j) {
          const std::int64_t y = i / width - j / width;
          const std::int64_t x = i % width - j % width;
          const auto expected = (y + height - 1) * (2 * width - 1) + x + width - 1;
          REQUIRE(index[static_cast<std::size_t>(i * tokens + j)] == expected);
          REQUIRE(with_token[static_cast<std::size_t>((i + 1) * (tokens + 1) + j + 1)] == expected);
        }
    }
}

TEST_CASE("swin: bias looks the table up", "[swin]") {
  const SwinWindow window{3, 4, true};
  const auto table = fractions(value_of(posenc::swin_table_rows(window)) * 2, 380);
  REQUIRE(table.size() == (5 * 7 + 3) * 2);
  std::vector<float> bias(2 * 13 * 13);
  value_of(posenc::swin_bias(window, 2, table, bias));
  const auto index = index_of(window);
  for (std::size_t at = 0; at < bias.size(); ++at)
    REQUIRE(bias[at] == table[static_cast<std::size_t>(index[at % 169]) * 2 + at / 169]);
}

TEST_CASE("swin: a bias that the caches do not hold", "[swin]") {
  for (const bool class_token : {false, true}) {
    const SwinWindow window{31, 33, class_token};
    const std::size_t heads = 7, tokens = value_of(posenc::swin_tokens(window));
    const auto table = fractions(value_of(posenc::swin_table_rows(window)) * heads, 385);
    std::vector<float> bias(heads * tokens * tokens);
    value_of(posenc::swin_bias(window, heads, table, bias));
    const auto index = index_of(window);
    std::size_t wrong = 0;
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t at = 0; at < index.size(); ++at)
        wrong += bias[h * index.size() + at] == table[static_cast<std::size_t>(index[at]) * heads + h] ? 0 : 1;
    CHECK(wrong == 0);
  }
}

TEST_CASE("swin: log-spaced coordinates and the table of the continuous bias", "[swin][accuracy]") {
  double worst_coordinate = 0;
  double worst_table = 0;
  for (const std::int64_t pretrained : {0, 8, 1}) {
    const auto weight1 = fractions(16 * 2, 381), bias1 = fractions(16, 382), weight2 = fractions(3 * 16, 383);
    const SwinLogCpb cpb{{5, 7}, pretrained, pretrained, {weight1, bias1, weight2, {}}};
    std::vector<float> coordinates(9 * 13 * 2);
    value_of(posenc::swin_log_coordinates(cpb, coordinates));
    std::vector<float> table(9 * 13 * 3);
    value_of(posenc::swin_log_cpb(cpb, 3, table));
    for (std::size_t row = 0; row < 9 * 13; ++row) {
      const Quad y = log_coordinate(static_cast<std::int64_t>(row / 13) - 4, pretrained == 0 ? 5 : pretrained);
      const Quad x = log_coordinate(static_cast<std::int64_t>(row % 13) - 6, pretrained == 0 ? 7 : pretrained);
      worst_coordinate = std::fmax(worst_coordinate, reference::ulp_error(coordinates[2 * row], y));
      worst_coordinate = std::fmax(worst_coordinate, reference::ulp_error(coordinates[2 * row + 1], x));
      for (std::size_t h = 0; h < 3; ++h) {
        Quad sum = 0;
        for (std::size_t n = 0; n < 16; ++n) {
          const Quad hidden = weight1[2 * n] * y + weight1[2 * n + 1] * x + static_cast<Quad>(bias1[n]);
          if (hidden > 0) sum += weight2[h * 16 + n] * hidden;
        }
        worst_table =
            std::fmax(worst_table, reference::ulp_error(table[row * 3 + h], 16 / (1 + reference::exponential(-sum))));
      }
    }
  }
  std::printf("largest error: swin coordinates %.4f ulp, log-CPB %.4f ulp\n", worst_coordinate, worst_table);
  CHECK(worst_coordinate <= 0.501);
  CHECK(worst_table <= 0.501);
}

TEST_CASE("swin: wrong windows and sizes are Errors and nothing is written", "[swin]") {
  std::vector<float> out(6, testing::untouched);
  std::vector<std::int32_t> ids(3);
  require_error(posenc::swin_tokens({0, 2}), "height", "0");
  require_error(posenc::swin_table_rows({2, 4097}), "width", "4097");
  require_error(posenc::swin_index({2, 2}, ids), "out", "3");
  require_error(posenc::swin_index({-2, 2}, ids), "height", "-2");
  require_error(posenc::swin_bias({2, 2}, 2, std::vector<float>(17), out), "table", "17");
  require_error(posenc::swin_bias({2, 2}, 2, std::vector<float>(18), out), "out", "6");
  require_error(posenc::swin_bias({2, 0}, 2, std::vector<float>(18), out), "width", "0");
  const auto values = fractions(64, 384);
  const posenc::Perceptron good{std::span(values).first(8), std::span(values).first(4), std::span(values).first(4), {}};
  require_error(posenc::swin_log_cpb({{1, 2, true}, 0, 0, good}, 1, out), "classToken", "true");
  require_error(posenc::swin_log_cpb({{1, 2}, -1, 0, good}, 1, out), "pretrainedHeight", "-1");
  require_error(posenc::swin_log_cpb({{1, 2}, 0, 5000, good}, 1, out), "pretrainedWidth", "5000");
  require_error(posenc::swin_log_cpb({{1, 2}, 0, 0, good}, 2, out), "weight2", "4");
  require_error(posenc::swin_log_cpb({{1, 2}, 0, 0, good}, 1, out), "out", "6");
  require_error(posenc::swin_log_coordinates({{2, 2}, 0, 0, {}}, out), "out", "6");
  CHECK(testing::is_untouched(out));
}
