#include "posenc/relative/swin.hpp"

#include <array>
#include <cmath>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {
namespace {

constexpr std::int64_t max_side = 4096;

Expected<void> check_window(const SwinWindow& window) {
  if (auto checked = check_whole("height", window.height, 1, max_side); !checked) return checked;
  return check_whole("width", window.width, 1, max_side);
}

std::size_t patch_rows(const SwinWindow& window) {
  return static_cast<std::size_t>((2 * window.height - 1) * (2 * window.width - 1));
}

std::size_t token_count(const SwinWindow& window) {
  return static_cast<std::size_t>(window.height * window.width) + (window.class_token ? 1 : 0);
}

/// The table's row of tokens i and j.
std::size_t row_of(const SwinWindow& window, std::size_t i, std::size_t j) {
  if (window.class_token) {
    if (i == 0 || j == 0) return patch_rows(window) + (i != 0 ? 1 : j == 0 ? 2 : 0);
    --i;
    --j;
  }
  const auto width = static_cast<std::size_t>(window.width);
  const std::size_t y = i / width + static_cast<std::size_t>(window.height) - 1 - j / width;
  const std::size_t x = i % width + width - 1 - j % width;
  return y * (2 * width - 1) + x;
}

Expected<void> check_cpb(const SwinLogCpb& cpb) {
  if (auto checked = check_window(cpb.window); !checked) return checked;
  if (cpb.window.class_token) return wrong("classToken", std::string("true"), {"false: a log-CPB has no such rows"});
  if (auto checked = check_whole("pretrainedHeight", cpb.pretrained_height, 0, max_side); !checked) return checked;
  return check_whole("pretrainedWidth", cpb.pretrained_width, 0, max_side);
}

/// Index `at` of 2 extent - 1, as the perceptron takes it.
double log_coordinate(std::size_t at, std::int64_t extent, std::int64_t pretrained) {
  const std::int64_t distance = static_cast<std::int64_t>(at) - (extent - 1);
  const std::int64_t range = (pretrained == 0 ? extent : pretrained) - 1;
  const double t = 8 * static_cast<double>(distance) / static_cast<double>(range == 0 ? 1 : range);
  const double size = logarithm_1p(std::fabs(t)) / ln_2.high / 3;
  return t < 0 ? -size : size;
}

/// y and x of a row of the table.
std::array<double, 2> coordinates(const SwinLogCpb& cpb, std::size_t row) {
  const auto columns = static_cast<std::size_t>(2 * cpb.window.width - 1);
  return {log_coordinate(row / columns, cpb.window.height, cpb.pretrained_height),
          log_coordinate(row % columns, cpb.window.width, cpb.pretrained_width)};
}

}  // namespace

Expected<std::size_t> swin_table_rows(const SwinWindow& window) {
  if (auto checked = check_window(window); !checked) return std::unexpected(checked.error());
  return patch_rows(window) + (window.class_token ? 3 : 0);
}

Expected<std::size_t> swin_tokens(const SwinWindow& window) {
  if (auto checked = check_window(window); !checked) return std::unexpected(checked.error());
  return token_count(window);
}

Expected<void> swin_index(const SwinWindow& window, std::span<std::int32_t> out) {
  const auto tokens = swin_tokens(window);
  if (!tokens) return std::unexpected(tokens.error());
  if (auto checked = check_size("out", out.size(), *tokens, *tokens); !checked) return checked;
  for (std::size_t at = 0; at < out.size(); ++at)
    out[at] = static_cast<std::int32_t>(row_of(window, at / *tokens, at % *tokens));
  return {};
}

Expected<void> swin_bias(const SwinWindow& window, std::size_t heads, std::span<const float> table,
                         std::span<float> out) {
  const auto rows = swin_table_rows(window);
  if (!rows) return std::unexpected(rows.error());
  const std::size_t tokens = token_count(window);
  if (auto checked = check_size("table", table.size(), *rows, heads); !checked) return checked;
  if (auto checked = check_extents("out", out.size(), {heads, tokens, tokens}); !checked) return checked;
  auto to = out.begin();
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t i = 0; i < tokens; ++i)
      for (std::size_t j = 0; j < tokens; ++j) *to++ = table[row_of(window, i, j) * heads + h];
  return {};
}

Expected<void> swin_log_coordinates(const SwinLogCpb& cpb, std::span<float> out) {
  if (auto checked = check_cpb(cpb); !checked) return checked;
  if (auto checked = check_size("out", out.size(), patch_rows(cpb.window), 2); !checked) return checked;
  for (std::size_t row = 0; row < out.size() / 2; ++row) {
    const auto [y, x] = coordinates(cpb, row);
    out[2 * row] = static_cast<float>(y);
    out[2 * row + 1] = static_cast<float>(x);
  }
  return {};
}

Expected<void> swin_log_cpb(const SwinLogCpb& cpb, std::size_t heads, std::span<float> out) {
  if (auto checked = check_cpb(cpb); !checked) return checked;
  if (auto checked = cpb.perceptron.check(2, heads); !checked) return checked;
  if (auto checked = check_size("out", out.size(), patch_rows(cpb.window), heads); !checked) return checked;
  auto hidden = AlignedArray<double>::make(cpb.perceptron.bias1.size());
  if (!hidden) return std::unexpected(hidden.error());
  for (std::size_t row = 0; row < (heads == 0 ? 0 : patch_rows(cpb.window)); ++row) {
    cpb.perceptron.activate(coordinates(cpb, row), hidden->span());
    for (std::size_t h = 0; h < heads; ++h)
      out[row * heads + h] = static_cast<float>(16 * sigmoid(cpb.perceptron.output(hidden->span(), h)));
  }
  return {};
}

}  // namespace posenc
