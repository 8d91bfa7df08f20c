#include "posenc/relative/swin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/array_maths.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/kernels/diagonal_rows.hpp"

namespace posenc {
namespace {

std::size_t patch_rows(const SwinWindow& window) {
  return static_cast<std::size_t>((2 * window.height - 1) * (2 * window.width - 1));
}

std::size_t token_count(const SwinWindow& window) {
  return static_cast<std::size_t>(window.height * window.width) + (window.class_token ? 1 : 0);
}

/// Writes, for every pair of tokens and each head, value(row of the table, head).
///
/// Read backwards, a head's column of the table is a picture of (2 height - 1) x (2 width - 1) in which the keys of
/// each query are a window, whose lines are copied.
template <class T, class Value>
Expected<void> write_window(const SwinWindow& window, std::size_t heads, const Value& value, T* out) {
  const auto height = static_cast<std::size_t>(window.height), width = static_cast<std::size_t>(window.width);
  const std::size_t tokens = token_count(window), rows = patch_rows(window), line = 2 * width - 1;
  const std::size_t before = window.class_token ? 1 : 0;
  POSENC_TRY_LET(picture, AlignedArray<T>::make_unfilled(rows));
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t r = 0; r < rows; ++r) picture[rows - 1 - r] = value(r, h);
    for (std::size_t i = 0; i < tokens; ++i) {
      // From the class token or to it; the patches follow.
      if (before != 0) *out++ = value(rows + (i == 0 ? 2 : 1), h);
      if (i < before) {
        out = std::fill_n(out, tokens - 1, value(rows, h));
        continue;
      }
      const std::size_t y = (i - before) / width, x = (i - before) % width;
      const T* from = picture.data() + (height - 1 - y) * line + width - 1 - x;
      for (std::size_t v = 0; v < height; ++v, from += line, out += width) copy_bias_row(from, width, out);
    }
  }
  return {};
}

Expected<void> check_cpb(const SwinLogCpb& cpb) {
  POSENC_TRY(check_ranges(cpb.window));
  if (cpb.window.class_token)
    return invalid_argument("classToken", std::string("true"), expected::exactly, {"false"},
                            ": a log-CPB has no such rows");
  return check_ranges(cpb);
}

/// Index `at` of 2 extent - 1, as the perceptron takes it.
double log_coordinate(std::size_t at, std::int64_t extent, std::int64_t pretrained) {
  const std::int64_t distance = static_cast<std::int64_t>(at) - (extent - 1);
  const std::int64_t range = (pretrained == 0 ? extent : pretrained) - 1;
  const double t = 8 * static_cast<double>(distance) / static_cast<double>(range == 0 ? 1 : range);
  const double size = logarithm_1p(std::fabs(t)) / ln_2.high / 3;
  return t < 0 ? -size : size;
}

/// The coordinates of an axis: logarithms are taken once for each, and not for each row of the table.
Expected<AlignedArray<double>> log_coordinates(std::int64_t extent, std::int64_t pretrained) {
  auto made = AlignedArray<double>::make_unfilled(static_cast<std::size_t>(2 * extent - 1));
  if (made)
    for (std::size_t at = 0; at < made->size(); ++at) (*made)[at] = log_coordinate(at, extent, pretrained);
  return made;
}

/// y and x of the rows of the table.
struct LogCoordinates {
  AlignedArray<double> y, x;

  static Expected<LogCoordinates> make(const SwinLogCpb& cpb) {
    POSENC_TRY_LET(y, log_coordinates(cpb.window.height, cpb.pretrained_height));
    POSENC_TRY_LET(x, log_coordinates(cpb.window.width, cpb.pretrained_width));
    return LogCoordinates{std::move(y), std::move(x)};
  }

  [[nodiscard]] std::array<double, 2> of(std::size_t row) const { return {y[row / x.size()], x[row % x.size()]}; }
};

/// The perceptron of a log-CPB, over some rows of the table at a time, in double.
class CpbLayers {
 public:
  static constexpr std::size_t most = 32;

  /// `perceptron` is checked.
  static Expected<CpbLayers> make(const Perceptron& perceptron, std::size_t heads) {
    CpbLayers made;
    made.perceptron_ = &perceptron;
    made.heads_ = heads;
    const std::size_t hidden = perceptron.bias1.size();
    POSENC_TRY(allocate({{made.weight1_, panels_size<double>(2, hidden)},
                         {made.weight2_, panels_size<double>(hidden, heads)},
                         {made.hidden_, most * hidden},
                         {made.outputs_, most * heads}},
                        Fill::none));
    pack_panels<double>(2, hidden, transposed(row_major(perceptron.weight1.data(), 2)), made.weight1_.data());
    pack_panels<double>(hidden, heads, transposed(row_major(perceptron.weight2.data(), hidden)), made.weight2_.data());
    return made;
  }

  void write(const LogCoordinates& coordinates, std::size_t row, std::size_t count, float* out) {
    const std::size_t hidden = perceptron_->bias1.size();
    double inputs[most][2];
    for (std::size_t r = 0; r < count; ++r) {
      const auto [y, x] = coordinates.of(row + r);
      inputs[r][0] = y;
      inputs[r][1] = x;
    }
    multiply_panels<double>(count, 2, hidden, Strided<const double>{inputs[0], 2, 1}, weight1_.data(), hidden_.data(),
                            hidden, false);
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t n = 0; n < hidden; ++n) {
        double& unit = hidden_[r * hidden + n];
        unit += static_cast<double>(perceptron_->bias1[n]);
        unit = unit > 0 ? unit : 0;
      }
    multiply_panels<double>(count, hidden, heads_, Strided<const double>{hidden_.data(), hidden, 1}, weight2_.data(),
                            outputs_.data(), heads_, false);
    const auto outputs = outputs_.span().first(count * heads_);
    if (!perceptron_->bias2.empty())
      for (std::size_t k = 0; k < outputs.size(); ++k)
        outputs[k] += static_cast<double>(perceptron_->bias2[k % heads_]);
    sigmoids(outputs);
    for (std::size_t k = 0; k < outputs.size(); ++k) out[k] = static_cast<float>(16 * outputs[k]);
  }

 private:
  const Perceptron* perceptron_ = nullptr;
  std::size_t heads_ = 0;
  AlignedArray<double> weight1_, weight2_;  ///< in panels
  AlignedArray<double> hidden_, outputs_;   ///< of `most` rows
};

}  // namespace

Expected<std::size_t> swin_table_rows(const SwinWindow& window) {
  POSENC_TRY(check_ranges(window));
  return patch_rows(window) + (window.class_token ? 3 : 0);
}

Expected<std::size_t> swin_tokens(const SwinWindow& window) {
  POSENC_TRY(check_ranges(window));
  return token_count(window);
}

Expected<void> swin_index(const SwinWindow& window, std::span<std::int32_t> out) {
  POSENC_TRY_LET(tokens, swin_tokens(window));
  POSENC_TRY(check_size("out", out.size(), tokens, tokens));
  const auto index = [](std::size_t row, std::size_t) { return static_cast<std::int32_t>(row); };
  return write_window(window, 1, index, out.data());
}

Expected<void> swin_bias(const SwinWindow& window, std::size_t heads, std::span<const float> table,
                         std::span<float> out) {
  POSENC_TRY_LET(rows, swin_table_rows(window));
  const std::size_t tokens = token_count(window);
  POSENC_TRY(check_size("table", table.size(), rows, heads));
  POSENC_TRY(check_extents("out", out.size(), {heads, tokens, tokens}));
  const auto value = [&](std::size_t row, std::size_t h) { return table[row * heads + h]; };
  return write_window(window, heads, value, out.data());
}

Expected<void> swin_log_coordinates(const SwinLogCpb& cpb, std::span<float> out) {
  POSENC_TRY(check_cpb(cpb));
  POSENC_TRY(check_size("out", out.size(), patch_rows(cpb.window), 2));
  POSENC_TRY_LET(coordinates, LogCoordinates::make(cpb));
  auto to = out.begin();
  for (const double y : coordinates.y.span())
    for (const double x : coordinates.x.span()) {
      *to++ = static_cast<float>(y);
      *to++ = static_cast<float>(x);
    }
  return {};
}

Expected<void> swin_log_cpb(const SwinLogCpb& cpb, std::size_t heads, std::span<float> out) {
  POSENC_TRY(check_cpb(cpb));
  POSENC_TRY(cpb.perceptron.check(2, heads));
  POSENC_TRY(check_size("out", out.size(), patch_rows(cpb.window), heads));
  POSENC_TRY_LET(coordinates, LogCoordinates::make(cpb));
  POSENC_TRY_LET(layers, CpbLayers::make(cpb.perceptron, heads));
  const std::size_t rows = heads == 0 ? 0 : patch_rows(cpb.window);
  for (std::size_t row = 0; row < rows; row += CpbLayers::most)
    layers.write(coordinates, row, std::min(CpbLayers::most, rows - row), out.data() + row * heads);
  return {};
}

}  // namespace posenc
